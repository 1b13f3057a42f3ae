"""Which degrees of a distribution belong together?  MDAV-dK and MPDC-dK of paper 002, chapter 6.

Both cluster the cells that occur in the graph at hand.  So the clusters depend on the edges, and
noise on the totals of the clusters hides no edge: the systems that use them say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PartitionError
from covey.partition.base import REQUIRED, Partition, Partitioner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import DK

_PAIRS = 2


def mdav_dk(dk: DK, k: int, *, beside: NDArray[np.float64] | None = None) -> Partition:
    """Cluster the cells of a degree distribution by MDAV, k or more in each cluster.

    Degrees are brought to mean 0 and standard deviation 1 first: the numbers of paper 002 come
    out nearer so than from raw degrees.  How often a cell occurs plays no part.

    Parameters
    ----------
    dk : DK
        A distribution of order 1 or 2.
    k : int
        The fewest cells in a cluster, from 1 to the number of cells; below 2k cells there is one
        cluster.
    beside : array, optional
        One more number for each cell, which counts like a degree (AG-dK of paper 002).

    References
    ----------
    Paper 002, section 6.4.1.
    """
    _refuse_subgraphs(dk, "mdav-dk")
    cells = len(dk.counts)
    if not _is_whole(k) or k < 1:
        raise PartitionError(
            f"k = {k!r} is not a whole number of at least 1, so no cluster has that size. "
            f"Give the fewest degree cells in a cluster; 1 leaves each by itself."
        )
    if k > cells:
        raise PartitionError(
            f"k = {k} is larger than the number of degree cells, so not even one cluster can be "
            f"formed. Give a smaller k."
        )
    if k == 1:
        return _partition(np.arange(cells, dtype=np.int64), "mdav-dk")
    from covey.kernels.mdav.mdav import mdav

    coordinates = dk.keys.astype(np.float64)
    if beside is not None:
        coordinates = np.column_stack([coordinates, beside])
    return _partition(mdav(_scored(coordinates), int(k)), "mdav-dk")


def mpdc_dk(dk: DK, tau: int) -> Partition:
    """Cover the degree pairs with boxes of side tau, always the one that holds most that are left.

    Boxes have integer corners, and of several with most pairs the one created first is taken
    when pairs are scanned in ascending order (see
    `covey.kernels.graphs.covering`); the paper leaves both open.

    Parameters
    ----------
    dk : DK
        A distribution of order 2.
    tau : int
        The most that either degree may differ within a cluster; 0 leaves each pair by itself.

    References
    ----------
    Paper 002, Algorithm 4.
    """
    if dk.order != _PAIRS:
        raise PartitionError(
            f"'mpdc-dk' covers pairs of degrees, and a distribution of order {dk.order} was given. "
            f"Give covey.joint_degrees(graph)."
        )
    if not _is_whole(tau) or tau < 0:
        raise PartitionError(
            f"tau = {tau!r} is not a whole number of at least 0, so no box has that side. "
            f"Give the most that degrees may differ within a cluster."
        )
    from covey.kernels.graphs.covering import cover_greedily

    return _partition(cover_greedily(dk.keys, int(tau)), "mpdc-dk")


def partition_degrees(dk: DK, partitioner: Partitioner, **parameters: Any) -> Partition:
    """Run one of `DEGREE_PAIR_PARTITIONERS`; its cells are sorted, so ties fall by content."""
    return _partition(partitioner.run(dk, **parameters), partitioner.name)


def _scored(coordinates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return z-scores with the sample standard deviation.

    Unlike `covey.partition.standardized`, which divides by n: whole degrees lie at many equal
    distances, and which of them rounding makes the larger decides the clusters.  An independent
    reproduction of Table 6.1 comes out with n - 1.
    """
    spread = coordinates.std(axis=0, ddof=1)
    scores = (coordinates - coordinates.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.ascontiguousarray(scores)


def _partition(labels: NDArray[np.int64], method: str) -> Partition:
    sizes = np.bincount(labels).astype(np.int64)
    labels.setflags(write=False)
    sizes.setflags(write=False)
    return Partition(labels=labels, sizes=sizes, method=method)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _refuse_subgraphs(dk: DK, method: str) -> None:
    if dk.order > _PAIRS:
        raise PartitionError(
            f"{method!r} clusters degrees and pairs of degrees, and a distribution of order "
            f"{dk.order} was given. Give covey.joint_degrees(graph) or "
            f"covey.degree_distribution(graph)."
        )


DEGREE_PAIR_PARTITIONERS: dict[str, Partitioner] = {
    partitioner.name: partitioner
    for partitioner in (
        Partitioner(
            name="mdav-dk",
            summary="MDAV on the degree pairs that occur, k or more in each cluster.",
            paper="002, section 6.4.1",
            run=lambda dk, *, k: mdav_dk(dk, k).labels,
            parameters={"k": REQUIRED},
        ),
        Partitioner(
            name="mpdc-dk",
            summary="Boxes of side tau, always the one that holds most degree pairs not covered.",
            paper="002, algorithm 4",
            run=lambda dk, *, tau: mpdc_dk(dk, tau).labels,
            parameters={"tau": REQUIRED},
        ),
    )
}

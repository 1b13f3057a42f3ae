"""What is measured in the papers' experiments?  Each measure by its name, as the paper defines it.

For the curator: all of them are computed on the originals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.aggregate.running_moments import RunningMoments
from covey.evaluate.mixed import MixedRecords
from covey.evaluate.network import euclidean_distance, ks_distance, l1_distance
from covey.evaluate.utility import il1s_sum, sse
from covey.graph import DK, Graph, degree_distribution, joint_degrees
from covey.partition import PARTITIONERS, partition_records

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.table import Table

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Original records beside what each became, and how.

    Parameters
    ----------
    table : Table
        The originals.
    records : MixedRecords
        Both, side by side.
    widths : array
        Of the public bounds of the numbers.
    k : int, optional
        The size of clusters, where there are some.
    alone : bool
        Whether every column was clustered by itself.
    """

    table: Table
    records: MixedRecords
    widths: Floats = field(repr=False)
    k: int | None = None
    alone: bool = False

    @property
    def numbers(self) -> Deviations:
        """Return how far released numbers are from the originals, added up."""
        return Deviations.of(self.records.numbers, self.records.released_numbers)

    def categories(self) -> float:
        """Return the squared distances of categories, added up [004, section 5.2]."""
        pairs = zip(
            self.records.categories,
            self.records.codes.T,
            self.records.released_codes.T,
            strict=True,
        )
        return float(sum(each.deviations(a, b).squared[0] for each, a, b in pairs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    """The degrees of a graph beside the published ones.

    Parameters
    ----------
    graph : Graph
        The original.
    released : DK or Graph
        What became of it.
    """

    graph: Graph
    released: DK | Graph

    def pair(self, order: int) -> tuple[DK, DK]:
        """Return both distributions of an order."""
        count = degree_distribution if order == 1 else joint_degrees
        there = self.released if isinstance(self.released, DK) else count(self.released)
        return count(self.graph), there


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMeasure:
    """What a panel can show.

    Parameters
    ----------
    title : str
        How its axis is called.
    of : callable
        Computes it from `Compared` or `Degrees`.
    graph : bool
        Whether it is one of graphs.
    """

    title: str
    of: Callable[[Any], float]
    graph: bool = False


def _sse(found: Compared) -> float:
    return _numbers_sse(found, None) + found.categories()


def _sse_bounds(found: Compared) -> float:
    return _numbers_sse(found, found.widths) + found.categories()


def _numbers_sse(found: Compared, scales: Floats | None) -> float:
    if not found.records.numbers.shape[1]:
        return 0.0
    return sse(found.numbers) if scales is None else sse(found.numbers, scales)


def _mse(found: Compared) -> float:
    return _sse(found) / found.table.n


def _il1s(found: Compared) -> float:
    return il1s_sum(found.numbers, RunningMoments.of(found.records.numbers).variances)


def _rl(found: Compared) -> float:
    return found.records.linkage(np.ones(found.widths.size), "raw")


def _rl_bounds(found: Compared) -> float:
    return found.records.linkage(found.widths, "bounds")


def _sse_ranked(found: Compared) -> float:
    """Compare each record with the sampled value of its rank in its cluster, column by column.

    The paper's own device [003]: samples belong to no record, and no release does this.
    """
    X, released = found.records.numbers, found.records.released_numbers
    scaled, k = X / found.widths, found.k
    if k is None:
        return _sse(found)
    labels = np.empty(X.shape, dtype=np.int64)
    if found.alone:
        for j, column in enumerate(scaled.T):
            ranked = PARTITIONERS["individual-ranking"]
            labels[:, j] = partition_records(column[:, None], ranked, k=k).labels
    else:
        labels[:] = partition_records(scaled, PARTITIONERS["mdav"], k=k).labels[:, None]
    matched = np.empty_like(released)
    for j in range(X.shape[1]):
        own, drawn = (np.lexsort((values[:, j], labels[:, j])) for values in (X, released))
        matched[own, j] = released[drawn, j]
    return sse(Deviations.of(X, matched))


def _preserved(found: Degrees) -> float:
    assert isinstance(found.released, Graph)  # noqa: S101 — a projection
    return found.released.n_edges / max(found.graph.n_edges, 1)


MEASURES: Mapping[str, PaperMeasure] = {
    "sse": PaperMeasure(title="SSE", of=_sse),
    "sse_bounds": PaperMeasure(title="SSE, numbers divided by their ranges", of=_sse_bounds),
    "mse": PaperMeasure(title="MSE", of=_mse),
    "il1s": PaperMeasure(title="IL1s", of=_il1s),
    "rl": PaperMeasure(title="RL (%)", of=_rl),
    "rl_bounds": PaperMeasure(title="RL (%)", of=_rl_bounds),
    "sse_ranked": PaperMeasure(title="SSE", of=_sse_ranked),
    "l1_1k": PaperMeasure(
        title="L1 distance", of=lambda found: l1_distance(*found.pair(1)), graph=True
    ),
    "ks_1k": PaperMeasure(
        title="KS distance", of=lambda found: ks_distance(*found.pair(1)), graph=True
    ),
    "l1_2k": PaperMeasure(
        title="L1 distance", of=lambda found: l1_distance(*found.pair(2)), graph=True
    ),
    "ks_2k": PaperMeasure(
        title="KS distance", of=lambda found: ks_distance(*found.pair(2)), graph=True
    ),
    "euclidean_2k": PaperMeasure(
        title="Euclidean distance", of=lambda found: euclidean_distance(*found.pair(2)), graph=True
    ),
    "preserved_edges": PaperMeasure(title="preserved edges", of=_preserved, graph=True),
}
"""What the papers measure, by the names that experiments use."""

"""Which clusters follow from public orders alone?  Insensitive microaggregation of paper 004."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PartitionError, suggest
from covey.partition.base import REQUIRED, Partitioner, PartitionProgress, check_k
from covey.partition.insensitive import hamming_sequence, insensitive_labels, paired_sequence

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEQUENCES = {"hamming": hamming_sequence, "paired": paired_sequence}
"""Section 4.3 as written, and the one that the paper's evaluation used."""


def _insensitive(
    X: NDArray[np.float64],
    *,
    k: int,
    order: str = "corners",
    sequence: str = "hamming",
    bounds: Any = None,
    progress: PartitionProgress | None = None,
) -> NDArray[np.int64]:
    del progress
    if sequence not in SEQUENCES:
        raise PartitionError(
            f"there is no sequence of corners {sequence!r}. {suggest(sequence, SEQUENCES)}"
        )
    if bounds is None:
        # Corners of the data, in the units given, serve to look at a partition; a guarantee needs
        # public bounds.
        low, high = np.zeros(X.shape[1]), np.ones(X.shape[1])
        corners = (X.min(axis=0), X.max(axis=0))
    else:
        low, high = np.asarray(bounds, dtype=np.float64).T
        corners = (low, high)
    return insensitive_labels(
        X,
        low,
        high,
        k=check_k(k, X.shape[0]),
        order=order,  # type: ignore[arg-type]
        corners=corners,
        sequence=SEQUENCES[sequence](X.shape[1]) if order == "corners" else None,
    )


INSENSITIVE = Partitioner(
    name="insensitive",
    summary="Clusters take their k records in turns under total orders that are fixed in advance.",
    paper="004, algorithm 2",
    run=_insensitive,
    parameters={"k": REQUIRED, "order": "corners", "sequence": "hamming", "bounds": None},
)

"""Which rows are released?  Described by published numbers, so that every engine can make them.

An engine writes them down in pieces that fit, in an order that depends on released values alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Values = Any
"""Numbers of a column (an array of float64), or its texts (an array of objects)."""


@dataclass(frozen=True, slots=True)
class Untouched:
    """The original values of a column that a system does not protect."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Distinct rows, each as often as ``counts`` says."""

    columns: Mapping[str, Values] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Paired:
    """Columns that were published by themselves, to be shuffled independently.

    Each column is a pair: its values, and how often each occurs.
    """

    columns: Mapping[str, tuple[Values, NDArray[np.int64]]] = field(repr=False)
    n: int


class Placed(Protocol):
    """Rows that are drawn from a published model, some at a time."""

    @property
    def n(self) -> int:
        """Return how many there are."""
        ...

    def place(self, piece: int, pieces: int, rng: np.random.Generator) -> Mapping[str, Values]:
        """Draw one of so many even pieces of the rows."""
        ...


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The records themselves, every value of which was drawn anew: an engine's own."""

    held: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Counted:
    """Cells of tables or of a graph's degrees, and what they count, in the order given."""

    columns: Mapping[str, Values] = field(repr=False)


Rows = Repeated | Paired | Placed | Perturbed | Counted


@dataclass(frozen=True, slots=True)
class Link:
    """What the records of each cluster became, in published numbers: for the curator.

    Which records these are, the engine knows that was asked: ``clusters`` is the number of some
    boxes, a question about rank blocks, or a public order.
    """

    clusters: Any
    columns: Mapping[str, NDArray[np.float64]] = field(repr=False)

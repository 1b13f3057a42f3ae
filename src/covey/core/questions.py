"""What may be asked about records?  A question holds public numbers, and a claim bounds its answer.

Engines answer exactly (`Records`), and nobody but the meter hears that answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.partition.degree_boxes import DegreeBoxes
    from covey.partition.insensitive import PublicOrder
    from covey.table.grid import Grid

RECORD_UNIT = 2**16
"""One record counts this many steps in a box, so that sums keep sixteen binary digits."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many records are there?"""


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """How many records have each value of a category?"""

    axis: Axis


@dataclass(frozen=True, slots=True)
class Cuts:
    """Into which boxes is the domain of these axes cut?"""

    axes: Sequence[Axis]


@dataclass(frozen=True, slots=True)
class BoxSums:
    """How many records are in each box of some earlier `Cuts`, and where on its measured sides?

    ``low`` and ``high`` are the ends of the boxes in the axes' coordinates.
    """

    boxes: int
    axes: Sequence[Axis]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    measured: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RankBlockSums:
    """What do blocks of ranks of a sorted column add up to?"""

    name: str
    grid: Grid
    sizes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """What does a column add up to in each cluster under a public order?

    Without a name: all columns, one after the other, along the Hilbert curve.
    """

    order: PublicOrder
    name: str | None


@dataclass(frozen=True, slots=True)
class ClusterConcepts:
    """Which concepts are in each cluster?  ``distances`` to the candidates, in public steps."""

    order: PublicOrder
    name: str
    distances: NDArray[np.int64]
    largest: int


@dataclass(frozen=True, slots=True)
class RecordValues:
    """Which value does each record have?"""

    name: str
    grid: Grid


@dataclass(frozen=True, slots=True)
class RecordConcepts:
    """Which concept does each record have?  ``distances`` to the candidates, in public steps."""

    name: str
    candidates: tuple[str, ...]
    distances: NDArray[np.int64]
    largest: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Which records, edges or nodes take part?

    ``parts`` turns public preferences (of a ``column``), ends of edges, or nodes into parts of
    their coins; ``certain`` if these are all or nothing.  The public ``default`` record stands for
    one that takes no part, or nothing does.
    """

    what: str
    parts: Callable[[NDArray[Any]], NDArray[np.int64]]
    certain: bool = False
    column: str = ""
    columns: tuple[str, ...] = ()
    default: Mapping[str, float | str] | None = None


@dataclass(frozen=True, slots=True)
class DegreeSums:
    """What do blocks of ranks of the falling degrees add up to?"""

    sizes: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DegreeCounts:
    """How many nodes have each degree up to ``top``, or at most it?

    With ``theta`` after edge addition in the order of a public ``key``.
    """

    top: int
    cumulative: bool
    theta: int | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class EdgeCounts:
    """How many edges are in each box of degree pairs?  ``even``: the same noise in all."""

    boxes: DegreeBoxes
    even: bool
    theta: int | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class EdgesLeft:
    """How many edges are left after edge addition with each of some degree bounds?"""

    bounds: tuple[int, ...]
    key: str


CLAIMED: dict[type, Callable[[Any], tuple[str, str, dict[str, int]]]] = {
    Size: lambda _: ("private-tree", "size", {}),
    ValueCounts: lambda _: ("histogram", "counts", {}),
    Cuts: lambda _: ("private-tree", "structure", {}),
    BoxSums: lambda _: ("private-tree", "leaves", {"unit": RECORD_UNIT}),
    RankBlockSums: lambda q: ("rank-blocks", "sums", {"steps": q.grid.steps}),
    ClusterSums: lambda q: q.order.claim(q.name),
    ClusterConcepts: lambda q: ("insensitive", "marginality", {"steps": q.largest}),
    RecordValues: lambda q: ("laplace", "values", {"steps": q.grid.steps}),
    RecordConcepts: lambda q: ("exponential", "distance", {"steps": q.largest}),
    Sample: lambda q: ("personalised", q.what, {}),
    DegreeSums: lambda _: ("degrees", "sorted-sums", {}),
    DegreeCounts: lambda q: (
        "degrees" if q.theta is None else "projected-degrees",
        "cumulative" if q.cumulative else "histogram",
        {} if q.theta is None else {"theta": q.theta},
    ),
    EdgeCounts: lambda q: (
        ("joint-degrees", "top-coded", {"top": len(q.boxes.lows)})
        if q.even and q.theta is None
        else ("joint-degrees", "boxes", {})
        if q.theta is None
        else ("projected-joint-degrees", "cells" if q.even else "boxes", {"theta": q.theta})
    ),
    EdgesLeft: lambda q: ("projected-edges", "sizes", {"bounds": len(q.bounds)}),
}
"""Method, statistic and public numbers of the claim that covers a question."""


class Records(Protocol):
    """What an engine can say about its records, to the meter alone."""

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer, whole numbers."""
        ...

    def cut(
        self, question: Cuts, decide: Callable[[NDArray[np.int64], int], NDArray[np.bool_]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Cut boxes as the test decides; return their ends, and a number to ask about them."""
        ...

    def perturbed(self, draws: Sequence[Any]) -> Any:
        """Keep the records with every value drawn anew, by a `covey.core.meter.Draw` a column."""
        ...

    def sampled(
        self, question: Sample, toss: Callable[[NDArray[np.int64]], NDArray[np.bool_]] | None
    ) -> Records:
        """Return the records of which the coins say that they take part."""
        ...

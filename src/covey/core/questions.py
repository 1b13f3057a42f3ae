"""What may be asked about records?  A question holds public numbers, and a claim bounds its answer.

Engines answer exactly (`Records`), and nobody but the meter hears that answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.core.budget import Budget
from covey.core.exact import kept_parts
from covey.errors import UnprovenError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.partition.degree_boxes import DegreeBoxes
    from covey.partition.insensitive import PublicOrder
    from covey.table.grid import Grid

RECORD_UNIT = 2**16
"""One record counts this many steps in a box, so that sums keep sixteen binary digits."""

RANK_UNIT = 2**15
"""Ranks lie between minus this and this, so that sums of their products fit into 64 bits."""

LARGEST_MODEL = 2**40
"""Counts are compared with numbers below this, so that no difference leaves 64 bits."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many records are there?"""


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """How many records have each value of a category?"""

    axis: Axis


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """A public coarsening of an axis: ``of[i]`` is the cell, 0 … size − 1, of its integer i."""

    axis: Axis
    of: NDArray[np.int32]
    size: int


@dataclass(frozen=True, slots=True)
class CellCounts:
    """How many records are in each cell of a column, or of the cross table of some columns?"""

    columns: tuple[ColumnCells, ...]


@dataclass(frozen=True, slots=True)
class PairScores:
    """How far are cross tables of candidate pairs of columns from public tables of whole numbers?

    The score of a pair is the sum of absolute differences less its public penalty.
    """

    columns: tuple[ColumnCells, ...]
    pairs: tuple[tuple[int, int], ...]
    models: tuple[NDArray[np.int64], ...]
    penalties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankProducts:
    """What do the products of the ranks of all pairs of columns add up to?

    ``ranks`` are public whole numbers of at most `RANK_UNIT`, one for each cell of a column.
    """

    columns: tuple[ColumnCells, ...]
    ranks: tuple[NDArray[np.int64], ...]

    def __post_init__(self) -> None:
        """Cut ranks to what the claim speaks of."""
        cut = tuple(np.clip(ranks, -RANK_UNIT, RANK_UNIT) for ranks in self.ranks)
        object.__setattr__(self, "ranks", cut)


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

    Public preferences decide how likely: of a ``column``, or ``allowed`` by the number of a node,
    by its name if nodes are protected; ``certain`` if all or nothing.  The public ``default``
    record stands for one that takes no part, or nothing does.
    """

    what: str
    threshold: Fraction
    certain: bool = False
    allowed: NDArray[np.float64] | Mapping[str, float] | None = None
    column: str = ""
    columns: tuple[str, ...] = ()
    default: Mapping[str, float | str] | None = None

    def parts(self, preferences: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return how likely whoever has these preferences takes part, in parts of `COIN_PARTS`."""
        levels, level = np.unique(preferences, return_inverse=True)
        kept = np.zeros(levels.size, dtype=np.int64)
        for place, value in enumerate(levels.tolist()):
            allowed = Budget.of(value).epsilon
            if allowed >= self.threshold or not self.certain:
                kept[place] = kept_parts(allowed, self.threshold)
        return kept[level]


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


def _farthest(question: ClusterConcepts | RecordConcepts) -> int:
    """Return how far a distance can move: what was said, or what the distances themselves say."""
    return max(question.largest, int(np.ptp(question.distances)))


CLAIMED: dict[type, Callable[[Any], tuple[str, str, dict[str, int]]]] = {
    Size: lambda _: ("private-tree", "size", {}),
    ValueCounts: lambda _: ("histogram", "counts", {}),
    CellCounts: lambda _: ("histogram", "counts", {}),
    PairScores: lambda _: ("pair-scores", "scores", {}),
    RankProducts: lambda q: (
        "rank-products",
        "sums",
        {"unit": RANK_UNIT**2, "columns": len(q.columns)},
    ),
    Cuts: lambda _: ("private-tree", "structure", {}),
    BoxSums: lambda _: ("private-tree", "leaves", {"unit": RECORD_UNIT}),
    RankBlockSums: lambda q: ("rank-blocks", "sums", {"steps": q.grid.steps}),
    ClusterSums: lambda q: q.order.claim(q.name),
    ClusterConcepts: lambda q: ("insensitive", "marginality", {"steps": _farthest(q)}),
    RecordValues: lambda q: ("laplace", "values", {"steps": q.grid.steps}),
    RecordConcepts: lambda q: ("exponential", "distance", {"steps": _farthest(q)}),
    Sample: lambda q: ("personalised", q.what, {}),
    DegreeSums: lambda _: ("degrees", "sorted-sums", {}),
    DegreeCounts: lambda q: (
        "degrees" if q.theta is None else "projected-degrees",
        "cumulative" if q.cumulative else "histogram",
        {} if q.theta is None else {"theta": q.theta},
    ),
    EdgeCounts: lambda q: (
        ("joint-degrees", "top-coded", {"top": int(q.boxes.lows[-1])})
        if q.even and q.theta is None
        else ("joint-degrees", "boxes", {})
        if q.theta is None
        else ("projected-joint-degrees", "cells" if q.even else "boxes", {"theta": q.theta})
    ),
    EdgesLeft: lambda q: ("projected-edges", "sizes", {"bounds": len(q.bounds)}),
}
"""Method, statistic and public numbers of the claim that covers a question."""


PLAIN_TYPES = {str, int, float, bool, type(None), Fraction}
PUBLIC_ROOMS = ("covey.core.", "covey.partition.", "covey.table.")
"""What a question may hold beside numpy's numbers: texts, numbers, and values of these rooms."""


def refuse_foreign(question: Any) -> None:
    """Refuse a question that holds anything but Covey's own public values, or breaks its claim.

    An engine shows records to the methods of what a question holds, so none may be a system's.
    """
    _refuse_foreign([getattr(question, part.name) for part in fields(question)], question)
    if not COVERED.get(type(question), lambda _: True)(question):
        raise UnprovenError(
            f"the public numbers of the question {type(question).__name__!r} are none that its "
            f"claim speaks of, so it gets no answer. Read the claim's page in docs/proofs."
        )


def _refuse_foreign(parts: Sequence[Any], question: Any) -> None:
    for value in parts:
        kind = type(value)
        inside: Sequence[Any] = ()
        if kind in PLAIN_TYPES or (issubclass(kind, np.generic) and _is_genuine(kind, ("numpy",))):
            continue
        if kind in (tuple, list):
            inside = value
        elif kind in (dict, MappingProxyType):
            inside = [*value, *value.values()]
        elif kind is np.ndarray:
            inside = value.ravel().tolist() if value.dtype.hasobject else ()
        elif is_dataclass(kind) and _is_genuine(kind, PUBLIC_ROOMS) and not _overwritten(value):
            inside = [getattr(value, part.name) for part in fields(value)]
        else:
            raise UnprovenError(
                f"the question {type(question).__name__!r} holds a value of the type "
                f"{kind.__name__!r}, which is none of Covey's public values, so it gets no answer. "
                f"Ask with numbers, texts, arrays, grids, axes and public orders alone."
            )
        if not PLAIN_TYPES.issuperset(map(type, inside)):
            _refuse_foreign(inside, question)


def _is_genuine(kind: type, rooms: tuple[str, ...]) -> bool:
    """Return whether a type is what its module calls by that name, not one that says so."""
    module = sys.modules.get(kind.__module__)
    return kind.__module__.startswith(rooms) and getattr(module, kind.__name__, None) is kind


def _overwritten(value: Any) -> bool:
    return any(callable(held) for held in getattr(value, "__dict__", {}).values())


def are_cells(columns: Sequence[ColumnCells]) -> bool:
    """Return whether every integer of each axis has a cell that there is."""
    return all(0 <= cells.of.min() <= cells.of.max() < cells.size for cells in columns)


def _are_models(question: PairScores) -> bool:
    shapes = [tuple(question.columns[at].size for at in pair) for pair in question.pairs]
    return are_cells(question.columns) and all(
        model.shape == shape and (np.abs(model.astype(np.float64)) < LARGEST_MODEL).all()
        for model, shape in zip(question.models, shapes, strict=True)
    )


COVERED: dict[type, Callable[[Any], bool]] = {
    CellCounts: lambda q: are_cells(q.columns),
    PairScores: _are_models,
    RankProducts: lambda q: (
        are_cells(q.columns)
        and len(q.ranks) == len(q.columns)
        and all((np.abs(ranks) <= RANK_UNIT).all() for ranks in q.ranks)
    ),
    BoxSums: lambda q: bool(np.isfinite(q.low).all() and np.isfinite(q.high).all()),
    RankBlockSums: lambda q: (q.sizes >= 0).all(),
    # The claim about all columns together is one about the curve, and the curve's is no other.
    ClusterSums: lambda q: (q.order.kind == "hilbert") == (q.name is None),
    ClusterConcepts: lambda q: q.order.kind != "hilbert",
    DegreeSums: lambda q: (q.sizes >= 1).all(),
    EdgeCounts: lambda q: q.boxes.in_order,
    EdgesLeft: lambda q: min(q.bounds) >= 1,
}
"""What the claim of a question supposes of its public numbers; asked when the price is taken."""


class Records(Protocol):
    """What an engine can say about its records, to the meter alone."""

    def answer(self, question: Any) -> NDArray[np.int64]:
        """Return the exact answer, whole numbers."""
        ...

    def answers(self, questions: Sequence[Any]) -> Sequence[NDArray[np.int64]]:
        """Return the exact answers to several questions about cells, all at once."""
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

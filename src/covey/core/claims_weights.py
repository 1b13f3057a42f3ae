"""How far can sums of survey weights move when one record changes?

A question of its own and its reviewed claim, gathered with the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from covey.core.claims_tables import ADD_REMOVE, CLAIMS, REPLACE, Claim
from covey.core.questions import CLAIMED, COVERED, ColumnCells, are_cells


@dataclass(frozen=True, slots=True)
class WeightedCounts:
    """What do the weights of the records in each cell of a cross table add up to?

    ``weight.of[i]`` is the weight of a record with the integer i on its axis: a public whole
    number below ``weight.size``, so that no record weighs more.
    """

    columns: tuple[ColumnCells, ...]
    weight: ColumnCells


WEIGHT_CLAIMS: dict[tuple[str, str], Claim] = {
    # Sums of whole weights of at most `largest` over disjoint public cells.
    ("weighted-counts", "sums"): Claim(
        REPLACE,
        "weighted-counts",
        lambda *, largest: 2 * largest,
        squares=lambda *, largest: 2 * largest**2,
    ),
    ("weighted-counts", "sums-add-remove"): Claim(
        ADD_REMOVE, "weighted-counts", lambda *, largest: largest
    ),
}

CLAIMS.update(WEIGHT_CLAIMS)
CLAIMED[WeightedCounts] = lambda q: ("weighted-counts", "sums", {"largest": q.weight.size - 1})
COVERED[WeightedCounts] = lambda q: are_cells((*q.columns, q.weight))

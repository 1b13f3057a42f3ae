"""How far can a statistic of records move between two neighbours?  The reviewed claims.

`CLAIMS` is an allow-list: a question whose claim is not in it gets no noise scale and therefore
no answer.  Each claim names the page in ``docs/proofs`` that states and proves it and that a
second person has reviewed, and tests hunt for neighbours that break it.  A bound is a function of
public numbers alone, in whole steps of a public grid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from covey.core.unit import PrivacyUnit
from covey.errors import UnprovenError

REPLACE, ADD_REMOVE = PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD


Norm = Literal["sum", "rows", "scores", "cluster-scores", "tests", "records"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A reviewed statement about one statistic of one method, which `CLAIMS` names it by.

    ``norm`` says what is bounded, and so which noise may rest on it: the sum of all moves; for
    each row its largest move, added up; the move of every score, or of every cluster's scores;
    the loss of all tests of a tree; the number of records that change.  ``squares`` bounds the sum
    of the squares of all moves, for Gaussian noise; where moves add up, it is the square of their
    sum if nothing better is proven.
    """

    unit: PrivacyUnit
    proof: str
    bound: Callable[..., int]
    norm: Norm = "sum"
    squares: Callable[..., int] | None = None

    def squared(self, public: Mapping[str, int]) -> int | None:
        """Return the bound on the sum of squares, or None if none is proven."""
        if self.squares is not None:
            return self.squares(**public)
        return self.bound(**public) ** 2 if self.norm == "sum" else None


CLAIMS: dict[tuple[str, str], Claim] = {
    # One column of single records: replacing one moves its own entry and no other.
    ("laplace", "values"): Claim(REPLACE, "record-values", lambda *, steps: steps),
    # Distances from one record's value to public candidates, each at most `steps`; its own only.
    ("exponential", "distance"): Claim(REPLACE, "record-choices", lambda *, steps: steps, "scores"),
    # Sums of one sorted column over blocks of ranks that depend on n and k alone: they telescope.
    ("rank-blocks", "sums"): Claim(REPLACE, "rank-blocks", lambda *, steps: steps),
    # Sums over clusters under a public sequence of total orders: each cluster moves by one record.
    ("insensitive", "sums"): Claim(
        REPLACE,
        "insensitive",
        lambda *, steps, clusters: steps * clusters,
    ),
    # Sums of all columns over blocks of one total order: the longest monotone chain on the grid.
    ("insensitive", "chain-sums"): Claim(REPLACE, "insensitive", lambda *, chain: chain),
    # Marginality of a concept in one such cluster, with distances of at most `steps`.
    ("insensitive", "marginality"): Claim(
        REPLACE, "insensitive", lambda *, steps: steps, "cluster-scores"
    ),
    # Which boxes are cut, all tests of a tree together: κ in thousandths, the cost is κ over λ.
    ("private-tree", "structure"): Claim(REPLACE, "private-tree", lambda: 3600, "tests"),
    ("private-tree", "structure-add-remove"): Claim(
        ADD_REMOVE, "private-tree", lambda: 2600, "tests"
    ),
    # Counts and sums of boxes of a fixed tree, a row for each box.
    ("private-tree", "leaves"): Claim(REPLACE, "private-tree", lambda *, unit: 2 * unit, "rows"),
    ("private-tree", "leaves-add-remove"): Claim(
        ADD_REMOVE, "private-tree", lambda *, unit: unit, "rows"
    ),
    # The number of records.
    ("private-tree", "size"): Claim(ADD_REMOVE, "private-tree", lambda: 1),
    # Numbers of records in public categories.
    ("histogram", "counts"): Claim(REPLACE, "histogram", lambda: 2, squares=lambda: 2),
    ("histogram", "counts-add-remove"): Claim(ADD_REMOVE, "histogram", lambda: 1),
    # Scores of pairs of columns: sums of |count − public number|.
    ("pair-scores", "scores"): Claim(REPLACE, "column-model", lambda: 2, "scores"),
    ("pair-scores", "scores-add-remove"): Claim(ADD_REMOVE, "column-model", lambda: 1, "scores"),
    # Sums of products of ranks of so many columns, all in one row.
    ("rank-products", "sums"): Claim(
        REPLACE,
        "column-model",
        lambda *, unit, columns: 2 * unit,  # noqa: ARG005 — the largest move alone
        "rows",
        lambda *, unit, columns: (columns * unit) ** 2,
    ),
    ("rank-products", "sums-add-remove"): Claim(
        ADD_REMOVE,
        "column-model",
        lambda *, unit, columns: unit,  # noqa: ARG005
        "rows",
        lambda *, unit, columns: columns * (columns - 1) // 2 * unit**2,
    ),
    # Records that change with one, the coins being the same: a public one stands there, or none.
    ("personalised", "records"): Claim(REPLACE, "personalised", lambda: 1, "records"),
    ("personalised", "records-add-remove"): Claim(ADD_REMOVE, "personalised", lambda: 1, "records"),
}


def find_claim(method: str, statistic: str, unit: PrivacyUnit) -> Claim:
    """Return the reviewed claim about a statistic for a neighbour relation, or refuse."""
    for name in (statistic, f"{statistic}-add-remove"):
        claim = CLAIMS.get((method, name))
        if claim is not None and claim.unit is unit:
            return claim
    raise UnprovenError(
        f"no reviewed proof covers the {statistic!r} of {method!r} for {unit.words}, so no noise "
        f"scale is known to protect anyone. Use a system from `covey systems`, or add a claim with "
        f"its proof."
    )

"""How far can a statistic of records move between two neighbours?  The reviewed claims.

`CLAIMS` is an allow-list: a question whose claim is not in it gets no noise scale and therefore
no answer.  Each claim names the page in ``docs/proofs`` that states and proves it and that a
second person has reviewed, and tests hunt for neighbours that break it.  A bound is a function of
public numbers alone, in whole steps of a public grid: in L1, unless a comment says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from covey.core.unit import PrivacyUnit
from covey.errors import UnprovenError

REPLACE, ADD_REMOVE = PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD


@dataclass(frozen=True, slots=True)
class Claim:
    """A reviewed statement about one statistic of one method, which `CLAIMS` names it by."""

    unit: PrivacyUnit
    proof: str
    bound: Callable[..., int]


CLAIMS: dict[tuple[str, str], Claim] = {
    # One column of single records: replacing one moves its own entry and no other.
    ("laplace", "values"): Claim(REPLACE, "record-values", lambda *, steps: steps),
    # Distances from one record's value to public candidates, each at most `steps`; its own only.
    ("exponential", "distance"): Claim(REPLACE, "record-choices", lambda *, steps: steps),
    # Sums of one sorted column over blocks of ranks that depend on n and k alone: they telescope.
    ("rank-blocks", "sums"): Claim(REPLACE, "rank-blocks", lambda *, steps: steps),
    # Sums over clusters under a public sequence of total orders: each cluster moves by one record.
    ("insensitive", "sums"): Claim(
        REPLACE, "insensitive", lambda *, steps, clusters: steps * clusters
    ),
    # Sums of all columns over blocks of one total order: the longest monotone chain on the grid.
    ("insensitive", "chain-sums"): Claim(REPLACE, "insensitive", lambda *, chain: chain),
    # Marginality of a concept in one such cluster, with distances of at most `steps`.
    ("insensitive", "marginality"): Claim(REPLACE, "insensitive", lambda *, steps: steps),
    # Which boxes are cut, all tests of a tree together: κ in thousandths, the cost is κ over λ.
    ("private-tree", "structure"): Claim(REPLACE, "private-tree", lambda: 3600),
    ("private-tree", "structure-add-remove"): Claim(ADD_REMOVE, "private-tree", lambda: 2600),
    # Counts and sums of boxes of a fixed tree: the sum over boxes of the largest coordinate's move.
    ("private-tree", "leaves"): Claim(REPLACE, "private-tree", lambda *, unit: 2 * unit),
    ("private-tree", "leaves-add-remove"): Claim(ADD_REMOVE, "private-tree", lambda *, unit: unit),
    # The number of records.
    ("private-tree", "size"): Claim(ADD_REMOVE, "private-tree", lambda: 1),
    # Numbers of records in public categories.
    ("histogram", "counts"): Claim(REPLACE, "histogram", lambda: 2),
    ("histogram", "counts-add-remove"): Claim(ADD_REMOVE, "histogram", lambda: 1),
    # Scores of pairs of columns: sums of |count − public number|, each of which moves so far.
    ("pair-scores", "scores"): Claim(REPLACE, "column-model", lambda: 2),
    ("pair-scores", "scores-add-remove"): Claim(ADD_REMOVE, "column-model", lambda: 1),
    # Sums of products of ranks: the largest coordinate's move.
    ("rank-products", "sums"): Claim(REPLACE, "column-model", lambda *, unit: 2 * unit),
    ("rank-products", "sums-add-remove"): Claim(ADD_REMOVE, "column-model", lambda *, unit: unit),
    # Records that change with one, the coins being the same: a public one stands there, or none.
    ("personalised", "records"): Claim(REPLACE, "personalised", lambda: 1),
    ("personalised", "records-add-remove"): Claim(ADD_REMOVE, "personalised", lambda: 1),
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

"""How far do statistics of clusters move, if neighbours lead to the same clusters?

Reviewed claims like those of `covey.core`, hunted by the same tests, with a proof page each.  But
clusters that were chosen from records differ between neighbours, so no differential promise
follows and no meter knows these: the papers' systems, which see the records, use them.
"""

from __future__ import annotations

from covey.core import Claim, PrivacyUnit
from covey.errors import UnprovenError


def _one_value(*, steps: int) -> int:
    return steps


def _moments(*, steps: int, entries: int, coskewnesses: int, k: int) -> int:
    if coskewnesses and k < 3:  # noqa: PLR2004
        raise UnprovenError(
            f"k = {k} is too small for coskewness, which needs three records in each cluster, so "
            f"no noise scale is known. Give k of at least 3; 4 halves the noise."
        )
    # Unlike [003, Prop. 8]: with three records a coskewness moves by twice the printed bound.
    factor = 2 if k == 3 else 1  # noqa: PLR2004
    return steps * (entries + factor * coskewnesses)


SAME = PrivacyUnit.SAME_PARTITION

PAPER_CLAIMS: dict[tuple[str, str], Claim] = {
    # Sums of one column over clusters whose members stay the same: only the record's own moves.
    ("fixed-partition", "sums"): Claim(SAME, "fixed-partition", _one_value),
    # One column of the medoids of such clusters.
    ("fixed-partition", "medoids"): Claim(SAME, "fixed-partition", _one_value),
    # Size times mean, covariance and coskewness coefficients of such clusters of at least k.
    ("cross-moment", "moments"): Claim(SAME, "moments", _moments),
}


def sensitivity(method: str, statistic: str, **public: int) -> int:
    """Return how far a statistic of fixed clusters moves in L1, from public numbers.

    Examples
    --------
    >>> sensitivity("fixed-partition", "sums", steps=100)
    100
    """
    return PAPER_CLAIMS[method, statistic].bound(**public)

"""How far can a statistic move when one record changes?

The only place that knows a sensitivity.  `CLAIMS` is an allow-list: a combination of method
and statistic that is not in it gets no noise scale and therefore no release.  Each claim
names the proof page in ``docs/proofs`` that a second person has reviewed, and tests hunt
for neighbours that break it.  Nothing here sees data: a sensitivity is a function of public
numbers alone.
"""

from __future__ import annotations

from covey.errors import UnprovenError
from covey.privacy.claim import Claim, Sensitivity
from covey.privacy.graph_claims import GRAPH_CLAIMS
from covey.privacy.guarantee import PrivacyUnit


def _one_value(*, steps: int) -> int:
    return steps


def _longest_chain(*, chain: int) -> int:
    return chain


def _one_value_each(*, steps: int, clusters: int) -> int:
    return steps * clusters


def _moments(*, steps: int, entries: int, coskewnesses: int, k: int) -> int:
    if coskewnesses and k < 3:  # noqa: PLR2004
        raise UnprovenError(
            f"k = {k} is too small for coskewness, which needs three records in each cluster, so "
            f"no noise scale is known. Give k of at least 3; 4 halves the noise."
        )
    # Unlike [003, Prop. 8]: with three records a coskewness moves by twice the printed bound.
    factor = 2 if k == 3 else 1  # noqa: PLR2004
    return steps * (entries + factor * coskewnesses)


CLAIMS: dict[tuple[str, str], Claim] = {
    (claim.method, claim.statistic): claim
    for claim in (
        *GRAPH_CLAIMS,
        Claim(
            method="laplace",
            statistic="values",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_one_value,
            proof="record-values",
            statement="One column of single records, each clamped to a public grid of `steps` "
            "steps: replacing a record moves its own entry by at most `steps` and no other.",
        ),
        Claim(
            method="rank-blocks",
            statistic="sums",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_one_value,
            proof="rank-blocks",
            statement="Sums of one sorted column over blocks of ranks that depend on n and k "
            "alone: replacing a record moves all sums together by at most `steps`.",
        ),
        Claim(
            method="insensitive",
            statistic="sums",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_one_value_each,
            proof="insensitive",
            statement="Sums of one column over clusters formed by a public sequence of total "
            "orders: replacing a record changes each cluster by at most one record, so all sums "
            "together move by at most `steps` times `clusters`.",
        ),
        Claim(
            method="insensitive",
            statistic="chain-sums",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_longest_chain,
            proof="insensitive",
            statement="Sums of all columns over blocks of ranks in one total order of grid points: "
            "replacing a record moves all of them together by at most the longest monotone chain "
            "with one step for each cluster, in grid steps.",
        ),
        Claim(
            method="insensitive",
            statistic="marginality",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_one_value,
            proof="insensitive",
            statement="Marginality of a concept in one such cluster, with distances of at most "
            "`steps`: replacing a record moves it by at most `steps`.",
        ),
        Claim(
            method="private-tree",
            statistic="structure",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=lambda: 3600,
            proof="private-tree",
            statement="Which boxes of a tree with rising thresholds are cut: replacing a record "
            "costs at most 3.6 divided by the scale of the test (in thousandths).",
        ),
        Claim(
            method="private-tree",
            statistic="structure-add-remove",
            unit=PrivacyUnit.ADD_REMOVE_RECORD,
            bound=lambda: 2600,
            proof="private-tree",
            statement="The same when a record is added or removed: 2.6 divided by the scale.",
        ),
        Claim(
            method="private-tree",
            statistic="leaves",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=lambda *, unit: 2 * unit,
            proof="private-tree",
            statement="Counts and sums of the boxes of a fixed tree, each record adding at most "
            "`unit` to every coordinate of one box: the largest changes add up to 2 `unit`.",
        ),
        Claim(
            method="private-tree",
            statistic="leaves-add-remove",
            unit=PrivacyUnit.ADD_REMOVE_RECORD,
            bound=lambda *, unit: unit,
            proof="private-tree",
            statement="The same when a record is added or removed: `unit`.",
        ),
        Claim(
            method="histogram",
            statistic="counts",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=lambda: 2,
            proof="histogram",
            statement="Numbers of records in public categories: replacing a record lowers one and "
            "raises another by one.",
        ),
        Claim(
            method="histogram",
            statistic="counts-add-remove",
            unit=PrivacyUnit.ADD_REMOVE_RECORD,
            bound=lambda: 1,
            proof="histogram",
            statement="The same when a record is added or removed: one count moves by one.",
        ),
        Claim(
            method="private-tree",
            statistic="size",
            unit=PrivacyUnit.ADD_REMOVE_RECORD,
            bound=lambda: 1,
            proof="private-tree",
            statement="The number of records moves by one when a record is added or removed.",
        ),
        Claim(
            method="fixed-partition",
            statistic="sums",
            unit=PrivacyUnit.SAME_PARTITION,
            bound=_one_value,
            proof="fixed-partition",
            statement="Sums of one column over clusters whose members stay the same: replacing a "
            "record moves the sum of its own cluster by at most `steps` and no other.  Says "
            "nothing about neighbours that lead to other clusters.",
        ),
        Claim(
            method="fixed-partition",
            statistic="medoids",
            unit=PrivacyUnit.SAME_PARTITION,
            bound=_one_value,
            proof="fixed-partition",
            statement="One column of the medoids of clusters whose members stay the same: "
            "replacing a record moves the medoid of its own cluster by at most `steps` and no "
            "other.  Says nothing about neighbours that lead to other clusters.",
        ),
        Claim(
            method="personalised",
            statistic="records",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=lambda: 1,
            proof="personalised",
            statement="Records of a table in which a public default record stands for those whose "
            "coin says so: with the same coins, replacing a record changes one record at most.",
        ),
        Claim(
            method="personalised",
            statistic="records-add-remove",
            unit=PrivacyUnit.ADD_REMOVE_RECORD,
            bound=lambda: 1,
            proof="personalised",
            statement="Records that are left when those whose coin says so are dropped: with the "
            "same coins, adding or removing a record adds or removes one record at most.",
        ),
        Claim(
            method="exponential",
            statistic="distance",
            unit=PrivacyUnit.REPLACE_RECORD,
            bound=_one_value,
            proof="record-choices",
            statement="Distances from the value of one record to public candidates, each at most "
            "`steps`: replacing the record moves each of its own distances by at most `steps` and "
            "those of no other record.",
        ),
        Claim(
            method="cross-moment",
            statistic="moments",
            unit=PrivacyUnit.SAME_PARTITION,
            bound=_moments,
            proof="moments",
            statement="Size times mean, covariance and coskewness coefficients of clusters of at "
            "least `k` records whose members stay the same, on a grid where `steps` stand for 1: "
            "replacing a record moves only its own cluster, by at most `steps` in each of "
            "`entries` means and covariances and in each of `coskewnesses`, twice as much in the "
            "latter if k = 3.  Says nothing about neighbours that lead to other clusters.",
        ),
    )
}


def sensitivity(method: str, statistic: str, **public: int) -> Sensitivity:
    """Return the proven sensitivity of a statistic, or refuse.

    Parameters
    ----------
    method, statistic : str
        Key into `CLAIMS`.
    **public : int
        The public numbers that the claim's bound is a function of.

    Raises
    ------
    UnprovenError
        If no reviewed claim covers this combination.

    Examples
    --------
    >>> sensitivity("rank-blocks", "sums", steps=100).l1
    100
    """
    claim = CLAIMS.get((method, statistic))
    if claim is None:
        raise UnprovenError(
            f"no reviewed proof covers the {statistic!r} of {method!r}, so no noise scale is known "
            f"to protect anyone. Use a system from `covey systems`, or add a claim with its proof."
        )
    return Sensitivity(l1=claim.bound(**public), unit=claim.unit, claim=claim.proof)


def as_printed(l1: int) -> Sensitivity:
    """Return a sensitivity that a paper prints and no proof covers, for reproductions only.

    It names no claim, so no release with a differential guarantee accepts noise made with it.
    """
    return Sensitivity(l1=l1, unit=PrivacyUnit.NONE, claim="")

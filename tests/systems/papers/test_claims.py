"""What is claimed of fixed clusters is public, and no meter knows it."""

import covey
from covey.core import CLAIMS, PrivacyUnit
from covey.systems import ALL_CLAIMS
from covey.systems.papers.claims import PAPER_CLAIMS, sensitivity


def test_the_public_list_holds_the_claims_of_meters_and_of_papers() -> None:
    assert covey.CLAIMS is ALL_CLAIMS
    assert {**CLAIMS, **PAPER_CLAIMS} == ALL_CLAIMS


def test_a_meter_knows_nothing_about_clusters_that_stay_the_same() -> None:
    assert {claim.unit for claim in PAPER_CLAIMS.values()} == {PrivacyUnit.SAME_PARTITION}
    assert PrivacyUnit.SAME_PARTITION not in {claim.unit for claim in CLAIMS.values()}
    assert not PAPER_CLAIMS.keys() & CLAIMS.keys()


def test_a_sensitivity_is_the_bound_of_its_claim() -> None:
    assert sensitivity("fixed-partition", "sums", steps=7) == 7
    assert sensitivity("cross-moment", "moments", steps=7, entries=2, coskewnesses=1, k=3) == 28

"""Each kind of guarantee is described once, in the vocabulary that it has earned."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kinds import KINDS, GuaranteeKind

EARNED = {"pure-dp", "zcdp", "local-dp", "edge-dp", "node-dp", "personalised"}
REASON = "The bounds of age were taken from the data; give public bounds in the schema."


def sentence(kind: GuaranteeKind, **changes) -> str:
    """Say a guarantee with everything filled in as a system would."""
    told = {
        "unit": SimpleNamespace(words="one record replaced by another"),
        "epsilon": Fraction(1, 2),
        "delta": Fraction(1, 10**9),
        "rho": Fraction(1, 300),
        "k": 5,
        "columns": ("age", "income"),
        "joint": True,
        "untouched": ("diagnosis",),
        "reasons": (),
        "contributions": None,
    }
    return KINDS[kind].sentence(SimpleNamespace(**told | changes))


def test_the_kinds_are_the_fixed_vocabulary() -> None:
    assert list(KINDS) == list(GuaranteeKind)
    assert {str(kind) for kind in KINDS} == {
        *EARNED,
        *("partition-conditional", "pair-only", "individual-dp", "k-anonymity", "none"),
    }


def test_six_kinds_count_as_differential_privacy() -> None:
    assert {str(kind) for kind in KINDS if kind.is_differential_privacy} == EARNED


def test_only_local_differential_privacy_may_keep_the_order_of_the_rows() -> None:
    assert [kind for kind in KINDS if kind.may_be_row_aligned] == [GuaranteeKind.LOCAL_DP]


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_differential_privacy_appear_only_where_they_are_earned(kind) -> None:
    told = sentence(kind).replace("Not differential privacy for the original records", "")

    for text in (told, KINDS[kind].badge):
        assert ("differential privacy" in text.lower()) == (str(kind) in EARNED)


@pytest.mark.parametrize("kind", KINDS)
def test_the_colour_says_how_much_may_be_believed(kind) -> None:
    earned = "green" if str(kind) in EARNED else "red" if kind is GuaranteeKind.NONE else "amber"

    assert KINDS[kind].colour == earned


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_may_publish_with_has_no_caution_and_the_rest_has(kind) -> None:
    publishable = str(kind) in EARNED or kind is GuaranteeKind.K_ANONYMITY

    assert bool(KINDS[kind].caution) != publishable


@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_name_is_said_in_one_place_only(kind) -> None:
    denied = "Not differential privacy for the original records" in sentence(kind)

    assert denied == (kind is GuaranteeKind.PARTITION_CONDITIONAL)


@pytest.mark.parametrize("kind", KINDS)
def test_a_guarantee_is_one_line_that_begins_and_ends_like_a_sentence(kind) -> None:
    told = sentence(kind, reasons=(REASON,))

    assert "\n" not in told
    assert "  " not in told
    assert told[0].isupper() or told.startswith("k-anonymity")
    assert told.endswith(".")
    assert "?" not in told


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if str(kind) not in ("none", "partition-conditional")]
)
def test_a_guarantee_is_a_single_sentence(kind) -> None:
    assert ". " not in sentence(kind)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if str(kind) != "none"])
def test_a_guarantee_prints_its_parameter(kind) -> None:
    told = sentence(kind)

    if kind is GuaranteeKind.K_ANONYMITY:
        assert "k = 5" in told
        assert "epsilon" not in told
    elif kind is not GuaranteeKind.PERSONALISED:
        assert "epsilon = 0.5" in told


@pytest.mark.parametrize(
    ("kind", "must_print"),
    [
        ("pure-dp", "differ in one record replaced by another;"),
        ("pure-dp", "it covers age, income"),
        ("zcdp", "rho = 0.00333334 for each record, which implies an epsilon for every delta"),
        ("zcdp", "epsilon = 0.5 with delta = 1e-09"),
        ("zcdp", "differ in one record replaced by another; it covers age, income"),
        ("local-dp", "it covers age, income"),
        ("edge-dp", "Pure edge differential privacy"),
        ("edge-dp", "differ in one record replaced by another,"),
        ("node-dp", "Pure node differential privacy"),
        ("personalised", "public preference"),
        ("partition-conditional", "inputs that lead to the same clusters"),
        ("pair-only", "not a property of this release"),
        ("individual-dp", "scale is data dependent; no DP"),
        ("k-anonymity", "each combination of age, income"),
        ("k-anonymity", "published as they were, and so open to attribute disclosure: diagnosis"),
        ("none", "No privacy guarantee."),
    ],
)
def test_a_kind_prints_what_the_vocabulary_demands(kind, must_print) -> None:
    assert must_print in sentence(GuaranteeKind(kind))


@pytest.mark.parametrize(
    ("kind", "whose"),
    [
        ("pure-dp", "A person with several records"),
        ("local-dp", "A person with several records"),
        ("edge-dp", "All edges of a person together"),
    ],
)
def test_what_several_records_of_a_person_cost_is_said(kind, whose) -> None:
    told = KINDS[GuaranteeKind(kind)].not_covered

    assert told.startswith(whose)
    assert told.endswith("covered with a bound that many times larger.")


@pytest.mark.parametrize("epsilon", ["1.0000049", "0.1", "1/3", "1e-9", "123456.7"])
def test_an_epsilon_is_never_rounded_down(epsilon) -> None:
    told = sentence(GuaranteeKind.PURE_DP, epsilon=Fraction(epsilon))

    printed = re.findall(r"epsilon = ([0-9./e+-]+)", told)
    assert Fraction(epsilon) <= Fraction(printed[0]) <= Fraction(epsilon) * Fraction(100_001, 10**5)


@given(epsilon=st.fractions(Fraction(1, 1000), 12))
def test_the_factor_of_a_bound_is_a_number_for_people_and_never_too_small(epsilon) -> None:
    told = sentence(GuaranteeKind.PURE_DP, epsilon=epsilon)

    factor = float(re.search(r"factor of at most (\S+) ", told)[1].replace(",", ""))
    assert math.exp(epsilon) <= factor <= 1.01 * math.exp(epsilon)


def test_an_epsilon_that_falls_short_by_a_rounding_is_said_in_round_numbers() -> None:
    told = sentence(GuaranteeKind.PURE_DP, epsilon=Fraction(2) - Fraction(1, 2**40))

    assert "epsilon = 2 for each record" in told


def test_columns_that_were_published_one_by_one_say_so() -> None:
    apart = sentence(GuaranteeKind.PURE_DP, joint=False)

    assert "how columns go together is not published" in apart
    assert "how columns go together" not in sentence(GuaranteeKind.PURE_DP)


def test_columns_that_are_k_anonymous_one_by_one_say_so() -> None:
    apart = sentence(GuaranteeKind.K_ANONYMITY, joint=False)

    assert "each value of age, income" in apart
    assert "combinations of columns are not k-anonymous" in apart

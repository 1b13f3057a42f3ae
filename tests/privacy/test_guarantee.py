"""A guarantee says what it covers, in the vocabulary that each kind has earned."""

import json
from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.privacy import EXACT, NO_NOISE, Budget, Guarantee, GuaranteeKind, PrivacyUnit

KINDS = list(GuaranteeKind)
EARNED = {"pure-dp", "local-dp", "edge-dp", "node-dp", "personalised"}
UNITS = {"edge-dp": PrivacyUnit.EDGE, "node-dp": PrivacyUnit.NODE}
REASON = "The bounds of age were taken from the data; give public bounds in the schema."

words = st.lists(st.text(min_size=1, max_size=12), max_size=3).map(tuple)
guarantees = st.builds(
    Guarantee,
    kind=st.sampled_from(KINDS),
    unit=st.sampled_from(list(PrivacyUnit)),
    epsilon=st.one_of(
        st.none(), st.floats(1e-9, 1e9).map(lambda epsilon: Budget.of(epsilon).epsilon)
    ),
    k=st.one_of(st.none(), st.integers(2, 1000)),
    columns=words,
    joint=st.booleans(),
    untouched=words,
    dropped=words,
    assumes=words,
    conditions=words,
    arithmetic=st.sampled_from([EXACT, NO_NOISE]),
    claim=st.sampled_from(["", "rank-blocks"]),
    reasons=words,
)


def of(kind: GuaranteeKind, **changes) -> Guarantee:
    """Return a guarantee with every field filled in as a system would."""
    plain = Guarantee(
        kind=kind,
        unit=UNITS.get(str(kind), PrivacyUnit.REPLACE_RECORD),
        epsilon=Fraction(1, 2),
        k=5,
        columns=("age", "income"),
        untouched=("diagnosis",),
        dropped=("name",),
        assumes=("The number of records is public.",),
        conditions=("The rows are sorted.",),
        arithmetic=EXACT,
        claim="rank-blocks",
    )
    return replace(plain, **changes)


def test_the_kinds_are_the_fixed_vocabulary() -> None:
    assert {str(kind) for kind in KINDS} == {
        *EARNED,
        *("partition-conditional", "pair-only", "individual-dp", "k-anonymity", "none"),
    }


def test_five_kinds_count_as_differential_privacy() -> None:
    assert {str(kind) for kind in KINDS if kind.is_differential_privacy} == EARNED


def test_only_local_differential_privacy_may_keep_the_order_of_the_rows() -> None:
    assert [kind for kind in KINDS if kind.may_be_row_aligned] == [GuaranteeKind.LOCAL_DP]


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_differential_privacy_appear_only_where_they_are_earned(kind) -> None:
    sentence = str(of(kind))

    told = sentence.replace("Not differential privacy for the original records", "")

    assert ("differential privacy" in told.lower()) == (str(kind) in EARNED)


@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_name_is_said_in_one_place_only(kind) -> None:
    denied = "Not differential privacy for the original records" in str(of(kind))

    assert denied == (kind is GuaranteeKind.PARTITION_CONDITIONAL)


@pytest.mark.parametrize("kind", KINDS)
def test_a_guarantee_is_one_line_that_begins_and_ends_like_a_sentence(kind) -> None:
    sentence = str(of(kind, reasons=(REASON,)))

    assert "\n" not in sentence
    assert "  " not in sentence
    assert sentence[0].isupper() or sentence.startswith("k-anonymity")
    assert sentence.endswith(".")
    assert "?" not in sentence


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if str(kind) not in ("none", "partition-conditional")]
)
def test_a_guarantee_is_a_single_sentence(kind) -> None:
    assert ". " not in str(of(kind))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if str(kind) != "none"])
def test_a_guarantee_prints_its_parameter(kind) -> None:
    sentence = str(of(kind))

    if kind is GuaranteeKind.K_ANONYMITY:
        assert "k = 5" in sentence
        assert "epsilon" not in sentence
    elif kind is not GuaranteeKind.PERSONALISED:
        assert "epsilon = 0.5" in sentence


@pytest.mark.parametrize(
    ("kind", "must_print"),
    [
        ("pure-dp", "one record replaced by another, the number of records public"),
        ("pure-dp", "it covers age, income"),
        ("local-dp", "it covers age, income"),
        ("edge-dp", "one edge added or removed, the set of nodes public"),
        ("node-dp", "one node added or removed with all its edges"),
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
    assert must_print in str(of(GuaranteeKind(kind)))


def test_columns_that_were_published_one_by_one_say_so() -> None:
    apart = of(GuaranteeKind.PURE_DP, joint=False)

    assert "how columns go together is not published" in str(apart)
    assert "how columns go together" not in str(of(GuaranteeKind.PURE_DP))


def test_columns_that_are_k_anonymous_one_by_one_say_so() -> None:
    apart = of(GuaranteeKind.K_ANONYMITY, joint=False)

    assert "each value of age, income" in str(apart)
    assert "combinations of columns are not k-anonymous" in str(apart)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if str(kind) != "k-anonymity"])
def test_a_failed_assumption_leaves_nothing_and_the_reason_is_told(kind) -> None:
    left = of(kind).downgraded(REASON)

    assert left.kind is GuaranteeKind.NONE
    assert left.reasons == (REASON,)
    assert str(left) == f"No privacy guarantee. {REASON}"


def test_k_anonymity_rests_on_group_sizes_and_survives_a_failed_assumption() -> None:
    left = of(GuaranteeKind.K_ANONYMITY).downgraded(REASON)

    assert left == of(GuaranteeKind.K_ANONYMITY, reasons=(REASON,))


def test_every_reason_for_a_downgrade_is_kept() -> None:
    left = of(GuaranteeKind.PURE_DP).downgraded(REASON).downgraded("It was seeded.")

    assert left.reasons == (REASON, "It was seeded.")
    assert str(left) == f"No privacy guarantee. {REASON} It was seeded."


@given(guarantee=guarantees)
def test_a_guarantee_survives_json(guarantee) -> None:
    read = Guarantee.from_dict(json.loads(json.dumps(guarantee.to_dict())))

    assert read == guarantee


@given(guarantee=guarantees)
def test_the_json_of_a_guarantee_holds_every_field_and_its_sentence(guarantee) -> None:
    content = guarantee.to_dict()

    assert {field.name for field in fields(Guarantee)} <= set(content)
    assert content["sentence"] == str(guarantee)
    assert content["differential_privacy"] == guarantee.kind.is_differential_privacy
    assert content["neighbours"] == guarantee.unit.words


def test_a_guarantee_that_a_newer_version_wrote_with_more_fields_can_be_read() -> None:
    content = of(GuaranteeKind.PURE_DP).to_dict() | {"signed_by": "the data officer"}

    assert Guarantee.from_dict(content) == of(GuaranteeKind.PURE_DP)

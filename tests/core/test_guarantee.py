"""A guarantee says what it covers, loses what its assumptions lose, and survives JSON."""

import json
from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import (
    EXACT,
    NO_NOISE,
    Bill,
    Budget,
    Guarantee,
    GuaranteeKind,
    Paid,
    PrivacyUnit,
    Promise,
)
from covey.kinds import KINDS

REASON = "The bounds of age were taken from the data; give public bounds in the schema."

words = st.lists(st.text(min_size=1, max_size=12), max_size=3).map(tuple)
guarantees = st.builds(
    Guarantee,
    kind=st.sampled_from(list(GuaranteeKind)),
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
        unit=PrivacyUnit.REPLACE_RECORD,
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


@pytest.mark.parametrize("kind", GuaranteeKind)
def test_a_guarantee_says_the_sentence_of_its_kind(kind) -> None:
    assert str(of(kind)) == KINDS[kind].sentence(of(kind))


@pytest.mark.parametrize(
    ("unit", "must_print"),
    [
        ("replace-record", "one record replaced by another, the number of records public"),
        ("add-remove-record", "one record added or removed"),
        ("edge", "one edge added or removed, the set of nodes public"),
        ("node", "one node added or removed with all its edges"),
    ],
)
def test_a_guarantee_says_its_neighbour_relation(unit, must_print) -> None:
    assert must_print in str(of(GuaranteeKind.PURE_DP, unit=PrivacyUnit(unit)))


@pytest.mark.parametrize("kind", [kind for kind in GuaranteeKind if str(kind) != "k-anonymity"])
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


def bill(unit: PrivacyUnit, *methods: str, sampled: bool = False) -> Bill:
    """Return what a meter has taken for a question to each of these methods."""
    paid = [
        Paid(
            method, "sums", f"proof of {method}", Budget(Fraction(1, 4)), {"steps": 9}, Fraction(36)
        )
        for method in methods
    ]
    return Bill(unit=unit, budget=Budget(Fraction(1)), paid=paid, sampled=sampled)


@pytest.mark.parametrize(
    ("unit", "methods", "sampled", "kind"),
    [
        ("replace-record", ["rank-blocks"], False, "pure-dp"),
        ("add-remove-record", ["private-tree"], False, "pure-dp"),
        ("edge", ["degrees"], False, "edge-dp"),
        ("node", ["projected-degrees"], False, "node-dp"),
        ("replace-record", ["laplace", "laplace"], False, "local-dp"),
        ("replace-record", ["exponential"], False, "local-dp"),
        ("replace-record", ["laplace", "rank-blocks"], False, "pure-dp"),
        ("replace-record", ["personalised", "rank-blocks"], True, "personalised"),
        ("edge", ["personalised", "degrees"], True, "personalised"),
    ],
)
def test_the_kind_follows_from_what_a_meter_was_asked(unit, methods, sampled, kind) -> None:
    kept = Promise().kept(bill(PrivacyUnit(unit), *methods, sampled=sampled))

    assert kept.kind is GuaranteeKind(kind)
    assert kept.unit is PrivacyUnit(unit)


def test_a_promise_is_kept_for_what_was_spent_and_names_every_question() -> None:
    asked = bill(PrivacyUnit.REPLACE_RECORD, "histogram", "private-tree")
    promise = Promise(columns=("age",), dropped=("name",), assumes=("n is public.",))

    kept = promise.kept(asked, facts=("theta was chosen.",))

    assert kept.epsilon == Fraction(1, 2)
    assert (kept.columns, kept.dropped) == (("age",), ("name",))
    assert kept.assumes == ("n is public.", "theta was chosen.")
    assert kept.claim == "proof of private-tree"
    assert kept.arithmetic == EXACT
    assert [question["claim"] for question in kept.questions] == [
        "histogram/sums",
        "private-tree/sums",
    ]


def test_a_question_is_told_with_exact_amounts() -> None:
    (asked,) = bill(PrivacyUnit.REPLACE_RECORD, "histogram").paid

    assert asked.to_dict() == {
        "claim": "histogram/sums",
        "proof": "proof of histogram",
        "epsilon": "1/4",
        "scale": "36",
        "public": {"steps": 9},
    }

"""A sum is made in one unit, exactly, and says when nothing bounds it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core import GuaranteeKind, PrivacyUnit
from covey.core.loss import epsilon_at
from covey.errors import BudgetError
from covey.ledger import Entry, EntryState, Ledger, explain_ledger, in_unit

RECORDS = (PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD)
GRAPHS = (PrivacyUnit.EDGE, PrivacyUnit.NODE)
KIND_OF = {
    PrivacyUnit.REPLACE_RECORD: "pure-dp",
    PrivacyUnit.ADD_REMOVE_RECORD: "pure-dp",
    PrivacyUnit.EDGE: "edge-dp",
    PrivacyUnit.NODE: "node-dp",
}
UNSOUND = [kind for kind in GuaranteeKind if not kind.is_differential_privacy]


def entry(
    epsilon: str | Fraction | None = "1",
    unit: str = PrivacyUnit.REPLACE_RECORD,
    kind: str | None = None,
    system: str = "some-system",
    state: EntryState = EntryState.PAID,
) -> Entry:
    return Entry(
        when="2026-01-01T00:00:00+00:00",
        system=system,
        epsilon=None if epsilon is None else str(Fraction(epsilon)),
        unit=unit,
        plan="0f",
        kind=KIND_OF[PrivacyUnit(unit)] if kind is None else kind,
        state=state,
    )


amounts = st.fractions(min_value=Fraction(1, 1000), max_value=5, max_denominator=1000)
sound = st.builds(entry, amounts, st.sampled_from((*RECORDS, *GRAPHS)))
unsound = st.builds(
    entry,
    st.none() | amounts,
    st.sampled_from((*RECORDS, PrivacyUnit.SAME_PARTITION, PrivacyUnit.NONE)),
    st.sampled_from(UNSOUND).map(str),
)
cancelled = sound.map(lambda each: replace(each, state=EntryState.CANCELLED))
entries = st.lists(sound | unsound | cancelled, max_size=10)


def test_an_added_record_counts_double_beside_a_replaced_one() -> None:
    ledger = Ledger(entries=(entry("1"), entry("1", "add-remove-record")))

    assert ledger.spent == 3
    assert ledger.total("replace-record") == 3
    assert ledger.total("add-remove-record") is None
    assert "For one record added or removed there is no bound" in " ".join(explain_ledger(ledger))


def test_a_node_counts_double_beside_an_edge() -> None:
    ledger = Ledger(entries=(entry("1/2", "node"), entry("1", "edge")))

    assert ledger.spent == 2
    assert ledger.total("edge") == 2
    assert ledger.total("node") is None


def test_added_records_alone_are_counted_as_they_are_and_doubled_for_a_replaced_one() -> None:
    ledger = Ledger(entries=(entry("1", "add-remove-record"), entry("2", "add-remove-record")))

    assert ledger.spent == 3
    assert ledger.units == ("add-remove-record",)
    assert ledger.total("replace-record") == 6


def test_the_first_replaced_record_doubles_what_was_spent_on_added_ones() -> None:
    ledger = Ledger(limit=Fraction(5, 2)).charged(entry("1", "add-remove-record"))

    with pytest.raises(BudgetError, match=r"1\.5 left of 2\.5.*needs 2, .*counts 2 times"):
        ledger.charged(entry("1"))
    assert ledger.charged(entry("1/2")).left == 0


@given(entries=entries, unit=st.sampled_from((*RECORDS, *GRAPHS)))
def test_a_total_is_the_sum_of_what_each_costs_in_that_unit_or_there_is_none(entries, unit) -> None:
    ledger = Ledger(entries=tuple(entries))
    counting = [each for each in entries if each.state is not EntryState.CANCELLED]

    costs = [
        None
        if each.kind in UNSOUND or in_unit(each.unit, unit) is None
        else in_unit(each.unit, unit) * Fraction(each.epsilon)
        for each in counting
    ]

    assert ledger.total(unit) == (None if None in costs else sum(costs))


@given(entries=entries, unit=st.sampled_from((*RECORDS, *GRAPHS)))
def test_what_is_spent_is_never_less_than_the_total_in_a_unit_that_is_counted(
    entries, unit
) -> None:
    ledger = Ledger(entries=tuple(entries))
    total = ledger.total(unit)

    if total is not None and unit in ledger.units:
        assert ledger.spent == total
    assert ledger.spent >= sum(Fraction(each.epsilon) for each in ledger.bounded)
    assert ledger.spent <= 2 * sum(Fraction(each.epsilon) for each in ledger.bounded)


@given(entries=entries, data=st.data())
def test_the_order_of_releases_is_no_matter(entries, data) -> None:
    shuffled = data.draw(st.permutations(entries))

    assert Ledger(entries=tuple(entries)).spent == Ledger(entries=tuple(shuffled)).spent


@given(entries=entries, more=sound)
def test_no_release_makes_the_others_cheaper(entries, more) -> None:
    before = Ledger(entries=tuple(entries))

    assert before.charged(more).spent >= before.spent + Fraction(more.epsilon)


@given(limit=amounts, expenses=st.lists(sound | unsound, max_size=12))
def test_what_is_spent_never_exceeds_the_limit(limit, expenses) -> None:
    ledger = Ledger(limit=limit)

    for each in expenses:
        try:
            ledger = ledger.charged(each)
        except BudgetError:
            assert Ledger(entries=(*ledger.entries, each)).spent > limit

    assert ledger.spent + ledger.left == limit
    assert ledger.left >= 0


@given(entries=st.lists(sound, max_size=6), weak=unsound)
def test_a_release_without_a_bound_uses_nothing_of_the_limit_and_leaves_no_total(
    entries, weak
) -> None:
    spent = Ledger(entries=tuple(entries)).spent
    ledger = Ledger(limit=spent, entries=tuple(entries)).charged(weak)

    assert ledger.left == 0
    assert all(ledger.total(unit) is None for unit in (*RECORDS, *GRAPHS))
    assert "all releases together have none" in " ".join(explain_ledger(ledger))


@pytest.mark.parametrize("kind", ["pure-dp", "local-dp", "personalised"])
def test_local_and_personalised_releases_count_with_their_epsilon(kind) -> None:
    assert Ledger(entries=(entry("3/4", kind=kind),)).spent == Fraction(3, 4)


def test_the_limit_is_kept_to_the_last_digit() -> None:
    ledger = Ledger(limit=Fraction(1))

    ledger.require(entry("1"))
    with pytest.raises(BudgetError):
        ledger.require(entry(1 + Fraction(1, 10**30)))


def test_a_refusal_says_what_is_left_and_what_to_do() -> None:
    ledger = Ledger(limit=Fraction(1)).charged(entry("0.75"))

    with pytest.raises(
        BudgetError, match=r"0\.25 left of 1.*needs 0\.5.*smaller epsilon, or let.*--raise NEW"
    ):
        ledger.require(entry("0.5"))


def test_a_ledger_without_a_limit_only_counts() -> None:
    ledger = Ledger().charged(entry("100")).charged(entry("0.5"))

    assert ledger.spent == Fraction(201, 2)
    assert ledger.left is None


@given(entries=entries, limit=st.none() | amounts)
def test_a_ledger_is_the_same_after_a_file(entries, limit) -> None:
    ledger = Ledger(limit=limit, entries=tuple(entries), id="a1", generation=7)

    assert Ledger.from_dict(ledger.to_dict()) == ledger


def test_records_and_graphs_of_the_same_people_are_added_up() -> None:
    ledger = Ledger(limit=Fraction(2), entries=(entry("1"),)).charged(entry("1", "edge"))

    assert ledger.left == 0
    assert "both at once" in " ".join(explain_ledger(ledger))


def test_entries_of_an_old_version_are_counted_as_written_and_the_words_say_so() -> None:
    old = [
        {"when": "", "system": "mdav-dp", "epsilon": "1", "unit": "same-partition", "plan": "0f"},
        {"when": "", "system": "laplace", "epsilon": "1/2", "unit": "replace-record", "plan": "0f"},
        {"when": "", "system": "x", "epsilon": "1/4", "unit": "add-remove-record", "plan": "0f"},
    ]

    ledger = Ledger.from_dict({"version": 1, "limit": "3", "entries": old})

    assert ledger.spent == 2
    assert "3 releases were entered by an older covey" in " ".join(explain_ledger(ledger))


def test_a_bill_shows_nothing_that_came_later_and_no_place_on_this_machine() -> None:
    mine = replace(entry(), id="b", state=EntryState.OPEN, folder="/secret/mine", generation=4)
    other = replace(entry("0.5"), id="a", state=EntryState.OPEN, folder="/secret/other")
    later = replace(entry("0.5"), id="c", generation=5)
    ledger = Ledger(limit=Fraction(3), entries=(other, mine, later), id="x", generation=5)

    bill = ledger.bill("b")

    assert [each.id for each in bill.entries] == ["a", "b"]
    assert bill.generation == 4
    assert bill.entries[-1].state is EntryState.PAID
    assert "secret" not in str(bill.to_dict())


def test_words_are_exact() -> None:
    ledger = Ledger(limit=Fraction(4, 3)).charged(entry(1 + Fraction(49, 10**7)))

    assert explain_ledger(ledger)[0] == ("Spent epsilon = 1.0000049 of 4/3; 9999853/30000000 left.")


def test_what_is_beyond_the_limit_is_said() -> None:
    ledger = Ledger(limit=Fraction(1), entries=(entry("3/2"),))

    assert explain_ledger(ledger)[0] == "Spent epsilon = 1.5 of 1: 0.5 beyond the limit."


def rho_entry(rho: str | Fraction, delta: str = "1e-9", unit: str = RECORDS[0]) -> Entry:
    exact, told = Fraction(rho), Fraction(delta)
    stated = entry(epsilon_at(exact, told), unit, "zcdp")
    return replace(stated, rho=str(exact), delta=str(told))


def test_rhos_add_up_and_cost_less_together_than_one_by_one() -> None:
    ledger = Ledger(entries=(rho_entry("0.01"),) * 4)

    assert ledger.delta == Fraction(1, 10**9)
    assert ledger.spent == epsilon_at(Fraction(4, 100), ledger.delta)
    assert ledger.spent < 4 * epsilon_at(Fraction(1, 100), ledger.delta)


def test_the_smallest_delta_is_that_of_all() -> None:
    ledger = Ledger(entries=(rho_entry("0.01", "1e-6"), rho_entry("0.01", "1e-12")))

    assert ledger.spent == epsilon_at(Fraction(2, 100), Fraction(1, 10**12))


@given(pure=st.lists(amounts, max_size=5), rhos=st.lists(amounts, min_size=1, max_size=5))
def test_mixed_losses_are_counted_in_the_better_of_two_true_ways(pure, rhos) -> None:
    ledger = Ledger(entries=(*map(entry, pure), *map(rho_entry, rhos)))
    apart = sum(pure) + epsilon_at(sum(rhos), ledger.delta)
    together = epsilon_at(sum(rhos) + sum(part**2 / 2 for part in pure), ledger.delta)

    assert ledger.spent == min(apart, together)
    assert ledger.spent >= sum(pure[:0], epsilon_at(sum(rhos), ledger.delta))


def test_a_rho_for_an_added_record_counts_four_times_for_a_replaced_one() -> None:
    ledger = Ledger(entries=(entry("1"), rho_entry("0.01", unit="add-remove-record")))

    assert ledger.spent == 1 + epsilon_at(Fraction(4, 100), ledger.delta)


@given(spent=st.lists(amounts.map(entry) | amounts.map(rho_entry), max_size=4), limit=amounts)
def test_the_rho_that_is_left_can_be_spent_and_little_more_cannot(spent, limit) -> None:
    before = Ledger(entries=tuple(spent))
    ledger = replace(before, limit=before.spent + limit)
    left = ledger.left_rho(Fraction(1, 10**9))

    if left:
        ledger.require(rho_entry(left))
    with pytest.raises(BudgetError):
        ledger.require(rho_entry((left + Fraction(1, 10**6)) * Fraction(1001, 1000)))


def test_an_entry_of_a_rho_is_read_back_and_a_half_one_is_damaged() -> None:
    written = rho_entry("0.01").to_dict()

    assert Entry.from_dict(written) == rho_entry("0.01")
    with pytest.raises(ValueError):  # noqa: PT011 — the file says which
        Entry.from_dict(written | {"delta": None})


def test_what_is_left_is_told_as_epsilon_and_as_rho() -> None:
    told = " ".join(explain_ledger(Ledger(limit=Fraction(3), entries=(rho_entry("0.01"),))))

    assert "with delta = 1e-09" in told
    assert "The next release may have a pure epsilon of" in told
    assert "or a rho of 0.1" in told

"""What do releases about persons cost beside those about records, and each year anew?"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest

from covey.errors import BudgetError, LedgerError
from covey.ledger import Entry, Ledger, explain_ledger, in_unit

RECORD, OTHER_RECORD = "replace-record", "add-remove-record"


def spent_on(unit: str, person: str = "", *, epsilon: str = "1", when: str = "2026-05-01") -> Entry:
    return Entry(
        when=when, system="x", epsilon=epsilon, unit=unit, plan="p", kind="pure-dp", person=person
    )


def ledger_of(*entries: Entry, **more) -> Ledger:
    return Ledger(entries=entries, **more)


def test_two_releases_about_the_same_persons_add_up() -> None:
    found = ledger_of(spent_on("person", "patient"), spent_on("person", "patient"))

    assert found.units == ("person named by patient",)
    assert found.total("person named by patient") == found.spent == 2


def test_patients_are_no_households() -> None:
    found = ledger_of(spent_on("person", "patient"), spent_on("person", "household"))

    assert found.total("person named by patient") is None
    assert found.spent == 2
    assert "one person with other values in all records (patient)" in " ".join(
        explain_ledger(found)
    )


def test_who_may_come_and_go_counts_twice_for_other_values_and_not_the_other_way() -> None:
    found = ledger_of(spent_on("add-remove-person", "patient"), spent_on("person", "patient"))

    assert found.total("person named by patient") == 3
    assert found.total("add-remove-person named by patient") is None
    assert in_unit("add-remove-person named by patient", "person named by household") is None


def moves(unit: str) -> list[tuple[Counter, Counter]]:
    """Return pairs of small tables (person, value) that differ in one step of a unit."""
    tables = [Counter(rows) for size in range(3) for rows in product(ROWS, repeat=size)]
    return [
        (here, there)
        for here in tables
        for there in tables
        if here != there and is_step(unit, here, there)
    ]


@pytest.mark.parametrize(
    ("step", "times"), [(OTHER_RECORD, 2), (RECORD, 4), ("person named by a", 2)]
)
def test_a_step_of_records_is_no_more_steps_of_persons_than_the_ledger_counts(step, times) -> None:
    assert in_unit("add-remove-person named by a", step) == times
    worst = max(len(persons_that_differ(*pair)) for pair in moves(step))
    # Each person who differs goes, and comes back as she is now.
    assert 2 * worst == times


ROWS = [(person, value) for person in "pq" for value in (0, 1)]


def persons_that_differ(here: Counter, there: Counter) -> set[str]:
    return {person for person, _ in (here - there) + (there - here)}


def is_step(unit: str, here: Counter, there: Counter) -> bool:
    gone, new = (here - there).total(), (there - here).total()
    if unit == OTHER_RECORD:
        return gone + new == 1
    if unit == RECORD:
        return gone == new == 1
    changed = persons_that_differ(here, there)
    owners = [Counter(person for person, _ in table.elements()) for table in (here, there)]
    return len(changed) == 1 and owners[0] == owners[1]


def test_one_step_of_every_unit_at_once_costs_all_that_each_of_them_costs() -> None:
    """A release that counts in two units loses for both, if both change at once."""
    entries = (
        spent_on("add-remove-person", "patient"),
        spent_on("person", "patient"),
        spent_on(RECORD),
    )
    for order in permutations(entries):
        # 2 + 4 steps of the first, one of each of the others.
        assert ledger_of(*order).spent == 8


def test_a_rho_counts_with_the_square_of_the_steps() -> None:
    entry = replace(
        spent_on("add-remove-person", "patient"), rho="1/100", delta="1/1000000", kind="zcdp"
    )
    alone, both = ledger_of(entry), ledger_of(entry, spent_on("person", "patient", epsilon="0"))

    assert both.spent > alone.spent
    assert both.spent == ledger_of(replace(entry, rho="4/100", unit="person")).spent


def test_old_entries_about_records_are_read_as_they_were() -> None:
    content = spent_on(RECORD).to_dict()
    del content["person"]

    assert Entry.from_dict(content) == spent_on(RECORD)


def test_a_limit_for_each_year_begins_anew_and_says_so() -> None:
    old, new = spent_on(RECORD, when="2025-12-31T23:59:59+00:00"), spent_on(RECORD)
    found = ledger_of(old, limit=Fraction(1), renews="year")

    found.require(new)
    with pytest.raises(BudgetError, match="so nothing was published"):
        found.charged(new).require(new)
    assert found.charged(new).spent == 2
    said = " ".join(explain_ledger(found))
    assert "begins anew" in said
    assert "Nothing bounds the sum over the years" in said
    assert Ledger.from_dict(found.to_dict()) == found


def test_a_limit_without_renewal_counts_all_years() -> None:
    found = ledger_of(spent_on(RECORD, when="1999-01-01"), limit=Fraction(1))

    with pytest.raises(BudgetError):
        found.require(spent_on(RECORD))


def test_a_limit_renews_each_year_or_never() -> None:
    with pytest.raises(LedgerError, match="renews each 'year' or never"):
        Ledger(limit=Fraction(1), renews="week")

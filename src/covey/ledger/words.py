"""What does a ledger add up to, in words that claim no more than is bounded?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from covey.core import PrivacyUnit
from covey.core.budget import TOLD_DELTA
from covey.core.loss import epsilon_at
from covey.kinds import amount, below, bound
from covey.ledger.entry import NAMED_BY, UNKNOWN, in_unit

if TYPE_CHECKING:
    from covey.ledger.ledger import Ledger

STEP_NAMES: Mapping[str, str] = {
    PrivacyUnit.REPLACE_RECORD: "one record replaced by another",
    PrivacyUnit.ADD_REMOVE_RECORD: "one record added or removed",
    PrivacyUnit.PERSON: "one person with other values in all records",
    PrivacyUnit.ADD_REMOVE_PERSON: "one person added or removed",
    PrivacyUnit.EDGE: "one edge added or removed",
    PrivacyUnit.NODE: "one node added or removed",
}


def explain_ledger(ledger: Ledger) -> tuple[str, ...]:
    """Say what was spent, in which unit, and what has no bound; one sentence or two for each."""
    said = [_spent(ledger), *_next(ledger.at())]
    if ledger.renews and ledger.limit is not None:
        said.append(
            f"The limit is one for each {ledger.renews} and begins anew with it: a public rule. "
            f"Nothing bounds the sum over the years, which is the first number here."
        )
    if ledger.bounded:
        steps = " and ".join(map(_step, ledger.units))
        said.append(f"Counted for {steps}{', both at once' if len(ledger.units) > 1 else ''}.")
        said += [*conversions(ledger), *_no_way_back(ledger)]
    if ledger.unbounded:
        names = ", ".join(dict.fromkeys(entry.system for entry in ledger.unbounded))
        number = len(ledger.unbounded)
        said.append(
            f"{_releases(number)} {'has' if number == 1 else 'have'} no bound ({names}), so all "
            f"releases together have none"
            f"{'' if ledger.limit is None else '; the limit is about the others'}."
        )
    old = sum(entry.kind == UNKNOWN for entry in ledger.entries)
    if old:
        said.append(
            f"{_releases(old)} {'was' if old == 1 else 'were'} entered by an older covey, which "
            f"did not note the kind of guarantee: counted as written, each in its unit, although "
            f"some may have no bound."
        )
    return tuple(said)


def conversions(ledger: Ledger) -> list[str]:
    """Say which bounds count more than once, and why."""
    return [
        f"A bound for {_step(unit)} counts {times} times for {_step(other)}, which takes {times} "
        f"such steps."
        for unit, other, times in _convertible(ledger)
    ]


def _no_way_back(ledger: Ledger) -> list[str]:
    return [
        f"For {_step(unit)} there is no bound: releases that protect {_step(other)} promise "
        f"nothing about it."
        for unit, other, _ in _convertible(ledger)
    ]


def _convertible(ledger: Ledger) -> list[tuple[str, str, int]]:
    """Return which units here count in which other ones, and how often."""
    there = dict.fromkeys(entry.protects for entry in ledger.bounded)
    found = ((unit, other, in_unit(unit, other)) for unit in there for other in there)
    return [(unit, other, times) for unit, other, times in found if times and unit != other]


def _spent(ledger: Ledger) -> str:
    spent = f"Spent epsilon = {amount(ledger.spent)}"
    if ledger.delta is not None:
        spent += f" with delta = {amount(ledger.delta)}"
    if ledger.limit is None or ledger.left is None:
        return f"{spent}; there is no limit."
    if ledger.renews:
        used = f"{spent} in all, {amount(ledger.at().spent)} of {amount(ledger.limit)} this year"
        return f"{used}; {amount(ledger.left)} left."
    if ledger.left < 0:
        return f"{spent} of {amount(ledger.limit)}: {amount(-ledger.left)} beyond the limit."
    return f"{spent} of {amount(ledger.limit)}; {amount(ledger.left)} left."


def _next(ledger: Ledger) -> list[str]:
    """Say what a next release could spend in each way of counting."""
    if ledger.left is None or ledger.left <= 0 or not ledger.bounded:
        return []
    delta = ledger.delta or TOLD_DELTA
    rho = ledger.left_rho(delta)
    if not rho:
        return []
    told = (
        f"The next release may have a pure epsilon of {amount(ledger.left)}, or a rho of "
        f"{below(rho)}, which by itself is epsilon = {bound(epsilon_at(rho, delta))} with delta = "
        f"{amount(delta)}."
    )
    return [told]


def _step(unit: str) -> str:
    own, _, person = unit.partition(NAMED_BY)
    said = STEP_NAMES.get(own, f"the unit {own!r}")
    return f"{said} ({person})" if person else said


def _releases(number: int) -> str:
    return "One release" if number == 1 else f"{number} releases"

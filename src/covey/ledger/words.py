"""What does a ledger add up to, in words that claim no more than is bounded?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from covey.core import PrivacyUnit
from covey.core.budget import TOLD_DELTA
from covey.core.loss import epsilon_at
from covey.kinds import amount, below, bound
from covey.ledger.entry import STEPS_BETWEEN, UNKNOWN

if TYPE_CHECKING:
    from covey.ledger.ledger import Ledger

STEP_NAMES: Mapping[str, str] = {
    PrivacyUnit.REPLACE_RECORD: "one record replaced by another",
    PrivacyUnit.ADD_REMOVE_RECORD: "one record added or removed",
    PrivacyUnit.EDGE: "one edge added or removed",
    PrivacyUnit.NODE: "one node added or removed",
}


def explain_ledger(ledger: Ledger) -> tuple[str, ...]:
    """Say what was spent, in which unit, and what has no bound; one sentence or two for each."""
    said = [_spent(ledger), *_next(ledger)]
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
    there = {entry.unit for entry in ledger.bounded}
    return [
        f"A bound for {_step(unit)} counts {times} times for {_step(other)}, which takes {times} "
        f"such steps."
        for (unit, other), times in STEPS_BETWEEN.items()
        if {unit, other} <= there
    ]


def _no_way_back(ledger: Ledger) -> list[str]:
    there = {entry.unit for entry in ledger.bounded}
    return [
        f"For {_step(unit)} there is no bound: releases that protect {_step(other)} promise "
        f"nothing about it."
        for unit, other in STEPS_BETWEEN
        if {unit, other} <= there
    ]


def _spent(ledger: Ledger) -> str:
    spent = f"Spent epsilon = {amount(ledger.spent)}"
    if ledger.delta is not None:
        spent += f" with delta = {amount(ledger.delta)}"
    if ledger.limit is None or ledger.left is None:
        return f"{spent}; there is no limit."
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
    return STEP_NAMES.get(unit, f"the unit {unit!r}")


def _releases(number: int) -> str:
    return "One release" if number == 1 else f"{number} releases"

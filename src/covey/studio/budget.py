"""What would the rehearsed release cost its ledger, and could it pay?"""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_DOWN, Context, Decimal

from covey.core import Budget
from covey.errors import CoveyError
from covey.kinds import GuaranteeKind, amount
from covey.ledger import Entry, Ledger
from covey.studio.results import Rehearsal
from covey.studio.settings import limit_problem, typed_text
from covey.studio.state import State
from covey.systems import SYSTEMS

DIGITS = 4
"""An epsilon that uses what is left is rounded down to so many digits."""


def told_cost(rehearsal: Rehearsal) -> str:
    """Say what a release costs."""
    bounded = GuaranteeKind(rehearsal.kind).is_differential_privacy
    if rehearsal.epsilon is None or not bounded:
        return "no bound; it is entered and uses nothing of the limit"
    return f"epsilon {amount(rehearsal.epsilon)}"


def explain_refusal(state: State, rehearsal: Rehearsal) -> str:
    """Say why the ledger would refuse this release, or nothing."""
    ledger = _ledger(state)
    if ledger is None or ledger.left is None or _fits(ledger, _entry(state, rehearsal)):
        return ""
    cost = ledger.cost(_entry(state, rehearsal))
    return (
        f"the ledger of these people has epsilon {amount(max(ledger.left, 0 * cost))} left and "
        f"this release needs {amount(cost)}."
    )


def affordable_epsilon(state: State, rehearsal: Rehearsal) -> str:
    """Return the largest epsilon that the ledger can still pay for, or nothing.

    Only for a promise of a pure epsilon: what a rho costs is no multiple of it.
    """
    ledger, entry = _ledger(state), _entry(state, rehearsal)
    known = {each.name: each for each in SYSTEMS[state.system].parameters}
    if ledger is None or ledger.left is None or "epsilon" not in known or entry.rho:
        return ""
    bound, cost = entry.bound, ledger.cost(entry)
    typed = typed_text(state, known["epsilon"])
    if not bound or not cost or ledger.left <= 0 or bound != _exact(typed):
        return ""
    exact = ledger.left * bound / cost
    rounded = Context(prec=DIGITS, rounding=ROUND_DOWN).divide(
        Decimal(exact.numerator), Decimal(exact.denominator)
    )
    text = f"{rounded.normalize():f}"
    fits = _fits(ledger, replace(entry, epsilon=str(_exact(text))))
    return text if fits and rounded > 0 else ""


def _fits(ledger: Ledger, entry: Entry) -> bool:
    try:
        ledger.require(entry)
    except CoveyError:
        return False
    return True


def _exact(text: str) -> object:
    try:
        return Budget.of(text).epsilon
    except CoveyError:
        return None


def _ledger(state: State) -> Ledger | None:
    """Return the ledger as it would be: with the limit that is typed until something is charged."""
    ledger = state.ledger
    if limit_problem(state):
        return None
    if ledger is None or not ledger.entries:
        return Ledger(limit=Budget.of(state.limit).epsilon)
    return ledger


def _entry(state: State, rehearsal: Rehearsal) -> Entry:
    return Entry(
        when="",
        system=state.system,
        epsilon=None if rehearsal.epsilon is None else str(rehearsal.epsilon),
        delta=None if rehearsal.delta is None else str(rehearsal.delta),
        rho=None if rehearsal.rho is None else str(rehearsal.rho),
        unit=rehearsal.unit,
        plan="",
        kind=rehearsal.kind,
    )

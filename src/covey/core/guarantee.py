"""What exactly does a release promise, to whom, and under which conditions?

What each kind prints is in `covey.kinds`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from covey.core.unit import PrivacyUnit
from covey.kinds import GuaranteeKind, sentence
from covey.notebook import notebook_html

if TYPE_CHECKING:
    from covey.core.budget import Budget
    from covey.core.meter import Bill
    from covey.core.persons import Persons


EXACT = "exact: integer grid, discrete noise, the operating system's random generator"
IDEALISED = "float64 (idealised): the guarantee is proven for real numbers, not for floats"
REPEATABLE = "repeatable: integer grid, discrete noise, a generator that started from a seed"
NO_NOISE = "no noise"

AMOUNTS = ("epsilon", "delta", "rho")
"""What bounds the loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """A promise that says exactly what it covers; ``str()`` is one sentence for a data officer.

    A ``rho`` implies the ``epsilon`` for its ``delta``; without it epsilon is pure.
    ``columns`` are covered, together if ``joint``; others are ``untouched`` or ``dropped``.
    ``assumes`` are public facts that the promise relies on, ``conditions`` what must hold when
    publishing and what is not covered, ``reasons`` why it is weaker than the system's own.
    Records that lack a value of an ``incomplete`` column were left out.
    Where it speaks of persons, ``person`` is the column that names them, and so many
    ``contributions`` of each were used at most.
    ``claim`` names the proof page, ``questions`` what the meter was asked.
    """

    kind: GuaranteeKind
    unit: PrivacyUnit = PrivacyUnit.NONE
    epsilon: Fraction | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None
    k: int | None = None
    columns: tuple[str, ...] = ()
    joint: bool = True
    untouched: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    person: str = ""
    contributions: int | None = None
    assumes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    arithmetic: str = NO_NOISE
    claim: str = ""
    reasons: tuple[str, ...] = ()
    questions: tuple[dict[str, Any], ...] = ()

    def downgraded(self, reason: str) -> Guarantee:
        """Return what is left of this guarantee when one of its assumptions fails.

        Bounds from the data, a known seed and the like void every differential guarantee
        and everything that builds on calibrated noise.  k-anonymity rests on group sizes
        alone and survives.
        """
        if self.kind is GuaranteeKind.K_ANONYMITY:
            return replace(self, reasons=(*self.reasons, reason))
        # What was assumed is no longer claimed; listing it would contradict the reason.
        reasons = (*self.reasons, reason)
        return replace(self, kind=GuaranteeKind.NONE, assumes=(), reasons=reasons)

    def __str__(self) -> str:
        """Say the guarantee in one sentence for a data officer."""
        return sentence(self, self.kind)

    def _repr_html_(self) -> str:
        """Show the sentence in a notebook, and all that it rests on."""
        told = [("relies on", each) for each in self.assumes]
        told += [("mind", each) for each in self.conditions]
        return notebook_html(f"Guarantee: {self.kind}", [str(self)], ("", "what"), told)

    def to_dict(self) -> dict[str, Any]:
        """Return the guarantee as plain JSON values."""
        return {
            "kind": str(self.kind),
            "sentence": str(self),
            "differential_privacy": self.kind.is_differential_privacy,
            "unit": str(self.unit),
            "neighbours": self.unit.words,
            **{name: _number(getattr(self, name)) for name in AMOUNTS},
            "k": self.k,
            "columns": list(self.columns),
            "joint": self.joint,
            "untouched": list(self.untouched),
            "dropped": list(self.dropped),
            "incomplete": list(self.incomplete),
            "person": self.person,
            "contributions": self.contributions,
            "assumes": list(self.assumes),
            "conditions": list(self.conditions),
            "arithmetic": self.arithmetic,
            "claim": self.claim,
            "reasons": list(self.reasons),
            "questions": list(self.questions),
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Guarantee:
        """Read a guarantee back from JSON; keys that this version does not know are ignored."""
        lists = ("columns", "untouched", "dropped", "assumes", "conditions", "reasons")
        parts: dict[str, Any] = {name: tuple(content[name]) for name in lists}
        parts |= {name: _fraction(content.get(name)) for name in AMOUNTS}
        return cls(
            kind=GuaranteeKind(content["kind"]),
            unit=PrivacyUnit(content["unit"]),
            k=content["k"],
            joint=bool(content["joint"]),
            arithmetic=str(content["arithmetic"]),
            claim=str(content["claim"]),
            questions=tuple(content.get("questions", ())),
            incomplete=tuple(content.get("incomplete", ())),
            person=str(content.get("person", "")),
            contributions=content.get("contributions"),
            **parts,
        )


def amounts_of(loss: Budget) -> dict[str, Any]:
    """Return the amounts that a guarantee states for a loss."""
    rho = None if loss.delta is None else loss.rho
    return {"epsilon": loss.implied, "delta": loss.delta, "rho": rho}


def told_persons(persons: Persons | None) -> dict[str, Any]:
    """Return what a guarantee states of persons, if it speaks of them."""
    if persons is None:
        return {}
    return {"person": persons.column, "contributions": persons.most}


def _fraction(number: float | None) -> Fraction | None:
    return None if number is None else Fraction(str(number))


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a guarantee says beside what the meter knows; the fields are those of `Guarantee`."""

    columns: tuple[str, ...] = ()
    joint: bool = True
    dropped: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    def kept(self, bill: Bill, facts: tuple[str, ...] = ()) -> Guarantee:
        """Return the guarantee that follows from what a meter was asked, and nothing else."""
        local = all(part.method in ("laplace", "exponential") for part in bill.paid)
        kind = _KIND_OF[bill.unit]
        if bill.sampled:
            kind = GuaranteeKind.PERSONALISED
        elif bill.budget.delta is not None:
            kind = GuaranteeKind.ZCDP
        elif local and bill.paid and bill.persons is None:
            # Somebody has seen all records of a person in order to keep some of them.
            kind = GuaranteeKind.LOCAL_DP
        return Guarantee(
            kind=kind,
            unit=bill.protects,
            **amounts_of(bill.lost),
            **told_persons(bill.persons),
            columns=self.columns,
            joint=self.joint,
            dropped=self.dropped,
            assumes=(*self.assumes, *facts),
            conditions=self.conditions,
            arithmetic=EXACT,
            claim=bill.paid[0 if bill.sampled else -1].proof if bill.paid else "",
            questions=tuple(part.to_dict() for part in bill.paid),
        )


_KIND_OF = {
    PrivacyUnit.REPLACE_RECORD: GuaranteeKind.PURE_DP,
    PrivacyUnit.ADD_REMOVE_RECORD: GuaranteeKind.PURE_DP,
    PrivacyUnit.EDGE: GuaranteeKind.EDGE_DP,
    PrivacyUnit.NODE: GuaranteeKind.NODE_DP,
}

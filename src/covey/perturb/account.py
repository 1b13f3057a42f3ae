"""What did a mechanism cost, and may a release with a guarantee rest on it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from covey.errors import InternalError
from covey.privacy import PrivacyUnit


class Accounted(Protocol):
    """What every result of a mechanism says about itself."""

    @property
    def epsilon(self) -> Fraction:
        """Return what it cost."""
        ...

    @property
    def unit(self) -> PrivacyUnit:
        """Return the neighbour relation that the cost holds for."""
        ...

    @property
    def claim(self) -> str:
        """Return the proof page of its sensitivity; empty if there is none."""
        ...

    @property
    def secure(self) -> bool:
        """Return whether nobody can repeat the draws."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The cost of several mechanisms on the same data together (sequential composition)."""

    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool


def together(parts: Sequence[Accounted], *, claim: str) -> Account:
    """Add up the cost of mechanisms that a joint release rests on."""
    units = {part.unit for part in parts}
    if len(units) != 1:
        raise InternalError("mechanisms for different neighbour relations cannot be added up.")
    return Account(
        epsilon=sum((part.epsilon for part in parts), Fraction(0)),
        unit=units.pop(),
        claim=claim if all(part.claim for part in parts) else "",
        secure=all(part.secure for part in parts),
    )

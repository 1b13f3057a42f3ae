"""What does one record lose, if a person with several of them shall lose no more than a budget?

Group privacy over the records that are kept of each person (docs/proofs/persons.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from covey.core.budget import SMALLEST, Budget
from covey.core.unit import PrivacyUnit
from covey.errors import PlanError, UnprovenError


@dataclass(frozen=True, slots=True)
class Persons:
    """The column that says whose a record is, and how many records of a person are used."""

    column: str
    most: int

    def __post_init__(self) -> None:
        """Refuse a bound that is none."""
        if isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 1:
            raise PlanError(
                f"contributions = {self.most!r} is not a whole number of at least 1, so nobody "
                f"would be counted and nothing was published. Give the largest number of records "
                f"that a person shall count with, from public knowledge: 5 for five yearly visits."
            )

    def each(self, loss: Budget) -> Budget:
        """Return what one record may lose: so many times less of epsilon, the square of rho."""
        share = loss.times(1 / self._steps(loss))
        if share.amount < SMALLEST:
            raise PlanError(
                f"{loss.told} for a person of up to {self.most} records leaves next to nothing "
                f"for one of them, so the release would be noise alone. Give a larger loss, or "
                f"fewer contributions."
            )
        return share

    def whole(self, loss: Budget) -> Budget:
        """Return what a person loses, if one record loses so much."""
        return loss.times(self._steps(loss))

    def unit(self, records: PrivacyUnit) -> PrivacyUnit:
        """Return the neighbour relation of persons that follows from one of records."""
        if records not in OF_PERSONS:
            raise UnprovenError(f"no claim about persons follows from {records.words}.")
        return OF_PERSONS[records]

    def _steps(self, loss: Budget) -> Fraction:
        return Fraction(self.most if loss.delta is None else self.most**2)


OF_PERSONS = {
    PrivacyUnit.REPLACE_RECORD: PrivacyUnit.PERSON,
    PrivacyUnit.ADD_REMOVE_RECORD: PrivacyUnit.ADD_REMOVE_PERSON,
}
"""A person whose records are replaced, or are there or not: many steps of the same kind."""

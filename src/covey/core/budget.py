"""How much privacy loss may a step spend, exactly?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALLEST, LARGEST = Fraction(1, 10**9), Fraction(10**9)
"""Below, noise would not fit into 64-bit integers; above, nobody is protected."""


@dataclass(frozen=True, slots=True)
class Budget:
    """An exact epsilon; what is split off never adds up to more than the whole.

    The typed decimal, exactly: 0.1 is one tenth, not the nearest float.
    """

    epsilon: Fraction

    @classmethod
    def of(cls, epsilon: float | str | Fraction) -> Budget:
        """Read an epsilon as a person types it.

        Examples
        --------
        >>> Budget.of(0.1).epsilon
        Fraction(1, 10)
        """
        try:
            exact = Fraction(str(epsilon)) if isinstance(epsilon, float) else Fraction(epsilon)
        except (ValueError, TypeError, OverflowError, ZeroDivisionError):
            exact = Fraction(0)
        if exact <= 0:
            raise PlanError(
                f"epsilon = {epsilon} is not a positive finite number, so it bounds nothing. "
                f"Give a number above 0; 0.1 to 2 is usual, and smaller protects more."
            )
        if not SMALLEST <= exact <= LARGEST:
            raise PlanError(
                f"epsilon = {epsilon} is out of all proportion, so the release would be noise "
                f"alone or protect nobody. Give a number between {float(SMALLEST):g} and "
                f"{float(LARGEST):g}; 0.1 to 2 is usual."
            )
        return cls(exact)

    def split(self, weights: Sequence[float | Fraction]) -> tuple[Budget, ...]:
        """Divide the budget in proportion to weights, exactly.

        Examples
        --------
        >>> [str(part.epsilon) for part in Budget.of(1).split([1, 3])]
        ['1/4', '3/4']
        """
        exact = [Fraction(weight) for weight in weights]
        if not exact or any(weight <= 0 for weight in exact):
            raise PlanError(
                "the shares of the privacy budget are not all positive, so a part would have "
                "no noise scale. Give a positive weight to each part."
            )
        whole = sum(exact)
        return tuple(Budget(self.epsilon * weight / whole) for weight in exact)

    @property
    def value(self) -> float:
        """Return the largest float that is not above the exact budget."""
        value = float(self.epsilon)
        return value if Fraction(value) <= self.epsilon else math.nextafter(value, 0.0)

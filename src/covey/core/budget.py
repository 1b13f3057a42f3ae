"""How much privacy loss may a step spend, exactly?  Pure epsilon, or rho of zCDP."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from covey.core.bounds import root_below
from covey.core.loss import epsilon_at, largest_rho
from covey.errors import InternalError, PlanError

Typed = float | str | Fraction | None

SMALLEST, LARGEST = Fraction(1, 10**9), Fraction(10**9)
"""Below, noise would not fit into 64-bit integers; above, nobody is protected."""

LARGEST_DELTA = Fraction(1, 1000)
"""A release that shows each record as it is, with this probability, would be promised as well."""

TOLD_DELTA = Fraction(1, 10**9)
"""For which delta the epsilon of a rho is told, if the plan names none."""


_MOST_DIGITS = 3
"""Of an exponent: a thousand places are written out in no time, a billion fill the memory."""
_MOST_LETTERS = 4_000


def read_exact(number: float | str | Fraction) -> Fraction:
    """Read a number as it is typed, exactly; ValueError rather than a billion digits.

    Examples
    --------
    >>> read_exact("1e-1"), read_exact(0.1)
    (Fraction(1, 10), Fraction(1, 10))
    """
    if isinstance(number, bool):
        raise TypeError
    if isinstance(number, int | Fraction):
        return Fraction(number)
    text = str(number)
    exponent = text.lower().partition("e")[2].strip().lstrip("+-0")
    if len(text) > _MOST_LETTERS or len(exponent) > _MOST_DIGITS:
        raise ValueError
    return Fraction(text)


@dataclass(frozen=True, slots=True)
class Budget:
    """An exact amount; what is split off never adds up to more than the whole.

    ``amount`` is a pure epsilon.  With a ``delta`` it is a rho, whose epsilon is told for that
    delta.  Both add up over questions, each in its own way (docs/proofs/losses.md).
    """

    amount: Fraction
    delta: Fraction | None = None

    @classmethod
    def of(
        cls, epsilon: Typed | Budget = None, *, delta: Typed = None, rho: Typed = None
    ) -> Budget:
        """Read a budget as a person types it: the decimal, exactly, not the nearest float.

        Examples
        --------
        >>> Budget.of(0.1).epsilon
        Fraction(1, 10)
        >>> round(float(Budget.of(1, delta=1e-9).rho), 5)
        0.01497
        """
        if isinstance(epsilon, Budget):
            return epsilon  # the share of one record, in the place of what was typed
        if (epsilon is None) == (rho is None) or (rho is not None and delta is not None):
            raise PlanError(
                "the privacy loss must be bounded in one way: by epsilon, by epsilon and delta, or "
                "by rho, so nothing was published. Give one of these, and leave the others out."
            )
        if rho is not None:
            return cls(_read("rho", rho), TOLD_DELTA)
        loss = _read("epsilon", epsilon)
        if delta is None:
            return cls(loss)
        told = _exact(delta)
        if not 0 < told <= LARGEST_DELTA:
            raise PlanError(
                f"delta = {_told(delta)} is not between 0 and {float(LARGEST_DELTA):g}, so nothing "
                f"was published. With probability delta anything may become known: at 0.1 one "
                f"person in ten could be shown as she is. For delta = 0, which Gaussian noise "
                f"cannot promise, leave delta out; otherwise give far less than one divided by the "
                f"number of records, such as 1e-9."
            )
        rho_of_both = largest_rho(loss, told)
        if rho_of_both < SMALLEST:
            raise PlanError(
                f"epsilon = {_told(epsilon)} with delta = {_told(delta)} is out of all proportion, "
                f"so the release would be noise alone. Give a larger epsilon; 0.1 to 2 is usual."
            )
        return cls(rho_of_both, told)

    @property
    def epsilon(self) -> Fraction:
        """Return the pure epsilon that it is."""
        if self.delta is not None:
            raise InternalError("a rho was taken for an epsilon.")
        return self.amount

    @property
    def rho(self) -> Fraction:
        """Return the rho that it is."""
        if self.delta is None:
            raise InternalError("an epsilon was taken for a rho.")
        return self.amount

    @property
    def implied(self) -> Fraction:
        """Return the epsilon that is promised: pure, or for delta."""
        return self.amount if self.delta is None else epsilon_at(self.amount, self.delta)

    @property
    def told(self) -> str:
        """Say what is promised, in short."""
        said = f"epsilon = {self.value:g}"
        return said if self.delta is None else f"{said} with delta = {float(self.delta):g}"

    def times(self, factor: Fraction) -> Budget:
        """Return so many times as much."""
        return Budget(self.amount * factor, self.delta)

    def of_each(self, parts: int = 1, *, choice: bool = False) -> Fraction:
        """Return the pure epsilon of each of so many mechanisms that this pays for together.

        A pure epsilon costs a rho of ε²/2, and that of the exponential mechanism, which is a
        ``choice``, ε²/8 (docs/proofs/losses.md).
        """
        if self.delta is None:
            return self.amount / parts
        return root_below((8 if choice else 2) * self.amount / parts)

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
        return tuple(Budget(self.amount * weight / whole, self.delta) for weight in exact)

    @property
    def value(self) -> float:
        """Return the largest float that is not above the exact epsilon that is promised."""
        value = float(self.implied)
        return value if Fraction(value) <= self.implied else math.nextafter(value, 0.0)


def _exact(typed: Typed) -> Fraction:
    try:
        return read_exact(typed or 0)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        return Fraction(0)


def _read(name: str, typed: Typed) -> Fraction:
    exact = _exact(typed)
    usual = "0.1 to 2 is usual" if name == "epsilon" else "0.005 to 0.5 is usual"
    if exact <= 0:
        raise PlanError(
            f"{name} = {_told(typed)} is not a positive finite number, so it bounds nothing. "
            f"Give a number above 0; {usual}, and smaller protects more."
        )
    if not SMALLEST <= exact <= LARGEST:
        raise PlanError(
            f"{name} = {_told(typed)} is out of all proportion, so the release would be noise "
            f"alone or protect nobody. Give a number between {float(SMALLEST):g} and "
            f"{float(LARGEST):g}; {usual}."
        )
    return exact


def _told(typed: object) -> str:
    try:
        return f"{typed!s:.80}"
    except ValueError:  # Python writes out no integer of thousands of digits
        return "a huge number"

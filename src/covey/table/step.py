"""On which steps do the values of a numeric attribute lie: cents, halves, hundreds?

Steps are written in decimals, so values on them are computed in whole numbers of the last decimal
and divided once: 0.1 + 0.2 comes out as 0.3, which is what a person wrote into the file.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import SchemaError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DECIMALS = 15
"""A float holds no more decimals than these."""

_EXACT = 2.0**53


def is_finite(value: Any) -> bool:
    """Return whether this is a number that a float can hold; true and false are none."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def checked_step(
    name: str, step: Any, bounds: tuple[float, float] | None, *, integer: bool
) -> float:
    """Return the step of an attribute, or explain what contradicts it."""
    if not is_finite(step) or step <= 0:
        raise SchemaError(
            f"the step of attribute {name!r} is no number above 0, so its values have no places. "
            f"Write `step = 0.01`, or `decimals = 2`."
        )
    if integer and not float(step).is_integer():
        raise SchemaError(
            f"attribute {name!r} holds whole numbers and has a step that is none, which contradict "
            f"each other. Write a whole step, or remove `integer = true`."
        )
    if bounds is not None and (_exact(bounds[1]) - _exact(bounds[0])) % _exact(step):
        raise SchemaError(
            f"the bounds of attribute {name!r} are no multiple of its step apart, so the largest "
            f"value lies on no step. Write bounds that both lie on steps of {step:g}."
        )
    return float(step)


def step_of_decimals(name: str, decimals: Any) -> float:
    """Return the step that a number of decimals means."""
    whole = isinstance(decimals, int) and not isinstance(decimals, bool)
    if not whole or not 0 <= decimals <= MOST_DECIMALS:
        raise SchemaError(
            f"attribute {name!r} has decimals = {decimals!r}, which is no number of decimals. "
            f"Write a whole number from 0 to {MOST_DECIMALS}, or the step itself: `step = 0.5`."
        )
    return float(Decimal(1).scaleb(-decimals))


def decimals_of(step: float) -> int | None:
    """Return the number of decimals that a step means, or None if it is no power of ten.

    Examples
    --------
    >>> decimals_of(0.01), decimals_of(0.5)
    (2, None)
    """
    digits = _decimal(step).normalize().as_tuple()
    ten = digits.digits == (1,) and isinstance(digits.exponent, int) and digits.exponent <= 0
    return -int(digits.exponent) if ten else None


def on_steps(values: NDArray[np.float64], start: float, step: float) -> NDArray[np.float64]:
    """Move values to the nearest of ``start``, ``start ± step``, ``start ± 2 step``, ….

    Examples
    --------
    >>> on_steps(np.array([0.1 + 0.2, 0.26]), 0.0, 0.1)
    array([0.3, 0.3])
    """
    first, width = _decimal(start), _decimal(step)
    decimals = max(0, *(-int(each.normalize().as_tuple().exponent) for each in (first, width)))
    count = np.rint((values - start) / step)
    whole = float(first.scaleb(decimals)) + count * float(width.scaleb(decimals))
    if decimals > MOST_DECIMALS or (np.abs(whole) >= _EXACT).any():
        return np.asarray(start + count * step)
    return np.asarray(whole / 10.0**decimals)


def _exact(number: float) -> Fraction:
    return Fraction(repr(float(number)))


def _decimal(number: float) -> Decimal:
    """Return a number as it is written."""
    return Decimal(repr(float(number)))


DRAFTED_DECIMALS = 6
"""Values with more decimals than these are taken for continuous."""


def decimals_in(values: NDArray[np.floating[Any]]) -> int | None:
    """Return how many decimals numbers have, or None if one has more than a draft believes in.

    Dust of float arithmetic does not count: 0.1 + 0.2 has one decimal.

    Examples
    --------
    >>> decimals_in(np.array([0.1 + 0.2, 2.5])), decimals_in(np.array([np.pi]))
    (1, None)
    """
    largest = float(np.abs(values).max()) if values.size else 0.0
    for decimals in range(DRAFTED_DECIMALS + 1):
        if decimals and largest * 10.0**decimals >= _EXACT:
            return None
        values = values[~has_decimals(values, decimals)]
        if not values.size:
            return decimals
    return None


def has_decimals(values: NDArray[np.floating[Any]], decimals: int) -> NDArray[np.bool_]:
    """Return which numbers have no more decimals than these; nothing has fewer than none."""
    if decimals < 0:
        return np.zeros(values.shape, dtype=np.bool_)
    dust = 8.0 * float(np.finfo(values.dtype).eps)
    numbers = values.astype(np.float64)
    # Floats beyond are whole numbers anyway, and would overflow.
    scaled = np.where(np.abs(numbers) < _EXACT, numbers, 0.0) * 10.0**decimals
    return np.asarray(np.abs(scaled - np.rint(scaled)) <= dust * np.abs(scaled))

"""From how many columns on does Gaussian noise beat Laplace noise, for the same epsilon?

From public facts alone: epsilon, and the delta for which it would hold.
"""

from __future__ import annotations

import math

from covey.core import Budget
from covey.core.budget import TOLD_DELTA
from covey.kinds import amount


def columns_that_pay(epsilon: float, *, moved: int, squares: int) -> int:
    """Return the smallest number of equal questions whose Gaussian noise is the smaller one.

    Each moves by ``moved`` in sum and by ``squares`` in squares.  Of m questions, Laplace noise
    has a deviation of √2 · moved · m / epsilon, and Gaussian noise of √(squares · m / 2 rho).

    Examples
    --------
    >>> columns_that_pay(1.0, moved=2, squares=2), columns_that_pay(1.0, moved=1, squares=1)
    (9, 17)
    """
    whole = Budget.of(epsilon, delta=TOLD_DELTA)
    return math.floor(epsilon**2 * squares / (4.0 * float(whole.rho) * moved**2)) + 1


def losses_note(epsilon: float) -> str:
    """Say which loss has less noise at equal protection, and what the other one promises."""
    tables = columns_that_pay(epsilon, moved=2, squares=2)
    columns = columns_that_pay(epsilon, moved=1, squares=1)
    return (
        f"For the same epsilon = {epsilon:g}, Gaussian noise (delta = {amount(TOLD_DELTA)}) is "
        f"smaller from {tables} tables of equal weight on (tables, column-model), and from "
        f"{columns} columns on (rank-blocks). With fewer, a pure epsilon has less noise, and it "
        f"promises more."
    )

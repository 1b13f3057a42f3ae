"""What does a bound on the records of a person cost: how much noise, and how much bias?

People are made up from public facts alone: nobody has more than so many records, fewer and fewer
have many, and what is asked about is the more likely the more records somebody has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

SELDOM, OFTEN = 0.25, 0.75
"""How likely a record says yes: of the person with the fewest records, and with the most."""

MOST_BOUNDS = 6
"""So many bounds are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundTrade:
    """What one bound does to the share of records that say yes.

    Parameters
    ----------
    contributions : int
        The bound.
    left_out : float
        The share of records that are not used.
    bias : float
        How far the share is off because busy people count for less.
    noise : float
        The standard deviation that noise adds to it, if it is all that is asked.
    """

    contributions: int
    left_out: float
    bias: float
    noise: float

    @property
    def error(self) -> float:
        """Return the root of the mean square error."""
        return math.hypot(self.bias, self.noise)


def bound_trades(n: int, epsilon: float, most: int) -> tuple[BoundTrade, ...]:
    """Return what bounds up to ``most`` would do to n records of made-up people.

    Of people with j records there are 1/j as many as of those with one; nothing is drawn, these
    are expected values.

    Examples
    --------
    >>> [trade.contributions for trade in bound_trades(1000, 1.0, 5)]
    [1, 2, 3, 4, 5]
    """
    has = np.arange(1, most + 1)
    people = 1.0 / has
    yes = np.linspace(SELDOM, OFTEN, most) if most > 1 else np.array([SELDOM])
    true = float((people * has * yes).sum() / (people * has).sum())
    found = []
    for bound in _shown(most):
        used = people * np.minimum(has, bound)
        kept = float(used.sum() / (people * has).sum())
        # A count of two kinds of records moves by 2 for each record that is replaced.
        noise = math.sqrt(2.0) * 2 * bound / epsilon / (kept * n)
        share = float((used * yes).sum() / used.sum())
        found.append(
            BoundTrade(
                contributions=bound, left_out=1.0 - kept, bias=abs(share - true), noise=noise
            )
        )
    return tuple(found)


def contributions_note(n: int, epsilon: float, most: int) -> str:
    """Say what smaller bounds would trade, and that the bound must not come from the data."""
    trades = bound_trades(n, epsilon, most)
    best = min(trades, key=lambda trade: trade.error)
    told = "; ".join(
        f"{trade.contributions}: {trade.left_out:.0%} of the records left out, bias "
        f"{100 * trade.bias:.2g}, noise {100 * trade.noise:.2g}"
        for trade in trades
    )
    return (
        f"Up to {most} records of a person are used, so one record has epsilon = "
        f"{epsilon / most:.4g}, and the errors here are those. What bounds trade, in percentage "
        f"points of a share, for made-up people of whom few have many records: {told}. The error "
        f"is smallest with {best.contributions}. Take a bound from a rule, never from these data."
    )


def _shown(most: int) -> list[int]:
    """Return some bounds up to the largest, all of them if they are few."""
    if most <= MOST_BOUNDS:
        return list(range(1, most + 1))
    steps = np.geomspace(1, most, MOST_BOUNDS)
    return sorted({round(step) for step in steps})

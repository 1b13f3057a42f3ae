"""From where on is a later start of the last cluster better than an earlier one?

Take the values before ``end`` and two places where their last cluster may start, ``old`` and
``new``.  The later start saves the squared errors that joining ``old:new`` to ``new:end`` makes,
which grow with ``end``, and it pays for more noise, which falls with ``end``.  So it wins from
some ``end`` on, for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from covey.kernels.univariate.doubledouble import distance_sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Most starts have their turn a few places after the start before: so many are tried at once.
NEAR = 8


@njit(cache=True)
def wins(count: float, after: float, cross: float, rise: float, noise: float) -> bool:
    """Say whether the new start is at least as good as the old one.

    Parameters
    ----------
    count, after : float
        Number of values in ``old:new`` and in ``new:end``.
    cross : float
        Difference of the means of both times ``count * after``.
    rise : float
        Cost of the best partition up to ``new`` less that up to ``old``, less the sum of squared
        errors of ``old:new``.
    noise : float
        Cost of noise for a cluster of one.

    Notes
    -----
    ``rise + noise / after - noise / (count + after) <= cross**2 / (count * after * (count +
    after))`` without its divisions.
    """
    return (rise * after * (count + after) + noise * count) * count <= cross * cross


@njit(cache=True)
def next_turn(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    new: int,
    lost: int,
    count: float,
    above: float,
    cross: float,
    rise: float,
    noise: float,
) -> int:
    """Find the first end beyond ``lost`` at which ``new`` wins, or ``x.size + 1``.

    A few ends at once, then in doubling steps, then by halving the last step: O(log n).

    Parameters
    ----------
    x, sums
        Ascending values and their `prefix_sums`.
    new, lost : int
        The new start and an end at which it does not win.
    above : float
        Sum of the distances of ``x[old:new]`` to ``x[new]``.
    count, cross, rise, noise : float
        As in `wins`, at ``lost``.
    """
    n = x.size
    after = float(lost - new)
    if lost + NEAR <= n:
        losses = 0
        # All of them, without a branch that a processor would guess wrong.
        for t in range(NEAR):
            cross += above + count * (x[lost + t] - x[new])
            after += 1.0
            losses += not wins(count, after, cross, rise, noise)
        lost += losses
        if losses < NEAR:
            return lost + 1
    step = NEAR
    won = n + 1
    while won > n:
        if lost == n:
            return won
        end = min(lost + step, n)
        after = float(end - new)
        cross = after * above + count * distance_sum(x, sums, new, end)
        if wins(count, after, cross, rise, noise):
            won = end
        else:
            lost = end
            step *= 2
    while won - lost > 1:
        end = (lost + won) // 2
        after = float(end - new)
        cross = after * above + count * distance_sum(x, sums, new, end)
        if wins(count, after, cross, rise, noise):
            won = end
        else:
            lost = end
    return won

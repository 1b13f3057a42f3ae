"""How large must the privacy loss be, judging by what comes out?

A black-box lower bound.  N runs on each input choose an event {T ≥ t} or {T ≤ t} and its
direction; N fresh runs on each input count it.  If the event has probability p on one side and q
on the other, the loss is at least ln(p/q), and Clopper–Pearson limits replace p and q.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ERROR = 0.001
"""The lower bound holds with 99.9 %; half of the error goes to either probability."""

_THRESHOLDS = 400
"""So many thresholds are tried, evenly and more closely towards both ends."""

Statistic = Callable[[int, int], "NDArray[np.float64]"]
"""Returns T for so many runs on input 0 or 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is counted: T on one side of a threshold, and which input has it more often."""

    threshold: float
    above: bool
    more_often: int

    def happens(self, values: NDArray[np.float64]) -> int:
        """Return how many values lie on the chosen side."""
        inside = values >= self.threshold if self.above else values <= self.threshold
        return int(inside.sum())


def lower_bound(draw: Statistic, runs: int, *, error: float = ERROR) -> float:
    """Return a lower bound on the loss that holds with 99.9 % confidence, unless told otherwise.

    An infinite loss shows as ln(N / 7.6) at most.
    """
    event = _most_telling(draw(0, runs), draw(1, runs))
    counts = [event.happens(draw(side, runs)) for side in (0, 1)]
    more, less = counts[event.more_often], counts[1 - event.more_often]
    low, _ = clopper_pearson(np.array([more]), runs, error=error)
    _, high = clopper_pearson(np.array([less]), runs, error=error)
    return max(0.0, math.log(low[0] / high[0])) if low[0] > 0 else 0.0


def exceeds_its_law(draw: Statistic, runs: int, *, exact: float, error: float = ERROR) -> bool:
    """Return whether log likelihood ratios T are drawn that tell more than their own laws allow.

    If T is drawn from the two laws that it is the ratio of, then exp(−T) on input 0 and exp(T) on
    input 1 have the mean 1.  With less noise than that the mean is smaller.  The error of a mean
    of numbers between exp(−exact) and exp(exact) is bounded as by Maurer and Pontil (2009).
    """
    width, once = 2.0 * math.sinh(exact), math.log(4.0 / error)
    for side, sign in ((0, -1.0), (1, 1.0)):
        ratios = np.exp(sign * draw(side, runs))
        spread = math.sqrt(2.0 * float(ratios.var()) * once / runs)
        if float(ratios.mean()) + spread + 7.0 * width * once / (3.0 * runs) < 1.0:
            return True
    return False


def clopper_pearson(
    counts: NDArray[np.int64], runs: int, *, error: float = ERROR
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return limits of the probabilities of events, each wrong with half of the error at most.

    Examples
    --------
    >>> low, high = clopper_pearson(np.array([0]), 200_000)
    >>> bool(low[0] == 0), round(float(high[0]) * 200_000, 1)
    (True, 7.6)
    """
    from scipy.special import betaincinv

    counts = np.asarray(counts, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        low = betaincinv(counts, runs - counts + 1, error / 2)
        high = betaincinv(counts + 1, runs - counts, 1 - error / 2)
    return np.where(counts > 0, low, 0.0), np.where(counts < runs, high, 1.0)


def _most_telling(here: NDArray[np.float64], there: NDArray[np.float64]) -> Event:
    """Choose the event whose lower bound would be largest on these runs."""
    sides = np.sort(here), np.sort(there)
    runs = here.size
    thresholds = _thresholds(np.sort(np.concatenate(sides)))
    best, chosen = -math.inf, Event(threshold=math.inf, above=True, more_often=0)
    for above in (True, False):
        if above:
            counts = [runs - np.searchsorted(side, thresholds, side="left") for side in sides]
        else:
            counts = [np.searchsorted(side, thresholds, side="right") for side in sides]
        limits = [clopper_pearson(count, runs) for count in counts]
        for more_often in (0, 1):
            low, high = limits[more_often][0], limits[1 - more_often][1]
            with np.errstate(divide="ignore"):
                bounds = np.log(low) - np.log(high)
            at = int(np.argmax(bounds))
            if bounds[at] > best:
                best = float(bounds[at])
                threshold = float(thresholds[at])
                chosen = Event(threshold=threshold, above=above, more_often=more_often)
    return chosen


def _thresholds(pooled: NDArray[np.float64]) -> NDArray[np.float64]:
    last = pooled.size - 1
    near = np.geomspace(1, last + 1, _THRESHOLDS // 4) - 1
    places = np.concatenate([np.linspace(0, last, _THRESHOLDS // 2), near, last - near])
    return np.unique(pooled[np.rint(places).astype(np.int64)])

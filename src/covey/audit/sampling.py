"""How large must the privacy loss be, judging by what comes out?

A black-box lower bound.  N runs on each input choose an event {T ≥ t} or {T ≤ t} and its
direction; N fresh runs on each input count it.  If the event has probability p on one side and q
on the other, the loss is at least ln(p/q), and Clopper–Pearson limits replace p and q.  An
audit that finds nothing says little unless it would have found something: so it is repeated on
a copy whose noise is too small, and that copy must be refuted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.audit.subject import Subject
    from covey.perturb import NoiseSource

ERROR = 0.001
"""The lower bound holds with 99.9 %; half of the error goes to either probability."""

SHRINK = 2
"""The copy that an audit must refute has half the noise."""

THRESHOLDS = 400
"""So many thresholds are tried, evenly and more closely towards both ends."""

ROUNDING = 1e-9
"""Exact losses of choices are logarithms in floats."""

Draw = Callable[[int, int], "NDArray[np.float64]"]
"""Returns T for so many runs on input 0 or 1."""


class Verdict(StrEnum):
    """What an audit can say.  It can never say that a claim is true."""

    REFUTED = "refuted"
    NOT_REFUTED = "not refuted"
    NO_POWER = "no power"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What sampling says about one pair.

    Parameters
    ----------
    bound : float
        The loss is at least this, with 99.9 % confidence; 0 if nothing was found.
    power : float or None
        The same bound for the copy with too little noise; None if the claim was refuted and
        no copy was needed.
    runs : int
        How many fresh runs there were on each input.
    verdict : Verdict
        What follows.
    """

    bound: float
    power: float | None
    runs: int
    verdict: Verdict


def sampled(
    subject: Subject, *, epsilon: float, runs: int, source: NoiseSource, shrink: int = SHRINK
) -> Tested:
    """Try to refute that the loss of a pair is at most epsilon.

    Parameters
    ----------
    subject : Subject
        The mechanism, its two inputs and the statistic T.
    epsilon : float
        What is claimed.
    runs : int
        Runs on each input, once to choose the event and once more to count it.
    source : NoiseSource
        The randomness.
    shrink : int
        By what the noise of the copy that must be refuted is divided.
    """

    def draws(divided: int) -> Draw:
        def draw(side: int, count: int) -> NDArray[np.float64]:
            values = subject.draw(side, count, source, shrink=divided)
            return values if subject.decimals is None else np.round(values, subject.decimals)

        return draw

    bound = lower_bound(draws(1), runs)
    refuted = bound > epsilon or subject.exact > epsilon * (1 + ROUNDING)
    power = None if bound > epsilon else lower_bound(draws(shrink), runs)
    if refuted:
        verdict = Verdict.REFUTED
    elif power is not None and power > epsilon:
        verdict = Verdict.NOT_REFUTED
    else:
        verdict = Verdict.NO_POWER
    return Tested(bound=bound, power=power, runs=runs, verdict=verdict)


def lower_bound(draw: Draw, runs: int) -> float:
    """Return a lower bound on the loss that holds with 99.9 % confidence.

    An infinite loss shows as ln(N / 7.6) at most.
    """
    event = _most_telling(draw(0, runs), draw(1, runs))
    counts = [event.happens(draw(side, runs)) for side in (0, 1)]
    more, less = counts[event.more_often], counts[1 - event.more_often]
    low, _ = clopper_pearson(np.array([more]), runs)
    _, high = clopper_pearson(np.array([less]), runs)
    return max(0.0, math.log(low[0] / high[0])) if low[0] > 0 else 0.0


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
    near = np.geomspace(1, last + 1, THRESHOLDS // 4) - 1
    places = np.concatenate([np.linspace(0, last, THRESHOLDS // 2), near, last - near])
    return np.unique(pooled[np.rint(places).astype(np.int64)])

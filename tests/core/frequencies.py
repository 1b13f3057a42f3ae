"""Do frequencies fit probabilities?  Exact binomial tests with a known error rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binomtest

from tests.core.law import FALSE_ALARM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike


def fits(values: ArrayLike, law: Mapping[int, float]) -> bool:
    """Return whether integers follow a law, given as the probability of some of them.

    The integers that the law does not name are counted together.  Each count is binomial, so
    each test is exact; the error of `FALSE_ALARM` is divided among them.
    """
    values = np.asarray(values).ravel()
    named = [int(np.sum(values == value)) for value in law]
    counts = [*named, values.size - sum(named)]
    shares = [*law.values(), max(0.0, 1.0 - sum(law.values()))]
    worst = min(
        binomtest(count, values.size, share).pvalue
        for count, share in zip(counts, shares, strict=True)
    )
    return worst >= FALSE_ALARM / len(counts)


def happens(events: ArrayLike, probability: float, *, among: int = 1) -> bool:
    """Return whether events happen as often as they should; so many tests share the error."""
    events = np.asarray(events)
    return binomtest(int(events.sum()), events.size, probability).pvalue >= FALSE_ALARM / among

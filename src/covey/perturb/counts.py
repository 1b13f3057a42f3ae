"""How is noise added to counts that one change moves by different amounts?

A change of one edge moves the counts of edges between busy nodes far more than those between
quiet ones.  So each count has a public weight, the claim bounds the changes divided by the
weights, and the noise of a count is proportional to its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InternalError, UnprovenError
from covey.privacy import PrivacyUnit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.perturb.source import NoiseSource
    from covey.privacy import Budget, Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyCounts:
    """Counts with noise, and the account of how they came about.

    Parameters
    ----------
    counts : array of int64
        The noisy counts; they may be negative.
    scales : array of float64
        The scale of the discrete Laplace noise of each.
    epsilon, unit, claim, secure
        As in `covey.perturb.Perturbed`.
    """

    counts: NDArray[np.int64]
    scales: NDArray[np.float64]
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool


def add_count_noise(
    counts: NDArray[np.int64],
    *,
    weights: NDArray[np.int64] | None = None,
    sensitivity: Sensitivity,
    budget: Budget,
    source: NoiseSource,
) -> NoisyCounts:
    """Add discrete Laplace noise of scale ``weight · sensitivity / epsilon`` to each count.

    The number of counts and their weights must be public.  The claim says that two neighbours
    have Σ |change| / weight ≤ ``sensitivity.l1``; every count's part of the log ratio of the
    probabilities of an output is at most |change| · epsilon / (weight · l1), so together they
    stay within epsilon (docs/proofs/discrete-laplace.md).
    """
    weights = np.ones(len(counts), dtype=np.int64) if weights is None else weights
    if sensitivity.l1 <= 0 or (weights <= 0).any() or len(weights) != len(counts):
        raise UnprovenError(
            "a sensitivity or weight is not positive, so a count would stay without noise. "
            "Every count needs a positive public weight."
        )
    return NoisyCounts(
        counts=_noisy(counts, weights, sensitivity.l1, budget.epsilon, source),
        scales=weights.astype(np.float64) * float(sensitivity.l1 / budget.epsilon),
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )


def add_printed_noise(
    counts: NDArray[np.int64],
    *,
    sensitivity: int,
    epsilons: Sequence[Fraction],
    source: NoiseSource,
) -> NoisyCounts:
    """Add noise of scale ``sensitivity / epsilon`` with an epsilon of its own for each count.

    As papers print it and no proof covers it: the result names no claim, so that no release
    with a differential guarantee accepts it.
    """
    if sensitivity <= 0 or len(epsilons) != len(counts) or any(e <= 0 for e in epsilons):
        raise InternalError("printed noise needs a positive sensitivity and epsilons.")
    noisy = np.empty(len(counts), dtype=np.int64)
    places: dict[Fraction, list[int]] = {}
    for place, epsilon in enumerate(epsilons):
        places.setdefault(epsilon, []).append(place)
    for epsilon, where in places.items():
        scale = sensitivity / epsilon
        noisy[where] = source.laplace(counts[where], scale=scale, l1=sensitivity, epsilon=epsilon)
    return NoisyCounts(
        counts=noisy,
        scales=np.array([float(sensitivity / epsilon) for epsilon in epsilons]),
        epsilon=max(epsilons, default=Fraction(0)),
        unit=PrivacyUnit.NONE,
        claim="",
        secure=source.secure,
    )


def _noisy(
    counts: NDArray[np.int64],
    weights: NDArray[np.int64],
    l1: int,
    epsilon: Fraction,
    source: NoiseSource,
) -> NDArray[np.int64]:
    noisy = np.empty(len(counts), dtype=np.int64)
    for weight in np.unique(weights).tolist():
        where = weights == weight
        noisy[where] = source.laplace(
            counts[where], scale=weight * l1 / epsilon, l1=weight * l1, epsilon=epsilon
        )
    return noisy

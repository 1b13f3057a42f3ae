"""How is one of several public candidates chosen, better ones more often?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import UnprovenError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb.source import NoiseSource
    from covey.privacy import Budget, PrivacyUnit, Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """Candidates chosen by the exponential mechanism, with the account of their cost.

    Only `choose` makes one.

    Parameters
    ----------
    codes : array of int64
        The chosen candidate of each cluster.
    epsilon : Fraction
        What all choices together cost.
    unit, claim, secure
        As in `Perturbed`.
    """

    codes: NDArray[np.int64]
    epsilon: Fraction
    unit: PrivacyUnit
    claim: str
    secure: bool


def choose(
    losses: NDArray[np.int64],
    *,
    sensitivity: Sensitivity,
    budget: Budget,
    source: NoiseSource,
) -> Selected:
    """Choose one candidate for each row of losses, with probability ∝ exp(−ε loss / (2 s)).

    One record moves all losses of a row by at most ``s = sensitivity.l1``.  Every row may be
    touched by the same record, so the budget is divided evenly among the rows
    (docs/proofs/exponential-mechanism.md).

    Parameters
    ----------
    losses : array of int64 of shape (rows, candidates)
        How badly each public candidate represents each cluster, in public integer steps.
    sensitivity : Sensitivity
        ``l1`` bounds how far one loss moves.
    budget : Budget
        For all rows together.
    source : NoiseSource
        The randomness.
    """
    if sensitivity.l1 <= 0:
        raise UnprovenError(
            "the sensitivity is not positive, so the choice would not be random. "
            "Check the taxonomy: it must have at least two concepts."
        )
    rate = budget.epsilon / losses.shape[0] / (2 * sensitivity.l1)
    return Selected(
        codes=source.choices(losses, rate=rate),
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )

"""How is one of several public candidates chosen, better ones more often?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

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
    touched: Literal["all", "one"] = "all",
) -> Selected:
    """Choose one candidate for each row of losses, with probability ∝ exp(−ε loss / (2 s)).

    One record moves all losses of a row by at most ``s = sensitivity.l1``.  If the same record
    may touch every row, the budget is divided evenly among the rows.  If it can touch one row
    and the same one in both inputs, the other rows cost nothing, and each row gets the whole
    budget (docs/proofs/exponential-mechanism.md).

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
    touched : "all" or "one"
        How many rows one record can touch.  "one" needs a claim that says so.
    """
    if sensitivity.l1 <= 0:
        raise UnprovenError(
            "the sensitivity is not positive, so the choice would not be random. "
            "Check the taxonomy: it must have at least two concepts."
        )
    parts = losses.shape[0] if touched == "all" else 1
    rate = budget.epsilon / parts / (2 * sensitivity.l1)
    return Selected(
        codes=source.choices(losses, rate=rate),
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )

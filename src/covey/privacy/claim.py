"""What is a reviewed statement about a sensitivity?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from covey.privacy.guarantee import PrivacyUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """How far a vector of integers can move in total (L1) between two neighbours.

    Parameters
    ----------
    l1 : int
        The bound, in steps of the public grid.
    unit : PrivacyUnit
        The neighbour relation that it holds for.
    claim : str
        The proof page it rests on.
    """

    l1: int
    unit: PrivacyUnit
    claim: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A reviewed statement about one statistic of one method.

    Parameters
    ----------
    method, statistic : str
        What the statement is about.
    unit : PrivacyUnit
        The neighbour relation that it holds for.
    bound : callable
        L1 sensitivity from public numbers: ``bound(steps=…)``.
    proof : str
        Name of the page in ``docs/proofs``.
    statement : str
        The claim in one sentence.
    """

    method: str
    statistic: str
    unit: PrivacyUnit
    bound: Callable[..., int]
    proof: str
    statement: str

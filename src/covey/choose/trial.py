"""What did a plan do to the data that it was tried on, and how long did it take?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from covey.plan import Plan

THE_DATA = "the data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A release that was made for nobody, and how far it is from its data.

    Parameters
    ----------
    plan : Plan
        What was run, with the seed of its noise.
    data : str
        The shape of the made-up data, or "the data".
    scores : mapping
        The names of metrics and their values; empty if the plan was refused.
    seconds : float
        The time to publish and to score.
    faults : tuple of str
        What spoils the guarantee on these data, such as bounds read off them.
    refused : str
        Why there are no scores.
    """

    plan: Plan
    data: str = THE_DATA
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    faults: tuple[str, ...] = ()
    refused: str = ""

    @property
    def system(self) -> str:
        """Return the system."""
        return self.plan.system

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the parameters that were set."""
        return self.plan.parameters

    @property
    def epsilon(self) -> float:
        """Return the bound on the privacy loss, infinite if the plan sets none."""
        return float(self.parameters.get("epsilon", math.inf))


def average(runs: Sequence[Trial]) -> Trial:
    """Return several runs of a plan as one: the means of the scores that all of them have."""
    names = [name for name in runs[0].scores if all(name in run.scores for run in runs)]
    return replace(
        runs[0],
        scores={name: fmean(run.scores[name] for run in runs) for name in names},
        seconds=fmean(run.seconds for run in runs),
    )

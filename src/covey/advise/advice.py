"""What does covey advise, and what is that based on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from types import MappingProxyType
from typing import Any

import polars as pl

from covey.plan import Plan

ERRORS: dict[str, str] = {
    "distribution": "largest gap between the cumulative distributions of a column (between the "
    "frequencies of categories: half the sum of the gaps), average over the columns",
    "mean": "distance between the means of a column as a share of its public width, average over "
    "the numeric columns",
    "pairs": "half the sum of the gaps between the two-way tables of two columns, numbers in eight "
    "public bins, average over the pairs of columns",
    "joint degrees": "largest gap between the cumulated shares of edges by the degrees of their "
    "ends",
}
"""The errors that are expected, in words; 0 is best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one system with one set of parameters did to one set of records.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    parameters : mapping
        Those of the system, without epsilon, for the number of records that was asked for.
    epsilon : float
        The bound on the privacy loss.
    data : str
        The shape of the synthetic records, or "the data".
    errors : mapping
        The names of `ERRORS` and how large each was; empty if the system refused.
    refused : str
        Why there are no errors.
    """

    system: str
    parameters: Mapping[str, Any]
    epsilon: float
    data: str
    errors: Mapping[str, float]
    refused: str = ""

    @property
    def label(self) -> str:
        """Return the system with its parameters, such as ``rank-blocks k=70``."""
        words = [f"{name}={value}" for name, value in self.parameters.items()]
        return " ".join([self.system, *words])


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Which system to use with which parameters, and the error to expect.

    Parameters
    ----------
    task : str
        What the release is for: a name in `covey.advise.TASKS`.
    n : int
        The public number of records.
    criterion : str
        The error that decided: a name in `ERRORS`.
    trials : tuple of Trial
        Everything that was tried.
    plan : Plan
        The release that is advised.
    notes : tuple of str
        What to know about it.
    """

    task: str
    n: int
    criterion: str
    trials: tuple[Trial, ...] = field(repr=False)
    plan: Plan
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """Return the system that is advised."""
        return self.plan.system

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return its parameters."""
        return self.plan.parameters

    @property
    def expected(self) -> Mapping[str, float]:
        """Return the errors that are expected of it, averaged over what was tried."""
        at = [
            trial
            for trial in self.trials
            if self.is_advised(trial) and trial.epsilon == self.parameters["epsilon"]
        ]
        names = at[0].errors if at else {}
        return MappingProxyType({name: fmean(t.errors[name] for t in at) for name in names})

    @property
    def by_epsilon(self) -> Mapping[float, float]:
        """Return how the deciding error of what is advised falls with epsilon."""
        rows = [trial for trial in self.trials if self.is_advised(trial) and trial.errors]
        return MappingProxyType(
            {
                epsilon: fmean(t.errors[self.criterion] for t in rows if t.epsilon == epsilon)
                for epsilon in sorted({trial.epsilon for trial in rows})
            }
        )

    @property
    def table(self) -> pl.DataFrame:
        """Return the errors of everything that was tried, one row for each trial."""
        return pl.DataFrame(
            [
                {
                    "system": trial.system,
                    "parameters": trial.label.partition(" ")[2],
                    "epsilon": trial.epsilon,
                    "data": trial.data,
                    **{name: trial.errors.get(name) for name in ERRORS},
                    "refused": trial.refused,
                }
                for trial in self.trials
            ]
        )

    def is_advised(self, trial: Trial) -> bool:
        """Return whether a trial is of what is advised, at whatever epsilon."""
        if trial.system != self.system:
            return False
        # Sizes of clusters follow epsilon, so they tell variants apart at one epsilon only.
        same = all(self.parameters[name] == value for name, value in trial.parameters.items())
        return same or trial.epsilon != self.parameters["epsilon"]

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as plain JSON values."""
        return {
            "task": self.task,
            "n": self.n,
            "system": self.system,
            "parameters": self.plan.to_dict()["parameters"],
            "criterion": self.criterion,
            "expected": dict(self.expected),
            "by_epsilon": [
                {"epsilon": epsilon, "error": error} for epsilon, error in self.by_epsilon.items()
            ],
            "trials": self.table.to_dicts(),
            "notes": list(self.notes),
        }

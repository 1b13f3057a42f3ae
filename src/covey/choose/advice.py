"""What does covey advise, and what is that based on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import polars as pl

from covey.choose.expected_error import ERRORS
from covey.choose.trial import Trial, average
from covey.notebook import notebook_html
from covey.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Which system to use with which parameters, and the error to expect.

    Parameters
    ----------
    task : str
        What the release is for: a name in `covey.choose.TASKS`, or "graph".
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
        asked = self.parameters["epsilon"]
        runs = [run for run in self.trials if self.is_advised(run) and run.epsilon == asked]
        return average(runs).scores

    @property
    def by_epsilon(self) -> Mapping[float, float]:
        """Return how the deciding error of what is advised falls with epsilon."""
        errors: dict[float, list[float]] = {}
        for trial in self.trials:
            if self.is_advised(trial) and trial.scores:
                errors.setdefault(trial.epsilon, []).append(trial.scores[self.criterion])
        return {epsilon: fmean(errors[epsilon]) for epsilon in sorted(errors)}

    @property
    def table(self) -> pl.DataFrame:
        """Return the errors of everything that was tried, one row for each trial."""
        return pl.DataFrame(
            [
                {
                    "system": trial.system,
                    "parameters": trial_label(trial).partition(" ")[2],
                    "epsilon": trial.epsilon,
                    "data": trial.data,
                    **{name: trial.scores.get(name) for name in ERRORS},
                    "refused": trial.refused,
                }
                for trial in self.trials
            ]
        )

    def to_frame(self) -> pl.DataFrame:
        """Return the errors of everything that was tried: `table`."""
        return self.table

    def _repr_html_(self) -> str:
        """Show what is advised in a notebook, and what to expect at other epsilons."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        rows = [(epsilon, error) for epsilon, error in self.by_epsilon.items()]
        title = f"Advice: {self.system}"
        return notebook_html(title, (chosen, *self.notes), ("epsilon", self.criterion), rows)

    def is_advised(self, trial: Trial) -> bool:
        """Return whether a trial is of what is advised, at whatever epsilon."""
        if trial.system != self.system:
            return False
        # Sizes of clusters follow epsilon, so they tell variants apart at one epsilon only.
        given = trial.parameters.items()
        same = all(self.parameters[name] == value for name, value in given)
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


def trial_label(trial: Trial) -> str:
    """Return the system with what tells its trials at one epsilon apart, as in ``mdav k=3``."""
    given = trial.parameters.items()
    words = [f"{name}={value}" for name, value in given if name not in ("epsilon", "unit")]
    return " ".join([trial.system, *words])

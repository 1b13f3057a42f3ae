"""What is to be expected of a candidate, tried on data that are made up, or on the data?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from covey.choose.candidates import Candidate
from covey.choose.expected_error import expected_errors
from covey.choose.runner import run_plans
from covey.choose.synthetic import synthetic_tables
from covey.choose.trial import THE_DATA, Trial, average
from covey.errors import PlanError
from covey.graph import Graph
from covey.plan import Plan
from covey.systems import Progress
from covey.table import Schema, Table

SIMULATED = 10_000
"""More records are not simulated.

The errors of systems with a curator depend on n times epsilon (and on the shape of the data), so
fewer records with a larger epsilon show the same ones.
"""

LARGEST_SIMULATED = 8.0
"""The private tree has no proof far beyond, so simulations stay below."""

MOST_RUNS = 5
RECORDS_IN_ALL = 5_000
"""A trial publishes about so many records in all, in at most so many runs: few records vary most,
and cost least to publish several times."""

LADDER = (0.25, 0.5, 2.0, 4.0)
LOWER = (0.125, 0.25, 0.5, 1.0)
"""The error is also shown at these multiples of the epsilon that was asked for, or of the largest
that can be simulated for so many records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Data to try candidates on: what they look like, and the seeds of the noise of each run."""

    shape: str
    data: Table | Graph
    seeds: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Where candidates are tried.

    Parameters
    ----------
    scenarios : tuple of Scenario
        The data that every candidate is tried on.
    n : int
        The number of records, or nodes, that was asked for.
    simulated : int
        The number of records that stand for them: with fewer, epsilon grows.
    columns : int
        How many columns are published.
    contributions : int
        How many records of a person share what is asked for, if persons are protected.
    settings : mapping
        What is set in a simulation and not in the plan that is advised.
    progress : callable, optional
        Called with (what is being done, done, total).
    """

    scenarios: tuple[Scenario, ...]
    n: int
    simulated: int
    columns: int = 1
    contributions: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress | None

    @property
    def largest(self) -> float:
        """Return the largest epsilon whose errors can be simulated for so many records."""
        fewer = self.simulated < self.n
        each = self.simulated * LARGEST_SIMULATED / self.n if fewer else math.inf
        return each * self.contributions

    def search(
        self, candidates: Sequence[Candidate], criterion: str, epsilon: float
    ) -> tuple[Candidate, tuple[Trial, ...]]:
        """Try all at one epsilon, and the one with the smallest mean error at others, too."""
        trials: list[Trial] = []
        errors: list[tuple[float, Candidate]] = []
        for candidate in candidates:
            found = self.trials(candidate, epsilon)
            trials += found
            if not any(trial.refused for trial in found):
                errors.append((fmean(trial.scores[criterion] for trial in found), candidate))
        if not errors:
            raise PlanError(
                f"no system can publish this at epsilon = {epsilon:g}. {trials[0].refused}"
            )
        best = min(errors, key=lambda error: error[0])[1]
        for step in self._ladder(epsilon):
            trials += self.trials(best, step)
        return best, tuple(trials)

    def trials(self, candidate: Candidate, epsilon: float) -> list[Trial]:
        """Try a candidate on every scenario: the errors are averages over the runs."""
        each = epsilon / self.contributions
        asked = {**candidate.parameters(self.n, self.columns, each), "epsilon": epsilon}
        plan = Plan(system=candidate.system, parameters=asked)
        scaled = scaled_epsilon(each, self.n, self.simulated)
        used = {**candidate.parameters(self.simulated, self.columns, scaled), **self.settings}
        trials = []
        for place, scenario in enumerate(self.scenarios):
            if self.progress is not None:
                words = f"trying {candidate.system} at epsilon {epsilon:g}"
                self.progress(words, place, len(self.scenarios))
            plans = [replace(plan, parameters=used, random_state=seed) for seed in scenario.seeds]
            runs = run_plans(plans, scenario.data, score=expected_errors)
            refused = next((run for run in runs if run.refused), None)
            trials.append(replace(refused or average(runs), plan=plan, data=scenario.shape))
        return trials

    def _ladder(self, asked: float) -> list[float]:
        """Return other epsilons whose errors tell how much one more, or less, would change."""
        if asked * LADDER[-1] <= self.largest:
            return [asked * step for step in LADDER]
        steps = [float(f"{self.largest * step:.2g}") for step in LOWER]
        return [step for step in steps if step != asked]


def scaled_epsilon(epsilon: float, n: int, simulated: int) -> float:
    """Return the epsilon at which fewer records show the errors of n, as far as it may grow."""
    if simulated >= n:
        return epsilon
    most = max(epsilon, LARGEST_SIMULATED)
    return float(f"{min(most, epsilon * n / simulated):.6g}")


def simulate_tables(
    schema: Schema, n: int, *, looked: Table | None, progress: Progress | None
) -> Simulation:
    """Return a simulation on the data that are looked at, or on records made up from a schema."""
    size = min(n, SIMULATED) if looked is None else n
    tables = {THE_DATA: looked} if looked is not None else synthetic_tables(schema, size)
    runs = max(1, min(MOST_RUNS, RECORDS_IN_ALL // size))
    scenarios = (
        Scenario(shape=shape, data=table, seeds=range(place * MOST_RUNS, place * MOST_RUNS + runs))
        for place, (shape, table) in enumerate(tables.items())
    )
    columns = len(schema.names)
    return Simulation(
        scenarios=tuple(scenarios), n=n, simulated=size, columns=columns, progress=progress
    )

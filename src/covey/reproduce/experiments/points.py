"""What is run for an experiment, and what came out?  Lines times grid times runs, as cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from covey.choose.runner import TrialTask, run_tasks
from covey.graph import Graph
from covey.plan import Plan
from covey.reproduce.experiments.attempt import (
    ORDERED_BY_RUN,
    SEPARATOR,
    attempt,
    known_parameters,
)
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from pathlib import Path

    from covey.choose.trial import Trial
    from covey.reproduce.experiments.experiment import Experiment, Line
    from covey.systems import Progress
    from covey.table import Table

    Sets = Mapping[tuple[str, int | None], Table | Graph]


UNCUT = "largest degree"
"""As a degree bound: that of the graph, so that nothing is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One point of one line: where it is, and what every run measured.

    Parameters
    ----------
    line : str
        The name of the line.
    at : mapping
        The axes that the line follows and their values; "data" is one of them.
    values : mapping
        What each run measured, by measure.
    """

    line: str
    at: Mapping[str, Any]
    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def mean(self, measure: str) -> float:
        """Return the mean over the runs."""
        return fmean(self.values[measure])

    def margin(self, measure: str) -> float:
        """Return how far the mean may be off (`margin`)."""
        return margin(self.values[measure])

    def margin_of_gap(self, other: Cell, measure: str, factor: float = 1.0) -> float:
        """Return how far the difference from another cell, or a multiple of it, may be off.

        Runs of one number have one seed, and so often similar noise: they are compared in pairs.
        """
        mine, theirs = self.values[measure], other.values[measure]
        if len(mine) == len(theirs):
            return margin([a - factor * b for a, b in zip(mine, theirs, strict=True)])
        return math.hypot(margin(mine), factor * margin(theirs))


def margin(values: Sequence[float]) -> float:
    """Return half the interval that holds the mean of all runs in 99 of 100 cases; 0 for one run.

    Student's, since few runs tell little of their own spread.
    """
    if len(values) < 2:  # noqa: PLR2004
        return 0.0
    from scipy.stats import t

    return float(t.ppf(0.995, len(values) - 1)) * stdev(values) / math.sqrt(len(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What came out of an experiment.

    Parameters
    ----------
    experiment : Experiment
        What was run.
    cells : tuple of Cell
        The points of all lines.
    refused : mapping
        Points that could not be computed, and why.
    own : bool
        Whether it was run on somebody's own data.
    """

    experiment: Experiment
    cells: tuple[Cell, ...]
    refused: Mapping[str, str]
    own: bool = False


@dataclass(frozen=True, slots=True)
class _Point:
    line: str
    at: Mapping[str, Any]
    task: TrialTask


def run_experiments(
    experiments: Sequence[tuple[Experiment, Sets]],
    *,
    cache: Path | None = None,
    workers: int | None = 1,
    progress: Progress | None = None,
    own: bool = False,
) -> list[Findings]:
    """Run experiments with all that the cache does not know, on one pool of processes.

    Parameters
    ----------
    experiments : sequence
        Experiments and the data that each is run on, by name and size.
    cache, workers, progress
        As in `covey.choose.runner.run_tasks`.
    own : bool
        Whether the data are somebody's own.
    """
    named: dict[str, Table | Graph] = {}
    points: list[list[_Point]] = []
    for experiment, sets in experiments:
        names = {key: _register(named, data, experiment, key) for key, data in sets.items()}
        points.append(_points(experiment, sets, names))
    tasks = [point.task for each in points for point in each]
    trials = iter(
        run_tasks(tasks, named, cache=cache, workers=workers, progress=progress, what="experiments")
    )
    return [
        _findings(experiment, each, [next(trials) for _ in each], own=own)
        for (experiment, _), each in zip(experiments, points, strict=True)
    ]


def _register(
    named: dict[str, Table | Graph],
    data: Table | Graph,
    experiment: Experiment,
    key: tuple[str, int | None],
) -> str:
    """Keep one copy of what several experiments use: graphs; tables differ in their columns."""
    name = key[0] if isinstance(data, Graph) else f"{experiment.name}: {key[0]} {key[1] or ''}"
    named[name] = data
    return name


def _points(
    experiment: Experiment, sets: Sets, names: Mapping[tuple[str, int | None], str]
) -> list[_Point]:
    points = []
    for key, data in sets.items():
        where: dict[str, Any] = {"data": key[0]}
        if key[1] is not None:
            where["n"] = key[1]
        scored = partial(attempt, measures=experiment.measures)
        for line in experiment.lines:
            axes = followed(line, experiment.grid)
            for values in product(*(experiment.grid[axis] for axis in axes)):
                at = dict(zip(axes, values, strict=True))
                parameters = _parameters(line, at, data)
                if not isinstance(data, Graph) and 2 * parameters.get("k", 0) > data.n:
                    continue  # one cluster of all records is no cluster
                for run in range(experiment.runs if _varies(line) else 1):
                    plan = Plan(
                        system=_named(line),
                        parameters=parameters,
                        schema=None if isinstance(data, Graph) else data.schema,
                        random_state=run,
                    )
                    task = TrialTask(
                        plan=plan,
                        attempt=scored,
                        scored_as="-".join(experiment.measures),
                        data=names[key],
                    )
                    points.append(_Point(line.name, {**where, **line.at, **at}, task))
    return points


def followed(line: Line, grid: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the axes of a grid that a line follows."""
    known = known_parameters(line.kind, line.does)
    return [
        axis
        for axis in grid
        if axis not in (*line.without, *line.at, *line.fixed)
        and (axis in line.axes or (axis in known and axis not in line.axes.values()))
    ]


def _parameters(line: Line, at: Mapping[str, Any], data: Table | Graph) -> dict[str, Any]:
    """Return the parameters of a point, with what depends on others worked out."""
    found = {**line.fixed, **{line.axes.get(axis, axis): value for axis, value in at.items()}}
    if isinstance(data, Graph):
        if found.get("theta") == UNCUT:
            found["theta"] = max(1, int(data.degrees.max(initial=1)))
        return found
    columns = len(data.schema.names)
    if line.per_column and "epsilon" in found:
        found["epsilon"] = found["epsilon"] * columns
    if found.get("noise_cost") == "even":
        # What one cluster costs in noise on the unit scale, with epsilon divided evenly [000, 6].
        found["noise_cost"] = 2.0 * (columns / found.pop("epsilon")) ** 2
    if found.get("alpha") == "n/k":
        found["alpha"] = max(1, data.n // found["k"])
    return found


def _named(line: Line) -> str:
    return line.does if line.kind == "system" else f"{line.kind}{SEPARATOR}{line.does}"


def _varies(line: Line) -> bool:
    if line.kind == "system":
        return not SYSTEMS[line.does].deterministic
    return line.does in ORDERED_BY_RUN


def _findings(
    experiment: Experiment, points: Sequence[_Point], trials: Sequence[Trial], *, own: bool
) -> Findings:
    grouped: dict[tuple[Any, ...], list[Trial]] = {}
    places: dict[tuple[Any, ...], _Point] = {}
    refused: dict[str, str] = {}
    for point, trial in zip(points, trials, strict=True):
        key = (point.line, *sorted((axis, str(value)) for axis, value in point.at.items()))
        if trial.refused:
            refused.setdefault(f"{point.line} ({_said(point.at)})", trial.refused)
            continue
        grouped.setdefault(key, []).append(trial)
        places[key] = point
    cells = []
    for key, runs in grouped.items():
        values = {
            name: tuple(run.scores[name] for run in runs)
            for name in experiment.measures
            if all(name in run.scores for run in runs)
        }
        cells.append(Cell(line=places[key].line, at=places[key].at, values=values))
    return Findings(experiment=experiment, cells=tuple(cells), refused=refused, own=own)


def _said(at: Mapping[str, Any]) -> str:
    return ", ".join(f"{axis} = {value}" for axis, value in at.items())

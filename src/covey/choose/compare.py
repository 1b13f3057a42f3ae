"""Which plan suits these data?  Many systems and parameters side by side, for the curator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from covey.choose.comparison import Comparison, summarise_trials
from covey.choose.runner import run_plans
from covey.errors import PlanError, suggest
from covey.graph import Graph
from covey.plan import Plan
from covey.systems import SYSTEMS, Progress, System
from covey.table import Table


def compare(
    data: Table | Graph,
    systems: Sequence[str],
    *,
    epsilon: Sequence[float] = (1.0,),
    k: Sequence[int] = (5,),
    grid: Mapping[str, Sequence[Any]] | None = None,
    columns: Sequence[str] | None = None,
    runs: int = 1,
    cache: str | Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Try systems with several epsilons and ks on one data set, on all cores.

    For the curator: every score is computed on the originals, and choosing by them voids the
    guarantee of what is then published, unless the choice is a system's default.

    Parameters
    ----------
    data : Table or Graph
        The originals.
    systems : sequence of str
        Names in `covey.SYSTEMS`.
    epsilon, k : sequence
        Values to try, with the systems that take them.
    grid : mapping, optional
        Other parameters and the values to try of each, with the systems that take them:
        ``{"tau": [1, 3, 5], "split": ["even", "range"]}``.  ``neighbour = ["random"]`` draws one
        for each run, for the systems that are defined for a pair of data sets.
    columns : sequence of str, optional
        Columns to publish.
    runs : int
        How often a system with noise is repeated; its scores are means.
    cache : path, optional
        Folder in which scores are kept, so that an interrupted comparison goes on.
    workers : int, optional
        Processes; all cores unless given.  With more than one, a script calls this under
        ``if __name__ == "__main__":``.
    progress : callable, optional
        Called with (what is being done, plans done, plans in total).
    """
    if not systems or runs < 1 or (workers is not None and workers < 1):
        raise PlanError(
            "a comparison needs at least one system, one run and one worker, so nothing was "
            "compared. Name systems from `covey systems`."
        )
    axes = {"epsilon": epsilon, "k": k, **(grid or {})}
    plans = crossed_plans(data, systems, axes, runs=runs, columns=columns)
    kept = None if cache is None else Path(cache)
    trials = run_plans(plans, data, cache=kept, workers=workers, progress=progress)
    return summarise_trials(trials, _kind(data))


def crossed_plans(
    data: Table | Graph,
    systems: Sequence[str],
    axes: Mapping[str, Sequence[Any]],
    *,
    runs: int,
    columns: Sequence[str] | None = None,
) -> list[Plan]:
    """Return every combination that makes sense; a system without a k is tried once for all k."""
    schema = data.schema if isinstance(data, Table) else None
    _refuse_unknown(axes, systems, _kind(data))
    axes = {**axes, **({"columns": [tuple(columns)]} if columns else {})}
    plans: list[Plan] = []
    for name in dict.fromkeys(systems):
        system = _checked(name, _kind(data))
        known = {parameter.name for parameter in system.parameters}
        taken = [axis for axis in axes if axis in known]
        for point in product(*(axes[axis] for axis in taken)):
            given = dict(zip(taken, point, strict=True))
            plans += [
                Plan(system=name, parameters=given, schema=schema, random_state=seed)
                for seed in range(1 if system.deterministic else runs)
            ]
    return plans


def _refuse_unknown(axes: Mapping[str, Sequence[Any]], systems: Sequence[str], data: str) -> None:
    """Refuse a parameter that none of the systems takes, and one without values."""
    taken = {each.name for name in systems for each in _checked(name, data).parameters}
    for axis, values in axes.items():
        if axis not in ("epsilon", "k") and axis not in taken:
            raise PlanError(
                f"none of the systems has a parameter {axis!r}, so it cannot be varied and nothing "
                f"was compared. {suggest(axis, sorted(taken))}"
            )
        if not values:
            raise PlanError(
                f"no values of {axis!r} were given, so there is nothing to compare. Give at least "
                f"one."
            )


def _kind(data: Table | Graph) -> str:
    return "graph" if isinstance(data, Graph) else "table"


def _checked(name: str, data: str) -> System:
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was compared. {suggest(name, SYSTEMS)}"
        )
    comparable = [
        system.name
        for system in SYSTEMS.values()
        if system.data == data and system.releases == "rows"
    ]
    if name not in comparable:
        rows = "" if SYSTEMS[name].releases == "rows" else "rows of "
        raise PlanError(
            f"system {name!r} does not publish {rows}a {data}, so nothing was compared. Choose "
            f"among {', '.join(comparable)}."
        )
    return SYSTEMS[name]

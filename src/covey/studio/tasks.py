"""What can be asked of the other process, and what does it answer?

Each task is a plain function of plain values that reports its progress; `covey.studio.work` runs
it.  `fit`, `rehearse` and `forecast` see made-up records only, never the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import covey
from covey.advise.synthetic import complete, synthetic
from covey.privacy import GuaranteeKind
from covey.report import curator_report
from covey.studio.found import Fit, Forecast, Rehearsal, Run, Source
from covey.studio.look import look
from covey.systems import Progress, System
from covey.systems.base import REQUIRED
from covey.table import Role, Scale, Schema

MADE_UP = 400
"""So many records are made up to rehearse a plan."""
Say = Callable[[str, Any], None]
"""Called with an event that is not the end, and what belongs to it."""

COMPARED = 1_000_000
"""So many records are compared with the original; all of a larger table would take minutes."""

HELD = {"epsilon": 1.0, "k": 5, "theta": 8, "tau": 2}
"""What a system gets to find out whether it fits at all."""


def fit(progress: Progress, say: Say, *, key: str, kind: str, schema: Schema | None) -> Fit:
    """Find out which systems can publish such columns, and which of the columns."""
    del say
    columns: dict[str, tuple[str, ...]] = {}
    refusals: dict[str, str] = {}
    systems = [system for system in covey.SYSTEMS.values() if system.data == kind]
    for place, system in enumerate(systems):
        progress("finding systems that fit", place, len(systems))
        first = ""
        held = _held(system)
        if held is None:
            continue
        for names in _selections(system, schema):
            try:
                _rehearsed(
                    system, held, None if schema is None else _filled(schema), names, MADE_UP
                )
            except covey.CoveyError as error:
                first = first or str(error)
            else:
                columns[system.name] = names
                break
        else:
            refusals[system.name] = first
    return Fit(key=key, columns=columns, refusals=refusals)


def rehearse(progress: Progress, say: Say, *, key: str, plan: covey.Plan, n: int) -> Rehearsal:
    """Run the plan on made-up records: is it complete, and what would it promise?"""
    del say
    progress("rehearsing on made-up records", 0, 1)
    system = covey.SYSTEMS[plan.system]
    settings = dict(plan.parameters)
    k = settings.get("k")
    count = min(n, MADE_UP)
    shortened = isinstance(k, int) and count < 3 * k and k <= n
    if shortened:
        settings["k"] = max(2, count // 3)
    columns = settings.pop("columns", None)
    try:
        guarantee = _rehearsed(system, settings, plan.schema, columns, count)
    except covey.CoveyError as error:
        return Rehearsal(key=key, problem=str(error))
    if guarantee.kind is GuaranteeKind.K_ANONYMITY and shortened:
        guarantee = replace(guarantee, k=k)
    if plan.random_state is not None:
        from covey.release import seeded

        guarantee = seeded(guarantee)
    return Rehearsal(
        key=key,
        sentence=str(guarantee),
        kind=str(guarantee.kind),
        epsilon=guarantee.epsilon,
        conditions=guarantee.conditions,
    )


def forecast(
    progress: Progress,
    say: Say,
    *,
    key: str,
    schema: Schema,
    n: int,
    columns: tuple[str, ...],
    epsilon: float,
) -> Forecast:
    """Ask `covey.advise` for the error to expect; it sees the schema and n, never the data."""
    del say
    try:
        advice = covey.advise(
            schema, n=n, epsilon=epsilon, columns=columns or None, progress=progress
        )
    except covey.CoveyError as error:
        return Forecast(key=key, asked=(epsilon,), problem=str(error))
    found: dict[str, list[float]] = {}
    for trial in advice.trials:
        if trial.errors and trial.epsilon == epsilon and not advice.is_advised(trial):
            found.setdefault(trial.label, []).append(trial.errors[advice.criterion])
    return Forecast(
        key=key,
        system=advice.system,
        parameters=dict(advice.parameters),
        criterion=advice.criterion,
        curve=tuple(advice.by_epsilon.items()),
        others=tuple((label, epsilon, fmean(errors)) for label, errors in found.items()),
        notes=advice.notes,
        asked=(epsilon,),
    )


def publish(
    progress: Progress,
    say: Say,
    *,
    source: Source,
    plan: covey.Plan,
    ledger: str | None,
    folder: str,
    number: int,
) -> Run:
    """Run the plan on the data, write the release folder, then compare for the curator."""
    progress("reading", 0, 0)
    data: Any
    if source.kind == "graph":
        data = covey.read_graph(source.path)
    else:
        data = covey.read_table(source.path, plan.schema)
    release = covey.run(plan, data, ledger=ledger, progress=progress)
    progress("writing the release", 0, 0)
    release.save(folder)
    run = Run(
        number=number,
        folder=folder,
        source=source,
        plan=release.plan,
        kind=str(release.guarantee.kind),
        sentence=str(release.guarantee),
        epsilon=None if release.guarantee.epsilon is None else float(release.guarantee.epsilon),
        ledger=ledger,
        left=None if release.ledger.left is None else float(release.ledger.left),
        limit=None if release.ledger.limit is None else float(release.ledger.limit),
    )
    say("released", run)
    progress("comparing with the original, for your eyes only", 0, 0)
    data, release, notes = sampled(data, release)
    evaluation = covey.evaluate(data, release)
    evaluation = replace(evaluation, notes=(*notes, *evaluation.notes))
    page = Path(folder).with_suffix(".curator.html")
    page.write_text(curator_report(data, release, evaluation), encoding="utf-8")
    return replace(run, curator=str(page), scores=dict(evaluation.scores))


def sampled(data: Any, release: covey.Release) -> tuple[Any, covey.Release, tuple[str, ...]]:
    """Return what is compared: all records, or of very many a sample, with a note that says so.

    Groups of k are never sampled: they would look smaller than they are.
    """
    grouped = release.guarantee.kind is GuaranteeKind.K_ANONYMITY
    if isinstance(data, covey.Graph) or data.n <= COMPARED or grouped:
        return data, release, ()
    rng = np.random.default_rng()
    rows = np.sort(rng.choice(data.n, COMPARED, replace=False))
    aligned = None if release.aligned is None else release.aligned[rows]
    kept = release.frame
    if kept.height > COMPARED:
        kept = kept[np.sort(rng.choice(kept.height, COMPARED, replace=False))]
    note = (
        f"The table is large, so {COMPARED:,} records drawn at random were compared. Among fewer "
        f"records the right one is found more easily: linkage in the whole table is rarer."
    )
    return (
        replace(data, frame=data.frame[rows]),
        replace(release, frame=kept, aligned=aligned),
        (note,),
    )


TASKS: Mapping[str, Callable[..., Any]] = {
    "look": look,
    "fit": fit,
    "rehearse": rehearse,
    "forecast": forecast,
    "publish": publish,
}


def _held(system: System) -> dict[str, Any] | None:
    """Return settings to try a system with, or None if it needs what only a person knows."""
    if any(p.default is REQUIRED and p.name not in HELD for p in system.parameters):
        return None
    return {p.name: HELD[p.name] for p in system.parameters if p.name in HELD}


def _selections(system: System, schema: Schema | None) -> list[tuple[str, ...]]:
    """Return the columns to try: all, then the numbers, then the categories."""
    if schema is None or all(p.name != "columns" for p in system.parameters):
        return [()]
    usable = [a for a in schema if a.role is not Role.IDENTIFIER]
    groups = (
        usable,
        [a for a in usable if a.scale is not Scale.NOMINAL],
        [a for a in usable if a.scale is Scale.NOMINAL],
    )
    names = (tuple(a.name for a in group) for group in groups)
    return list(dict.fromkeys(group for group in names if group)) or [()]


def _rehearsed(
    system: System,
    settings: Mapping[str, Any],
    schema: Schema | None,
    columns: tuple[str, ...] | None,
    n: int,
) -> covey.Guarantee:
    given = dict(settings)
    if schema is None:
        # How many cells there are to cluster is the data's business.
        given |= {"k": min(given["k"], HELD["k"])} if "k" in given else {}
        of_graph: covey.Release = covey.publish(_made_up_graph(), system.name, **given)
        return of_graph.guarantee
    if columns:
        given["columns"] = columns
    # An identifier is never published and often says nothing public; no system looks at it.
    kept = [a for a in schema if a.role is not Role.IDENTIFIER]
    described = complete(replace(schema, attributes=tuple(kept)) if kept else schema)
    made_up = synthetic(_filled(described), n, "uniform", 0)
    table = covey.read_table(made_up.frame, described)
    release: covey.Release = covey.publish(table, system.name, **given)
    return release.guarantee


def _filled(schema: Schema) -> Schema:
    """Return the schema with some range for every column, so that records can be made up."""
    filled = []
    for each in schema:
        known = each.bounds is not None or each.categories is not None or each.taxonomy is not None
        if known:
            filled.append(each)
        elif each.scale is Scale.NOMINAL:
            filled.append(replace(each, categories=("a", "b", "c")))
        else:
            filled.append(replace(each, bounds=(0.0, 100.0)))
    return replace(schema, attributes=tuple(filled))


def _made_up_graph() -> covey.Graph:
    """Return a graph with many and few neighbours: whatever a system asks of a graph, it has."""
    nodes = range(1, 120)
    pairs = [(node, node // 2) for node in nodes] + [(node, node // 5) for node in nodes]
    pairs += [(node, 0) for node in nodes if node % 4 == 0]
    return covey.read_graph(np.array([pair for pair in pairs if pair[0] != pair[1]]))

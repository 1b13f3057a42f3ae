"""Which jobs can the worker process be given, and what does each answer?

Each job is a plain function of plain values that reports its progress; `covey.studio.worker` runs
it.  `fit`, `rehearse` and `pilot` see public facts and made-up records, never the data; what
`profile` and `losses` find in the data is for the steward, and no plan depends on it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import covey
from covey.choose.pilot import run_pilot
from covey.choose.synthetic import synthetic, without_gaps
from covey.core import GuaranteeKind
from covey.engines.memory.rows import HeldRows
from covey.errors import DraftWarning, PlanError
from covey.partition.base import REQUIRED
from covey.release.promised import CHOSEN, NODES_OF_EDGES
from covey.report import curator_report
from covey.run import foresee
from covey.studio.graph_drawing import drawn_release
from covey.studio.looking import count_losses, profile_data
from covey.studio.plain import plain
from covey.studio.results import DataFile, Expectation, Fit, Rehearsal, TabRun
from covey.studio.upload import read_upload
from covey.studio.verdict import judge_release, released_rows
from covey.systems import Progress, SoundSystem, System
from covey.table import Scale, Schema
from covey.table.dialect import Dialect

MADE_UP_RECORDS = 400
"""So many records are made up to rehearse a plan of a system that must see some."""
Say = Callable[[str, Any], None]
"""Called with an event that is not the end, and what belongs to it."""

MOST_COMPARED = 1_000_000
"""So many records are compared with the original; all of a larger table would take minutes."""

TRIAL_SETTINGS = {"epsilon": 1.0, "k": 5, "theta": 8, "tau": 2}
"""What a system gets to find out whether it fits at all."""


def fit_systems(
    progress: Progress, say: Say, *, key: str, kind: str, schema: Schema | None, n: int
) -> Fit:
    """Find out which systems can publish such columns, and which of the columns.

    A system that can publish all kinds of columns is offered them all: whether there are too many
    for n records depends on epsilon, and its rehearsal will say.
    """
    del say
    columns: dict[str, tuple[str, ...]] = {}
    refusals: dict[str, str] = {}
    systems = [
        system
        for system in covey.SYSTEMS.values()
        if system.data == kind and system.releases == "rows"
    ]
    for place, system in enumerate(systems):
        progress("finding systems that fit", place, len(systems))
        first = ""
        settings = _trial_settings(system)
        if settings is None:
            continue
        for names in _selections_to_try(system, schema):
            try:
                _rehearse(
                    system,
                    settings,
                    None if schema is None else _fill_ranges(schema),
                    names,
                    n,
                )
            except covey.CoveyError as error:
                first = first or plain(str(error))
                fits = isinstance(error, PlanError) and isinstance(system, SoundSystem)
            else:
                fits = True
            if fits:
                columns[system.name] = names
                break
        else:
            refusals[system.name] = first
    return Fit(key=key, columns=columns, refusals=refusals)


def rehearse(progress: Progress, say: Say, *, key: str, plan: covey.Plan, n: int) -> Rehearsal:
    """Find out whether the plan is complete, and what it would promise for so many records."""
    del say
    progress("rehearsing", 0, 1)
    system = covey.SYSTEMS[plan.system]
    settings = dict(plan.parameters)
    k = settings.get("k")
    sound = isinstance(system, SoundSystem)
    shortened = not sound and isinstance(k, int) and k <= n and min(n, MADE_UP_RECORDS) < 3 * k
    if shortened:
        settings["k"] = max(2, min(n, MADE_UP_RECORDS) // 3)
    columns = settings.pop("columns", None)
    try:
        guarantee = _rehearse(system, settings, plan.schema, columns, n)
    except covey.CoveyError as error:
        return Rehearsal(key=key, problem=plain(str(error)))
    if guarantee.kind is GuaranteeKind.K_ANONYMITY and shortened:
        guarantee = replace(guarantee, k=k)
    if system.data == "graph" and plan.nodes is None and guarantee.kind.is_differential_privacy:
        guarantee = guarantee.downgraded(NODES_OF_EDGES)
    if plan.chosen_on_data:
        guarantee = guarantee.downgraded(CHOSEN)
    if plan.random_state is not None:
        from covey.release import seeded

        guarantee = seeded(guarantee)
    return Rehearsal(
        key=key,
        sentence=plain(str(guarantee)),
        kind=str(guarantee.kind),
        unit=str(guarantee.unit),
        epsilon=guarantee.epsilon,
        delta=guarantee.delta,
        rho=guarantee.rho,
        conditions=guarantee.conditions,
    )


def expect(
    progress: Progress, say: Say, *, key: str, plan: covey.Plan, n: int, data: str | None = None
) -> Expectation:
    """Try the plan on made-up records, or on public data; it never sees the data themselves."""
    del say
    if data is not None and plan.schema is not None:
        # Other files are written in other ways.
        plan = replace(plan, schema=replace(plan.schema, reading=Dialect()))
    try:
        return Expectation(key=key, pilot=run_pilot(plan, n, data=data, progress=progress))
    except covey.CoveyError as error:
        return Expectation(key=key, problem=plain(str(error)))


def publish_plan(
    progress: Progress,
    say: Say,
    *,
    file: DataFile,
    plan: covey.Plan,
    ledger: str | None,
    folder: str,
    number: int,
) -> TabRun:
    """Run the plan on the data, write the release folder, then compare for the curator."""
    progress("reading", 0, 0)
    data: Any
    if file.kind == "graph":
        data = covey.read_graph(file.path, nodes=plan.nodes)
    else:
        data = covey.read_table(file.path, plan.schema)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DraftWarning)
        release, trace = covey.run(
            plan, data, folder=folder, ledger=ledger, progress=progress, trace=True
        )
    run = TabRun.of(release, number=number, folder=folder, file=file, ledger=ledger)
    run = replace(
        run,
        warnings=tuple(plain(str(each.message)) for each in warned),
        released=released_rows(release),
        drawing=drawn_release(release),
    )
    say("released", run)
    progress("comparing with the original, for your eyes only", 0, 0)
    data, release, trace, notes = sample_to_compare(data, release, trace)
    evaluation = covey.evaluate(data, release, trace)
    evaluation = replace(evaluation, notes=(*notes, *evaluation.notes))
    page = Path(folder).with_suffix(".curator.html")
    page.write_text(curator_report(data, release, evaluation, trace), encoding="utf-8")
    verdict = judge_release(data, evaluation, release.frame.columns)
    return replace(run, curator=str(page), scores=dict(evaluation.scores), verdict=verdict)


def sample_to_compare(
    data: Any, release: covey.Release, trace: covey.Trace
) -> tuple[Any, covey.Release, covey.Trace, tuple[str, ...]]:
    """Return what is compared: all records, or of very many a sample, with a note that says so.

    Groups of k are never sampled: they would look smaller than they are.
    """
    grouped = release.guarantee.kind is GuaranteeKind.K_ANONYMITY
    if isinstance(data, covey.Graph) or data.n <= MOST_COMPARED or grouped:
        return data, release, trace, ()
    rng = np.random.default_rng()
    rows = np.sort(rng.choice(data.n, MOST_COMPARED, replace=False))
    aligned = None if trace.aligned is None else trace.aligned[rows]
    kept = release.frame
    if kept.height > MOST_COMPARED:
        kept = kept[np.sort(rng.choice(kept.height, MOST_COMPARED, replace=False))]
    note = (
        f"The table is large, so {MOST_COMPARED:,} records drawn at random were compared. Among "
        f"fewer records the right one is found more easily: linkage in the whole table is rarer."
    )
    return (
        replace(data, frame=data.frame[rows]),
        replace(release, rows=HeldRows(kept)),
        covey.Trace(aligned),
        (note,),
    )


JOBS: Mapping[str, Callable[..., Any]] = {
    "read": read_upload,
    "fit": fit_systems,
    "rehearse": rehearse,
    "pilot": expect,
    "profile": profile_data,
    "losses": count_losses,
    "publish": publish_plan,
}


def _trial_settings(system: System) -> dict[str, Any] | None:
    """Return settings to try a system with, or None if it needs what only a person knows."""
    if any(p.default is REQUIRED and p.name not in TRIAL_SETTINGS for p in system.parameters):
        return None
    return {p.name: TRIAL_SETTINGS[p.name] for p in system.parameters if p.name in TRIAL_SETTINGS}


def _selections_to_try(system: System, schema: Schema | None) -> list[tuple[str, ...]]:
    """Return the columns to try: all, then the numbers, then the categories."""
    if schema is None or all(p.name != "columns" for p in system.parameters):
        return [()]
    usable = [a for a in schema if not a.is_hidden]
    groups = (
        usable,
        [a for a in usable if a.scale is not Scale.NOMINAL],
        [a for a in usable if a.scale is Scale.NOMINAL],
    )
    names = (tuple(a.name for a in group) for group in groups)
    return list(dict.fromkeys(group for group in names if group)) or [()]


def _rehearse(
    system: System,
    settings: Mapping[str, Any],
    schema: Schema | None,
    columns: tuple[str, ...] | None,
    n: int,
) -> covey.Guarantee:
    given = dict(settings)
    if schema is None:
        # How many cells there are to cluster is the data's business.
        given |= {"k": min(given["k"], TRIAL_SETTINGS["k"])} if "k" in given else {}
        of_graph: covey.Release = covey.publish(_made_up_graph(), system.name, **given)
        return of_graph.guarantee
    if columns:
        given["columns"] = columns
    # An identifier is never published and often says nothing public; no system looks at it.
    kept = [a for a in schema if not a.is_hidden]
    described = replace(schema, attributes=tuple(kept)) if kept else schema
    foreseen = foresee(covey.Plan(system=system.name, parameters=given, schema=described), n)
    if foreseen is not None:
        return foreseen
    count = min(n, MADE_UP_RECORDS)
    made_up = synthetic(_fill_ranges(without_gaps(described)), count, "uniform", 0)
    # With the policies for missing values, which the promise tells.
    table = covey.read_table(made_up.frame, described)
    with warnings.catch_warnings():
        # Records that were made up from public facts equal them, of course.
        warnings.simplefilter("ignore", DraftWarning)
        release: covey.Release = covey.publish(table, system.name, **given)
    return release.guarantee


def _fill_ranges(schema: Schema) -> Schema:
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

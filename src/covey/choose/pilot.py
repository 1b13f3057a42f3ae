"""What would the release of a plan look like?  A pilot on a made-up twin of the schema tells.

A twin has the public facts of the columns and the number of the records, and nothing else of the
data, so a pilot costs no privacy.  Or it is run on data that are public anyway.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from covey.choose.purposes import publishable
from covey.choose.simulation import MOST_RUNS, RECORDS_IN_ALL, scaled_epsilon
from covey.choose.synthetic import SHAPES, synthetic, synthetic_graph, without_gaps
from covey.errors import DraftWarning, PlanError
from covey.evaluate import evaluate
from covey.graph import Graph, read_graph
from covey.plan import Plan
from covey.run import run
from covey.systems import SYSTEMS, Progress, SoundSystem
from covey.systems.persons import persons_of
from covey.table import Role, Scale, Schema, Table, read_table
from covey.table.read import read_raw

if TYPE_CHECKING:
    from covey.evaluate import Evaluation
    from covey.evaluate.first_look import ColumnLook
    from covey.release import Release

MADE_UP = 10_000
"""So many records are made up at most; with fewer than there are, epsilon grows."""

MADE_UP_PLAIN = 2_000
"""And so many for systems that compare records with each other."""

MADE_UP_NODES = 3_000
FEWEST_RUNS = 2
"""Of each shape: the noise of a single run is no expectation."""

MANY_VALUES = 100_000
"""Of larger twins each shape is run once: whoever waits gets three runs, and not six."""

ROWS_KEPT = 100
"""So many rows of the twin and of its release are kept to be looked at."""

USUAL_DEGREE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedColumn:
    """The error to expect of one column.

    Parameters
    ----------
    name, unit : str
        Of the column.
    measure : "mean" or "share"
        Whether the error is that of the mean of numbers, in their unit, or of the share of the
        category that is farthest off.
    error : float
        The root of the mean square over all runs.
    gap : float
        The distance of the distributions, 0 … 1: the Kolmogorov-Smirnov distance of numbers, the
        total variation of categories.
    """

    name: str
    unit: str
    measure: Literal["mean", "share"]
    error: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """What a pilot found.

    Parameters
    ----------
    plan : Plan
        What was tried.
    n, made_up : int
        How many records, or nodes, the release is about, and how many the pilot had.
    public : bool
        Whether it was run on public data, and not on a made-up twin.
    columns : tuple of ExpectedColumn
        In the order of the schema.
    pairs : mapping
        The share of records in a wrong cell of the two-way table of each pair of columns.
    scores : mapping
        Scores of `covey.evaluate`, averages over all runs.
    before, after : DataFrame
        Some rows of the twin, and of its release.
    """

    plan: Plan
    n: int
    made_up: int
    public: bool
    columns: tuple[ExpectedColumn, ...] = ()
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict, repr=False)
    scores: Mapping[str, float] = field(default_factory=dict)
    before: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)
    after: pl.DataFrame = field(default_factory=pl.DataFrame, repr=False)


def run_pilot(
    plan: Plan,
    n: int,
    *,
    data: Any = None,
    degree: float = USUAL_DEGREE,
    progress: Progress | None = None,
) -> Pilot:
    """Run a plan on a made-up twin of its schema, or on public data.

    Parameters
    ----------
    plan : Plan
        What is to be published.
    n : int
        The public number of records, or of nodes.
    data : table, graph, path or frame, optional
        Public data to use instead of a twin; they have the columns that the plan publishes.
    degree : float
        Of a graph: a public guess of the average number of neighbours.
    progress : callable, optional
        Called with (what is being done, done, total).
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise PlanError(f"n = {n!r} is not a whole number of records. Write one such as 1000.")
    wanted, plan = plan, _of_one_record(plan)
    system = SYSTEMS[plan.system]
    twins: Sequence[Table | Graph]
    if system.data == "graph":
        twins = [_graph(n, degree) if data is None else read_graph(data, nodes=plan.nodes)]
        plan = replace(plan, nodes=None)
    elif data is None:
        twins = _tables(plan, n)
    else:
        twins = [_public(data, plan)]
    found = []
    for place, twin in enumerate(twins):
        if progress is not None:
            progress("trying the plan on made-up records", place, len(twins))
        found.append(_try(plan, twin, n, seed=place))
    made_up = twins[0].n_nodes if isinstance(twins[0], Graph) else twins[0].n
    shown = _summary(plan, n, made_up, twins, found, public=data is not None)
    return replace(shown, plan=wanted if isinstance(twins[0], Table) else plan)


def _of_one_record(plan: Plan) -> Plan:
    """Return the plan that shows the same errors on single records, if it protects persons."""
    own, persons = persons_of(SYSTEMS[plan.system], plan.parameters, plan.schema)
    if persons is None or plan.schema is None:
        return plan
    for name, steps in (("epsilon", persons.most), ("rho", persons.most**2)):
        if own.get(name) is not None:
            own[name] = float(own[name]) / steps
    schema = plan.schema.updated(persons.column, role=Role.IDENTIFIER, contributions=None)
    return replace(plan, parameters=own, schema=schema)


def twin_of(schema: Schema, n: int, shape: str = SHAPES[0], seed: int = 0) -> Table:
    """Return records that are made up from public facts, with the schema's own policies."""
    made_up = synthetic(without_gaps(schema), n, shape, seed)
    return read_table(made_up.frame, schema)


def _tables(plan: Plan, n: int) -> list[Table]:
    """Return twins of every shape, several of each where they are small."""
    schema = _published(plan)
    system = SYSTEMS[plan.system]
    size = min(n, MADE_UP if isinstance(system, SoundSystem) else MADE_UP_PLAIN)
    fewest = FEWEST_RUNS if size * len(schema.names) <= MANY_VALUES else 1
    runs = max(fewest, min(MOST_RUNS, RECORDS_IN_ALL // size))
    # The noise in the cells of tables is the same whatever is in them.
    shapes = (
        [shape for shape in SHAPES for _ in range(runs)]
        if system.releases == "rows"
        else SHAPES[:1]
    )
    return [twin_of(schema, size, shape, seed) for seed, shape in enumerate(shapes)]


def _published(plan: Plan) -> Schema:
    schema = plan.schema
    if schema is None:
        raise PlanError(
            "the plan has no schema, so nothing is known about its columns. Take one that has."
        )
    named = plan.parameters.get("columns")
    kept = {*publishable(schema, named)} | {*(plan.parameters.get("blocks") or ())}
    return replace(schema, attributes=tuple(each for each in schema if each.name in kept))


def _public(data: Any, plan: Plan) -> Table:
    if isinstance(data, Table):
        return data
    schema = _published(plan)
    frame = read_raw(data, schema)[0].frame
    # Public data may have further columns; one that is lacking is told of by the reader.
    return read_table(frame.select(n for n in schema.names if n in frame.columns), schema)


def _graph(n: int, degree: float) -> Graph:
    nodes = min(n, MADE_UP_NODES)
    if not 0 < degree < nodes:
        raise PlanError(
            f"{degree!r} neighbours on average make no graph of {nodes:,} nodes. Give a smaller "
            f"positive number."
        )
    return synthetic_graph(nodes, degree, "heavy tail")


def _try(plan: Plan, twin: Table | Graph, n: int, *, seed: int) -> tuple[Release, Evaluation]:
    """Run a plan once, with noise that can be repeated."""
    parameters = dict(plan.parameters)
    if isinstance(twin, Table):
        epsilon = parameters.get("epsilon")
        if epsilon is not None and isinstance(SYSTEMS[plan.system], SoundSystem):
            parameters["epsilon"] = scaled_epsilon(float(epsilon), n, twin.n)
        k = parameters.get("k")
        if k is not None and not isinstance(SYSTEMS[plan.system], SoundSystem):
            parameters["k"] = max(2, min(int(k), twin.n // 3))
        plan = replace(plan, schema=twin.schema)
    trial = replace(plan, parameters=parameters, random_state=seed, chosen_on_data=False)
    with warnings.catch_warnings():
        # Records that were made up from public facts equal them, of course.
        warnings.simplefilter("ignore", DraftWarning)
        release, trace = run(trial, twin, trace=True)
        return release, evaluate(twin, release, trace)


def _summary(
    plan: Plan,
    n: int,
    made_up: int,
    twins: Sequence[Table | Graph],
    found: Sequence[tuple[Release, Evaluation]],
    *,
    public: bool,
) -> Pilot:
    evaluations = [evaluation for _, evaluation in found]
    first, release = twins[0], found[0][0]
    pairs: dict[tuple[str, str], list[float]] = {}
    for pair, error in chain.from_iterable(each.pairs.items() for each in evaluations):
        pairs.setdefault(pair, []).append(error)
    scores = {
        name: fmean(each[name] for each in evaluations)
        for name in evaluations[0]
        if all(name in each for each in evaluations)
    }
    if "count_error" in scores:
        # Noise in counts is larger where epsilon did not grow for want of records.
        scores["count_error"] *= _epsilon_of(release.plan) / _epsilon_of(plan)
    return Pilot(
        plan=plan,
        n=n,
        made_up=made_up,
        public=public,
        columns=_columns([each.looks for each in evaluations]),
        pairs={pair: fmean(errors) for pair, errors in pairs.items()},
        scores=scores,
        before=pl.DataFrame() if isinstance(first, Graph) else first.frame.head(ROWS_KEPT),
        after=release.frame.head(ROWS_KEPT),
    )


def _epsilon_of(plan: Plan) -> float:
    return float(plan.parameters["epsilon"])


def _columns(runs: Sequence[Sequence[ColumnLook]]) -> tuple[ExpectedColumn, ...]:
    return tuple(_expected(looks) for looks in zip(*runs, strict=True))


def _expected(looks: Sequence[ColumnLook]) -> ExpectedColumn:
    first = looks[0]
    moves = [max(abs(after - before) for _, before, after in _compared(look)) for look in looks]
    return ExpectedColumn(
        name=first.name,
        unit=_unit(first),
        measure="share" if first.shares else "mean",
        error=math.sqrt(fmean(move**2 for move in moves)),
        gap=fmean(look.error for look in looks),
    )


def _compared(look: ColumnLook) -> Sequence[tuple[str, float, float]]:
    return look.rows if look.shares else [row for row in look.rows if row[0] == "mean"]


def _unit(look: ColumnLook) -> str:
    attribute = look.attribute
    if attribute is not None and attribute.kind is not None:
        return f"{attribute.step}s"
    if attribute is not None and attribute.scale is Scale.ORDINAL and attribute.categories:
        return "steps"
    return look.unit

"""How does a plan become a release?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from covey.errors import PlanError, suggest
from covey.graph import Graph, read_graph
from covey.perturb import NoiseSource, SecureNoise, SeededNoise
from covey.plan import Plan
from covey.privacy import Budget, Entry, Guarantee, GuaranteeKind, Ledger, load_ledger, spend
from covey.release import Release, assemble, assemble_counts, seeded
from covey.report import DOCUMENTS
from covey.systems import SYSTEMS, Progress, System
from covey.table import (
    Attribute,
    Missing,
    Role,
    Schema,
    Table,
    read_table,
)

if TYPE_CHECKING:
    from covey.release.streamed import StreamedRelease

ENGINES = ("memory", "stream")

COMPLETE = (
    "Whether a record is complete is public: incomplete records were dropped, and replacing a "
    "complete record by an incomplete one is not covered."
)

CHOSEN = (
    "The system or its parameters were chosen by looking at these data, and the choice itself "
    "tells about the records; ask `covey advise` without --look."
)


@overload
def publish(
    data: Any, system: str, *, engine: Literal["memory"] = "memory", **settings: Any
) -> Release: ...


@overload
def publish(
    data: Any, system: str, *, engine: str, **settings: Any
) -> Release | StreamedRelease: ...


def publish(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    ledger: str | Path | None = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    progress: Progress | None = None,
    engine: str = "memory",
    memory: str | int = "1GB",
    **parameters: Any,
) -> Release | StreamedRelease:
    """Publish a table or a graph with a system.

    Parameters
    ----------
    data : Table, Graph, path, dataframe, array or networkx graph
        The records, or the edges if the system publishes graphs.
    system : str
        A name in `covey.SYSTEMS`.
    schema : Schema, optional
        What is public about the columns, unless ``data`` is a `Table` or a graph.
    ledger : path, optional
        A ledger file (`covey ledger FILE --create LIMIT`) that the release is charged to;
        nothing is published that would exceed its limit.
    random_state : int, optional
        Seed for an experiment: the release is then stamped "not for publication".
    chosen_on_data : bool
        Whether the system or its parameters were chosen by looking at the data: the release
        then carries no guarantee of noise.
    progress : callable, optional
        Called with (what is being done, done, total).
    engine : "memory" or "stream"
        Whether the data are held in memory, or files read piece by piece as often as needed
        (docs/scale.md).  The promise is the same.
    memory : str or int
        What the engine "stream" may use, for instance "750MB".
    **parameters
        Those of the system, for instance ``epsilon=1.0`` or ``k=5``.

    Returns
    -------
    Release
        ``release.data``, ``release.guarantee``, ``release.save(folder)``.  From a streamed table
        a `StreamedRelease`, whose ``data`` is a lazy frame.
    """
    if engine not in ENGINES:
        raise PlanError(
            f"there is no engine {engine!r}, so nothing was published. {suggest(engine, ENGINES)}"
        )
    if engine == "stream":
        from covey.stream import publish_stream

        return publish_stream(
            data,
            system,
            schema=schema,
            memory=memory,
            ledger=ledger,
            random_state=random_state,
            chosen_on_data=chosen_on_data,
            progress=progress,
            **parameters,
        )
    chosen = find_system(system)
    settings = chosen.settings(parameters)
    plan = Plan(
        system=system,
        parameters=settings,
        random_state=random_state,
        chosen_on_data=chosen_on_data,
    )
    given: Table | Graph
    if chosen.data == "graph":
        given = _graph(data, system)
    else:
        given = _table(data, schema, system)
        plan = replace(plan, schema=given.schema)
    release = _run(plan, given, chosen, ledger=ledger, progress=progress)
    return replace(release, documents=DOCUMENTS)


@overload
def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: Literal["memory"] = "memory",
) -> Release: ...


@overload
def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: str,
    memory: str | int = "1GB",
) -> Release | StreamedRelease: ...


def run(
    plan: Plan,
    data: Any,
    *,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    engine: str = "memory",
    memory: str | int = "1GB",
) -> Release | StreamedRelease:
    """Run a plan on data: the same as `publish` with the plan's system and parameters."""
    return publish(
        data,
        plan.system,
        schema=plan.schema,
        ledger=ledger,
        random_state=plan.random_state,
        chosen_on_data=plan.chosen_on_data,
        progress=progress,
        engine=engine,
        memory=memory,
        **plan.parameters,
    )


def find_system(name: str) -> System:
    """Return the system of that name, or suggest others."""
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was published. {suggest(name, SYSTEMS)}"
        )
    return SYSTEMS[name]


def _graph(data: Any, system: str) -> Graph:
    if isinstance(data, Table):
        raise PlanError(
            f"system {system!r} publishes graphs, and a table was given, so nothing was "
            f"published. Give edges (covey.read_graph), or a system for tables."
        )
    return data if isinstance(data, Graph) else read_graph(data)


def _table(data: Any, schema: Schema | None, system: str) -> Table:
    if isinstance(data, Graph):
        raise PlanError(
            f"system {system!r} publishes tables, and a graph was given, so nothing was "
            f"published. Give a table (covey.read_table), or a system for graphs."
        )
    return data if isinstance(data, Table) else read_table(data, schema)


def _run(
    plan: Plan,
    data: Table | Graph,
    system: System,
    *,
    ledger: str | Path | None,
    progress: Progress | None,
) -> Release:
    source = noise_source(plan.random_state)
    refuse_unaffordable(plan, ledger)
    outcome = system.run(data, plan.parameters, source, progress)
    plan = replace(plan, parameters={**plan.parameters, **outcome.resolved})
    schema = None if isinstance(data, Graph) else data.schema
    guarantee, plan = promised(outcome.guarantee, plan, system, source, schema)
    if isinstance(data, Graph):
        return assemble_counts(
            outcome.columns,
            guarantee=guarantee,
            plan=plan,
            ledger=charge(ledger, guarantee, plan),
            format="parquet" if data.kind == "parquet" else "csv",
            extras=outcome.extras,
        )
    return assemble(
        data,
        outcome.columns,
        guarantee=guarantee,
        plan=plan,
        ledger=charge(ledger, guarantee, plan),
        aligned=outcome.aligned,
        extras=outcome.extras,
    )


def refuse_unaffordable(plan: Plan, ledger: str | Path | None) -> None:
    """Refuse early, so that nobody waits for a release that the ledger will refuse."""
    epsilon = plan.parameters.get("epsilon")
    if ledger is not None and epsilon is not None:
        load_ledger(ledger).require(Budget.of(epsilon).epsilon)


def promised(
    guarantee: Guarantee, plan: Plan, system: System, source: NoiseSource, schema: Schema | None
) -> tuple[Guarantee, Plan]:
    """Return what a release may promise, and the plan that may be published with it.

    ``schema`` is that of the table; a graph has none.
    """
    if not source.secure and not system.deterministic:
        guarantee = seeded(guarantee)
    if plan.chosen_on_data:
        guarantee = guarantee.downgraded(CHOSEN)
    if schema is None:
        return guarantee, plan
    if guarantee.epsilon is not None and any(map(_drops, schema)):
        guarantee = replace(guarantee, assumes=(*guarantee.assumes, COMPLETE))
    # Clusters without noise need no bounds; noise needs those of the columns that it covers.
    needed = () if guarantee.kind is GuaranteeKind.K_ANONYMITY else guarantee.columns
    return guarantee, replace(plan, schema=schema.without_data_facts(needed))


def _drops(attribute: Attribute) -> bool:
    return attribute.missing is Missing.DROP and attribute.role is not Role.IDENTIFIER


def noise_source(random_state: int | None) -> NoiseSource:
    """Return secure noise, or repeatable noise for an experiment."""
    if random_state is None:
        return SecureNoise()
    if isinstance(random_state, bool) or not isinstance(random_state, int) or random_state < 0:
        raise PlanError(
            f"random_state = {random_state!r} is not a whole number of at least 0. "
            f"Leave it out for a release; give one only for a repeatable experiment."
        )
    return SeededNoise.of(random_state)


def charge(path: str | Path | None, guarantee: Guarantee, plan: Plan) -> Ledger:
    """Enter the cost of a release into its ledger, before anyone can see it.

    A crash from here on loses budget, not privacy.
    """
    if guarantee.epsilon is None:
        return Ledger() if path is None else load_ledger(path)
    entry = Entry.now(
        system=plan.system,
        epsilon=guarantee.epsilon,
        unit=str(guarantee.unit),
        plan=plan.fingerprint,
    )
    return Ledger().charged(entry) if path is None else spend(path, entry)

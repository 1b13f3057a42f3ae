"""How does a plan become a release?  ask → measure → build, and only then charge and write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from covey.charge import Account, charge, refuse_unaffordable
from covey.core import (
    Bill,
    Budget,
    Guarantee,
    GuaranteeKind,
    Meter,
    NoiseSource,
    Persons,
    Promise,
    SecureNoise,
    amounts_of,
    told_persons,
)
from covey.engines.shared.persons import with_person_column
from covey.engines.shared.ruled import refuse_contradictory_rules
from covey.errors import InternalError, PlanError, suggest
from covey.plan import Plan
from covey.release import Release, Trace
from covey.release.promised import (
    NEED_NO_FACTS,
    checked_requirement,
    for_given_nodes,
    promised_by,
    refuse_weaker,
)
from covey.seeded import SeededNoise
from covey.systems import SYSTEMS, PlainSystem, Progress, SoundSystem, System
from covey.systems.base import Outcome, as_mapping, budget_of
from covey.systems.persons import (
    for_each_record,
    persons_of,
    refuse_printed,
    schema_with,
    with_persons,
)
from covey.table import Head, Schema, Table, read_table
from covey.table.occurring import warn_of_drafts

if TYPE_CHECKING:
    from covey.engines.shared.engine import Engine, Made

ENGINES = ("memory", "stream", "spark")

KEY_BYTES = 32
"""Of the key that chooses which records of a person are used."""


@overload
def publish(
    data: Any, system: str, *, trace: Literal[True], **settings: Any
) -> tuple[Release, Trace]: ...


@overload
def publish(
    data: Any, system: str, *, trace: Literal[False] = False, **settings: Any
) -> Release: ...


def publish(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    ledger: Account = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    progress: Progress | None = None,
    engine: str = "memory",
    memory: str | int = "1GB",
    master: str = "local[*]",
    staging: str | Path | None = None,
    nodes: str | Path | int | Iterable[Any] | None = None,
    require: str | None = None,
    trace: bool = False,
    person: str | None = None,
    contributions: int | None = None,
    **parameters: Any,
) -> Release | tuple[Release, Trace]:
    """Publish a table or a graph with a system.

    Parameters
    ----------
    data : Table, Graph, path, dataframe, array or networkx graph
        The records, or the edges if the system publishes graphs.  The engine "stream" takes
        paths, the engine "spark" paths and Spark DataFrames.
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
    engine : "memory", "stream" or "spark"
        Whether the data are held in memory, or files are read piece by piece as often as needed
        (docs/scale.md), or by many machines (docs/spark.md).  The promise is the same.
    memory : str or int
        What the engine "stream" may use, for instance "750MB".
    master : str
        Where the engine "spark" runs if ``data`` is a path: "local[2]", "spark://host:7077", …
    staging : path, optional
        A folder that all workers of the engine "spark" see; needed on a cluster.
    nodes : path, names or int, optional
        All nodes of a graph that is read from edges, or their number (`covey.read_graph`).  The
        engines "stream" and "spark" take the number.  Without it, no promise is made.
    require : str, optional
        The kind of guarantee that the release must have, such as "pure-dp" or "k-anonymity", or
        "differential-privacy" for any of these; otherwise nothing is published or spent.
    trace : bool
        Whether to return, beside the release, what became of each record: for the curator's
        `covey.evaluate`, never for publication.
    person : str, optional
        The column that says whose a record is, where a person has several: the promise is then
        one about persons (``unit="person"``, or ``"add-remove-person"``), and the column is not
        published.  The schema may name it: ``role = "person"``.
    contributions : int, optional
        How many records of a person are used at most; a public number.
    **parameters
        Those of the system, for instance ``epsilon=1.0`` or ``k=5``.

    Returns
    -------
    Release, or (Release, Trace)
        ``release.data``, ``release.guarantee``, ``release.save(folder)``.
    """
    if engine not in ENGINES:
        raise PlanError(
            f"there is no engine {engine!r}, so nothing was published. {suggest(engine, ENGINES)}"
        )
    chosen = find_system(system)
    require = checked_requirement(require)
    parameters |= {"person": person, "contributions": contributions}
    known = data.schema if isinstance(data, Table) else schema
    own, persons = persons_of(chosen, parameters, known)
    settings = chosen.settings(own)
    if persons is not None and known is None and engine == "memory":
        data = read_table(data)
        known = data.schema
    if persons is not None and known is not None:
        refuse_printed(chosen, settings)
        known = schema_with(known, persons)
        if isinstance(data, Table):
            data = with_person_column(data, known)
        else:
            schema = known
    plan = Plan(
        system=system,
        parameters=with_persons(as_mapping(settings), persons),
        random_state=random_state,
        chosen_on_data=chosen_on_data,
    )
    source = noise_source(random_state)
    published = named_columns(settings, chosen)
    if schema is not None and published is not None:
        schema = schema.dropping_for(published)
    if engine == "stream":
        from covey.engines.files.engine import open_files

        columns = getattr(settings, "columns", None)
        opened: Any = open_files(
            data,
            chosen,
            schema,
            memory=memory,
            columns=columns,
            nodes=_number(nodes),
            progress=progress,
        )
    elif engine == "spark":
        from covey.engines.spark.engine import open_spark

        opened = open_spark(
            data,
            chosen,
            schema,
            master=master,
            staging=staging,
            nodes=_number(nodes),
            progress=progress,
        )
    else:
        from covey.engines.memory.engine import open_memory

        if isinstance(data, Table) and published is not None:
            data = data.complete_in(published)
        opened = open_memory(data, chosen, schema, nodes=nodes)
    plan = replace(plan, schema=opened.schema)
    with opened.cleared_on_failure() if hasattr(opened, "cleared_on_failure") else nullcontext():
        release, traced = publish_with(
            opened,
            chosen,
            settings,
            plan,
            source,
            ledger=ledger,
            require=require,
            progress=progress,
            persons=persons,
        )
    if release.guarantee.kind not in NEED_NO_FACTS:
        warn_of_drafts(opened.equal_facts(release.guarantee.columns), stacklevel=2)
    return (release, traced) if trace else release


def named_columns(settings: Any, system: System) -> tuple[str, ...] | None:
    """Return the columns that a release looks at, if they were named: all of them otherwise."""
    columns = getattr(settings, "columns", None)
    if columns is None:
        return None
    public = getattr(system, "public_column", "")
    also = (*(getattr(settings, "blocks", None) or ()), getattr(settings, public) if public else "")
    return (*columns, *also)


def publish_with(
    engine: Engine,
    system: System,
    settings: Any,
    plan: Plan,
    source: NoiseSource,
    *,
    ledger: Account = None,
    require: str | None = None,
    progress: Progress | None = None,
    persons: Persons | None = None,
) -> tuple[Release, Trace]:
    """Publish what an engine holds: the one way to a release, for every engine and system."""
    if engine.schema is not None:
        refuse_contradictory_rules(Head(schema=engine.schema, n=None, kind="csv"))
    if isinstance(system, SoundSystem):
        printed = None if system.printed is None else system.printed(settings)
        if printed is None:
            return _sound(
                engine,
                system,
                settings,
                plan,
                source,
                ledger=ledger,
                require=require,
                progress=progress,
                persons=persons,
            )
        system = printed
    assert isinstance(system, PlainSystem)  # noqa: S101 — there are two kinds of system
    refuse_unaffordable(ledger, Guarantee(kind=system.kind), plan)
    outcome, made = engine.run(system, settings, source, progress)
    if type(outcome) is not Outcome or outcome.guarantee.kind.is_differential_privacy:
        raise InternalError(f"{system.name!r} sees records, so it can promise no more than them.")
    plan = _resolved(plan, outcome.resolved)
    guarantee, plan = promised_by(outcome.guarantee, plan, system, source, engine.schema)
    refuse_weaker(guarantee, require)
    release = _released(engine, guarantee, plan, made, outcome.extras, ledger=ledger)
    trace = _traced(engine.aligned(outcome.aligned))
    return release, replace(trace, clusters=outcome.clusters)


def _sound(
    engine: Engine,
    system: SoundSystem,
    settings: Any,
    plan: Plan,
    source: NoiseSource,
    *,
    ledger: Account,
    require: str | None,
    progress: Progress | None,
    persons: Persons | None,
) -> tuple[Release, Trace]:
    """Ask from public facts, measure through the meter, build from what came out of it."""
    unit = system.unit if system.unit_of is None else system.unit_of(settings)
    column = getattr(settings, system.public_column) if system.public_column else ""
    if engine.schema is not None and hasattr(settings, "epsilon"):
        # Before any record is read, from what may be asked at most; it is asked again below.
        named = getattr(settings, "columns", None) or engine.schema.names
        loss = budget_of(settings)
        wanted = Guarantee(
            kind=_kind(system, loss, persons),
            unit=unit if persons is None else persons.unit(unit),
            **amounts_of(loss),
            **told_persons(persons),
            columns=tuple(name for name in named if name in engine.schema.names),
        )
        refuse_unaffordable(ledger, *promised_by(wanted, plan, system, source, engine.schema))
    contributed = None
    if persons is not None:
        # No privacy rests on the key, so rows and it are drawn alike (docs/proofs/persons.md).
        contributed = engine.bound_persons(persons, source.placement().bytes(KEY_BYTES))
    head = engine.head(unit, column)
    if getattr(head, "nodes", None) is not None and head.given:
        plan = replace(plan, nodes=head.n_nodes)
    _refuse_large_delta(settings, head)
    asked = ask_system(system, head, settings, persons)
    expected = for_given_nodes(expected_promise(system, asked, persons), head)
    promised = promised_by(expected, plan, system, source, engine.schema)
    refuse_weaker(promised[0], require)
    refuse_unaffordable(ledger, *promised)
    bill = Bill(unit=unit, budget=asked.budget, persons=persons)
    measured = system.measure(Meter(engine.records, bill, source, progress), asked)
    bill.closed = True
    if column and not bill.sampled:
        raise InternalError(f"{system.name!r} was told a column that no sample is drawn by.")
    rng = source.placement()
    built = system.build(asked, measured, rng)
    if type(asked.promise) is not Promise:
        raise InternalError("what is promised follows from the meter's bill, by `Promise` alone.")
    guarantee = for_given_nodes(asked.promise.kept(bill, built.facts), head)
    plan = _resolved(plan, built.resolved)
    guarantee, plan = promised_by(guarantee, plan, system, source, engine.schema)
    # Rows of a local release may keep their order; without that guarantee they are sorted.
    ordered = guarantee.kind.may_be_row_aligned
    made = engine.write(built.rows, head, rng, ordered=ordered or engine.schema is None)
    release = _released(engine, guarantee, plan, made, built.extras, ledger=ledger)
    if contributed is not None:
        return release, Trace(contributed=contributed)  # rows of which some are left out
    return release, _traced(engine.became(built.rows, built.links))


def ask_system(system: SoundSystem, head: Any, settings: Any, persons: Persons | None) -> Any:
    """Let a system say what it will ask, at the price of a record if persons are protected."""
    if persons is None:
        return system.ask(head, settings)
    own = for_each_record(settings, persons)
    try:
        return system.ask(head, own)
    except PlanError as error:
        if "epsilon" not in str(error):
            raise
        told = budget_of(own).told
        raise PlanError(
            f"{error} Mind that a person of up to {persons.most} records is protected, which "
            f"leaves {told} for one record: what is said of epsilon here is said of that."
        ) from error


def expected_promise(system: SoundSystem, asked: Any, persons: Persons | None = None) -> Guarantee:
    """Return the promise of a release whose questions are yet to be asked."""
    said = asked.promise
    return Guarantee(
        kind=_kind(system, asked.budget, persons),
        unit=asked.unit if persons is None else persons.unit(asked.unit),
        **amounts_of(asked.budget if persons is None else persons.whole(asked.budget)),
        **told_persons(persons),
        columns=said.columns,
        joint=said.joint,
        dropped=said.dropped,
        assumes=said.assumes,
        conditions=said.conditions,
    )


def _kind(system: SoundSystem, loss: Budget, persons: Persons | None) -> GuaranteeKind:
    if loss.delta is not None:
        return GuaranteeKind.ZCDP
    # Whoever cuts down the records of a person has seen them: nothing local is left.
    local = system.kind is GuaranteeKind.LOCAL_DP and persons is not None
    return GuaranteeKind.PURE_DP if local else system.kind


def _refuse_large_delta(settings: Any, head: Any) -> None:
    """Refuse a delta at which somebody could be shown as she is; n only where it is public."""
    delta, n = getattr(settings, "delta", None), getattr(head, "n", None)
    if delta is not None and n and delta * n >= 1:
        raise PlanError(
            f"delta = {delta:g} is not below one divided by the public number of records, so to "
            f"show one of them as it is would be allowed, and nothing was published. Give far "
            f"less, such as {min(1e-9, 0.001 / n):.0e}."
        )


def _traced(became: Any) -> Trace:
    """Return what records became: rows, or sums from an engine that holds no rows."""
    sums = getattr(became, "deviations", None)
    return Trace(became) if sums is None else Trace(deviations=sums)


def _resolved(plan: Plan, chosen: Mapping[str, Any]) -> Plan:
    return replace(plan, parameters={**plan.parameters, **chosen})


def _released(
    engine: Engine,
    guarantee: Guarantee,
    plan: Plan,
    made: Made,
    extras: Mapping[str, Any],
    *,
    ledger: Account,
) -> Release:
    """Charge the ledger for rows that are complete, and hand them over."""
    return Release(
        data=made.data,
        guarantee=guarantee,
        plan=plan,
        ledger=charge(ledger, guarantee, plan),
        rows=made.rows,
        format="parquet" if engine.format == "parquet" else "csv",
        extras=extras,
    )


def find_system(name: str) -> System:
    """Return the system of that name, or suggest others."""
    if name not in SYSTEMS:
        raise PlanError(
            f"there is no system {name!r}, so nothing was published. {suggest(name, SYSTEMS)}"
        )
    return SYSTEMS[name]


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


def _number(nodes: Any) -> int | None:
    if nodes is None or (isinstance(nodes, int) and not isinstance(nodes, bool)):
        return nodes
    if str(nodes).isdigit():
        return int(str(nodes))
    raise PlanError(
        "this engine counts degrees and holds no names of nodes, so a list of nodes cannot be "
        "matched with them. Give their number, or use the engine 'memory'."
    )

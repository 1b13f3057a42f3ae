"""How does a plan become a release when the data are in memory?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError
from covey.graph import Graph, read_graph
from covey.plan import Plan
from covey.publish import (
    charge,
    documented,
    find_system,
    noise_source,
    promised,
    refuse_unaffordable,
)
from covey.release import Release, assemble, assemble_counts
from covey.table import Schema, Table, read_table

if TYPE_CHECKING:
    from covey.systems import Progress, System


def publish_memory(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    ledger: str | Path | None = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    progress: Progress | None = None,
    **parameters: Any,
) -> Release:
    """Publish a table or a graph that is held in memory; the parameters are `covey.publish`'s."""
    chosen = find_system(system)
    plan = Plan(
        system=system,
        parameters=chosen.settings(parameters),
        random_state=random_state,
        chosen_on_data=chosen_on_data,
    )
    given: Table | Graph
    if chosen.data == "graph":
        given = _graph(data, system)
    else:
        given = _table(data, schema, system)
        plan = replace(plan, schema=given.schema)
    return documented(_run(plan, given, chosen, ledger=ledger, progress=progress))


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

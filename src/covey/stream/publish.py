"""How does a plan become a release when the data do not fit into memory?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError, suggest
from covey.plan import Plan
from covey.publish import charge, find_system, noise_source, promised, refuse_unaffordable
from covey.release import Release, assemble_counts
from covey.release.streamed import StreamedRelease, assemble_stream, keep_rows
from covey.stream.columns import laplace, rank_blocks
from covey.stream.edges import count_graph
from covey.stream.memory import Memory
from covey.stream.scan import open_stream
from covey.stream.sorted import individual_ranking, insensitive
from covey.stream.tree import private_tree

if TYPE_CHECKING:
    from covey.stream.base import Run
    from covey.systems import Progress
    from covey.table import Schema

STREAMED: dict[str, Run] = {
    "individual-ranking": individual_ranking,
    "insensitive": insensitive,
    "laplace": laplace,
    "private-tree": private_tree,
    "rank-blocks": rank_blocks,
}
"""How each system that can be streamed looks at a stream; what it promises is the same."""

STREAMED_GRAPHS = ("degree-histogram", "joint-degree-boxes")
"""Systems that look at nothing but degrees and joint degrees, which are counted for them."""


def publish_stream(
    data: Any,
    system: str,
    *,
    schema: Schema | None = None,
    memory: str | int = "1GB",
    ledger: str | Path | None = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    progress: Progress | None = None,
    **parameters: Any,
) -> Release | StreamedRelease:
    """Publish files that need not fit into memory, with the same promise as `covey.publish`.

    The rows are complete on disk before the ledger is charged, and nobody can see them before
    that: a failure on the way spends nothing and leaves nothing.
    """
    chosen = find_system(system)
    if system not in STREAMED and system not in STREAMED_GRAPHS:
        raise PlanError(
            f"system {system!r} has no streamed form, so nothing was published. Use the engine "
            f"'memory', or one of the others. {suggest(system, (*STREAMED, *STREAMED_GRAPHS))}"
        )
    bound = Memory.of(memory)
    plan = Plan(
        system=system,
        parameters=chosen.settings(parameters),
        random_state=random_state,
        chosen_on_data=chosen_on_data,
    )
    source = noise_source(random_state)
    refuse_unaffordable(plan, ledger)
    if system in STREAMED_GRAPHS:
        _refuse_whole_graphs(plan, schema)
        graph = count_graph(data, bound, progress)
        counted = chosen.run(graph, plan.parameters, source, progress)
        plan = replace(plan, parameters={**plan.parameters, **counted.resolved})
        guarantee, plan = promised(counted.guarantee, plan, chosen, source, None)
        return assemble_counts(
            counted.columns,
            guarantee=guarantee,
            plan=plan,
            ledger=charge(ledger, guarantee, plan),
            format="parquet" if graph.kind == "parquet" else "csv",
            extras=counted.extras,
        )
    stream = open_stream(data, schema, bound)
    outcome = STREAMED[system](stream, plan.parameters, source, progress)
    plan = replace(plan, parameters={**plan.parameters, **outcome.resolved})
    guarantee, plan = promised(outcome.guarantee, plan, chosen, source, stream.schema)
    rows = keep_rows(outcome.pieces, guarantee, memory=bound.spool, in_order=outcome.in_order)
    return assemble_stream(
        rows,
        guarantee=guarantee,
        plan=plan,
        charge=lambda: charge(ledger, guarantee, plan),
        format="parquet" if stream.kind == "parquet" else "csv",
        extras=outcome.extras(),
    )


def _refuse_whole_graphs(plan: Plan, schema: Schema | None) -> None:
    if schema is not None:
        raise PlanError(
            "a schema describes the columns of a table, and this system publishes graphs, so "
            "nothing was published. Leave the schema out."
        )
    if plan.parameters["unit"] != "edge":
        raise PlanError(
            "to protect nodes the whole graph is cut down edge by edge, which engine = 'stream' "
            "does not do. Set unit = \"edge\", or use the engine 'memory'."
        )
    if plan.parameters["regenerate"]:
        raise PlanError(
            "a graph made from published degrees would be held in memory, so engine = 'stream' "
            "makes none. Set regenerate = false (-p regenerate=false); `covey.regenerate` makes "
            "one from the release."
        )

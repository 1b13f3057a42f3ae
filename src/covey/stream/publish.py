"""How does a plan become a release when the data do not fit into memory?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError, suggest
from covey.plan import Plan
from covey.publish import (
    charge,
    documented,
    find_system,
    noise_source,
    promised,
    refuse_unaffordable,
)
from covey.release.streamed import StreamedRelease, assemble_stream, keep_rows
from covey.stream.columns import laplace, rank_blocks
from covey.stream.edges import count_graph
from covey.stream.graphs import COUNTED_GRAPHS, publish_counts, refuse_whole_graphs
from covey.stream.memory import Memory
from covey.stream.scan import open_stream
from covey.stream.sorted import individual_ranking, insensitive
from covey.stream.tree import private_tree
from covey.table.scratch import clear_abandoned

if TYPE_CHECKING:
    from covey.release import Release
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
    if system not in STREAMED and system not in COUNTED_GRAPHS:
        raise PlanError(
            f"system {system!r} has no streamed form, so nothing was published. Use the engine "
            f"'memory', or one of the others. {suggest(system, (*STREAMED, *COUNTED_GRAPHS))}"
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
    clear_abandoned()
    if system in COUNTED_GRAPHS:
        refuse_whole_graphs(plan, schema, "stream")
        graph = count_graph(data, bound, progress)
        return documented(publish_counts(graph, plan, source, ledger=ledger, progress=progress))
    stream = open_stream(data, schema, bound)
    outcome = STREAMED[system](stream, plan.parameters, source, progress)
    plan = replace(plan, parameters={**plan.parameters, **outcome.resolved})
    guarantee, plan = promised(outcome.guarantee, plan, chosen, source, stream.schema)
    rows = keep_rows(outcome.pieces, guarantee, memory=bound.spool, in_order=outcome.in_order)
    release = assemble_stream(
        rows,
        guarantee=guarantee,
        plan=plan,
        charge=lambda: charge(ledger, guarantee, plan),
        format="parquet" if stream.kind == "parquet" else "csv",
        extras=outcome.extras(),
    )
    return documented(release)

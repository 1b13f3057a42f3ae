"""How is a release made of degrees and joint degrees that an engine has counted?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from covey.errors import PlanError
from covey.publish import charge, find_system, promised
from covey.release import assemble_counts

if TYPE_CHECKING:
    from pathlib import Path

    from covey.graph.dk import CountedGraph
    from covey.perturb import NoiseSource
    from covey.plan import Plan
    from covey.release import Release
    from covey.systems import Progress
    from covey.table import Schema

COUNTED_GRAPHS = ("degree-histogram", "joint-degree-boxes")
"""Systems that look at nothing but degrees and joint degrees, which are counted for them."""


def publish_counts(
    graph: CountedGraph,
    plan: Plan,
    source: NoiseSource,
    *,
    ledger: str | Path | None,
    progress: Progress | None,
) -> Release:
    """Run the system itself on what was counted, and charge the ledger."""
    system = find_system(plan.system)
    outcome = system.run(graph, plan.parameters, source, progress)
    plan = replace(plan, parameters={**plan.parameters, **outcome.resolved})
    guarantee, plan = promised(outcome.guarantee, plan, system, source, None)
    return assemble_counts(
        outcome.columns,
        guarantee=guarantee,
        plan=plan,
        ledger=charge(ledger, guarantee, plan),
        format="parquet" if graph.kind == "parquet" else "csv",
        extras=outcome.extras,
    )


def refuse_whole_graphs(
    plan: Plan, schema: Schema | None, engine: Literal["stream", "spark"]
) -> None:
    """Refuse what needs more of a graph than its degrees and joint degrees."""
    if schema is not None:
        raise PlanError(
            "a schema describes the columns of a table, and this system publishes graphs, so "
            "nothing was published. Leave the schema out."
        )
    if plan.parameters["unit"] != "edge":
        raise PlanError(
            f"to protect nodes the whole graph is cut down edge by edge, which the engine "
            f"{engine!r} does not do. Set unit = \"edge\", or use the engine 'memory'."
        )
    if plan.parameters["regenerate"]:
        raise PlanError(
            f"a graph made from published degrees would be held in the memory of one machine, so "
            f"the engine {engine!r} makes none. Set regenerate = false (-p regenerate=false); "
            f"`covey.regenerate` makes one from the release."
        )

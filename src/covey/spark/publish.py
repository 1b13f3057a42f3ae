"""How does a plan become a release when the records are on Spark?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import DataError, PlanError, suggest
from covey.plan import Plan
from covey.publish import (
    charge,
    documented,
    find_system,
    noise_source,
    promised,
    refuse_unaffordable,
)
from covey.spark.clusters import mdav_dp, microaggregated
from covey.spark.columns import laplace, rank_blocks
from covey.spark.edges import count_graph
from covey.spark.frame import SparkOutcome, SparkTable, as_spark_table, quoted, released_names
from covey.spark.order import insensitive
from covey.spark.ranking import individual_ranking
from covey.spark.read import read
from covey.spark.release import SparkRelease
from covey.spark.session import explained, session
from covey.spark.staging import Staging, fixed_splits
from covey.spark.tree import private_tree
from covey.stream.base import refuse_empty
from covey.stream.graphs import COUNTED_GRAPHS, publish_counts, refuse_whole_graphs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.release import Release
    from covey.systems import Progress
    from covey.table import Schema

Run = Callable[[SparkTable, Mapping[str, Any], "NoiseSource", "Progress | None"], SparkOutcome]
"""As `System.run`, with a DataFrame in the place of a table."""

DISTRIBUTED: dict[str, Run] = {
    "individual-ranking": individual_ranking,
    "insensitive": insensitive,
    "laplace": laplace,
    "md": partial(microaggregated, method="md"),
    "mdav": partial(microaggregated, method="mdav"),
    "mdav-dp": mdav_dp,
    "private-tree": private_tree,
    "rank-blocks": rank_blocks,
    "v-mdav": partial(microaggregated, method="v-mdav"),
}
"""How each system that can be distributed looks at a DataFrame; what it promises is the same."""


def publish(
    frame: DataFrame,
    plan: Plan | str,
    *,
    schema: Schema | None = None,
    ledger: str | Path | None = None,
    random_state: int | None = None,
    chosen_on_data: bool = False,
    staging: str | Path | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> SparkRelease | Release:
    """Publish a Spark DataFrame, with the same promise as `covey.publish`.

    The rows are written down before the ledger is charged, and nobody can see them before that:
    a failure on the way spends nothing and leaves nothing, and a task that Spark tries again
    changes nothing.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The records, or edges in the first two columns if the system publishes graphs.
    plan : Plan or str
        What to publish, or a name in `covey.SYSTEMS` with its parameters.
    schema, ledger, random_state, chosen_on_data, progress, **parameters
        As in `covey.publish`; a plan holds the first and the last ones already.
    staging : path, optional
        An existing folder that all workers and this machine see, for rows on their way.  Needed
        on a cluster only.
    """
    if isinstance(plan, Plan):
        if parameters or schema is not None or random_state is not None:
            raise PlanError(
                "a plan describes the whole release, so it cannot be combined with a schema, a "
                "seed or parameters. Change the plan, or name its system instead."
            )
        schema, given = plan.schema, plan
    else:
        given = Plan(
            system=plan,
            parameters=parameters,
            random_state=random_state,
            chosen_on_data=chosen_on_data,
        )
    _refuse_others(frame, given.system)
    system = find_system(given.system)
    given = replace(given, schema=None, parameters=system.settings(given.parameters))
    source = noise_source(given.random_state)
    refuse_unaffordable(given, ledger)
    room = Staging(frame.sparkSession, None if staging is None else str(staging))
    with fixed_splits(frame.sparkSession), room.cleared_on_failure():
        if system.data == "graph":
            refuse_whole_graphs(given, schema, "spark")
            graph = count_graph(frame, room, progress)
            counted = publish_counts(graph, given, source, ledger=ledger, progress=progress)
            return documented(counted)
        table = as_spark_table(frame, schema, room)
        return documented(_table(table, given, source, ledger=ledger, progress=progress))


def publish_files(
    path: str | Path, plan: Plan | str, *, master: str = "local[*]", **settings: Any
) -> SparkRelease | Release:
    """Read files with Spark and publish them: `session`, `read` and `publish` in one.

    Parameters
    ----------
    path : path
        Parquet or CSV, on this machine or with a scheme that Spark knows.
    plan, **settings
        As in `publish`.
    master : str
        Where Spark runs.
    """
    name = plan.system if isinstance(plan, Plan) else plan
    schema = plan.schema if isinstance(plan, Plan) else settings.get("schema")
    if find_system(name).data == "graph" and not str(path).endswith(".parquet"):
        raise DataError(
            f"the engine 'spark' reads the edges of graphs from Parquet alone, and {str(path)!r} "
            f"is something else. Write the edges as Parquet, or use another engine."
        )
    release = publish(read(session(master), path, schema), plan, **settings)
    return replace(release, format="csv" if str(path).endswith((".csv", ".csv.gz")) else "parquet")


def _table(
    table: SparkTable,
    plan: Plan,
    source: NoiseSource,
    *,
    ledger: str | Path | None,
    progress: Progress | None,
) -> SparkRelease:
    outcome = DISTRIBUTED[plan.system](table, plan.parameters, source, progress)
    plan = replace(plan, parameters={**plan.parameters, **outcome.resolved})
    guarantee, plan = promised(
        outcome.guarantee, plan, find_system(plan.system), source, table.schema
    )
    rows = written_rows(table, outcome, guarantee)
    kept = table.staging.read(rows)
    with explained():
        n = kept.count()
    refuse_empty(n)
    extras = outcome.extras(kept)
    return SparkRelease(
        data=kept.select([quoted(name) for name in released_names(table.head, guarantee)]),
        n=n,
        guarantee=guarantee,
        plan=plan,
        ledger=charge(ledger, guarantee, plan),
        staging=table.staging,
        rows=rows,
        extras=extras,
        deviations=outcome.deviations,
    )


def written_rows(table: SparkTable, outcome: SparkOutcome, guarantee: Guarantee) -> Path:
    """Write the rows of a release down, sorted by their values unless they may be row-aligned.

    Sorting also parts them anew, so that neither their order nor their division into files
    comes from the records.
    """
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    rows = outcome.rows(guarantee)
    if not outcome.in_order and not guarantee.kind.may_be_row_aligned:
        names = released_names(table.head, guarantee)
        rows = rows.orderBy([F.asc_nulls_last(quoted(name)) for name in names])
    return table.staging.written(rows)


def _refuse_others(frame: Any, name: str) -> None:
    find_system(name)
    known = (*DISTRIBUTED, *COUNTED_GRAPHS)
    if name not in known:
        raise PlanError(
            f"system {name!r} has no form for Spark, so nothing was published. Use the engine "
            f"'memory', or one of the others. {suggest(name, known)}"
        )
    if not hasattr(frame, "sparkSession"):
        raise DataError(
            f"the engine 'spark' publishes Spark DataFrames, and a {type(frame).__name__} was "
            f"given. Read files with `covey.spark.read`, or use another engine."
        )

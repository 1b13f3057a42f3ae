"""How are degrees and joint degrees counted on Spark?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.engines.spark.frame import quoted
from covey.engines.spark.session import explained
from covey.errors import DataError
from covey.graph.dk import DK, CountedGraph

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from covey.engines.spark.staging import Staging
    from covey.systems import Progress

_INTEGERS = ("tinyint", "smallint", "int", "bigint")
_ENDS = 2


def count_graph(frame: DataFrame, staging: Staging, progress: Progress | None) -> CountedGraph:
    """Count the degrees of a simple undirected graph, and those of both ends of its edges.

    Self-loops and repetitions are dropped as `covey.read_graph` drops them.  Edges and degrees
    are written down before they are joined, so that all counts are those of one graph.  What
    comes to the driver is one number for each node, and one for each pair of degrees.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The first two columns are the ends of the edges.
    """
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    if progress is not None:
        progress("counting degrees", 0, 2)
    u, v, weight = F.col("u"), F.col("v"), F.lit(1).cast("bigint").alias("degree")
    ends = _ends(frame)
    with explained():
        ordered = ends.where(u != v).select(F.least(u, v).alias("u"), F.greatest(u, v).alias("v"))
        edges = staging.kept(ordered.distinct())
        both = edges.select(u.alias("name"), weight).union(edges.select(v, weight))
        loops = ends.where(u == v).select(u.alias("name"), F.lit(0).cast("bigint").alias("degree"))
        degrees = staging.kept(both.union(loops).groupBy("name").agg(F.sum("degree").alias("d")))
        found = degrees.groupBy("d").count().orderBy("d").toArrow()
        if progress is not None:
            progress("counting joint degrees", 1, 2)
        first = degrees.select(F.col("name").alias("u"), F.col("d").alias("du"))
        second = degrees.select(F.col("name").alias("v"), F.col("d").alias("dv"))
        pairs = edges.join(first, "u").join(second, "v")
        low, high = F.least("du", "dv").alias("low"), F.greatest("du", "dv").alias("high")
        cells = pairs.groupBy(low, high).count().orderBy("low", "high").toArrow()
    values, nodes = (found[name].to_numpy().astype(np.int64) for name in ("d", "count"))
    if not nodes.sum():
        raise DataError("the DataFrame has no edge, so there is no graph in it. Check the export.")
    keys = np.column_stack([cells[name].to_numpy() for name in ("low", "high")])
    joint = DK(
        order=2, keys=keys.astype(np.int64), counts=cells["count"].to_numpy().astype(np.int64)
    )
    return CountedGraph(degrees=np.repeat(values, nodes), joint=joint, kind="parquet")


def _ends(frame: DataFrame) -> DataFrame:
    """Return the names of both ends of each edge, or explain what is wrong with them."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    columns = frame.dtypes[:_ENDS]
    known = [kind for _, kind in columns if kind in _INTEGERS or kind == "string"]
    if len(known) < _ENDS:
        raise DataError(
            "the first two columns of the DataFrame have neither integers nor texts, so they do "
            "not name nodes. Put the two ends of each edge there."
        )
    kind = "string" if "string" in known else "bigint"
    named = zip("uv", columns, strict=True)
    ends = frame.select(*(F.col(quoted(name)).cast(kind).alias(end) for end, (name, _) in named))
    with explained():
        gaps = ends.where(F.col("u").isNull() | F.col("v").isNull()).limit(1).count()
    if gaps:
        raise DataError(
            "an edge of the DataFrame lacks the name of a node, so it is unknown. Complete or "
            "remove it."
        )
    return ends

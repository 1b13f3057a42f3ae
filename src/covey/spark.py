"""The public names of the engine for Spark (docs/spark.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.engines.spark.read import read
from covey.engines.spark.session import session
from covey.errors import DataError, PlanError
from covey.evaluate.spark import evaluate, evaluate_files
from covey.plan import Plan
from covey.publish import publish as publish_system
from covey.run import run

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["evaluate", "evaluate_files", "publish", "publish_files", "read", "session"]


def publish(frame: Any, plan: Plan | str, **settings: Any) -> Any:
    """Publish a Spark DataFrame, with the same promise as `covey.publish`.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The records, or edges in the first two columns if the system publishes graphs.
    plan : Plan or str
        What to publish, or a name in `covey.SYSTEMS` with its parameters.
    **settings
        Those of `covey.publish`; a plan holds the schema, the seed and the parameters already.

    Returns
    -------
    Release, or (Release, Trace)
        As `covey.publish` does; ``release.data`` is a Spark DataFrame.
    """
    if not hasattr(frame, "sparkSession"):
        raise DataError(
            f"`covey.spark.publish` takes Spark DataFrames, and a {type(frame).__name__} was "
            f"given. Read files with `covey.spark.read`, or use another engine."
        )
    return _published(frame, plan, **settings)


def publish_files(
    path: str | Path, plan: Plan | str, *, master: str = "local[*]", **settings: Any
) -> Any:
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
    return _published(path, plan, master=master, **settings)


def _published(data: Any, plan: Plan | str, **settings: Any) -> Any:
    if isinstance(plan, str):
        return publish_system(data, plan, engine="spark", **settings)
    how = {"ledger", "master", "progress", "staging", "trace"}
    if set(settings) - how:
        raise PlanError(
            "a plan describes the whole release, so it cannot be combined with a schema, a "
            "seed or parameters. Change the plan, or name its system instead."
        )
    return run(plan, data, engine="spark", **settings)

"""What was lost by a release, when originals and rows are on Spark?  For the curator alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.engines.spark.frame import checked_head
from covey.engines.spark.read import read
from covey.engines.spark.session import session
from covey.engines.spark.summary import summarise_frame, summarise_released
from covey.errors import PlanError
from covey.evaluate.evaluation import evaluate_pieces
from covey.evaluate.result import NOT_CROSSED, Evaluation
from covey.evaluate.tabulated import releases_cells
from covey.release.saved import SavedRelease

if TYPE_CHECKING:
    from pathlib import Path

    from covey.evaluate.utility import Scaling
    from covey.release import Release, Trace


def evaluate(
    frame: Any,
    release: Release | SavedRelease,
    trace: Trace | None = None,
    *,
    scaling: Scaling = "standard",
) -> Evaluation:
    """Compare a release with the DataFrame it was made from, as `covey.evaluate` does.

    Scores that look at many records at once are left out, and the notes say which; the distances
    of distributions are counted on fine grids, and the notes say how far off that can be.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The originals.
    release : Release or SavedRelease
        What `covey.spark.publish` returned, or a release folder that
        `covey.release.open_release` has opened.
    trace : Trace, optional
        What became of each record, as `covey.spark.publish` tells with ``trace=True``: without
        it, scores that compare record with record are left out.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    """
    schema = release.plan.schema
    if schema is None:
        raise PlanError(
            "the release is one of a graph, and the engine 'spark' compares tables. "
            "Use `covey.evaluate`."
        )
    if releases_cells(release):
        raise PlanError(
            "the release is tables and holds no rows, so the engine 'spark' cannot compare it "
            "with records. Use `covey.evaluate`."
        )
    head = checked_head(frame, schema)
    if isinstance(release, SavedRelease):
        rows = read(frame.sparkSession, release.file, schema)
    elif hasattr(release.data, "sparkSession"):
        rows = release.data
    else:
        raise PlanError(
            "the rows of the release are not on Spark, so they cannot be compared here. "
            "Use `covey.evaluate`."
        )
    found = evaluate_pieces(
        head,
        release.guarantee,
        partial(summarise_frame, frame, head),
        partial(summarise_released, rows, head),
        scaling=scaling,
        deviations=None if trace is None else trace.deviations,
    )
    return replace(found, notes=(*found.notes, NOT_CROSSED))


def evaluate_files(
    path: str | Path,
    release: SavedRelease,
    *,
    master: str = "local[*]",
    scaling: Scaling = "standard",
) -> Evaluation:
    """Read originals and the rows of a release folder with Spark, and compare them.

    Parameters
    ----------
    path : path
        Parquet or CSV, on this machine or with a scheme that Spark knows.
    release : SavedRelease
        From `covey.release.open_release`; all workers must see its folder.
    master : str
        Where Spark runs.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    """
    frame = read(session(master), path, release.plan.schema)
    return evaluate(frame, release, scaling=scaling)

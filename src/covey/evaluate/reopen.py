"""How is a release folder read back, for the curator who wants to compare?"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from covey.engines.memory.rows import HeldRows
from covey.errors import ReleaseError
from covey.evaluate.tabulated import releases_cells
from covey.graph import Graph
from covey.publish import find_system, publish
from covey.release import Release, SavedRelease, Trace, open_release
from covey.table import Table, read_frame
from covey.table.dialect import PLAIN_CSV


def reopen(folder: str | Path, data: Table | Graph) -> tuple[Release, Trace]:
    """Read a release folder back, and what became of each record, for the curator's evaluation.

    If the system is deterministic, its plan is run again on the table, which tells what
    became of each record; a release with noise holds no such link, and none is made up.

    Parameters
    ----------
    folder : path
        What `covey publish` wrote.
    data : Table or Graph
        What the release was made from.
    """
    saved = open_release(folder)
    guarantee, plan = saved.guarantee, saved.plan
    if isinstance(data, Graph):
        frame = _counts(saved.file)
        edges = saved.file.with_name("edges.csv")
        extras = {"edges": pl.read_csv(edges)} if edges.is_file() else {}
        return _release(saved, frame, extras), Trace()
    if releases_cells(saved):
        return _release(saved, saved.scan().collect(), saved.extras), Trace()
    if plan.schema is not None:
        data = data.complete_in([each.name for each in plan.schema if each.drops])
    frame = _records(saved, data)
    trace = Trace()
    if find_system(plan.system).deterministic:
        trace = publish(data, plan.system, trace=True, **plan.parameters)[1]
    elif guarantee.kind.may_be_row_aligned and frame.height == data.n:
        trace = Trace(frame)
    return _release(saved, frame, {}), trace


def _release(saved: SavedRelease, frame: pl.DataFrame, extras: dict[str, pl.DataFrame]) -> Release:
    return Release(
        data=frame,
        guarantee=saved.guarantee,
        plan=saved.plan,
        ledger=saved.ledger,
        rows=HeldRows(frame),
        extras=extras,
    )


def _records(saved: SavedRelease, table: Table) -> pl.DataFrame:
    file = saved.file
    # Many rows are a folder of parts.
    frame = (
        saved.scan().collect() if file.is_dir() else read_frame(file, table.schema, PLAIN_CSV)[0]
    )
    unknown = [name for name in frame.columns if name not in table.schema.names]
    if unknown:
        raise ReleaseError(
            f"the release has a column {unknown[0]!r} that the data do not have, so they cannot "
            f"be compared. Give the data that the release was made from."
        )
    # Points in time are read from texts and from types alike.
    cast = [name for name in frame.columns if table.schema[name].kind is None]
    try:
        return frame.cast({name: table.frame[name].dtype for name in cast})
    except pl.exceptions.PolarsError:
        raise ReleaseError(
            f"the columns of the release {str(file.parent)!r} are not of the types of the data, "
            f"so they cannot be compared. Give the data that the release was made from."
        ) from None


def _counts(file: Path) -> pl.DataFrame:
    frame = pl.read_parquet(file) if file.suffix == ".parquet" else pl.read_csv(file)
    if frame.columns not in (["degree", "nodes"], ["degree_1", "degree_2", "edges"]):
        raise ReleaseError(
            f"the release {str(file.parent)!r} does not count nodes or edges by degree, so it is "
            f"not that of a graph. Give the data that the release was made from."
        )
    return frame

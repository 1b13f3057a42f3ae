"""How is a release folder read back, for the curator who wants to compare?"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from covey.errors import ReleaseError
from covey.graph import Graph
from covey.publish import find_system, publish
from covey.release import Release, SavedRelease, open_release
from covey.table import Table, read_frame


def reopen(folder: str | Path, data: Table | Graph) -> Release:
    """Read a release folder back, for the curator's evaluation.

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
    guarantee, plan, ledger = saved.guarantee, saved.plan, saved.ledger
    if isinstance(data, Graph):
        frame = _counts(saved.file)
        edges = saved.file.with_name("edges.csv")
        return Release(
            data=frame,
            guarantee=guarantee,
            plan=plan,
            ledger=ledger,
            frame=frame,
            extras={"edges": pl.read_csv(edges)} if edges.is_file() else {},
        )
    frame = _records(saved, data)
    aligned = None
    if find_system(plan.system).deterministic:
        aligned = publish(data, plan.system, **plan.parameters).aligned
    elif guarantee.kind.may_be_row_aligned and frame.height == data.n:
        aligned = frame
    return Release(
        data=frame, guarantee=guarantee, plan=plan, ledger=ledger, frame=frame, aligned=aligned
    )


def _records(saved: SavedRelease, table: Table) -> pl.DataFrame:
    file = saved.file
    # Many rows are a folder of parts.
    frame = saved.scan().collect() if file.is_dir() else read_frame(file, table.schema)[0]
    unknown = [name for name in frame.columns if name not in table.schema.names]
    if unknown:
        raise ReleaseError(
            f"the release has a column {unknown[0]!r} that the data do not have, so they cannot "
            f"be compared. Give the data that the release was made from."
        )
    try:
        return frame.cast({name: table.frame[name].dtype for name in frame.columns})
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

"""Where are the reference data of the papers, and which columns did each paper use?"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import DataError
from covey.graph import Graph, read_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

VARIABLE = "COVEY_DATA"
DEFAULT = Path("covey-data")

FEDERAL = ("FEDTAX", "POTHVAL", "INTVAL", "FICA")
ELECTRIC = ("RESREVENUE", "RESSALES", "TOTREVENUE", "TOTSALES")
SOLD = ("RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES")

COLUMNS: dict[tuple[str, str], tuple[str, ...]] = {
    ("002", "Census"): FEDERAL,
    ("002", "EIA"): ELECTRIC,
    ("002", "Tarragona"): (
        "FIXED.ASSETS",
        "CURRENT.ASSETS",
        "PAID.UP.CAPITAL",
        "SHORT.TERM.DEBT",
        "SALES",
    ),
    ("004", "Census"): FEDERAL,
    ("000", "Census"): FEDERAL,
    ("003", "Census 2"): FEDERAL[:2],
    ("003", "Census 3"): FEDERAL[:3],
    ("003", "Census 4"): FEDERAL,
    ("003", "EIA 2"): SOLD[:2],
    ("003", "EIA 3"): SOLD[:3],
    ("003", "EIA 4"): SOLD,
}
"""Columns by paper and data set; all numeric columns where none are listed."""

NO_NUMBERS = ("YEAR", "MONTH")
"""EIA's dates, which the literature leaves out; its UTILITYID counts as an attribute."""


def data_folder() -> Path:
    """Return the folder with the reference data, from ``COVEY_DATA``."""
    return Path(os.environ.get(VARIABLE, DEFAULT))


@lru_cache(maxsize=32)
def load(paper: str, name: str) -> NDArray[np.float64]:
    """Return the numeric matrix that a paper used, or say which file is missing."""
    file = _file(name)
    if file is None:
        raise DataError(
            f"the reference data of {name!r} are not in {str(data_folder())!r}, so nothing can "
            f"be reproduced from them. Put census.csv, eia.csv and tarragona.csv of the CASC "
            f"project into a folder and name it in {VARIABLE}."
        )
    frame = pl.read_csv(file, infer_schema_length=None)
    columns = COLUMNS.get((paper, name))
    if columns is None:
        columns = tuple(
            column
            for column in frame.columns
            if frame[column].dtype.is_numeric() and column not in NO_NUMBERS
        )
    return np.ascontiguousarray(frame.select(columns).to_numpy().astype(np.float64))


@lru_cache(maxsize=8)
def load_graph(name: str) -> Graph:
    """Return a graph with its isolated nodes, or say which file is missing."""
    file = _graph_file(name)
    if not file.is_file():
        raise DataError(
            f"the graph {name!r} is not in {str(data_folder())!r}, so nothing can be reproduced "
            f"from it. Put graphs/{name}.txt.gz, one edge on each line, into that folder, or name "
            f"another one in {VARIABLE}."
        )
    isolated = file.with_name(f"{name}.isolated.txt")
    return read_graph(file, nodes=isolated if isolated.is_file() else None)


def available(name: str) -> bool:
    """Return whether a data set can be loaded; simulated ones always can."""
    from covey.reproduce.adult import ADULT, adult_available

    if name in ("Scattered", "Clustered"):
        return True
    if name in ADULT:
        return adult_available()
    return _file(name) is not None or _graph_file(name).is_file()


def _file(name: str) -> Path | None:
    """Return the file of a data set such as "Census" or "Census 4", if it is there."""
    stem = name.split(maxsplit=1)[0].lower()
    files = [data_folder() / f"{stem}{ending}" for ending in (".csv", ".csv.gz")]
    return next((file for file in files if file.is_file()), None)


def _graph_file(name: str) -> Path:
    return data_folder() / "graphs" / f"{name}.txt.gz"

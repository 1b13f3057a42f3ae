"""The published numbers and the data that they were computed on, if they are there.

``COVEY_DATA`` names the folder of the data; ``reference/reference.json`` stands beside it.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))
REFERENCE = DATA.parent / "reference" / "reference.json"

PRESENT = DATA.is_dir() and REFERENCE.is_file()
MISSING = (
    "the reference data are not here: set COVEY_DATA to the folder that holds census.csv, eia.csv "
    "and tarragona.csv, with ../reference/reference.json beside it"
)

# As the papers list them; the order matters where corners are visited in turns.
FOUR = ("FEDTAX", "POTHVAL", "INTVAL", "FICA")
COLUMNS: dict[tuple[str, str], tuple[str, ...]] = {
    ("001", "EIA"): (
        *("UTILITYID", "RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE"),
        *("INDSALES", "OTHREVENUE", "OTHRSALES", "TOTREVENUE", "TOTSALES"),
    ),
    ("002", "CENSUS"): FOUR,
    ("002", "EIA"): ("RESREVENUE", "RESSALES", "TOTREVENUE", "TOTSALES"),
    ("002", "Tarragona"): (
        *("FIXED.ASSETS", "CURRENT.ASSETS", "PAID.UP.CAPITAL", "SHORT.TERM.DEBT", "SALES"),
    ),
    ("004", "Census"): FOUR,
}


def entries() -> list[dict[str, Any]]:
    """Return the published numbers of papers 001, 002 (chapter 5), 004 and of the literature."""
    if not PRESENT:
        return []
    listed = json.loads(REFERENCE.read_text(encoding="utf-8"))["entries"]
    return [
        entry
        for entry in listed
        if entry["paper"] in ("001", "004", "literature")
        or (entry["paper"] == "002" and entry["table"].startswith("Table 5."))
    ]


@cache
def records(paper: str, data_set: str) -> np.ndarray:
    """Return the records of a data set with the columns that a paper takes."""
    frame = pl.read_csv(DATA / f"{data_set.lower()}.csv")
    columns = COLUMNS.get((paper, data_set), frame.columns)
    return frame.select(columns).cast(pl.Float64).to_numpy()


def name_of(entry: dict[str, Any]) -> str:
    """Return a short name for a test."""
    settings = " ".join(f"{key}={value}" for key, value in entry["parameters"].items())
    return f"{entry['paper']} {entry['table']} {entry['data_set']} {entry['method']} {settings}"

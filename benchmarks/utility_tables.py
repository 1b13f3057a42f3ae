"""Which tables is utility measured on, and what is taken as public about them?

Bounds are round numbers from what the columns mean, wider than the data.  They are written here
once, before any measurement, and every system gets the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from covey.table import Attribute, Schema, Table, read_table

ROOT = Path(__file__).resolve().parents[1]
Bounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file and what of it is published.

    Parameters
    ----------
    file : str
        Name in the folder that ``COVEY_DATA`` names.
    bounds : mapping
        Numeric columns with their public bounds.
    real : tuple of str
        Those that are no whole numbers.
    taxonomies : tuple of str
        Columns with categories; each has its taxonomy in ``taxonomies/NAME.csv``.
    tuned : bool
        Whether the constants of private-tree were chosen on it.
    """

    file: str
    bounds: Bounds
    real: tuple[str, ...] = ()
    taxonomies: tuple[str, ...] = ()
    tuned: bool = False


ADULT: Bounds = {
    "age": (0, 120),
    "fnlwgt": (0, 2_000_000),
    "education-num": (1, 16),
    "capital-gain": (0, 100_000),
    "capital-loss": (0, 5_000),
    "hours-per-week": (0, 100),
}
HOUSING: Bounds = {
    "longitude": (-125, -114),
    "latitude": (32, 42),
    "housing_median_age": (0, 60),
    "total_rooms": (0, 50_000),
    "total_bedrooms": (0, 10_000),
    "population": (0, 50_000),
    "households": (0, 10_000),
    "median_income": (0, 20),
    "median_house_value": (0, 600_000),
}
PROTEINS: Bounds = {
    "RMSD": (0, 25),
    "F1": (0, 50_000),
    "F2": (0, 20_000),
    "F3": (0, 1),
    "F4": (0, 500),
    "F5": (0, 8_000_000),
    "F6": (0, 1_000),
    "F7": (0, 150_000),
    "F8": (0, 500),
    "F9": (0, 100),
}
SPECIAL = {"capital-gain": (0,), "capital-loss": (0,)}
"""Most people have neither a gain nor a loss of capital in a year."""

SOURCES: dict[str, Source] = {
    "Census, 4 columns": Source(
        file="census.csv",
        bounds={
            "FEDTAX": (0, 30_000),
            "POTHVAL": (0, 150_000),
            "INTVAL": (0, 75_000),
            "FICA": (0, 12_000),
        },
        tuned=True,
    ),
    "EIA, 4 columns": Source(
        file="eia.csv",
        bounds={
            "RESREVENUE": (0, 500_000),
            "RESSALES": (0, 7_000_000),
            "TOTREVENUE": (0, 1_200_000),
            "TOTSALES": (0, 15_000_000),
        },
    ),
    "California, 4 columns": Source(
        file="california_housing.csv.gz",
        bounds={
            name: HOUSING[name]
            for name in ("total_rooms", "population", "median_income", "median_house_value")
        },
        real=("median_income",),
        tuned=True,
    ),
    "California, 8 columns": Source(
        file="california_housing.csv.gz",
        bounds={name: HOUSING[name] for name in HOUSING if name != "median_house_value"},
        real=("longitude", "latitude", "median_income"),
        tuned=True,
    ),
    "CASP, 10 columns": Source(
        file="casp.csv.gz",
        bounds=PROTEINS,
        real=tuple(name for name in PROTEINS if name != "F8"),
    ),
    "Adult, 6 columns": Source(file="adult.csv.gz", bounds=ADULT, tuned=True),
    "Adult, 3 columns and 2 taxonomies": Source(
        file="adult.csv.gz",
        bounds={name: ADULT[name] for name in ("age", "capital-gain", "hours-per-week")},
        taxonomies=("education", "occupation"),
    ),
}


def data_folder() -> Path:
    """Return the folder with the reference data."""
    return Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))


def load(name: str) -> Table:
    """Return a table with its public schema."""
    source = SOURCES[name]
    frame = pl.read_csv(
        data_folder() / source.file,
        infer_schema_length=None,
        null_values={"occupation": "?"} if source.taxonomies else None,
    ).select([*source.bounds, *source.taxonomies])
    numbers = tuple(
        Attribute(
            column,
            bounds=bounds,
            integer=column not in source.real,
            special=SPECIAL.get(column),
        )
        for column, bounds in source.bounds.items()
    )
    categories = tuple(
        Attribute(column, scale="nominal", taxonomy=f"taxonomies/{column}.csv")
        for column in source.taxonomies
    )
    return read_table(frame, Schema((*numbers, *categories), data_folder()))

"""How is the Adult table of paper 004 made?  Its complete records, with taxonomies."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import polars as pl

from covey.errors import DataError
from covey.reproduce.data import VARIABLE, data_folder
from covey.table import Attribute, Missing, Scale, Schema, Table, read_table

ADULT = {
    "Adult-Categorical": ("occupation", "native-country"),
    "Adult-Numerical-Categorical": ("occupation", "native-country", "age", "hours-per-week"),
}
"""The columns of the two tables that section 5.1 of paper 004 takes from Adult."""

CATEGORICAL = ADULT["Adult-Categorical"]


def adult_available() -> bool:
    """Return whether the records and the taxonomies can be read."""
    folder = data_folder()
    files = [folder / "adult.csv.gz", *(_taxonomy(name) for name in CATEGORICAL)]
    return all(file.is_file() for file in files)


@lru_cache(maxsize=2)
def adult_table(name: str) -> Table:
    """Return the 30,162 complete records with domains from 0 to 1.5 times the maximum."""
    if not adult_available():
        raise DataError(
            f"the records or the taxonomies of Adult are not in {str(data_folder())!r}, so nothing "
            f"can be reproduced from them. Put adult.csv.gz and taxonomies/occupation.csv and "
            f"taxonomies/native-country.csv there, or name another folder in {VARIABLE}."
        )
    frame = pl.read_csv(data_folder() / "adult.csv.gz", infer_schema_length=None)
    complete = frame.filter(~pl.any_horizontal(pl.col(pl.String) == "?"))
    attributes = [
        Attribute(
            column, scale=Scale.NOMINAL, taxonomy=_taxonomy(column).name, missing=Missing.REFUSE
        )
        if column in CATEGORICAL
        else Attribute(column, bounds=(0.0, 1.5 * float(complete[column].to_numpy().max())))
        for column in ADULT[name]
    ]
    schema = Schema(tuple(attributes), folder=data_folder() / "taxonomies")
    return read_table(complete.select(ADULT[name]), schema)


def _categorical(column: str) -> Attribute:
    taxonomy = _taxonomy(column).name
    return Attribute(column, scale=Scale.NOMINAL, taxonomy=taxonomy, missing=Missing.REFUSE)


def _taxonomy(column: str) -> Path:
    return data_folder() / "taxonomies" / f"{column}.csv"

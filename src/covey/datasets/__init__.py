"""The embedded example data, which ship with covey."""

from dataclasses import replace
from importlib.resources import as_file, files

import polars as pl

from covey.table import Attribute, Role, Scale, Schema, Table, read_table

YEARLY_RECORDS = 5
"""The experiment ran for so many years: nobody can have more yearly records."""


def load_rand_health(*, persons: bool = False) -> Table:
    """Return the embedded data: 20,190 person-years of the RAND Health Insurance Experiment.

    Origin and licence (public domain) are in ``covey/datasets/README.md``.

    Parameters
    ----------
    persons : bool
        Whether a column ``person`` says whose a record is, so that releases protect persons.
    """
    folder = files("covey.datasets")
    with (
        as_file(folder / "rand_health.csv.gz") as data,
        as_file(folder / "rand_health.toml") as schema,
    ):
        table = read_table(data, Schema.load(schema))
    if not persons:
        return table
    with as_file(folder / "rand_health_persons.csv.gz") as data:
        whose = pl.read_csv(data)
    own = Attribute("person", role=Role.PERSON, scale=Scale.NOMINAL, contributions=YEARLY_RECORDS)
    described = replace(table.schema, attributes=(own, *table.schema))
    return replace(table, schema=described, frame=whose.hstack(table.frame))


__all__ = ["YEARLY_RECORDS", "load_rand_health"]

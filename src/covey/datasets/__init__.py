"""The embedded example data, which ship with covey."""

from importlib.resources import as_file, files

from covey.table import Schema, Table, read_table


def load_rand_health() -> Table:
    """Return the embedded data: 20,190 person-years of the RAND Health Insurance Experiment.

    Origin and licence (public domain) are in ``covey/datasets/README.md``.
    """
    folder = files("covey.datasets")
    with (
        as_file(folder / "rand_health.csv.gz") as data,
        as_file(folder / "rand_health.toml") as schema,
    ):
        return read_table(data, Schema.load(schema))


__all__ = ["load_rand_health"]

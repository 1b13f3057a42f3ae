"""Which data does an experiment run on?  Those of its paper, or somebody's own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import DataError
from covey.graph import Graph
from covey.reproduce.data import COLUMNS, available, data_folder, load, load_graph
from covey.reproduce.experiments.measures import MEASURES
from covey.table import Attribute, Scale, Schema, Table, read_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.reproduce.experiments.experiment import Experiment

DOMAIN_FACTOR = 1.5
"""All papers take domains from 0 to so many times the largest value."""

_SEED = 4
"""Of the random subsets of a table."""

SET_NAMES = {
    "facebook_combined": "Facebook",
    "wiki-Vote": "Wiki-Vote",
    "ca-HepPh": "Ca-HepPh",
    "email-Enron": "Email-Enron",
    "California_housing": "California housing",
}
"""How figures call a data set where its file has another name."""


def data_sets(experiment: Experiment) -> dict[tuple[str, int | None], Table | Graph]:
    """Return the data of an experiment by name and size, those that are there."""
    found: dict[tuple[str, int | None], Table | Graph] = {}
    for name in experiment.data:
        if available(name):
            whole = load_graph(name) if is_graph(experiment) else paper_table(experiment, name)
            found |= random_subsets(SET_NAMES.get(name, name), whole, experiment.records)
    return found


def own_data(
    experiment: Experiment, name: str, data: Table | Graph
) -> dict[tuple[str, int | None], Table | Graph]:
    """Put somebody's own data into the place of the paper's."""
    if isinstance(data, Graph) != is_graph(experiment):
        wanted = "a graph" if is_graph(experiment) else "a table"
        raise DataError(
            f"the experiment {experiment.name!r} is one on {wanted}, and something else was given, "
            f"so it was not run. Give {wanted}."
        )
    return random_subsets(name, data, experiment.records)


def is_graph(experiment: Experiment) -> bool:
    """Return whether an experiment measures graphs."""
    return MEASURES[experiment.measures[0]].graph


def random_subsets(
    name: str, data: Table | Graph, sizes: Sequence[int]
) -> dict[tuple[str, int | None], Table | Graph]:
    """Return the data, or random subsets of a table, each inside the next larger one."""
    if not sizes or isinstance(data, Graph):
        return {(name, None): data}
    order = np.random.default_rng(_SEED).permutation(data.n)
    return {
        (name, size): replace(data, frame=data.frame[order[:size].tolist()])
        for size in sizes
        if size <= data.n
    }


def paper_table(experiment: Experiment, name: str) -> Table:
    """Return a table of a paper with its columns and domains."""
    if experiment.taxonomies:
        return _with_taxonomies(experiment, name)
    X = load(experiment.paper, name)
    names = COLUMNS.get((experiment.paper, name)) or tuple(f"x{j + 1}" for j in range(X.shape[1]))
    if experiment.columns:
        header = _header(name)
        X = X[:, [header.index(column) for column in experiment.columns]]
        names = experiment.columns
    return with_domains(pl.DataFrame(dict(zip(names, X.T, strict=True))))


def with_domains(frame: pl.DataFrame, taxonomies: Mapping[str, str] | None = None) -> Table:
    """Return a table with the papers' domains of numbers, and taxonomies of some categories.

    Domains that are read off the data protect nobody; experiments are published by nobody either.
    """
    attributes = []
    for name in frame.columns:
        if not frame[name].dtype.is_numeric():
            given = (taxonomies or {}).get(name)
            categories = None if given else tuple(sorted(set(frame[name].cast(pl.String))))
            attributes.append(
                Attribute(name, scale=Scale.NOMINAL, taxonomy=given, categories=categories)
            )
            continue
        low, high = float(frame[name].min()), float(frame[name].max())  # type: ignore[arg-type]
        ends = (min(0.0, DOMAIN_FACTOR * low), DOMAIN_FACTOR * high if high > 0 else 1.0)
        attributes.append(Attribute(name, bounds=ends))
    return read_table(frame, Schema(tuple(attributes), folder=data_folder()))


def _header(name: str) -> list[str]:
    return [column for column in _frame(name).columns if _frame(name)[column].dtype.is_numeric()]


def _frame(name: str) -> pl.DataFrame:
    stem = name.split(maxsplit=1)[0].lower()
    files = [data_folder() / f"{stem}{ending}" for ending in (".csv", ".csv.gz")]
    return pl.read_csv(next(file for file in files if file.is_file()), infer_schema_length=None)


def _with_taxonomies(experiment: Experiment, name: str) -> Table:
    """Return complete records of some columns, whose categories have the folder's taxonomies."""
    frame = _frame(name)
    if experiment.paper == "004":
        # As evaluated in [004, section 5.1]: records with a missing value anywhere are removed.
        words = [column for column in frame.columns if not frame[column].dtype.is_numeric()]
        frame = frame.filter(pl.all_horizontal(pl.col(words) != "?"))
    frame = frame.select(experiment.columns)
    files = {
        column: f"taxonomies/{column}.csv"
        for column in frame.columns
        if not frame[column].dtype.is_numeric()
    }
    return with_domains(frame, files)

"""How far is a release from its records, for one system with one set of parameters?"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import CoveyError
from covey.evaluate.utility import ks_by_column
from covey.publish import publish
from covey.release import as_table
from covey.table import Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_RUNS = 5
RECORDS = 5_000
"""A trial publishes about so many records in all, in at most so many runs."""

BINS = 8
"""Numbers are put into so many bins of equal public width for two-way tables."""


def tried(
    table: Table, system: str, parameters: Mapping[str, Any], *, seed: int
) -> tuple[Mapping[str, float], str]:
    """Publish records for nobody, with noise that can be repeated, and measure the errors.

    Few records vary most, and cost least to publish several times: the errors are averages.
    Returns the errors and, if the system refused, why.
    """
    runs = max(1, min(MOST_RUNS, RECORDS // table.n))
    found = []
    for run in range(runs):
        try:
            release = publish(table, system, random_state=seed * MOST_RUNS + run, **parameters)
        except CoveyError as error:
            return {}, str(error)
        found.append(measured(table, as_table(table, release)))
    return {name: fmean(errors[name] for errors in found) for name in found[0]}, ""


def measured(original: Table, released: Table) -> dict[str, float]:
    """Return the errors that are named in `ERRORS`, as far as the columns have them."""
    names = original.schema.names
    numeric = [name for name in names if original.schema[name].scale is not Scale.NOMINAL]
    errors: dict[str, float] = {}
    gaps = [_gap(original, released, (name,)) for name in names if name not in numeric]
    if numeric:
        here, there = original.matrix(numeric), released.matrix(numeric)
        gaps += ks_by_column(here, there).tolist()
        widths = [original.schema[name].width for name in numeric]
        errors["mean"] = float(np.mean(np.abs(here.mean(axis=0) - there.mean(axis=0)) / widths))
    errors["distribution"] = float(np.mean(gaps))
    pairs = [_gap(original, released, pair) for pair in combinations(names, 2)]
    if pairs:
        errors["pairs"] = float(np.mean(pairs))
    return errors


def _gap(original: Table, released: Table, names: tuple[str, ...]) -> float:
    """Return half the sum of the gaps between the frequencies of combined values."""
    sizes = [_size(original, name) for name in names]
    here, there = (
        np.bincount(
            np.ravel_multi_index([_binned(table, name) for name in names], sizes),
            minlength=int(np.prod(sizes)),
        )
        / table.n
        for table in (original, released)
    )
    return float(np.abs(here - there).sum() / 2.0)


def _size(table: Table, name: str) -> int:
    return len(table.domain(name)) if table.schema[name].scale is Scale.NOMINAL else BINS


def _binned(table: Table, name: str) -> NDArray[np.int64]:
    attribute = table.schema[name]
    if attribute.scale is Scale.NOMINAL:
        return table.codes(name)
    low, high = attribute.public_bounds
    share = (np.clip(table.values(name), low, high) - low) / (high - low)
    return np.minimum((share * BINS).astype(np.int64), BINS - 1)

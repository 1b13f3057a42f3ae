"""How far is a release from its data, in shares that a steward can expect beforehand?

Metrics of `covey.evaluate` wherever one exists.  Those here speak of categories and of two columns
at a time, and measure in public widths, so that made-up and real records have the same unit.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.histogram import side_by_side
from covey.evaluate import evaluate
from covey.evaluate.utility import ks
from covey.graph import Graph
from covey.release import Release, Trace, as_table
from covey.table import Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

ERRORS: dict[str, str] = {
    "distribution": "largest gap between the cumulative distributions of a column (between the "
    "frequencies of categories: half the sum of the gaps), average over the columns",
    "mean": "distance between the means of a column as a share of its public width, average over "
    "the numeric columns",
    "pairs": "half the sum of the gaps between the two-way tables of two columns, numbers in eight "
    "public bins, average over the pairs of columns",
    "joint degrees": "largest gap between the cumulated shares of edges by the degrees of their "
    "ends",
}
"""The errors that are expected, in words; 0 is best."""

PAIR_BINS = 8
"""Numbers are put into so many bins of equal public width for two-way tables."""


def expected_errors(data: Table | Graph, release: Release, trace: Trace) -> dict[str, float]:
    """Return the errors that are named in `ERRORS`, as far as the data have them."""
    del trace  # whole tables are compared, not single records
    if isinstance(data, Graph):
        return {"joint degrees": evaluate(data, release)["ks_2k"]}
    return table_errors(data, as_table(data, release))


def table_errors(original: Table, released: Table) -> dict[str, float]:
    """Return the errors of tables: of columns, of means, and of pairs of columns."""
    names = original.schema.names
    numeric = [name for name in names if original.schema[name].scale is not Scale.NOMINAL]
    errors: dict[str, float] = {}
    gaps = [_gap(original, released, (name,)) for name in names if name not in numeric]
    if numeric:
        here, there = original.matrix(numeric), released.matrix(numeric)
        gaps += [ks(*side_by_side(x, y))[0] for x, y in zip(here.T, there.T, strict=True)]
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
    return len(table.domain(name)) if table.schema[name].scale is Scale.NOMINAL else PAIR_BINS


def _binned(table: Table, name: str) -> NDArray[np.int64]:
    attribute = table.schema[name]
    if attribute.scale is Scale.NOMINAL:
        return table.codes(name)
    low, high = attribute.public_bounds
    share = (np.clip(table.values(name), low, high) - low) / (high - low)
    return np.minimum((share * PAIR_BINS).astype(np.int64), PAIR_BINS - 1)

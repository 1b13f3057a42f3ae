"""How do noisy tables become tables that agree, with an interval for every cell?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.postprocess.binned_statistics import mean_frame, quantile_frame
from covey.postprocess.cell_intervals import (
    cell_intervals,
    gaussian_quantile,
    laplace_quantile,
)
from covey.postprocess.controlled_rounding import whole_tables
from covey.postprocess.interactions import NoisyTable, consistent
from covey.postprocess.rows import Counted
from covey.postprocess.sdmx import sdmx_csv
from covey.postprocess.tidy_tables import CELL_COUNT, CELL_LOWER, CELL_UPPER, tidy
from covey.systems.base import Built

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy
    from covey.postprocess.interactions import Names
    from covey.systems.sound.tables.ask import AskedTables

NOISY = "noisy"


def build(asked: AskedTables, measured: Sequence[Noisy], rng: np.random.Generator) -> Built:
    """Make the tables agree and whole, and tell how surely each count is known."""
    del rng  # nothing here is left to chance
    noisy = [_shaped(asked, *each) for each in zip(asked.tables, measured, strict=True)]
    margins = consistent(noisy, asked.n)
    total = asked.n if asked.n is not None else max(0, round(float(margins[()].values)))
    counts = whole_tables(margins, asked.steps, total)
    labels = {name: each.labels for name, each in asked.bins.items()}
    cells = {}
    for names, margin in margins.items():
        lower, upper = cell_intervals(
            margin, counts[names], asked.n, gaussian=asked.budget.delta is not None
        )
        cells[names] = {CELL_COUNT: counts[names], CELL_LOWER: lower, CELL_UPPER: upper}
    columns = tidy(labels, cells, called=asked.tables)
    sdmx, codes = sdmx_csv(columns, labels, asked.structure)
    told = {
        "tables": pl.DataFrame(columns),
        "quantiles": quantile_frame(margins, counts, asked.bins),
        "means": mean_frame(margins, asked.bins),
        "measured": pl.DataFrame(
            tidy(labels, _raw(noisy, measured, asked.step), called=asked.tables)
        ),
        "sdmx": sdmx,
        "codes": codes,
    }
    cuts = {
        name: list(each.cuts) or 1 for name, each in asked.bins.items() if each.cuts is not None
    }
    return Built(
        rows=Counted(columns),
        extras={name: frame for name, frame in told.items() if frame is not None},
        resolved={"bins": cuts} if cuts else {},
    )


def _shaped(asked: AskedTables, names: Names, counts: Noisy) -> NoisyTable:
    shape = [asked.bins[name].size for name in names]
    variance = counts.deviation**2 * asked.step**2
    values = _worth(counts.values.reshape(shape), asked.step)
    return NoisyTable(names=names, values=values, variance=variance)


def _worth(steps: NDArray[np.int64], step: float) -> NDArray[Any]:
    """Turn steps into what they are worth; whole numbers stay whole."""
    whole = step.is_integer()
    return np.asarray(steps * int(step) if whole else steps * step)


def _raw(
    noisy: Sequence[NoisyTable], measured: Sequence[Noisy], step: float
) -> dict[Names, dict[str, NDArray[Any]]]:
    """Return the counts as they were measured, with exact intervals of their own."""
    found = {}
    for table, counts in zip(noisy, measured, strict=True):
        quantile = gaussian_quantile if counts.gaussian else laplace_quantile
        within = _worth(np.array(quantile(counts.noise)), step)
        found[table.names] = {
            NOISY: table.values,
            CELL_LOWER: table.values - within,
            CELL_UPPER: table.values + within,
        }
    return found

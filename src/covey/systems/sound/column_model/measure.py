"""What does a column model ask?  The number of records, columns, pairs of columns, correlations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import Size
from covey.systems.sound.column_model.coarse import CoarseColumn, coarsened
from covey.systems.sound.column_model.columns import PublishedColumn, published_columns
from covey.systems.sound.column_model.correlations import (
    MeasuredCorrelations,
    measured_correlations,
)
from covey.systems.sound.column_model.counted import Structure
from covey.systems.sound.column_model.pairs import measured_pairs
from covey.systems.sound.column_model.shares import (
    SIZE_PERCENT,
    Layout,
    cells_wanted,
    column_parts,
    layout_of,
    percent,
)

if TYPE_CHECKING:
    from covey.core import Meter, Noisy
    from covey.systems.sound.column_model.ask import AskedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredModel:
    """All that was published; ``size`` is the noisy number of records, where n is not public."""

    layout: Layout
    n: float
    size: Noisy | None
    columns: Sequence[CoarseColumn]
    structure: Structure | None
    correlations: MeasuredCorrelations | None


def measure(meter: Meter, asked: AskedModel) -> MeasuredModel:
    """Spend the budget: n where it is not public, columns, and pairs if records are enough."""
    purse, axes = asked.purse, asked.axes
    size, n = None, asked.n
    if n is None:
        size = meter.counts(Size(), purse.of(percent(SIZE_PERCENT)))
        n = max(1, int(size.values[0]))
    target = asked.targets[0] if asked.targets else None
    layout = layout_of(purse, axes, n, target=target, named=asked.named)
    meter.progress("column-model: publishing the columns", 0, 3)
    parts = column_parts(purse, axes, layout.columns, n)
    columns = published_columns(meter, axes, purse, parts, n)
    count = float(n) if size is None else _count(size, columns)
    structure, correlations = None, None
    noise = purse.noise(layout.pairs / max(layout.tables, 1))
    coarse = []
    in_triples = {j for triple in asked.named.triples for j in triple}
    for j, column in enumerate(columns):
        wanted = cells_wanted(count, noise, triple=j in in_triples)
        if layout.model == "target" and j == target:
            wanted = min(wanted, layout.target_cells)
        coarse.append(coarsened(column, count, wanted=wanted, noise=noise))
    if layout.model != "columns":
        meter.progress("column-model: choosing and measuring pairs", 1, 3)
        structure = measured_pairs(
            meter,
            coarse,
            purse,
            layout=layout,
            n=count,
            targets=asked.targets,
            named=asked.named,
        )
        if layout.products:
            correlations = measured_correlations(meter, columns, purse, layout.products, count)
    meter.progress("column-model: drawing rows", 2, 3)
    return MeasuredModel(
        layout=layout,
        n=count,
        size=size,
        columns=coarse,
        structure=structure,
        correlations=correlations,
    )


def _count(size: Noisy, columns: Sequence[PublishedColumn]) -> float:
    """Return how many records there are, as all counts together say: the inverse-variance mean."""
    found = [(float(size.values[0]), size.deviation**2)]
    for column in columns:
        level = column.level
        variance = level.variances(np.ones(level.counts.size)).sum()
        found.append((float(level.counts.sum()), float(variance)))
    precise = sum(1.0 / variance for _, variance in found)
    return max(1.0, sum(count / variance for count, variance in found) / precise)

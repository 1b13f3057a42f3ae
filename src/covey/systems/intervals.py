"""How accurate are the means that a system publishes as noisy sums, or in noisy boxes?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from covey.perturb import Grid, Perturbed
from covey.release import Column, NoisyColumn
from covey.release.accuracy import (
    Interval,
    as_frame,
    boxes_interval,
    mean_interval,
    total_interval,
)
from covey.table import Attribute, Scale

if TYPE_CHECKING:
    from fractions import Fraction

    import polars as pl

    from covey.release.leaves import Leaves
    from covey.systems.axes import Axis


def mean_table(
    attributes: Sequence[Attribute], columns: Mapping[str, Column], n: int
) -> pl.DataFrame:
    """Return the interval of each column's mean, where its origin are sums over all n records.

    Columns that share an origin have equal parts of it, in their order.
    """
    origins = {
        attribute.name: column.origin
        for attribute in attributes
        if isinstance(column := columns[attribute.name], NoisyColumn)
    }
    intervals: list[Interval] = []
    for attribute in attributes:
        noisy = origins.get(attribute.name)
        if not isinstance(noisy, Perturbed):
            continue
        sharing = [name for name, origin in origins.items() if origin is noisy]
        size = noisy.steps.size // len(sharing)
        place = sharing.index(attribute.name) * size
        low, high = attribute.public_bounds
        own = attribute.integer or attribute.scale is Scale.ORDINAL
        intervals.append(
            mean_interval(
                attribute.name,
                noisy,
                n,
                part=slice(place, place + size),
                grid=Grid(low=low, high=high, steps=noisy.grid.steps),
                whole=own,
            )
        )
    return as_frame(intervals)


def total_table(
    attributes: Sequence[Attribute],
    totals: Mapping[str, int],
    n: int,
    *,
    grids: Mapping[str, Grid],
    scales: Mapping[str, Fraction],
) -> pl.DataFrame:
    """Return the interval of each column's mean from the total of n noisy values, in steps."""
    intervals = [
        total_interval(
            attribute.name,
            totals[attribute.name],
            n,
            n,
            scale=scales[attribute.name],
            grid=grids[attribute.name],
            whole=attribute.integer or attribute.scale is Scale.ORDINAL,
        )
        for attribute in attributes
    ]
    return as_frame(intervals)


def box_means(axes: Sequence[Axis], leaves: Leaves, n: int | None) -> list[Interval]:
    """Return the interval of each mean that boxes tell; n if it is public.

    Places must be measured in steps of the grid: neither by mass, nor with special values beside
    it.
    """
    return [
        boxes_interval(axis.name, leaves, side, n=n, grid=axis.grid, whole=axis.whole)
        for side, axis in enumerate(axes)
        if axis.grid is not None and not axis.by_mass and not axis.special
    ]

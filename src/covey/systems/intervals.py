"""How accurate are the means that a system publishes as noisy sums?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from covey.partition.axis import grid_of
from covey.postprocess.intervals import as_frame, mean_interval
from covey.table.grid import Grid

if TYPE_CHECKING:
    import polars as pl

    from covey.core import Noisy
    from covey.table import Attribute


def mean_table(
    attributes: Sequence[Attribute],
    sums: Mapping[str, Noisy],
    n: int,
    *,
    steps: int | None = None,
) -> pl.DataFrame:
    """Return the interval of each column's mean, whose noisy sums over all n records these are.

    In ``steps`` between the bounds, unless they are the attribute's own.
    """
    intervals = []
    for attribute in attributes:
        if attribute.name in sums:
            low, high = attribute.public_bounds
            own = grid_of(attribute).steps
            grid = Grid(low=low, high=high, steps=own if steps is None else steps)
            noisy = sums[attribute.name]
            intervals.append(
                mean_interval(attribute.name, noisy, n, grid=grid, whole=attribute.is_whole)
            )
    return as_frame(intervals)

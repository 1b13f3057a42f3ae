"""Where are dates, datetimes and times of day cut when they are tabulated?  Where calendars do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import PlanError
from covey.table.calendar import Moment, from_places, naive_dtype, places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Attribute
    from covey.table.grid import Grid

YEARS = (1, 2, 5, 10, 20, 50, 100, 1000)
HOURS = (1, 2, 3, 6, 12)


def calendar_cuts(attribute: Attribute, grid: Grid, most: int) -> tuple[float, ...]:
    """Cut at the beginnings of the shortest hours, days, months or years that give few bins."""
    steps = np.rint(grid.values(np.arange(grid.steps + 1)))
    dtype = naive_dtype(attribute.kind) if attribute.kind is not None else pl.Date()
    moments = from_places(steps, attribute, dtype)
    for unit in _units(attribute, moments):
        begins = 1 + np.flatnonzero(np.diff(unit))
        if begins.size < most:
            return tuple(steps[begins].tolist())
    return ()


def _units(attribute: Attribute, moments: pl.Series) -> Iterator[NDArray[np.int64]]:
    """Yield the number of the hour, day, month, … that each step is in, the shortest first."""
    if attribute.kind is Moment.TIME:
        hour = moments.dt.hour().cast(pl.Int64).to_numpy()
        yield from (hour // width for width in HOURS)
        return
    year = moments.dt.year().cast(pl.Int64).to_numpy()
    month = 12 * year + moments.dt.month().cast(pl.Int64).to_numpy() - 1
    if attribute.kind is Moment.DATETIME:
        day = moments.dt.date().to_physical().cast(pl.Int64).to_numpy()
        yield from (24 * day + moments.dt.hour().cast(pl.Int64).to_numpy(), day)
    yield from (month, month // 3)
    yield from (year // width for width in YEARS)


def read_moments(attribute: Attribute, cuts: Sequence[object]) -> list[float]:
    """Read cut points that are written as dates, or explain how they must be."""
    found = places(pl.Series([str(cut) for cut in cuts], dtype=pl.String), attribute)
    if np.isnan(found).any():
        raise PlanError(
            f"the cut points of attribute {attribute.name!r} cannot be read as a {attribute.kind}, "
            f"so its bins are unclear. Write them as in the data, for instance "
            f"{attribute.told(attribute.public_bounds[0])}."
        )
    return [float(place) for place in found]

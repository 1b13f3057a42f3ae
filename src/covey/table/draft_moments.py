"""Does a column hold dates, datetimes or times of day, and which facts would a draft begin with?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from covey.table.attribute import Attribute, Missing
from covey.table.calendar import (
    SECONDS,
    Moment,
    MomentReading,
    from_places,
    naive_dtype,
    places,
    unreadable,
)

_WRITTEN: tuple[tuple[Moment, str | None], ...] = (
    (Moment.DATE, None),
    (Moment.DATETIME, None),
    (Moment.TIME, None),
    (Moment.DATE, "%d.%m.%Y"),
    (Moment.DATETIME, "%d.%m.%Y %H:%M"),
    (Moment.DATETIME, "%d.%m.%Y %H:%M:%S"),
)
"""What texts are tried as.  Where day and month could be swapped, nobody but a person can tell."""

_FEWEST_DATES = 5
"""Fewer dates may be first days by chance."""

_FACTS = ("bounds", "kind", "missing", "scale", "step")


def draft_moments(column: pl.Series) -> Attribute | None:
    """Return the draft of a column of points in time, or None if it holds other things."""
    reading = _reading(column)
    if reading is None:
        return None
    found = places(column, reading)
    known = found[np.isfinite(found)]
    if reading.kind is Moment.DATE:
        reading = replace(reading, step=_date_step(column, reading))
        found = places(column, reading)
        found = found[np.isfinite(found)]
    else:
        reading = replace(reading, step=_step(known))
        found = known // SECONDS[reading.step]
    bounds: tuple[Any, Any] | None = None
    if found.size and found.min() < found.max():
        ends = np.array([found.min(), found.max()])
        dtype: Any = naive_dtype(reading.kind)
        if reading.zone is not None:
            dtype = pl.Datetime("us", reading.zone)
        low, high = from_places(ends, replace(reading, format=None), dtype).to_list()
        bounds = (low, high)
    return Attribute(
        column.name,
        kind=reading.kind,
        format=reading.format,
        zone=reading.zone,
        bounds=bounds,
        step=reading.step,
        missing=Missing.CATEGORY if column.null_count() else None,
        drafted=_FACTS,
    )


def _reading(column: pl.Series) -> MomentReading | None:
    name, dtype = column.name, column.dtype
    if column.null_count() == len(column):
        return None
    if dtype == pl.String:
        return _reading_of_texts(column)
    if isinstance(dtype, pl.Datetime):
        reading = MomentReading(
            name=name, kind=Moment.DATETIME, step="second", zone=dtype.time_zone
        )
        known = column.drop_nulls()
        # pandas has no dates without a time of day.
        dates = dtype.time_zone is None and bool((known == known.dt.truncate("1d")).all())
        return replace(reading, kind=Moment.DATE, step="day") if dates else reading
    plain = {pl.Date: (Moment.DATE, "day"), pl.Time: (Moment.TIME, "second")}
    found = next((each for known, each in plain.items() if dtype == known), None)
    return None if found is None else MomentReading(name=name, kind=found[0], step=found[1])


def _reading_of_texts(column: pl.Series) -> MomentReading | None:
    first = column.drop_nulls().head(1)
    for kind, written in _WRITTEN:
        step = "day" if kind is Moment.DATE else "second"
        for zone in ("UTC", None) if kind is Moment.DATETIME and written is None else (None,):
            reading = MomentReading(
                name=column.name, kind=kind, step=step, format=written, zone=zone
            )
            if not unreadable(first, reading) and not unreadable(column, reading):
                return reading
    return None


def _step(seconds: Any) -> str:
    """Return the coarsest step that all times lie on."""
    fits = (unit for unit in ("hour", "minute") if not (seconds % SECONDS[unit]).any())
    return next(fits, "second")


def _date_step(column: pl.Series, reading: MomentReading) -> str:
    """Return "year" or "month" if all dates are first days of one: the day then tells nothing."""
    for unit in ("year", "month"):
        coarse = replace(reading, step=unit)
        known = places(column, coarse)
        known = known[np.isfinite(known)]
        if known.size < _FEWEST_DATES:
            return "day"
        first = from_places(known, replace(coarse, format=None), naive_dtype(reading.kind))
        days = places(column, reading)
        if (places(first, replace(reading, format=None)) == days[np.isfinite(days)]).all():
            return unit
    return "day"

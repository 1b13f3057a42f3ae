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
    (Moment.DATETIME, "%Y-%m-%d %H:%M"),
    (Moment.DATETIME, "%Y-%m-%d %H:%M:%S"),
    (Moment.DATETIME, None),
    (Moment.TIME, "%H:%M"),
    (Moment.TIME, None),
    (Moment.DATE, "%d.%m.%Y"),
    (Moment.DATETIME, "%d.%m.%Y %H:%M"),
    (Moment.DATETIME, "%d.%m.%Y %H:%M:%S"),
    (Moment.DATE, "%Y/%m/%d"),
)
"""What texts are tried as, those that come out as they went in first."""

_SWAPPED = (("%d/%m/%Y", "%m/%d/%Y"), ("%d-%m-%Y", "%m-%d-%Y"))
"""Day and month stand in either order: what only one of the two can read is no guess."""

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
        reading = replace(reading, step=_step(known, reading.kind))
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
    fitting = _swapped(column)
    if len(fitting) != 1:
        return None
    return MomentReading(name=column.name, kind=Moment.DATE, step="day", format=fitting[0])


def _swapped(column: pl.Series) -> list[str]:
    """Return how texts are dates with slashes or hyphens: in one way, in two, or in none."""
    first = column.drop_nulls().head(1)

    def reads(written: str) -> bool:
        reading = MomentReading(name=column.name, kind=Moment.DATE, step="day", format=written)
        return not unreadable(first, reading) and not unreadable(column, reading)

    found = ([written for written in pair if reads(written)] for pair in _SWAPPED)
    return next((each for each in found if each), [])


def ambiguous_dates(texts: pl.Series) -> bool:
    """Return whether texts are dates of which nobody can tell the day from the month."""
    return len(_swapped(texts)) > 1


def said_of_moments(column: pl.Series, drafted: Attribute) -> tuple[str, ...]:
    """Return why texts are read as points in time in the way that they are."""
    if column.dtype != pl.String or drafted.format is None:
        return ()
    way = f"All texts are a {drafted.kind} written as {drafted.format}"
    if any(drafted.format in pair for pair in _SWAPPED):
        way += ", and not all are one with day and month in the other order"
    return (f"{way}.",)


def _step(seconds: Any, kind: Moment) -> str:
    """Return the coarsest step that all times lie on."""
    units = ("day", "hour", "minute") if kind is Moment.DATETIME else ("hour", "minute")
    fits = (unit for unit in units if not (seconds % SECONDS[unit]).any())
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

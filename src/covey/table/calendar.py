"""How do dates, datetimes and times of day become numbers, and numbers dates again?

Inside Covey a date is a whole number of public steps (days, months, …) since 1970, so that grids,
axes and noise treat it like a whole number.  A date between two steps belongs to the earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Moment(StrEnum):
    """What the values of an attribute are, if they are points in time."""

    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"


class Dated(Protocol):
    """What must be known of an attribute to read its points in time."""

    @property
    def name(self) -> str:
        """Return the name of the column."""
        ...

    @property
    def kind(self) -> Any:
        """Return which points in time it holds, if any."""
        ...

    @property
    def step(self) -> Any:
        """Return their step."""
        ...

    @property
    def format(self) -> str | None:
        """Return how texts write them, if not as ISO 8601 does."""
        ...

    @property
    def zone(self) -> str | None:
        """Return their time zone."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentReading:
    """A way to read points in time, where no attribute is known yet."""

    name: str
    kind: Moment
    step: str
    format: str | None = None
    zone: str | None = None


_DAY = 86_400
SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": _DAY, "week": 7 * _DAY}
MONTHS = {"month": 1, "quarter": 3, "year": 12}
STEPS: dict[Moment, tuple[str, ...]] = {
    Moment.DATE: ("day", "week", "month", "quarter", "year"),
    Moment.DATETIME: ("second", "minute", "hour", "day"),
    Moment.TIME: ("second", "minute", "hour"),
}
"""Which steps each kind may have; the first is the default."""

_MONDAY = 3 * _DAY
"""Weeks begin on Mondays, and 1970 began on a Thursday."""

_ISO: dict[Moment, tuple[str, ...]] = {
    Moment.DATE: ("%Y-%m-%d",),
    Moment.DATETIME: tuple(
        f"%Y-%m-%d{between}%H:%M{seconds}" for seconds in (":%S%.f", "") for between in "T "
    ),
    Moment.TIME: ("%H:%M:%S%.f", "%H:%M"),
}
_WRITTEN = {
    Moment.DATE: "%Y-%m-%d",
    Moment.DATETIME: "%Y-%m-%dT%H:%M:%S",
    Moment.TIME: "%H:%M:%S",
}


def released_dtype(attribute: Dated) -> pl.DataType:
    """Return the type of a released column: texts if the schema says how they are written."""
    if attribute.format is not None:
        return pl.String()
    types = {
        Moment.DATE: pl.Date(),
        Moment.DATETIME: pl.Datetime("us", attribute.zone),
        Moment.TIME: pl.Time(),
    }
    return types[attribute.kind]


def places(column: pl.Series, attribute: Dated) -> NDArray[np.float64]:
    """Return the step of each value, and NaN for what is missing or cannot be read."""
    moments = _moments(column, attribute)
    if attribute.step in MONTHS:
        months = 12 * (moments.dt.year().cast(pl.Int64) - 1970) + moments.dt.month() - 1
        found = months // MONTHS[attribute.step]
    elif attribute.kind is Moment.TIME:
        found = moments.to_physical() // (10**9 * SECONDS[attribute.step])
    else:
        shift = _MONDAY if attribute.step == "week" else 0
        if moments.dtype == pl.Date:
            seconds = moments.to_physical().cast(pl.Int64) * _DAY
        else:
            seconds = moments.dt.epoch("us") // 10**6
        found = (seconds + shift) // SECONDS[attribute.step]
    return found.cast(pl.Float64).fill_null(np.nan).to_numpy()


def unreadable(column: pl.Series, attribute: Dated) -> bool:
    """Return whether a text of the column cannot be read as a point in time."""
    if column.dtype != pl.String:
        return False
    return bool(np.isnan(places(column, attribute)).sum() > column.null_count())


def from_places(values: NDArray[np.float64], attribute: Dated, dtype: pl.DataType) -> pl.Series:
    """Return the beginning of each step in the type of a column; NaN becomes a missing value."""
    known = np.isfinite(values)
    steps = np.where(known, np.rint(values), 0.0).astype(np.int64)
    numbers = pl.Series(attribute.name, steps)
    if attribute.step in MONTHS:
        months = numbers * MONTHS[attribute.step]
        frame = pl.DataFrame({"year": 1970 + months // 12, "month": 1 + months % 12})
        moments = frame.select(pl.date("year", "month", 1)).to_series()
    elif attribute.kind is Moment.TIME:
        nanoseconds = numbers * (10**9 * SECONDS[attribute.step])
        moments = nanoseconds.clip(0, 10**9 * (_DAY - 1)).cast(pl.Time)
    else:
        shift = _MONDAY if attribute.step == "week" else 0
        seconds = numbers * SECONDS[attribute.step] - shift
        moments = (seconds * 10**6).cast(pl.Datetime("us"))
        if attribute.zone is not None:
            moments = moments.dt.replace_time_zone("UTC").dt.convert_time_zone(attribute.zone)
    moments = moments.alias(attribute.name).set(pl.Series(~known), None)
    if dtype == pl.String:
        return moments.dt.to_string(attribute.format or _iso_format(attribute))
    if attribute.kind is Moment.DATE and moments.dtype != pl.Date and dtype == pl.Date:
        return moments.dt.date()
    return moments.cast(dtype)


def place_of(attribute: Dated, value: Any) -> float:
    """Return the step of one point in time."""
    kind = attribute.kind
    if kind is Moment.DATETIME and attribute.zone is not None:
        column = pl.Series([value.astimezone(ZoneInfo("UTC"))]).dt.convert_time_zone(attribute.zone)
    else:
        column = pl.Series([value], dtype=naive_dtype(kind))
    return float(places(column, attribute)[0])


def told_place(attribute: Dated, place: float) -> str:
    """Return the text of a step."""
    return str(from_places(np.array([place]), attribute, pl.String())[0])


def as_iso(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Write datetimes and times as ISO 8601 does, in seconds, for a file of texts."""
    columns = []
    for name, dtype in rows.collect_schema().items():
        if isinstance(dtype, pl.Datetime):
            offset = "" if dtype.time_zone is None else "%:z"
            columns.append(pl.col(name).dt.to_string(_WRITTEN[Moment.DATETIME] + offset))
        elif dtype == pl.Time:
            columns.append(pl.col(name).dt.to_string(_WRITTEN[Moment.TIME]))
    return rows.with_columns(columns) if columns else rows


def _moments(column: pl.Series, attribute: Dated) -> pl.Series:
    if column.dtype == pl.Null:
        return column.cast(naive_dtype(attribute.kind))
    if column.dtype == pl.String:
        formats = _ISO[attribute.kind] if attribute.format is None else (attribute.format,)
        if attribute.format is None and attribute.zone is not None:
            formats = tuple(f"{each}%z" for each in formats)
        return read_texts(column, attribute, formats)
    return column


def read_texts(column: pl.Series, attribute: Dated, formats: Sequence[str]) -> pl.Series:
    """Read texts that are written in one of these formats; others become missing values."""
    texts = column.str.strip_chars()
    if attribute.zone is not None:
        texts = texts.str.replace("Z$", "+00:00")
    found = _read(texts, attribute.kind, formats[0])
    for other in formats[1:]:
        if found.null_count() == column.null_count():
            break
        found = found.zip_with(found.is_not_null(), _read(texts, attribute.kind, other))
    return found if attribute.zone is None else found.dt.convert_time_zone(attribute.zone)


def _read(texts: pl.Series, kind: Moment, written: str) -> pl.Series:
    if kind is Moment.DATE:
        return texts.str.to_date(written, strict=False)
    if kind is Moment.TIME:
        return texts.str.to_time(written, strict=False)
    return texts.str.to_datetime(written, time_unit="us", strict=False)


def _iso_format(attribute: Dated) -> str:
    return _WRITTEN[attribute.kind] + ("" if attribute.zone is None else "%:z")


def naive_dtype(kind: Moment) -> pl.DataType:
    """Return the type of points in time without a time zone."""
    types = {Moment.DATE: pl.Date(), Moment.DATETIME: pl.Datetime("us"), Moment.TIME: pl.Time()}
    return types[kind]

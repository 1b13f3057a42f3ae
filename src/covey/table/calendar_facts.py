"""Do the public facts about an attribute in time agree with each other and with its column?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

import polars as pl

from covey.errors import BoundsError, SchemaError, suggest
from covey.table.calendar import (
    STEPS,
    Moment,
    MomentReading,
    from_places,
    naive_dtype,
    place_of,
    places,
    read_texts,
)

if TYPE_CHECKING:
    from covey.table.calendar import Dated

_TYPES: dict[Moment, Any] = {Moment.DATE: date, Moment.DATETIME: datetime, Moment.TIME: time}
_SAMPLES: dict[Moment, Any] = {
    Moment.DATE: date(2001, 5, 3),
    Moment.DATETIME: datetime(2001, 5, 3, 13, 14, 15),  # noqa: DTZ001 — it has no zone
    Moment.TIME: time(13, 14, 15),
}
_EXAMPLES = {
    Moment.DATE: "2019-01-01",
    Moment.DATETIME: "2019-01-01T00:00:00",
    Moment.TIME: "08:00:00",
}


def checked_unit(attribute: Dated) -> str:
    """Return the step of an attribute in time, or explain which ones there are."""
    known = STEPS[attribute.kind]
    if attribute.step is None:
        return known[0]
    if attribute.step not in known:
        raise SchemaError(
            f"attribute {attribute.name!r} is a {attribute.kind} with step = {attribute.step!r}, "
            f"which is none of its steps. {suggest(str(attribute.step), known)}"
        )
    return str(attribute.step)


def checked_moments(attribute: Dated, values: Any, what: str) -> tuple[Any, ...]:
    """Return points in time that a schema states, or explain how to write them."""
    given = list(values) if isinstance(values, (list, tuple)) else [values]
    return tuple(_checked_moment(attribute, value, what) for value in given)


def check_ends(attribute: Dated, ends: Sequence[Any]) -> None:
    """Refuse bounds in time between which there is no step."""
    if len(ends) != 2:  # noqa: PLR2004 — a smallest and a largest one
        raise BoundsError(
            f"the bounds of attribute {attribute.name!r} are not two points in time, so its range "
            f"is unknown. Write `bounds = [first, last]`."
        )
    first, last = (place_of(attribute, end) for end in ends)
    if not first < last:
        raise BoundsError(
            f"the bounds of attribute {attribute.name!r} are the wrong way round, or in the same "
            f"{attribute.step}. Write the earlier one first, and bounds that are further apart."
        )


def check_reading(attribute: Dated) -> None:
    """Refuse a format that cannot be read back, and a time zone that does not exist."""
    name, zone, kind = attribute.name, attribute.zone, attribute.kind
    if zone is not None and kind is not Moment.DATETIME:
        raise SchemaError(
            f"attribute {name!r} is a {kind} and has a time zone, which only datetimes have. "
            f'Remove `zone`, or write kind = "datetime".'
        )
    if zone is not None and zone not in available_timezones():
        raise SchemaError(
            f"attribute {name!r} has zone = {zone!r}, which is no time zone. "
            f"{suggest(str(zone), available_timezones())}"
        )
    if zone is not None and attribute.step == "day":
        raise SchemaError(
            f"attribute {name!r} has a time zone and steps of days, which contradict each other: "
            f'days are not equally long there. Write step = "hour", or kind = "date".'
        )
    if attribute.format is None:
        return
    offset = any(mark in attribute.format for mark in ("%z", "%:z", "%#z"))
    if offset != (zone is not None):
        raise SchemaError(
            f"attribute {name!r} has a format that contradicts its `zone`: texts have an offset "
            f"(%z) if and only if there is a time zone. Correct one of them."
        )
    # The beginning of a step with a digit in every place that the format must not lose.
    plain = MomentReading(name=name, kind=kind, step=attribute.step, zone=zone)
    sample = pl.Series([_SAMPLES[kind]], dtype=naive_dtype(kind))
    if zone is not None:
        sample = sample.dt.replace_time_zone(zone)
    moments = from_places(places(sample, plain), plain, sample.dtype)
    try:
        read = read_texts(moments.dt.to_string(attribute.format), attribute, (attribute.format,))
        same = read.null_count() == 0 and read.cast(moments.dtype).equals(moments)
    except (pl.exceptions.PolarsError, ValueError):
        same = False
    if not same:
        raise SchemaError(
            f"attribute {name!r} has format = {attribute.format!r}, from which a {kind} cannot be "
            f'read back. Write one such as "%d.%m.%Y" or "%Y-%m-%d %H:%M".'
        )


def is_in_time(column: pl.Series, attribute: Dated) -> str:
    """Return what is wrong with the type of a column, or nothing: it depends on no value."""
    dtype, kind = column.dtype, attribute.kind
    if dtype in (pl.String, pl.Null):
        return ""
    if attribute.format is not None:
        return "has a type of its own, and its schema says how texts are written: remove `format`"
    if isinstance(dtype, pl.Datetime) and kind is not Moment.TIME:
        return _zone_problem(dtype.time_zone, attribute)
    if dtype != naive_dtype(kind):
        return "holds other things: correct the column, or `kind` in the schema"
    return ""


def _zone_problem(zone: str | None, attribute: Dated) -> str:
    if zone == attribute.zone:
        return ""
    if attribute.kind is Moment.DATE:
        return "has a time zone, so its days are ambiguous: turn it into dates first"
    words = f'zone = "{zone}"' if zone else "no `zone`"
    return f"has another time zone than its schema says: write {words}, or convert it"


def _checked_moment(attribute: Dated, value: Any, what: str) -> Any:
    kind = attribute.kind
    if isinstance(value, str):
        try:
            value = _TYPES[kind].fromisoformat(value)
        except ValueError:
            value = None
    plain = isinstance(value, _TYPES[kind]) and (
        kind is not Moment.DATE or not isinstance(value, datetime)
    )
    if not plain:
        raise SchemaError(
            f"{what} of attribute {attribute.name!r} holds something else than a {kind}. Write it "
            f"as {_EXAMPLES[kind]}, without quotes."
        )
    aware = getattr(value, "tzinfo", None) is not None
    if aware != (attribute.zone is not None):
        need = "needs" if attribute.zone is not None else "must not have"
        raise SchemaError(
            f"{what} of attribute {attribute.name!r} {need} an offset such as +01:00, because its "
            f"schema says {'zone' if attribute.zone is not None else 'no zone'}. Correct either."
        )
    return value

"""What does one column mean, and what about it is public knowledge?"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import BoundsError, SchemaError, suggest
from covey.table.calendar import Moment, place_of, told_place
from covey.table.calendar_facts import check_ends, check_reading, checked_moments, checked_unit
from covey.table.listed import check_unknown, checked_codes
from covey.table.provenance import FACTS, OPTIONAL, Provenance, checked_marks
from covey.table.step import checked_step, is_finite, on_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Role(StrEnum):
    """What an attribute does in a disclosure: the field's usual four roles, and two more."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    CONFIDENTIAL = "confidential"
    NON_CONFIDENTIAL = "non-confidential"
    WEIGHT = "weight"
    PERSON = "person"


GROUPED_ROLES = (Role.QUASI_IDENTIFIER, Role.WEIGHT)
"""What k-anonymous groups have in common: a weight may tell a stratum, so it tells people apart."""


class Scale(StrEnum):
    """How the values of an attribute can be compared."""

    NUMERIC = "numeric"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


class Missing(StrEnum):
    """What to do with a record whose value is missing."""

    REFUSE = "refuse"
    DROP = "drop"
    IMPUTE = "impute"
    CATEGORY = "category"


MISSING_CATEGORY = "(missing)"
"""The category that stands for a missing nominal value inside covey."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column of a table, described by what is publicly known about it.

    Parameters
    ----------
    name : str
        Name of the column.
    role : Role
        Identifiers are never published; quasi-identifiers are microaggregated.  A weight is a
        number that says how many people a record stands for: ``tables`` can add it up, the first
        look of an evaluation weights with it, and all others publish it as a quasi-identifier.
        A person is an identifier that says whose a record is, where somebody has several.
    scale : Scale
        Numeric, ordinal (needs ``categories`` in order, or numbers) or nominal.
    kind : Moment, optional
        Date, datetime or time of day, for an attribute whose values are points in time.  Bounds,
        special values and an imputed one are then written as such.
    format : str, optional
        How texts write points in time, such as ``"%d.%m.%Y"``, if not as ISO 8601 does.  They
        are released as texts of the same format.
    zone : str, optional
        The time zone of datetimes; they have none unless given.
    bounds : (float, float), optional
        Smallest and largest possible value, known without looking at the data.
    description : str
        What the values mean, in the words of the publisher, for reports.
    unit : str
        Unit of measurement, for axes and reports.
    integer : bool
        Whether only whole numbers are possible.
    step : float or str, optional
        How far possible numbers are apart, such as 0.01 for prices: counted from the lower bound,
        or from 0 without one.  Other values are rounded to the nearest.  For points in time a
        word, such as ``"month"``: the earlier step counts.
    categories : tuple of str, optional
        Possible values: in order for an ordinal attribute, any order for a nominal one.
    taxonomy : str, optional
        Path of a ``child,parent`` CSV file, relative to the schema's file.
    missing : Missing, optional
        ``category`` for nominal attributes and ``refuse`` otherwise, unless given.  As a category,
        a missing value is a value of its own, which is published as missing.
    impute : float or str, optional
        The public value that replaces a missing one, with ``missing = "impute"``.
    special : tuple, optional
        Public values of a numeric attribute that mean something by themselves, such as 0 for
        "none" or −9 for "not applicable".  They may lie outside the bounds.
    missing_codes : tuple of str
        Values that stand for a missing one, as they are written: ``NA``, ``-9``, ``k. A.``  An
        empty field and blanks always do.
    contributions : int, optional
        How many records of a person are used at most; the column must have the role of a person.
    unknown : str, optional
        The category that a value outside the public list counts as: ``other``.
    drafted, confirmed, imported : tuple of str
        Which facts (`FACTS`) a draft read off the data, a person then confirmed, or another
        project's file says.  All others are stated.  A guarantee that relies on a drafted one is
        downgraded.
    confirmed_by, imported_from : str
        Who, and from which format.
    """

    name: str
    _: KW_ONLY
    role: Role = Role.QUASI_IDENTIFIER
    scale: Scale = Scale.NUMERIC
    kind: Moment | None = None
    format: str | None = None
    zone: str | None = None
    bounds: tuple[Any, Any] | None = None
    description: str = ""
    unit: str = ""
    integer: bool = False
    step: Any = None
    categories: tuple[str, ...] | None = None
    taxonomy: str | None = None
    missing: Missing | None = None
    impute: Any = None
    special: tuple[Any, ...] | None = None
    missing_codes: tuple[str, ...] = ()
    unknown: str | None = None
    contributions: int | None = None
    drafted: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    confirmed_by: str = ""
    imported: tuple[str, ...] = ()
    imported_from: str = ""

    def __post_init__(self) -> None:
        """Settle the kinds of the fields and refuse contradictions."""
        for field, kind in _ENUMS.items():
            value = getattr(self, field)
            if value is not None:
                object.__setattr__(self, field, _member(kind, value, field, self.name))
        _check_types(self)
        _settle_numbers(self) if self.kind is None else _settle_moments(self)
        if self.categories is not None:
            object.__setattr__(self, "categories", _checked_categories(self))
        if self.missing is None:
            nominal = self.scale is Scale.NOMINAL
            object.__setattr__(self, "missing", Missing.CATEGORY if nominal else Missing.REFUSE)
        if self.special is not None:
            object.__setattr__(self, "special", _checked_special(self))
        object.__setattr__(self, "missing_codes", checked_codes(self.name, self.missing_codes))
        _check_scale(self)
        _check_missing(self)
        if self.role is Role.WEIGHT:
            _check_weight(self)
        check_unknown(self)
        _check_contributions(self)
        marks = {mark: getattr(self, mark) for mark in ("drafted", "confirmed", "imported")}
        for mark, facts in checked_marks(self.name, **marks).items():
            object.__setattr__(self, mark, facts)

    @property
    def width(self) -> float:
        """Return the distance between the public bounds, or explain that they lack."""
        low, high = self.public_bounds
        return high - low

    @property
    def public_bounds(self) -> tuple[float, float]:
        """Return the bounds as numbers, or explain how to give them."""
        if self.limits is not None:
            return self.limits
        if self.scale is Scale.ORDINAL and self.categories is not None:
            return (0.0, float(len(self.categories) - 1))
        raise BoundsError.missing(self.name)

    @property
    def limits(self) -> tuple[float, float] | None:
        """Return the bounds as numbers, or None; points in time are numbers of steps."""
        if self.bounds is None or self.kind is None:
            return self.bounds
        return place_of(self, self.bounds[0]), place_of(self, self.bounds[1])

    @property
    def special_values(self) -> tuple[float, ...]:
        """Return the special values as numbers."""
        given = self.special or ()
        return given if self.kind is None else tuple(place_of(self, value) for value in given)

    @property
    def special_codes(self) -> tuple[float, ...]:
        """Return the special values outside the bounds: 9999 is no year and in no mean."""
        low, high = self.limits or (-math.inf, math.inf)
        return tuple(value for value in self.special_values if not low <= value <= high)

    @property
    def keeps_missing(self) -> bool:
        """Return whether a missing number, date or grade is a value of its own."""
        return self.missing is Missing.CATEGORY and self.scale is not Scale.NOMINAL

    @property
    def apart(self) -> tuple[float, ...]:
        """Return the values that stand apart on an axis: special ones, and NaN for a missing one.

        Whether any value is missing does not matter: that would be a fact about the data.
        """
        return (*self.special_values, math.nan) if self.keeps_missing else self.special_values

    def told(self, number: float) -> str:
        """Return a number of this attribute as a text: a point in time, if it is one."""
        if math.isnan(number):
            return "missing"
        return f"{number:.15g}" if self.kind is None else told_place(self, number)

    @property
    def own_step(self) -> float | None:
        """Return how far possible values are apart as numbers, if the schema says so."""
        if self.step is not None and self.kind is None:
            return float(self.step)
        return 1.0 if self.is_whole else None

    @property
    def is_whole(self) -> bool:
        """Return whether only whole numbers, steps in time or codes of categories are possible."""
        return self.integer or self.kind is not None or self.scale is Scale.ORDINAL

    @property
    def is_named(self) -> bool:
        """Return whether a file's values are read as texts, whatever they look like."""
        listed = self.scale is Scale.NOMINAL or self.categories is not None
        return listed or self.kind is not None or self.role is Role.PERSON

    def rounded(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Move numbers to possible ones; special values and missing ones stay as they are."""
        if self.step is not None and self.kind is None:
            start = 0.0 if self.bounds is None else self.bounds[0]
            moved = on_steps(values, start, self.step)
        elif self.integer or self.kind is not None:
            moved = np.rint(values)
        else:
            return values
        return np.where(np.isin(values, self.special_values), values, moved)

    @property
    def is_numeric_ordinal(self) -> bool:
        """Return whether the grades are numbers themselves, and no listed categories."""
        return self.scale is Scale.ORDINAL and self.categories is None

    @property
    def said(self) -> tuple[str, ...]:
        """Return the facts that are more than what covey takes for granted."""
        usual = Missing.CATEGORY if self.scale is Scale.NOMINAL else Missing.REFUSE
        held = {"integer": self.integer, "missing": self.missing is not usual}
        held["missing_codes"] = bool(self.missing_codes)
        held |= {fact: getattr(self, fact) is not None for fact in OPTIONAL}
        return tuple(fact for fact in FACTS if held.get(fact))

    def provenance(self, fact: str) -> Provenance:
        """Return where a fact comes from."""
        for source in (Provenance.DRAFTED, Provenance.CONFIRMED, Provenance.IMPORTED):
            if fact in getattr(self, source):
                return source
        return Provenance.STATED

    @property
    def read_off(self) -> tuple[str, ...]:
        """Return the drafted facts, but for those that are not there any more."""
        return tuple(
            fact for fact in self.drafted if fact not in OPTIONAL or getattr(self, fact) is not None
        )

    @property
    def relies_on_data(self) -> bool:
        """Return whether a fact about this attribute was taken from the data."""
        return bool(self.read_off)

    @property
    def drops(self) -> bool:
        """Return whether records are left out because they lack a value of this attribute."""
        return self.missing is Missing.DROP and not self.is_hidden

    @property
    def is_hidden(self) -> bool:
        """Return whether the column is never published, because it tells who somebody is."""
        return self.role in (Role.IDENTIFIER, Role.PERSON)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, as plain TOML values."""
        out: dict[str, Any] = {"name": self.name, "role": str(self.role), "scale": str(self.scale)}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in out or value is None or value is False or value in ("", ()):
                continue
            out[field.name] = list(value) if isinstance(value, tuple) else _plain(value)
        return out


def _check_contributions(attribute: Attribute) -> None:
    given = attribute.contributions
    if given is None:
        return
    if attribute.role is not Role.PERSON:
        raise SchemaError(
            f"attribute {attribute.name!r} has contributions and is {attribute.role}, so it is not "
            f'known whose they are. Set role = "person" for the column that says whose a record is.'
        )
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise SchemaError(
            f"attribute {attribute.name!r} has contributions = {given!r}, which is not a whole "
            f"number of at least 1, so nobody would be counted. Write the largest number of "
            f"records that a person shall count with: `contributions = 5`."
        )


_ENUMS: dict[str, type[StrEnum]] = {
    "role": Role,
    "scale": Scale,
    "missing": Missing,
    "kind": Moment,
}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value


def _member(kind: type[StrEnum], value: Any, field: str, name: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise SchemaError(
            f"attribute {name!r} has {field} = {value!r}, which means nothing here. "
            f"{suggest(str(value), [str(member) for member in kind])}"
        ) from None


def _check_types(attribute: Attribute) -> None:
    wanted: dict[str, tuple[type, str]] = {
        "description": (str, 'a text: `description = "Age at the interview"`'),
        "unit": (str, 'a text: `unit = "years"`'),
        "unknown": (str, 'a category: `unknown = "other"`'),
        "integer": (bool, "true or false: `integer = true`"),
        "format": (str, 'as a text: `format = "%d.%m.%Y"`'),
        "zone": (str, 'the name of a time zone: `zone = "Europe/Berlin"`'),
        "taxonomy": (str, 'the path of a file: `taxonomy = "towns.csv"`'),
        "confirmed_by": (str, 'a name: `confirmed_by = "A. Curator"`'),
        "imported_from": (str, 'a format: `imported_from = "smartnoise"`'),
    }
    for field, (kind, example) in wanted.items():
        value = getattr(attribute, field)
        if value is not None and not isinstance(value, kind):
            raise SchemaError(
                f"attribute {attribute.name!r} has {field} = {value!r}, which means nothing here. "
                f"Write {example}."
            )


def _settle_numbers(attribute: Attribute) -> None:
    """Settle the bounds and the step of numbers, or refuse contradictions."""
    name = attribute.name
    if attribute.format is not None or attribute.zone is not None:
        raise SchemaError(
            f"attribute {name!r} has a format or a time zone and is no point in time, so they "
            f'mean nothing. Write kind = "date", "datetime" or "time", or remove them.'
        )
    if attribute.bounds is not None:
        object.__setattr__(attribute, "bounds", _checked_bounds(name, attribute.bounds))
    if attribute.step is not None:
        if attribute.scale is not Scale.NUMERIC:
            raise SchemaError(
                f"attribute {name!r} is {attribute.scale} and has a step, which only numbers have. "
                f'Remove the step, or set scale = "numeric".'
            )
        step = checked_step(name, attribute.step, attribute.bounds, integer=attribute.integer)
        object.__setattr__(attribute, "step", step)


def _settle_moments(attribute: Attribute) -> None:
    """Settle the facts about points in time, or refuse contradictions."""
    if attribute.scale is not Scale.NUMERIC or attribute.integer:
        other = "whole numbers" if attribute.integer else f"{attribute.scale}"
        raise SchemaError(
            f"attribute {attribute.name!r} is a {attribute.kind} and {other}, which contradict "
            f"each other. Remove `kind`, or `scale` and `integer`."
        )
    object.__setattr__(attribute, "step", checked_unit(attribute))
    check_reading(attribute)
    for field in ("bounds", "special"):
        value = getattr(attribute, field)
        if value is not None:
            object.__setattr__(attribute, field, checked_moments(attribute, value, f"`{field}`"))
    if attribute.impute is not None:
        (value,) = checked_moments(attribute, attribute.impute, "`impute`")
        object.__setattr__(attribute, "impute", value)
    if attribute.bounds is not None:
        check_ends(attribute, attribute.bounds)


def _checked_bounds(name: str, bounds: Any) -> tuple[float, float]:
    try:
        low, high = map(_number, () if isinstance(bounds, str) else bounds)
    except (TypeError, ValueError):
        raise BoundsError(
            f"the bounds of attribute {name!r} are not two numbers, so its range is unknown. "
            f"Write `bounds = [low, high]`."
        ) from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise BoundsError(
            f"the bounds of attribute {name!r} are not finite, so no noise can be calibrated. "
            f"Give two finite numbers; values outside are moved to the nearer bound."
        )
    if not low < high:
        raise BoundsError(
            f"the bounds of attribute {name!r} are the wrong way round or equal: "
            f"[{low:g}, {high:g}]. Write the smaller one first: `bounds = [low, high]`."
        )
    return (low, high)


def _number(value: Any) -> float:
    """Read a number; not a text or true and false, which float() takes for numbers as well."""
    if isinstance(value, str | bool):
        raise TypeError
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _checked_categories(attribute: Attribute) -> tuple[str, ...]:
    if isinstance(attribute.categories, str):
        raise SchemaError(
            f"the categories of attribute {attribute.name!r} are one text, so they cannot be told "
            f'apart. Write a list: `categories = ["a", "b"]`.'
        )
    listed: Any = attribute.categories
    if not isinstance(listed, (list, tuple)) or any(
        isinstance(each, (list, dict)) for each in listed
    ):
        raise SchemaError(
            f"the categories of attribute {attribute.name!r} are no list of values, so they cannot "
            f'be told apart. Write a list: `categories = ["a", "b"]`.'
        )
    categories = tuple(str(category) for category in listed)
    if len(set(categories)) != len(categories) or not categories:
        raise SchemaError(
            f"the categories of attribute {attribute.name!r} are empty or repeat themselves, "
            f"so values cannot be told apart. List each category once."
        )
    if attribute.scale is Scale.NUMERIC:
        raise SchemaError(
            f"attribute {attribute.name!r} is numeric and lists categories, which contradict "
            f'each other. Remove the categories, or set scale = "ordinal" or "nominal".'
        )
    return categories


def _checked_special(attribute: Attribute) -> tuple[Any, ...]:
    name, given = attribute.name, attribute.special
    if attribute.scale is not Scale.NUMERIC:
        raise SchemaError(
            f"attribute {name!r} is {attribute.scale} and lists special values, which only numbers "
            f'need: its categories say it already. Remove them, or set scale = "numeric".'
        )
    if attribute.kind is not None:
        return _distinct_special(name, given or ())
    numbers: list[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    for value in numbers:
        if not is_finite(value):
            raise SchemaError(
                f"the special values of attribute {name!r} are not finite numbers, so no record "
                f"can be told to have one. Write a list such as `special = [0]`."
            )
        if attribute.integer and not float(value).is_integer():
            raise SchemaError(
                f"attribute {name!r} holds whole numbers and has a special value that is none, "
                f"which contradict each other. Write a whole number, or remove `integer = true`."
            )
    return _distinct_special(name, tuple(float(value) for value in numbers))


def _distinct_special(name: str, special: tuple[Any, ...]) -> tuple[Any, ...]:
    if not special or len(set(special)) != len(special):
        raise SchemaError(
            f"the special values of attribute {name!r} are empty or repeat themselves, so they "
            f"cannot be told apart. List each value once."
        )
    return special


def _check_scale(attribute: Attribute) -> None:
    name, scale = attribute.name, attribute.scale
    listed = attribute.categories is not None
    if attribute.bounds is not None and (scale is Scale.NOMINAL or listed):
        raise SchemaError(
            f"attribute {name!r} is {scale} with categories and has bounds, which contradict each "
            f"other: categories have no distances. Remove the bounds, or the categories."
        )
    if attribute.integer and (scale is Scale.NOMINAL or listed):
        raise SchemaError(
            f"attribute {name!r} is {scale} with categories and holds whole numbers, which "
            f"contradict each other. Remove `integer = true`, or the categories."
        )
    if attribute.taxonomy is not None and scale is not Scale.NOMINAL:
        raise SchemaError(
            f"attribute {name!r} is {scale} and has a taxonomy, which only nominal values need. "
            f'Remove the taxonomy, or set scale = "nominal".'
        )
    if scale is Scale.ORDINAL and listed and len(attribute.categories or ()) == 1:
        raise SchemaError(
            f"ordinal attribute {name!r} lists one category, so there is no order. "
            f"List all possible values, lowest first."
        )


def _check_weight(attribute: Attribute) -> None:
    name = attribute.name
    if attribute.scale is not Scale.NUMERIC or attribute.kind is not None:
        raise SchemaError(
            f"attribute {name!r} is a weight and no number, which contradict each other. "
            f'Set scale = "numeric" and remove `kind`, or give it another role.'
        )
    if attribute.bounds is not None and attribute.bounds[0] < 0:
        raise SchemaError(
            f"attribute {name!r} is a weight and may be below 0, so no number of people follows "
            f"from it. Write bounds = [0, largest weight of the design]."
        )
    if attribute.special is not None or attribute.keeps_missing:
        raise SchemaError(
            f"attribute {name!r} is a weight with special values or with missing ones as values of "
            f"their own, which stand for no number of people. Declare codes as missing_codes, and "
            f'write missing = "impute" with impute = 0 for records that count nothing.'
        )


def _check_missing(attribute: Attribute) -> None:
    name, policy = attribute.name, attribute.missing
    if (policy is Missing.IMPUTE) != (attribute.impute is not None):
        raise SchemaError(
            f'attribute {name!r} must have both missing = "impute" and a public value '
            f"`impute = …`, or neither."
        )
    if policy is Missing.IMPUTE:
        _check_imputed(attribute)


def _check_imputed(attribute: Attribute) -> None:
    name, value = attribute.name, attribute.impute
    if attribute.kind is not None:
        low, high = attribute.limits or (-math.inf, math.inf)
        inside = low <= place_of(attribute, value) <= high
        if not inside and value not in (attribute.special or ()):
            raise _imputed_outside(name)
        return
    if attribute.scale is Scale.NUMERIC:
        if not is_finite(value):
            raise SchemaError(
                f"the imputed value of numeric attribute {name!r} is not a finite number. "
                f"Write `impute = 0` or another public number."
            )
        low, high = attribute.bounds or (-math.inf, math.inf)
        inside = low <= float(value or 0) <= high
        if not inside and float(value or 0) not in (attribute.special or ()):
            raise _imputed_outside(name)
    elif attribute.categories is not None and str(value) not in attribute.categories:
        raise SchemaError(
            f"the imputed value of attribute {name!r} is none of its categories, so it has no "
            f"place among them. Write one of them, or add it to the list."
        )


def _imputed_outside(name: str) -> SchemaError:
    return SchemaError(
        f"the imputed value of attribute {name!r} lies outside its bounds, which contradict each "
        f"other. Write a value between them."
    )

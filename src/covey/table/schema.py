"""What does each column of a table mean, and what about it is public knowledge?"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from dataclasses import KW_ONLY, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import BoundsError, SchemaError, suggest
from covey.table.toml import to_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Role(StrEnum):
    """What an attribute does in a disclosure: the field's usual four roles."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    CONFIDENTIAL = "confidential"
    NON_CONFIDENTIAL = "non-confidential"


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


class Source(StrEnum):
    """Where a bound or a list of categories comes from."""

    PUBLIC = "public"
    DATA = "data"


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
        Identifiers are never published; quasi-identifiers are microaggregated.
    scale : Scale
        Numeric, ordinal (needs ``categories`` in order, or numbers) or nominal.
    bounds : (float, float), optional
        Smallest and largest possible value, known without looking at the data.
    bounds_source : Source
        ``data`` marks bounds that a draft took from the data: a guarantee that relies on
        them is downgraded.
    unit : str
        Unit of measurement, for axes and reports.
    integer : bool
        Whether only whole numbers are possible.
    categories : tuple of str, optional
        Possible values: in order for an ordinal attribute, any order for a nominal one.
    categories_source : Source
        As ``bounds_source``.
    taxonomy : str, optional
        Path of a ``child,parent`` CSV file, relative to the schema's file.
    missing : Missing, optional
        ``category`` for nominal attributes and ``refuse`` otherwise, unless given.
    impute : float or str, optional
        The public value that replaces a missing one, with ``missing = "impute"``.
    """

    name: str
    _: KW_ONLY
    role: Role = Role.QUASI_IDENTIFIER
    scale: Scale = Scale.NUMERIC
    bounds: tuple[float, float] | None = None
    bounds_source: Source = Source.PUBLIC
    unit: str = ""
    integer: bool = False
    categories: tuple[str, ...] | None = None
    categories_source: Source = Source.PUBLIC
    taxonomy: str | None = None
    missing: Missing | None = None
    impute: float | str | None = None

    def __post_init__(self) -> None:
        """Settle the kinds of the fields and refuse contradictions."""
        for field, kind in _ENUMS.items():
            value = getattr(self, field)
            if value is not None:
                object.__setattr__(self, field, _member(kind, value, field, self.name))
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _checked_bounds(self.name, self.bounds))
        if self.categories is not None:
            object.__setattr__(self, "categories", _checked_categories(self))
        if self.missing is None:
            nominal = self.scale is Scale.NOMINAL
            object.__setattr__(self, "missing", Missing.CATEGORY if nominal else Missing.REFUSE)
        _check_missing(self)

    @property
    def width(self) -> float:
        """Return the distance between the public bounds, or explain that they lack."""
        low, high = self.public_bounds
        return high - low

    @property
    def public_bounds(self) -> tuple[float, float]:
        """Return the bounds, or explain how to give them."""
        if self.bounds is not None:
            return self.bounds
        if self.scale is Scale.ORDINAL and self.categories is not None:
            return (0.0, float(len(self.categories) - 1))
        raise BoundsError.missing(self.name)

    @property
    def relies_on_data(self) -> bool:
        """Return whether a public fact about this attribute was taken from the data."""
        by_bounds = self.bounds is not None and self.bounds_source is Source.DATA
        by_categories = self.categories is not None and self.categories_source is Source.DATA
        return by_bounds or by_categories

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, as plain TOML values."""
        out: dict[str, Any] = {"name": self.name, "role": str(self.role), "scale": str(self.scale)}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in out or value is None or value in ("", False):
                continue
            if field.name.endswith("_source") and value is Source.PUBLIC:
                continue
            out[field.name] = list(value) if isinstance(value, tuple) else _plain(value)
        if self.bounds is not None and self.bounds_source is Source.PUBLIC:
            out.pop("bounds_source", None)
        return out


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of a table, in the order of its columns.

    Parameters
    ----------
    attributes : tuple of Attribute
        One for each column.
    folder : Path
        Where relative taxonomy paths start: the folder of the schema's file.
    """

    attributes: tuple[Attribute, ...]
    folder: Path = Path()

    def __post_init__(self) -> None:
        """Refuse an empty schema and repeated names."""
        object.__setattr__(self, "attributes", tuple(self.attributes))
        if not self.attributes:
            raise SchemaError(
                "the schema describes no attribute, so there is nothing to publish. "
                "Add an [[attribute]] table for each column."
            )
        repeated = [name for name, times in Counter(self.names).items() if times > 1]
        if repeated:
            raise SchemaError(
                f"the schema describes {repeated[0]!r} more than once, so its meaning is unclear. "
                f"Keep one [[attribute]] for each column."
            )

    def __iter__(self) -> Iterator[Attribute]:
        """Iterate over the attributes in column order."""
        return iter(self.attributes)

    def __getitem__(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise SchemaError(
            f"there is no attribute {name!r} in the schema. {suggest(name, self.names)}"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Return the attribute names in column order."""
        return tuple(attribute.name for attribute in self.attributes)

    def with_role(self, *roles: Role) -> tuple[Attribute, ...]:
        """Return the attributes that have one of these roles."""
        return tuple(attribute for attribute in self.attributes if attribute.role in roles)

    def updated(self, name: str, **changes: Any) -> Schema:
        """Return a schema in which one attribute has other properties."""
        changed = replace(self[name], **changes)
        kept = (changed if old.name == name else old for old in self.attributes)
        return replace(self, attributes=tuple(kept))

    @classmethod
    def draft(cls, source: Any) -> Schema:
        """Draft a schema from data, marking every bound that was read off them."""
        from covey.table.draft import draft_schema
        from covey.table.io import read_frame

        return draft_schema(read_frame(source)[0])

    @classmethod
    def from_dicts(cls, items: Iterable[Mapping[str, Any]], folder: Path = Path()) -> Schema:
        """Build a schema from TOML tables, refusing keys that mean nothing."""
        return cls(tuple(_attribute(dict(item)) for item in items), folder)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the attributes as plain TOML tables."""
        return [attribute.to_dict() for attribute in self.attributes]

    @classmethod
    def load(cls, path: str | Path) -> Schema:
        """Read a schema from a TOML file."""
        path = Path(path)
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SchemaError(
                f"the schema {str(path)!r} cannot be read ({error.strerror}). "
                f"Draft one with `covey schema DATA -o {path.name}`."
            ) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SchemaError(
                f"the schema {str(path)!r} is not valid TOML ({error}). Correct that line."
            ) from error
        items = content.get("attribute")
        if not isinstance(items, list):
            raise SchemaError(
                f"the schema {str(path)!r} has no [[attribute]] table, so it describes nothing. "
                f"Draft one with `covey schema DATA -o {path.name}`."
            )
        return cls.from_dicts(items, path.parent)

    def save(self, path: str | Path) -> None:
        """Write the schema as TOML, with a reminder above bounds taken from the data."""
        head = "# What covey may assume about this table.  See docs/guide/schema.md.\n"
        if any(attribute.relies_on_data for attribute in self.attributes):
            head += (
                '# Lines marked `bounds_source = "data"` were read off the data: no privacy\n'
                "# guarantee may rely on them.  Replace each bound by one that you know from\n"
                "# elsewhere (a law, a questionnaire, a code book), then delete the mark.\n"
            )
        body = to_toml({"attribute": self.to_dicts()})
        Path(path).write_text(head + "\n" + body, encoding="utf-8")


_ENUMS: dict[str, type[StrEnum]] = {
    "role": Role,
    "scale": Scale,
    "bounds_source": Source,
    "categories_source": Source,
    "missing": Missing,
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


def _checked_bounds(name: str, bounds: Any) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
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


def _checked_categories(attribute: Attribute) -> tuple[str, ...]:
    categories = tuple(str(category) for category in attribute.categories or ())
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


def _check_missing(attribute: Attribute) -> None:
    name, policy = attribute.name, attribute.missing
    if policy is Missing.CATEGORY and attribute.scale is not Scale.NOMINAL:
        raise SchemaError(
            f"attribute {name!r} is {attribute.scale} and cannot hold missing values as a "
            f'category. Set missing = "drop", or missing = "impute" with a public value.'
        )
    if (policy is Missing.IMPUTE) != (attribute.impute is not None):
        raise SchemaError(
            f'attribute {name!r} must have both missing = "impute" and a public value '
            f"`impute = …`, or neither."
        )
    if policy is Missing.IMPUTE and attribute.scale is Scale.NUMERIC:
        value = attribute.impute
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            raise SchemaError(
                f"the imputed value of numeric attribute {name!r} is not a finite number. "
                f"Write `impute = 0` or another public number."
            )


def _attribute(item: dict[str, Any]) -> Attribute:
    name = item.pop("name", None)
    if not isinstance(name, str) or not name:
        raise SchemaError('an [[attribute]] has no name. Add `name = "COLUMN"` to each of them.')
    known = {field.name for field in fields(Attribute)} - {"name"}
    for key in item:
        if key not in known:
            raise SchemaError(
                f"attribute {name!r} has a property {key!r} that means nothing here. "
                f"{suggest(key, known)}"
            )
    return Attribute(name, **item)

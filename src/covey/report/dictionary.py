"""What do the published columns mean?  A dictionary, from the schema in the plan alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.table import Missing, Scale

if TYPE_CHECKING:
    from covey.release.folder import Published
    from covey.table import Attribute

_MOMENTS = {"date": "dates", "datetime": "dates with a time", "time": "times of day"}
_GAPS = {
    Missing.CATEGORY: "may be missing",
    Missing.REFUSE: "never missing",
    Missing.DROP: "records without it were left out",
    Missing.IMPUTE: "missing ones were replaced by {}",
}


def column_dictionary(release: Published) -> list[dict[str, Any]]:
    """Describe each published column of a table as plain JSON values; a graph has none.

    It says what the plan says, which lies beside it: nothing is looked up in any record.
    """
    schema, guarantee = release.plan.schema, release.guarantee
    if schema is None:
        return []
    published = {*guarantee.columns, *guarantee.untouched}
    return [_entry(each, schema.drafted(each.name)) for each in schema if each.name in published]


def _entry(attribute: Attribute, drafted: tuple[str, ...]) -> dict[str, Any]:
    bounds, categories = attribute.bounds, attribute.categories
    special = attribute.special or ()
    return {
        "name": attribute.name,
        "description": attribute.description,
        "unit": attribute.unit,
        "values": _values(attribute),
        "range": None if bounds is None else [_plain(attribute, end) for end in bounds],
        "categories": None if categories is None else len(categories),
        "step": attribute.step,
        "special": [_plain(attribute, value) for value in special],
        "missing": str(attribute.missing),
        "drafted": list(drafted),
    }


def dictionary_rows(release: Published) -> list[dict[str, str]]:
    """Return the same for people: one row of words for each column."""
    schema = release.plan.schema
    return (
        []
        if schema is None
        else [_row(schema[entry["name"]], entry) for entry in column_dictionary(release)]
    )


def _row(attribute: Attribute, entry: dict[str, Any]) -> dict[str, str]:
    possible = ""
    if entry["range"] is not None:
        low, high = (_told(attribute, end) for end in entry["range"])
        possible = f"{low} to {high}" + (f" {attribute.unit}" if attribute.unit else "")
    elif entry["categories"] is not None:
        possible = f"{entry['categories']:,} categories"
    elif attribute.taxonomy is not None:
        possible = "those of a taxonomy"
    if {"bounds", "categories", "taxonomy"} & set(entry["drafted"]):
        possible += ", read off the data"
    if entry["special"]:
        possible += "; special: " + ", ".join(_told(attribute, each) for each in entry["special"])
    return {
        "name": attribute.name,
        "description": attribute.description,
        "values": entry["values"],
        "possible": possible.removeprefix("; "),
        "step": "" if attribute.step is None else _told(attribute, attribute.step),
        "missing": _GAPS[Missing(entry["missing"])].format(_told(attribute, attribute.impute)),
    }


def _values(attribute: Attribute) -> str:
    if attribute.kind is not None:
        return _MOMENTS[attribute.kind]
    if attribute.scale is Scale.NUMERIC:
        return "whole numbers" if attribute.integer else "numbers"
    if attribute.scale is Scale.ORDINAL:
        return "ordered numbers" if attribute.is_numeric_ordinal else "ordered categories"
    return "categories"


def _plain(attribute: Attribute, value: Any) -> Any:
    """Return a value as JSON holds it."""
    return value if attribute.kind is None else value.isoformat()


def _told(attribute: Attribute, value: Any) -> str:
    """Return a value as a person writes it."""
    if attribute.kind is None and isinstance(value, int | float):
        return f"{value:,.15g}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)

"""How can a person say how her file is written, where it was detected wrongly or not at all?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from covey.errors import SchemaError
from covey.table.dialect import Dialect
from covey.written import parse_toml, read_written

DETECTED = ("", "detected")

READING: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "encoding": (
        "Letters",
        (
            DETECTED,
            ("utf-8", "UTF-8"),
            ("cp1252", "Windows, Western Europe"),
            ("cp1250", "Windows, Central Europe"),
            ("latin-1", "old Unix, Western Europe"),
            ("utf-16", "UTF-16"),
        ),
    ),
    "separator": (
        "Between fields",
        (
            DETECTED,
            (",", "comma"),
            (";", "semicolon"),
            ("tab", "tab"),
            ("|", "vertical bar"),
            ("space", "blank"),
        ),
    ),
    "decimal": ("Before decimals", (DETECTED, (".", "point: 1.5"), (",", "comma: 1,5"))),
    "thousands": (
        "Between thousands",
        (
            DETECTED,
            ("none", "nothing"),
            (".", "point"),
            (",", "comma"),
            ("space", "blank"),
            ("'", "apostrophe"),
        ),
    ),
    "header": (
        "First line",
        (DETECTED, ("true", "holds the names"), ("false", "is a record already")),
    ),
    "skip": ("Lines before the table", ()),
    "sheet": ("Sheet of a workbook", ()),
}
"""What can be said, with the choices there are; a text is typed where there are none."""


def stated_reading(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what was chosen as the reader wants it, or refuse what means nothing."""
    stated: dict[str, Any] = dict(typed)
    if "header" in stated:
        stated["header"] = stated["header"] == "true"
    if "skip" in stated:
        if not stated["skip"].isdecimal():
            raise SchemaError("the number of lines is no whole number. Write one such as 2.")
        stated["skip"] = int(stated["skip"])
    Dialect.of(stated)
    return stated


def is_plan(path: Path) -> bool:
    """Return whether a file is a plan: a schema names no system."""
    try:
        return "system" in parse_toml(read_written(path))
    except (OSError, ValueError):
        return False

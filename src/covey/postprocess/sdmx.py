"""How are tables written as SDMX-CSV, which statistical offices exchange?

SDMX-CSV 2.0: STRUCTURE, STRUCTURE_ID and ACTION, a column for each dimension, OBS_VALUE, and
attributes of observations.  ``_T`` is the code of a total in SDMX, ``_U`` of what is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

import polars as pl

from covey.postprocess.tidy_tables import CELL_COUNT, CELL_LOWER, CELL_UPPER
from covey.table.attribute import MISSING_CATEGORY

TOTAL_CODE, UNKNOWN_CODE = "_T", "_U"
SDMX_COLUMNS = ("STRUCTURE", "STRUCTURE_ID", "ACTION", "OBS_VALUE", "LOWER_BOUND", "UPPER_BOUND")
INFORMATION = "I"


def sdmx_csv(
    columns: Mapping[str, pl.Series], labels: Mapping[str, Sequence[str]], structure: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return tidy tables as SDMX-CSV, and the list of its codes: dimension, code, label."""
    dimensions = _identifiers(list(labels), taken=SDMX_COLUMNS)
    height = columns[CELL_COUNT].len()
    fixed = {"STRUCTURE": "dataflow", "STRUCTURE_ID": structure, "ACTION": INFORMATION}
    out = {
        name: pl.Series(name, [value], dtype=pl.String).new_from_index(0, height)
        for name, value in fixed.items()
    }
    listed = []
    for (name, texts), dimension in zip(labels.items(), dimensions, strict=True):
        codes = codes_of(texts)
        series = columns[name].replace_strict(list(texts), codes, return_dtype=pl.String)
        out[dimension] = series.fill_null(TOTAL_CODE).alias(dimension)
        pairs = [(TOTAL_CODE, "total"), *zip(codes, texts, strict=True)]
        listed += [(dimension, name, *pair) for pair in pairs]
    out["OBS_VALUE"] = columns[CELL_COUNT].alias("OBS_VALUE")
    out["LOWER_BOUND"] = columns[CELL_LOWER].alias("LOWER_BOUND")
    out["UPPER_BOUND"] = columns[CELL_UPPER].alias("UPPER_BOUND")
    kinds = dict.fromkeys(("dimension", "column", "code", "label"), pl.String())
    return pl.DataFrame(out), pl.DataFrame(listed, schema=kinds, orient="row")


def codes_of(labels: Sequence[str]) -> list[str]:
    """Return a code for each label: letters, digits, _, @, $ and -, as SDMX asks for.

    Examples
    --------
    >>> codes_of(["Zürich", "20-29", "1.5 to under 2", "(missing)"])
    ['Zurich', '20-29', '1_5_to_under_2', '_U']
    """
    wanted = [
        UNKNOWN_CODE
        if label == MISSING_CATEGORY
        else re.sub(r"[^A-Za-z0-9@$-]+", "_", _without_accents(label))
        for label in labels
    ]
    return _told_apart([code or "_" for code in wanted], taken=(TOTAL_CODE,))


def _identifiers(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return names of dimensions: upper case, beginning with a letter."""
    plain = [
        re.sub(r"[^A-Z0-9]+", "_", _without_accents(name).upper()).strip("_") for name in names
    ]
    return _told_apart([n if n[:1].isalpha() else f"D_{n}" for n in plain], taken=taken)


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part))


def _told_apart(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    found: list[str] = []
    used = set(taken)
    for code in wanted:
        number, unique = 2, code
        while unique in used:
            unique, number = f"{code}_{number}", number + 1
        used.add(unique)
        found.append(unique)
    return found

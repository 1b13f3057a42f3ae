"""Which taxonomies belong to a draft: codes that begin alike, each kind in a file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from covey.errors import ReleaseError
from covey.table.attribute import Scale
from covey.table.taxonomy import Taxonomy
from covey.table.value_shapes import hierarchy_of

if TYPE_CHECKING:
    from pathlib import Path

    from covey.table.attribute import Attribute
    from covey.table.schema import Schema

FEWEST_CODES = 20
"""Fewer values need no taxonomy: all of them are near enough."""

BEGIN_ALIKE = "Codes that begin alike"
"""How the reason of such a column begins."""


def codes_kind(attribute: Attribute) -> str | None:
    """Return which codes with a hierarchy a drafted attribute lists, if it needs a taxonomy."""
    listed = attribute.categories or ()
    drafted = attribute.scale is Scale.NOMINAL and "categories" in attribute.drafted
    if not drafted or attribute.taxonomy is not None or len(listed) <= FEWEST_CODES:
        return None
    return hierarchy_of([each for each in listed if each != attribute.unknown], attribute.name)


def save_taxonomies(schema: Schema, path: Path, *, force: bool = False) -> Schema:
    """Write a taxonomy beside the schema's file for each column of codes, and name it there.

    What follows from the values of the data is marked so, in the file and in the schema.
    """
    chosen: Mapping[str, str] = {
        each.name: kind for each in schema if (kind := codes_kind(each)) is not None
    }
    files = {name: path.with_name(f"{path.stem}-{_plain(name)}.csv") for name in chosen}
    if len(set(files.values())) < len(files):  # names that differ in signs alone
        files = {
            name: path.with_name(f"{path.stem}-taxonomy-{at}.csv")
            for at, name in enumerate(chosen, start=1)
        }
    for file in files.values():
        if file.exists() and not force:
            raise ReleaseError(
                f"the file {str(file)!r}, to which a taxonomy belongs, exists already, so nothing "
                f"was written. Move it away, or replace it with --force."
            )
    reasons = dict(schema.reasons)
    for name, kind in chosen.items():
        attribute, file = schema[name], files[name]
        taxonomy = Taxonomy.from_prefixes(name, attribute.categories or ())
        replace(taxonomy, drafted=True).save(file)
        schema = schema.updated(name, taxonomy=file.name, drafted=(*attribute.drafted, "taxonomy"))
        others = [each for each in reasons.get(name, ()) if not each.startswith(BEGIN_ALIKE)]
        why = (
            f"{BEGIN_ALIKE} ({kind}): the taxonomy {file.name} puts them under what they have in "
            f"common, so that neighbours stay together. Replace it by the official one if there is."
        )
        reasons[name] = (why, *others)
    return replace(schema, reasons=reasons)


def _plain(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name).strip("-").lower() or "codes"

"""Do facts that count as public equal exactly what occurs in the data?  A laundered draft does.

For whoever publishes, and for nobody else: the answer is a fact about the records.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING

import polars as pl

from covey.errors import DraftWarning
from covey.table.attribute import Attribute, Scale
from covey.table.provenance import Provenance, named_facts

if TYPE_CHECKING:
    from covey.table.schema import Schema
    from covey.table.table import Table


class Occurring:
    """The extremes and the values that occur, where a schema claims to know what is possible.

    What somebody has confirmed is not doubted again.

    Parameters
    ----------
    schema : Schema
        What counts as public.
    """

    def __init__(self, schema: Schema) -> None:
        claimed = [each for each in schema if not each.is_hidden]
        self._bounded = [each for each in claimed if _is_claimed(each, "bounds")]
        self._listed = [each for each in claimed if _is_claimed(each, "categories")]
        self._ends: dict[str, set[float]] = {}
        self._values: dict[str, set[str]] = {}

    def see(self, table: Table) -> None:
        """Look at a table, or at a piece of one."""
        there = set(table.frame.columns)
        for attribute in self._bounded:
            if attribute.name in there and table.n:
                column = pl.Series(table.values(attribute.name)).fill_nan(None)
                column = column.filter(~column.is_in(list(attribute.special_values)))
                ends = {column.min(), column.max(), *self._ends.get(attribute.name, ())} - {None}
                numbers = [float(str(end)) for end in ends]
                self._ends[attribute.name] = {min(numbers), max(numbers)} if numbers else set()
        for attribute in self._listed:
            if attribute.name in there:
                texts = table.frame[attribute.name].cast(pl.String).drop_nulls().unique()
                self._values.setdefault(attribute.name, set()).update(texts)

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return the columns among these whose bounds, or list, are exactly what occurs."""
        found = {
            each.name: ["bounds"]
            for each in self._bounded
            if self._ends.get(each.name) == set(each.limits or ())
        }
        found |= {
            each.name: ["categories"]
            for each in self._listed
            if self._values.get(each.name) == set(each.categories or ())
        }
        return {name: facts for name, facts in found.items() if name in names}


def warn_of_drafts(equal: dict[str, list[str]], *, stacklevel: int) -> None:
    """Warn whoever publishes, if facts look as if they were read off the data after all."""
    if equal:
        warnings.warn(
            f"public facts equal exactly what occurs in the data: {named_facts(equal)}. Scales "
            f"that are used from end to end look like this, and so does a draft whose marks were "
            f"deleted, which would void the promise. Make sure that each fact is known without "
            f"these data, and keep this warning to yourself: it tells about the records.",
            DraftWarning,
            stacklevel=stacklevel + 1,
        )


def _is_claimed(attribute: Attribute, fact: str) -> bool:
    claimed = attribute.provenance(fact) in (Provenance.STATED, Provenance.IMPORTED)
    numeric = attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal
    return claimed and getattr(attribute, fact) is not None and (numeric or fact != "bounds")

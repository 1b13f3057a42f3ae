"""What is public about a table?  Its schema, the types that follow from it, and n where public."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import SchemaError
from covey.table.attribute import MISSING_CATEGORY, Missing, Scale
from covey.table.calendar import released_dtype
from covey.table.schema import Schema
from covey.table.taxonomy import Taxonomy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.table.table import Kind


_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
"""Whole numbers as they are usually written; 01067 is a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """All that a system may know of a table before it asks a meter.

    Parameters
    ----------
    schema : Schema
        Describes each column.
    n : int, optional
        The number of records, if it is public.
    kind : Kind
        What the records came as.
    labels : mapping
        What the columns of a pandas frame are called: by other things than texts, perhaps.
    categorical : frozenset of str
        Columns of a pandas or Arrow frame that hold categories; which ones, the schema says.
    public : mapping
        Columns whose values are public, such as preferences.
    """

    schema: Schema
    n: int | None
    kind: Kind
    labels: Mapping[str, Any] = field(default_factory=dict, repr=False)
    categorical: frozenset[str] = frozenset()
    public: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def dtype(self, name: str) -> pl.DataType:
        """Return the type that a released column has: a function of the schema alone.

        A type that came from the records would tell about one of them: a single 0.5 among whole
        numbers, or a single gap, makes floats of all.
        """
        attribute = self.schema[name]
        if attribute.kind is not None:
            return released_dtype(attribute)
        if attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal:
            return pl.Int64() if attribute.integer else pl.Float64()
        listed = [text for text in self.domain(name) if text != MISSING_CATEGORY]
        if set(listed) == {"true", "false"}:
            return pl.Boolean()
        return pl.Int64() if all(map(_WHOLE.fullmatch, listed)) else pl.String()

    def domain(self, name: str) -> tuple[str, ...]:
        """Return the possible values of an ordinal or nominal attribute, in code order.

        "Missing" belongs to the domain if the schema treats it as a category, whether or not
        a value is missing: that would be a fact about the data.
        """
        attribute = self.schema[name]
        if attribute.taxonomy is not None:
            return self.taxonomy(name).concepts
        if attribute.categories is None:
            raise SchemaError.without_categories(name)
        listed = attribute.categories
        return (*listed, MISSING_CATEGORY) if attribute.missing is Missing.CATEGORY else listed

    def taxonomy(self, name: str) -> Taxonomy:
        """Return the taxonomy of an attribute; a flat one over its domain if it has none."""
        attribute = self.schema[name]
        if attribute.taxonomy is None:
            return Taxonomy.flat(name, self.domain(name))
        found = Taxonomy.load(self.schema.folder / attribute.taxonomy, name=name)
        lacks = attribute.missing is Missing.CATEGORY and MISSING_CATEGORY not in found.concepts
        return found.with_value(MISSING_CATEGORY) if lacks else found

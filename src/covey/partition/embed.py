"""How far apart are two records of mixed attributes?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import SchemaError
from covey.partition.base import standardized
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def embedded(
    table: Table, attributes: Sequence[Attribute], *, standardize: bool = True
) -> NDArray[np.float64]:
    """Map records to points whose Euclidean distance compares all attributes alike.

    Numeric and ordinal attributes are standardised; a nominal attribute becomes one column
    for each category, scaled so that two different categories are at distance 1.
    """
    parts = []
    for attribute in attributes:
        if attribute.scale is Scale.NOMINAL:
            codes = table.codes(attribute.name)
            onehot = codes[:, None] == np.arange(len(table.domain(attribute.name)))
            parts.append(onehot / np.sqrt(2.0))
        else:
            column = table.values(attribute.name)
            if column.min() == column.max():
                raise constant_attribute(attribute.name)
            parts.append((standardized(column) if standardize else column).reshape(-1, 1))
    return np.ascontiguousarray(np.column_stack(parts))


def embedded_block(
    columns: Sequence[NDArray[np.float64]], nominal: Sequence[bool], *, standardize: bool = True
) -> NDArray[np.float64]:
    """Map the records of one block to points, from their values and codes alone.

    As `embedded`, but a column may be constant: it tells none of these records apart, and others
    in other blocks.
    """
    parts = []
    for column, categories in zip(columns, nominal, strict=True):
        if categories:
            parts.append((column[:, None] == np.unique(column)) / np.sqrt(2.0))
        else:
            parts.append((standardized(column) if standardize else column).reshape(-1, 1))
    return np.ascontiguousarray(np.column_stack(parts))


def constant_attribute(name: str) -> SchemaError:
    """Explain that an attribute has one value only, and what to do about it."""
    return SchemaError(
        f"attribute {name!r} is constant, so it cannot tell records apart. Set its role to "
        f'"non-confidential" to publish it as it is, or to "identifier" to drop it.'
    )

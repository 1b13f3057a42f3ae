"""How far apart are two records of mixed attributes, and which of them belong together?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PartitionError, SchemaError
from covey.partition.base import (
    Partition,
    Partitioner,
    PartitionProgress,
    partition_records,
    standardized,
)
from covey.partition.mixed import SemanticRecords, partition_mixed, taxonomies_of
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.table import Taxonomy


def partition_table(
    table: Table,
    attributes: Sequence[Attribute],
    partitioner: Partitioner,
    *,
    standardize: bool = True,
    progress: PartitionProgress | None = None,
    **parameters: Any,
) -> Partition:
    """Form clusters of the records of a table, by some of its attributes.

    Where a category has a taxonomy, and the partitioner knows what to do with it, concepts are
    compared by their distance in it, and the average record holds the least marginal concept.
    """
    taxonomies = taxonomies_of(table, attributes) if partitioner.semantic else {}
    if taxonomies:
        values = [table.values(attribute.name) for attribute in attributes]
        for attribute, column in zip(attributes, values, strict=True):
            _refuse_constant(attribute, column)
        records = _mixed(values, attributes, taxonomies, standardize=standardize)
        return partition_mixed(records, partitioner, progress=progress, **parameters)
    content = embedded(table, attributes, standardize=False)
    X = embedded(table, attributes) if standardize else content
    return partition_records(X, partitioner, content=content, progress=progress, **parameters)


def partition_values(
    values: Sequence[NDArray[np.float64]],
    attributes: Sequence[Attribute],
    partitioner: Partitioner,
    taxonomies: Mapping[str, Taxonomy],
    **parameters: Any,
) -> Partition:
    """Form clusters of the records of one block, from their values and codes alone.

    As `partition_table`, but a column may be constant: it tells none of these records apart, and
    others in other blocks.
    """
    if taxonomies:
        records = _mixed(values, attributes, taxonomies, standardize=True)
        return partition_mixed(records, partitioner, **parameters)
    nominal = [attribute.scale is Scale.NOMINAL for attribute in attributes]
    return partition_records(
        embedded_block(values, nominal),
        partitioner,
        content=embedded_block(values, nominal, standardize=False),
        **parameters,
    )


def _mixed(
    values: Sequence[NDArray[np.float64]],
    attributes: Sequence[Attribute],
    taxonomies: Mapping[str, Taxonomy],
    *,
    standardize: bool,
) -> SemanticRecords:
    numbers = [
        standardized(column) if standardize else column
        for column, attribute in zip(values, attributes, strict=True)
        if attribute.scale is not Scale.NOMINAL
    ]
    X = np.column_stack(numbers) if numbers else np.empty((len(values[0]), 0))
    return SemanticRecords.of(values, attributes, taxonomies, X)


MOST_COORDINATES = 2**28
"""Records times categories of one nominal attribute: 2 GiB of coordinates."""


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
            if codes.size * len(table.domain(attribute.name)) > MOST_COORDINATES:
                raise PartitionError(
                    f"attribute {attribute.name!r} has so many different values that records "
                    f"cannot be compared by it within memory, so nothing was published. Unite "
                    f'values in the data, or set role = "identifier" if it names people.'
                )
            onehot = codes[:, None] == np.arange(len(table.domain(attribute.name)))
            parts.append(onehot / np.sqrt(2.0))
        else:
            column = table.values(attribute.name)
            _refuse_constant(attribute, column)
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


def _refuse_constant(attribute: Attribute, column: NDArray[np.float64]) -> None:
    if attribute.scale is not Scale.NOMINAL and column.min() == column.max():
        raise constant_attribute(attribute.name)


def constant_attribute(name: str) -> SchemaError:
    """Explain that an attribute has one value only, and what to do about it."""
    return SchemaError(
        f"attribute {name!r} is constant, so it cannot tell records apart. Set its role to "
        f'"non-confidential" to publish it as it is, or to "identifier" to drop it.'
    )

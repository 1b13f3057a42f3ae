"""Which records are close where categories have taxonomies?  The distance of paper 004, Eq. (8).

Numbers are compared by their difference, concepts by the distance of their taxonomy over that of
its boundaries, and categories without a taxonomy by whether they are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.partition.base import Partition, Partitioner, PartitionProgress, in_order_of
from covey.table import Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Attribute, Table, Taxonomy


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticRecords:
    """Records of numbers and concepts.

    Parameters
    ----------
    numbers : array of shape (n, d)
        Scaled, so that all attributes weigh alike.
    codes : array of shape (n, p)
        Of concepts, or of categories without a taxonomy.
    taxonomies : tuple of p Taxonomy
        None for a column whose categories are equal or different, and nothing else.
    content : array of shape (n, d + p)
        What the records were, to break ties by.
    """

    numbers: NDArray[np.float64] = field(repr=False)
    codes: NDArray[np.int64] = field(repr=False)
    taxonomies: tuple[Taxonomy | None, ...]
    content: NDArray[np.float64] = field(repr=False)

    @classmethod
    def of(
        cls,
        values: Sequence[NDArray[np.float64]],
        attributes: Sequence[Attribute],
        taxonomies: Mapping[str, Taxonomy],
        numbers: NDArray[np.float64],
    ) -> SemanticRecords:
        """Put scaled numbers beside the codes of categories, both in the order of attributes."""
        nominal = [j for j, a in enumerate(attributes) if a.scale is Scale.NOMINAL]
        codes = [values[j].astype(np.int64) for j in nominal]
        return cls(
            numbers=numbers,
            codes=np.column_stack(codes),
            taxonomies=tuple(taxonomies.get(attributes[j].name) for j in nominal),
            content=np.column_stack(values),
        )


def taxonomies_of(table: Table, attributes: Sequence[Attribute]) -> dict[str, Taxonomy]:
    """Return the taxonomies that the schema names for these attributes, with which codes agree."""
    return {
        attribute.name: table.taxonomy(attribute.name)
        for attribute in attributes
        if attribute.scale is Scale.NOMINAL and attribute.taxonomy is not None
    }


def concept_unit(taxonomy: Taxonomy) -> float:
    """Return what Eq. (8) divides distances of concepts by: that of the two boundaries."""
    bottom, top = taxonomy.boundaries
    return float(taxonomy.distances[bottom, top]) or 1.0


def partition_mixed(
    records: SemanticRecords,
    partitioner: Partitioner,
    *,
    progress: PartitionProgress | None = None,
    **parameters: Any,
) -> Partition:
    """Run a partitioner on records of numbers and concepts, in the order of their content."""
    from covey.kernels.mdav.mixed_records import Mixed, packed

    widths = records.codes.max(axis=0) + 1
    concepts = packed(
        [
            int(width) if taxonomy is None else len(taxonomy.concepts)
            for width, taxonomy in zip(widths, records.taxonomies, strict=True)
        ],
        [None if taxonomy is None else taxonomy.distances for taxonomy in records.taxonomies],
        [None if taxonomy is None else taxonomy.ancestors for taxonomy in records.taxonomies],
        [1.0 if taxonomy is None else concept_unit(taxonomy) for taxonomy in records.taxonomies],
    )

    def run(order: NDArray[np.int64]) -> NDArray[np.int64]:
        mixed = Mixed(
            np.ascontiguousarray(records.numbers[order]),
            np.ascontiguousarray(records.codes[order]),
            concepts,
        )
        return partitioner.run(mixed, progress=progress, **parameters)

    return in_order_of(records.content, run, partitioner)

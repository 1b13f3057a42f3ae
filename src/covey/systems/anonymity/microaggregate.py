"""Microaggregate the quasi-identifiers: k-anonymity, and nothing else (paper 001).

An untouched confidential column beside the centroids lets an intruder learn a group's values,
and one who knows k − 1 members of a cluster can solve for the last.  The guarantee says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means, cluster_modes
from covey.aggregate.semantic import concept_counts, semantic_centroids
from covey.core import Guarantee, GuaranteeKind, PrivacyUnit
from covey.errors import SchemaError
from covey.partition import (
    PARTITIONERS,
    Partition,
    embedded,
    partition_records,
    partition_table,
    partition_values,
    taxonomies_of,
)
from covey.partition.embed import constant_attribute
from covey.postprocess.rows import Untouched
from covey.systems.anonymity.blocks import (
    block_attributes,
    numbers_of_blocks,
    one_cluster,
    partition_blocks,
    refuse_none_left,
)
from covey.systems.base import Outcome, PlainSystem, Progress
from covey.systems.columns import refuse_kept_missing
from covey.systems.concepts import candidate_codes
from covey.table import Attribute, Role, Scale, Schema, Table
from covey.table.attribute import GROUPED_ROLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.table import Taxonomy

    Concepts = tuple[Taxonomy, NDArray[np.int64]]

_CONDITIONS = (
    "It bounds what can be linked over the columns named, not what untouched columns give away.",
    "Someone who knows all but one member of a cluster can compute the last one's values.",
    "Group sizes and centroids depend on the data; no bound on what they reveal is claimed.",
)


def microaggregate_jointly(
    table: Table,
    method: str,
    progress: Progress | None,
    *,
    blocks: Sequence[str] | None,
    k: int,
    **own: Any,
) -> Outcome:
    """Cluster the records by all quasi-identifiers, inside blocks if there are any.

    Parameters
    ----------
    table : Table
        The records.
    method : str
        A name in `PARTITIONERS`.
    progress : callable, optional
        Told about long work.
    blocks : sequence of str, optional
        The columns that separate the records.
    k : int
        The smallest number of records in a cluster.
    **own
        What else the method takes.
    """
    if blocks is not None:
        return _block_by_block(table, method, progress, blocks=blocks, k=k, **own)
    quasi = _quasi_identifiers(table.schema)
    found = partition_table(
        table, quasi, PARTITIONERS[method], progress=_stage(progress, method), k=k, **own
    )
    return _outcome(table, {attribute.name: found for attribute in quasi}, k=k)


def _block_by_block(
    table: Table,
    method: str,
    progress: Progress | None,
    *,
    blocks: Sequence[str],
    k: int,
    **own: Any,
) -> Outcome:
    separating = block_attributes(table.schema, blocks)
    quasi = clustered_quasi_identifiers(table.schema, separating)
    numbers = numbers_of_blocks(table, separating, k)
    values = [table.values(attribute.name) for attribute in quasi]
    for attribute, column in zip(quasi, values, strict=True):
        if attribute.scale is not Scale.NOMINAL and column.min() == column.max():
            raise constant_attribute(attribute.name)
    taxonomies = taxonomies_of(table, quasi)
    found = partition_blocks(
        numbers,
        lambda rows: clusters_of_block(
            [column[rows] for column in values], quasi, method, taxonomies, k=k, **own
        ),
        progress=_stage(progress, method),
    )
    partitions = {attribute.name: found for attribute in quasi}
    return _outcome(table, partitions, k=k, blocks=separating)


def clusters_of_block(
    values: Sequence[NDArray[np.float64]],
    attributes: Sequence[Attribute],
    method: str,
    taxonomies: Mapping[str, Taxonomy],
    *,
    k: int,
    **own: Any,
) -> Partition:
    """Form the clusters of one block as if it were published by itself.

    Parameters
    ----------
    values : sequence of arrays
        The values or codes of the attributes.
    attributes : sequence of Attribute
        What they mean.
    method : str
        A name in `PARTITIONERS`.
    taxonomies : mapping
        Those of the attributes that have one.
    k : int
        The smallest number of records in a cluster; fewer than 2k are one cluster.
    **own
        What else the method takes.
    """
    if len(values[0]) < 2 * k:
        return one_cluster(len(values[0]), method)
    return partition_values(values, attributes, PARTITIONERS[method], taxonomies, k=k, **own)


def microaggregate_columns(table: Table, method: str, *, k: int) -> Outcome:
    """Cluster each quasi-identifier by itself."""
    quasi = sortable_quasi_identifiers(table.schema, method)
    values = {a.name: embedded(table, [a], standardize=False) for a in quasi}
    partitions = {
        name: partition_records(
            column,
            PARTITIONERS[method],
            # Records that tie in this column fall by their others, not by their row.
            content=np.column_stack([column, *values.values()]),
            k=k,
        )
        for name, column in values.items()
    }
    return _outcome(table, partitions, k=k, joint=len(quasi) == 1)


def sortable_quasi_identifiers(schema: Schema, method: str) -> tuple[Attribute, ...]:
    """Return the quasi-identifiers, or explain which one cannot be sorted."""
    quasi = _quasi_identifiers(schema)
    for attribute in quasi:
        if attribute.scale is Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is nominal and {method!r} sorts values, so it has "
                f"no place in the order. Use 'mdav', or give it another role."
            )
    return quasi


def clustered_quasi_identifiers(
    schema: Schema, blocks: Sequence[Attribute]
) -> tuple[Attribute, ...]:
    """Return the quasi-identifiers that do not separate blocks."""
    quasi = tuple(attribute for attribute in _quasi_identifiers(schema) if attribute not in blocks)
    refuse_none_left(quasi)
    return quasi


def _quasi_identifiers(schema: Schema) -> tuple[Attribute, ...]:
    quasi = schema.with_role(*GROUPED_ROLES)
    if not quasi:
        raise SchemaError(
            "the schema names no quasi-identifier, so there is nothing to microaggregate. "
            'Set role = "quasi-identifier" for the attributes that an intruder may know.'
        )
    for attribute in quasi:
        refuse_kept_missing(attribute, "microaggregation")
    return quasi


def _outcome(
    table: Table,
    partitions: Mapping[str, Partition],
    *,
    k: int,
    joint: bool = True,
    blocks: Sequence[Attribute] = (),
) -> Outcome:
    concepts = concepts_of(table, [table.schema[name] for name in partitions])
    centroids = {
        name: cluster_centroids(table.schema[name], table.values(name), found, concepts.get(name))[
            found.labels
        ]
        for name, found in partitions.items()
    }
    guarantee = k_anonymity_guarantee(
        table.schema, tuple(partitions), k=k, joint=joint, blocks=blocks
    )
    separating = {attribute.name: table.values(attribute.name) for attribute in blocks}
    as_they_were = (*guarantee.untouched, *separating)
    return Outcome(
        columns={**centroids, **{name: Untouched() for name in as_they_were}},
        guarantee=guarantee,
        aligned={**centroids, **separating},
    )


def k_anonymity_guarantee(
    schema: Schema,
    columns: tuple[str, ...],
    *,
    k: int,
    joint: bool,
    blocks: Sequence[Attribute] = (),
) -> Guarantee:
    """Return what clusters of at least k records promise, whichever engine has formed them.

    A cluster lies in one block, so that its records share the values that separate the blocks,
    too: the promise covers these columns, although they are published as they are.
    """
    separating = [attribute.name for attribute in blocks]
    columns = tuple(name for name in schema.names if name in {*columns, *separating})
    untouched = tuple(
        attribute.name
        for attribute in schema.with_role(Role.CONFIDENTIAL, Role.NON_CONFIDENTIAL)
        if attribute.name not in separating
    )
    seen = (
        f"Clusters lie inside blocks of equal {', '.join(separating)}, published as they are: "
        f"everyone sees which combinations of these values occur and how often, each at least k "
        f"times."
    )
    return Guarantee(
        kind=GuaranteeKind.K_ANONYMITY,
        unit=PrivacyUnit.NONE,
        k=k,
        columns=columns,
        joint=joint,
        untouched=untouched,
        dropped=tuple(attribute.name for attribute in schema if attribute.is_hidden),
        conditions=(*_CONDITIONS, seen) if separating else _CONDITIONS,
    )


def cluster_centroids(
    attribute: Attribute,
    values: NDArray[np.float64],
    found: Partition,
    concepts: Concepts | None = None,
) -> NDArray[np.float64]:
    """Return the value that stands for each cluster.

    Its mean; of categories the least marginal concept of their taxonomy [004, Eq. 5], or the most
    frequent category where there is none.
    """
    if attribute.scale is not Scale.NOMINAL:
        return cluster_means(values, found.labels, found.sizes)
    codes = values.astype(np.int64)
    if concepts is None:
        return cluster_modes(codes, found.labels, found.sizes).astype(float)
    taxonomy, publishable = concepts
    clusters = found.sizes.size
    counts = concept_counts(found.labels, codes, clusters=clusters, taxonomy=taxonomy)
    return semantic_centroids(counts, taxonomy, publishable=publishable).astype(float)


def concepts_of(table: Table, attributes: Sequence[Attribute]) -> dict[str, Concepts]:
    """Return the taxonomies of attributes, with the concepts that their columns can hold."""
    return {
        name: (taxonomy, candidate_codes(table, name, taxonomy))
        for name, taxonomy in taxonomies_of(table, attributes).items()
    }


def _stage(progress: Progress | None, method: str) -> Any:
    if progress is None:
        return None
    return lambda done, total: progress(f"{method}: forming clusters", done, total)


def k_anonymity_system(
    name: str,
    takes: type,
    run: Callable[[Table, Any, NoiseSource, Progress | None], Outcome],
) -> PlainSystem:
    """Describe the system that is called like its partitioner."""
    partitioner = PARTITIONERS[name]
    return PlainSystem(
        name=name,
        summary=partitioner.summary,
        paper=partitioner.paper,
        kind=GuaranteeKind.K_ANONYMITY,
        unit=PrivacyUnit.NONE,
        takes=takes,
        run=run,
        deterministic=True,
    )

"""Microaggregate the quasi-identifiers: k-anonymity, and nothing else (paper 001).

An untouched confidential column beside the centroids lets an intruder learn a group's values,
and one who knows k − 1 members of a cluster can solve for the last.  The guarantee says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means, cluster_modes
from covey.errors import SchemaError
from covey.partition import (
    PARTITIONERS,
    Partition,
    as_records,
    embedded,
    embedded_block,
    partition_records,
)
from covey.partition.embed import constant_attribute
from covey.privacy import Guarantee, GuaranteeKind, PrivacyUnit
from covey.release import Column, GroupedColumn, UntouchedColumn
from covey.systems.base import K, Outcome, Parameter, Progress, System
from covey.systems.blocks import (
    BLOCKS,
    block_attributes,
    numbers_of_blocks,
    partition_block,
    partition_blocks,
    refuse_none_left,
)
from covey.table import Attribute, Role, Scale, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

_CONDITIONS = (
    "It bounds what can be linked over the columns named, not what untouched columns give away.",
    "Someone who knows all but one member of a cluster can compute the last one's values.",
    "Group sizes and centroids depend on the data; no bound on what they reveal is claimed.",
)


def _jointly(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    if parameters["blocks"] is not None:
        return _block_by_block(table, parameters, progress)
    del source
    method = str(parameters["method"])
    quasi = _quasi_identifiers(table)
    found = partition_records(
        as_records(embedded(table, quasi)),
        PARTITIONERS[method],
        content=embedded(table, quasi, standardize=False),
        progress=_stage(progress, f"{method}: forming clusters"),
        **_of_method(parameters),
    )
    return _outcome(table, {attribute.name: found for attribute in quasi}, k=parameters["k"])


def _block_by_block(
    table: Table, parameters: Mapping[str, Any], progress: Progress | None
) -> Outcome:
    method, k = str(parameters["method"]), parameters["k"]
    blocks = block_attributes(table, parameters)
    quasi = clustered_quasi_identifiers(table, blocks)
    numbers = numbers_of_blocks(table, blocks, k)
    values = [table.values(attribute.name) for attribute in quasi]
    for attribute, column in zip(quasi, values, strict=True):
        if attribute.scale is not Scale.NOMINAL and column.min() == column.max():
            raise constant_attribute(attribute.name)
    found = partition_blocks(
        numbers,
        lambda rows: clusters_of_block(
            [column[rows] for column in values], quasi, method, **_of_method(parameters)
        ),
        progress=_stage(progress, f"{method}: forming clusters"),
    )
    return _outcome(table, {attribute.name: found for attribute in quasi}, k=k, blocks=blocks)


def clusters_of_block(
    values: Sequence[NDArray[np.float64]],
    attributes: Sequence[Attribute],
    method: str,
    **parameters: Any,
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
    **parameters
        Those of the method.
    """
    nominal = [attribute.scale is Scale.NOMINAL for attribute in attributes]
    return partition_block(
        embedded_block(values, nominal),
        PARTITIONERS[method],
        content=embedded_block(values, nominal, standardize=False),
        **parameters,
    )


def _of_method(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name not in ("method", "blocks")}


def _column_by_column(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    del source, progress
    method, k = str(parameters["method"]), parameters["k"]
    quasi = sortable_quasi_identifiers(table, method)
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


def sortable_quasi_identifiers(table: Table, method: str) -> tuple[Attribute, ...]:
    """Return the quasi-identifiers, or explain which one cannot be sorted."""
    quasi = _quasi_identifiers(table)
    for attribute in quasi:
        if attribute.scale is Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is nominal and {method!r} sorts values, so it has "
                f"no place in the order. Use 'mdav', or give it another role."
            )
    return quasi


def clustered_quasi_identifiers(table: Table, blocks: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return the quasi-identifiers that do not separate blocks."""
    quasi = tuple(attribute for attribute in _quasi_identifiers(table) if attribute not in blocks)
    refuse_none_left(quasi)
    return quasi


def _quasi_identifiers(table: Table) -> tuple[Attribute, ...]:
    quasi = table.schema.with_role(Role.QUASI_IDENTIFIER)
    if not quasi:
        raise SchemaError(
            "the schema names no quasi-identifier, so there is nothing to microaggregate. "
            'Set role = "quasi-identifier" for the attributes that an intruder may know.'
        )
    return quasi


def _outcome(
    table: Table,
    partitions: Mapping[str, Partition],
    *,
    k: int,
    joint: bool = True,
    blocks: Sequence[Attribute] = (),
) -> Outcome:
    aligned: dict[str, NDArray[np.float64]] = {}
    columns: dict[str, Column] = {}
    for name, found in partitions.items():
        centroids = cluster_centroids(table.schema[name], table.values(name), found)
        aligned[name] = centroids[found.labels]
        columns[name] = GroupedColumn(values=aligned[name])
    guarantee = k_anonymity_guarantee(table, tuple(partitions), k=k, joint=joint, blocks=blocks)
    columns.update({name: UntouchedColumn() for name in guarantee.untouched})
    for attribute in blocks:
        aligned[attribute.name] = table.values(attribute.name)
        columns[attribute.name] = UntouchedColumn()
    return Outcome(columns=columns, guarantee=guarantee, aligned=aligned)


def k_anonymity_guarantee(
    table: Table,
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
    columns = tuple(name for name in table.schema.names if name in {*columns, *separating})
    untouched = tuple(
        attribute.name
        for attribute in table.schema.with_role(Role.CONFIDENTIAL, Role.NON_CONFIDENTIAL)
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
        dropped=tuple(attribute.name for attribute in table.schema.with_role(Role.IDENTIFIER)),
        conditions=(*_CONDITIONS, seen) if separating else _CONDITIONS,
    )


def cluster_centroids(
    attribute: Attribute, values: NDArray[np.float64], found: Partition
) -> NDArray[np.float64]:
    """Return the value that stands for each cluster: its mean, or its most frequent category."""
    if attribute.scale is Scale.NOMINAL:
        modes = cluster_modes(values.astype(np.int64), found.labels, found.sizes)
        return modes.astype(float)
    return cluster_means(values, found.labels, found.sizes)


def _stage(progress: Progress | None, text: str) -> Any:
    if progress is None:
        return None
    return lambda done, total: progress(text, done, total)


def _system(name: str, *parameters: Parameter) -> System:
    partitioner = PARTITIONERS[name]
    run = _column_by_column if partitioner.univariate else _jointly

    def publish(
        table: Table, settings: Mapping[str, Any], source: NoiseSource, progress: Progress | None
    ) -> Outcome:
        return run(table, {**settings, "method": name}, source, progress)

    return System(
        name=name,
        summary=partitioner.summary,
        paper=partitioner.paper,
        kind=GuaranteeKind.K_ANONYMITY,
        unit=PrivacyUnit.NONE,
        parameters=(K, *parameters),
        run=publish,
        deterministic=True,
    )


GAMMA = Parameter(
    name="gamma",
    meaning="how readily a cluster takes in one more record; 0 never does",
    kind=float,
    default=PARTITIONERS["v-mdav"].parameters["gamma"],
    at_least=0.0,
)

K_ANONYMITY_SYSTEMS = (
    _system("md", BLOCKS),
    _system("mdav", BLOCKS),
    _system("v-mdav", GAMMA, BLOCKS),
    _system("individual-ranking"),
    _system("optimal-univariate"),
)

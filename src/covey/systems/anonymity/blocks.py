"""Which records may share a cluster?  Those of one block: of equal values in public columns.

Every block is clustered as if it were published by itself, so blocks can be clustered one by one,
wherever they are.  What separates them can be seen in the release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.errors import PartitionError, PlanError, suggest
from covey.partition import Partition, Partitioner, check_k, partition_records
from covey.systems.base import setting
from covey.table import Attribute, Role, Scale, Schema, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

NUMBER = "(block)"


def blocks_setting() -> Any:
    """Declare the columns that separate blocks."""
    return setting(
        "columns that separate the records, published as they are: clusters are formed inside "
        "each combination of their values",
        default=None,
    )


def block_attributes(
    schema: Schema,
    blocks: Sequence[str] | None,
    *,
    columns: Sequence[str] | None = None,
    groups: Sequence[Sequence[str]] | None = None,
) -> tuple[Attribute, ...]:
    """Return the columns that separate the records, or explain why one of them must not.

    All members of a cluster share their values in these columns, and everyone can read them.
    So a confidential one would be given away with the cluster.

    Parameters
    ----------
    schema : Schema
        What the columns mean.
    blocks : sequence of str, optional
        Those that were asked for.
    columns, groups : optional
        What else was asked for: the columns to publish, and the groups to be clustered.
    """
    names = blocks or ()
    for name in names:
        if name not in schema.names:
            raise PlanError(
                f"there is no column {name!r} to separate blocks by, so nothing was published. "
                f"{suggest(name, schema.names)}"
            )
        _check_role(schema[name])
        _check_place(name, columns, groups or ())
    return tuple(attribute for attribute in schema if attribute.name in names)


def _check_role(attribute: Attribute) -> None:
    name = attribute.name
    if attribute.role is Role.CONFIDENTIAL or attribute.is_hidden:
        why = (
            "whoever finds the cluster of a person would read the value there"
            if attribute.role is Role.CONFIDENTIAL
            else "identifiers are never published"
        )
        raise PlanError(
            f"column {name!r} is described as {attribute.role} and cannot separate blocks, "
            f"because blocks are published as they are: {why}. Separate them by "
            f"quasi-identifiers or non-confidential columns."
        )
    if attribute.scale is Scale.NUMERIC and not attribute.integer:
        raise PlanError(
            f"column {name!r} is numeric and cannot separate blocks, because nearly every record "
            f"would be a block of its own. Separate them by nominal or ordinal columns, or by "
            f"whole numbers (`integer = true` in the schema)."
        )


def _check_place(name: str, columns: Sequence[str] | None, groups: Sequence[Sequence[str]]) -> None:
    if columns is not None and name not in columns:
        raise PlanError(
            f"column {name!r} separates blocks, which can be seen in the release, and is not among "
            f"the columns to publish. Add it to `columns`, or leave it out of `blocks`."
        )
    if any(name in group for group in groups):
        raise PlanError(
            f"column {name!r} separates blocks and is in a group of columns to be clustered, which "
            f"contradict each other: it is the same for all records of a block. Leave it out of "
            f"one of them."
        )


def refuse_none_left(clustered: Sequence[Attribute]) -> None:
    """Refuse blocks inside which all records are alike."""
    if not clustered:
        raise PlanError(
            "all columns that could be clustered separate blocks, so nothing is left to form "
            "clusters of. Name fewer columns in `blocks`."
        )


def numbers_of_blocks(table: Table, blocks: Sequence[Attribute], k: int) -> NDArray[np.int64]:
    """Return the number of each record's block, or explain why no clusters can be formed."""
    check_k(k, table.n)
    keys = block_keys(table, blocks)
    numbers = block_numbers(keys, sorted_blocks(keys))
    refuse_small_blocks(np.bincount(numbers), blocks, k)
    return numbers


def block_keys(table: Table, blocks: Sequence[Attribute]) -> pl.DataFrame:
    """Return what separates the records, as texts: as different as they will be in print.

    Numbers would not do, because −0.0 equals 0.0 and can still be told from it in a file.
    """
    return table.frame.select(pl.col(attribute.name).cast(pl.String) for attribute in blocks)


def sorted_blocks(keys: pl.DataFrame) -> pl.DataFrame:
    """Return the combinations of keys that occur, numbered in sorted order."""
    occurring = keys.unique().sort(keys.columns, nulls_last=True)
    return occurring.with_columns(pl.Series(NUMBER, np.arange(occurring.height)))


def block_numbers(keys: pl.DataFrame, blocks: pl.DataFrame) -> NDArray[np.int64]:
    """Return the number of each record's block among the sorted ones."""
    found = keys.join(blocks, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")
    return found[NUMBER].to_numpy()


def refuse_small_blocks(sizes: NDArray[np.int64], blocks: Sequence[Attribute], k: int) -> None:
    """Refuse blocks that are too small for a cluster of their own."""
    if sizes.min() < k:
        names = ", ".join(repr(attribute.name) for attribute in blocks)
        raise PartitionError(
            f"some block of equal {names} has fewer than k = {k} records, so they cannot hide "
            f"among each other and nothing was published. Give a smaller k, fewer columns in "
            f"`blocks`, or unite rare values in the data."
        )


def each_block(numbers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of each block, in the order of their numbers."""
    rows = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers))
    yield from np.split(rows, ends[:-1])


def partition_block(
    X: NDArray[np.float64],
    partitioner: Partitioner,
    *,
    k: int,
    content: NDArray[np.float64] | None = None,
    **parameters: Any,
) -> Partition:
    """Form the clusters of one block; fewer than 2k records are one cluster."""
    if X.shape[0] >= 2 * k:
        return partition_records(X, partitioner, content=content, k=k, **parameters)
    return one_cluster(X.shape[0], partitioner.name)


def one_cluster(n: int, method: str) -> Partition:
    """Put all records of a block into one cluster."""
    return Partition(
        labels=np.zeros(n, dtype=np.int64), sizes=np.array([n], dtype=np.int64), method=method
    )


def partition_blocks(
    numbers: NDArray[np.int64],
    form: Callable[[NDArray[np.int64]], Partition],
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Form clusters block by block; those of the first block are numbered first.

    ``form`` gets the rows of a block.
    """
    labels = np.empty(numbers.size, dtype=np.int64)
    sizes: list[NDArray[np.int64]] = []
    method, clusters, done = "", 0, 0
    for rows in each_block(numbers):
        found = form(rows)
        labels[rows] = found.labels + clusters
        sizes.append(found.sizes)
        method, clusters, done = found.method, clusters + found.sizes.size, done + rows.size
        if progress is not None:
            progress(done, numbers.size)
    return Partition(labels=labels, sizes=np.concatenate(sizes), method=method)

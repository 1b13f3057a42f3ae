"""Step 2, partition: which records belong together?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import PartitionError, suggest
from covey.graph import DK
from covey.partition.base import (
    REQUIRED,
    Partition,
    Partitioner,
    PartitionProgress,
    as_records,
    check_k,
    partition_records,
    standardized,
)
from covey.partition.degree_pairs import DEGREE_PAIR_PARTITIONERS, partition_degrees
from covey.partition.embed import embedded, embedded_block, partition_table, partition_values
from covey.partition.mixed import taxonomies_of
from covey.partition.multivariate import MD, MDAV, V_MDAV
from covey.partition.ordered import INSENSITIVE
from covey.partition.univariate import (
    INDIVIDUAL_RANKING,
    OPTIMAL_NOISE,
    OPTIMAL_UNIVARIATE,
    rank_block_sizes,
)
from covey.table import Scale, Table
from covey.table.attribute import GROUPED_ROLES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PARTITIONERS: dict[str, Partitioner] = {
    partitioner.name: partitioner
    for partitioner in (
        MD,
        MDAV,
        V_MDAV,
        INDIVIDUAL_RANKING,
        OPTIMAL_UNIVARIATE,
        OPTIMAL_NOISE,
        INSENSITIVE,
    )
}


def partition(
    data: Table | DK | ArrayLike,
    method: str,
    *,
    standardize: bool = True,
    progress: PartitionProgress | None = None,
    **parameters: Any,
) -> Partition:
    """Form clusters of similar records, or of similar degrees.

    Parameters
    ----------
    data : Table, array of float or DK
        A table is partitioned by its quasi-identifiers, a degree distribution by its degrees.
    method : str
        A name in `PARTITIONERS`, or in `DEGREE_PAIR_PARTITIONERS` for a degree distribution.
    standardize : bool
        Whether each column is first brought to mean 0 and standard deviation 1.  Univariate
        methods work on ranks or on the raw values and ignore it, as do those for degrees.
    progress : callable, optional
        Called with (records done, records in total).
    **parameters
        Those of the method, for instance ``k=3``.

    Returns
    -------
    Partition
        ``labels`` in input order and ``sizes``.

    Examples
    --------
    >>> partition([[1.0], [9.0], [2.0], [8.0]], "mdav", k=2).labels.tolist()
    [1, 0, 1, 0]
    """
    if isinstance(data, DK):
        partitioner = _found(method, DEGREE_PAIR_PARTITIONERS, "degree distributions")
        return partition_degrees(data, partitioner, **_settings(partitioner, parameters))
    partitioner = _found(method, PARTITIONERS, "records")
    settings = _settings(partitioner, parameters)
    scale = standardize and not partitioner.univariate
    if isinstance(data, Table):
        attributes = data.schema.with_role(*GROUPED_ROLES)
        if not attributes:
            raise PartitionError(
                "the schema names no quasi-identifier, so there is nothing to partition by. "
                'Set role = "quasi-identifier" for the attributes an intruder may know.'
            )
        nominal = any(attribute.scale is Scale.NOMINAL for attribute in attributes)
        _refuse_several(partitioner, 2 if nominal else len(attributes))
        return partition_table(
            data, attributes, partitioner, standardize=scale, progress=progress, **settings
        )
    content = as_records(data)
    X = standardized(content) if scale else content
    _refuse_several(partitioner, X.shape[1])
    return partition_records(X, partitioner, content=content, progress=progress, **settings)


def _refuse_several(partitioner: Partitioner, columns: int) -> None:
    if partitioner.univariate and columns != 1:
        raise PartitionError(
            f"{partitioner.name!r} cuts one column by rank and several were given, so one "
            f"partition cannot serve them all. Partition each column by itself, or use 'mdav'."
        )


def _found(method: str, known: dict[str, Partitioner], what: str) -> Partitioner:
    if method in known:
        return known[method]
    if method in PARTITIONERS or method in DEGREE_PAIR_PARTITIONERS:
        raise PartitionError(
            f"{method!r} is no partitioner of {what}, so nothing was partitioned. "
            f"For {what} there are: {', '.join(sorted(known))}."
        )
    raise PartitionError(f"there is no partitioner {method!r}. {suggest(method, known)}")


def _settings(partitioner: Partitioner, given: dict[str, Any]) -> dict[str, Any]:
    for name in given:
        if name not in partitioner.parameters:
            raise PartitionError(
                f"{partitioner.name!r} has no parameter {name!r}. "
                f"{suggest(name, partitioner.parameters)}"
            )
    settings = {**partitioner.parameters, **given}
    for name, value in settings.items():
        if value is REQUIRED or (value is None and partitioner.parameters[name] is REQUIRED):
            raise PartitionError(
                f"{partitioner.name!r} needs the parameter {name!r}, so nothing was partitioned. "
                f"Give it: partition(data, {partitioner.name!r}, {name}=…)."
            )
    return settings


__all__ = [
    "DEGREE_PAIR_PARTITIONERS",
    "PARTITIONERS",
    "Partition",
    "PartitionProgress",
    "Partitioner",
    "as_records",
    "check_k",
    "embedded",
    "embedded_block",
    "partition",
    "partition_records",
    "partition_table",
    "partition_values",
    "rank_block_sizes",
    "standardized",
    "taxonomies_of",
]

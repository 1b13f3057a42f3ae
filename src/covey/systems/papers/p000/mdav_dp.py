"""MDAV_DP: noise on the centroids of MDAV clusters of whole records, or of groups of columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from covey.core import Budget
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.systems.anonymity.blocks import (
    block_attributes,
    blocks_setting,
    numbers_of_blocks,
    partition_block,
    partition_blocks,
    refuse_none_left,
)
from covey.systems.base import columns_setting, epsilon_setting, k_setting
from covey.systems.papers.p000.centroid_noise import (
    Clustering,
    centroid_setting,
    perturbation_system,
)
from covey.systems.papers.p000.groups import Group, grouped, groups_setting, split_setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.table import Schema, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MdavDpSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int = k_setting()
    groups: tuple[tuple[str, ...], ...] | None = groups_setting()
    split: str | tuple[float, ...] = split_setting()
    centroid: str = centroid_setting()
    columns: tuple[str, ...] | None = columns_setting()
    blocks: tuple[str, ...] | None = blocks_setting()


def joint_groups(schema: Schema, settings: MdavDpSettings) -> tuple[Group, ...]:
    """Return the groups of columns that are clustered together, inside blocks if there are any."""
    columns, blocks = settings.columns, settings.blocks or ()
    block_attributes(schema, blocks, columns=columns, groups=settings.groups)
    groups = grouped(schema, settings.groups, columns=columns, blocks=blocks)
    if blocks:
        refuse_none_left([attribute for group in groups for attribute in group])
    return groups


def clustering(table: Table, settings: MdavDpSettings) -> Clustering:
    """Form clusters by MDAV, inside each block if there are any."""
    groups = joint_groups(table.schema, settings)
    blocks = block_attributes(table.schema, settings.blocks)
    numbers = numbers_of_blocks(table, blocks, settings.k) if blocks else None
    return Clustering(
        system="mdav-dp",
        groups=groups,
        budget=Budget.of(settings.epsilon),
        split=settings.split,
        centroid=settings.centroid,
        form=partial(_mdav, numbers=numbers, k=settings.k),
        blocks=blocks,
    )


def _mdav(
    X: NDArray[np.float64], share: Budget, *, numbers: NDArray[np.int64] | None, k: int
) -> Partition:
    del share
    mdav = PARTITIONERS["mdav"]
    if numbers is None:
        return partition_records(X, mdav, k=k)
    return partition_blocks(numbers, lambda rows: partition_block(X[rows], mdav, k=k))


MDAV_DP = perturbation_system(
    "mdav-dp",
    summary="Clusters of whole records by MDAV, or of groups of columns, noise on each centroid.",
    paper="000, algorithms 1 and 2",
    takes=MdavDpSettings,
    clustering=clustering,
)

"""MDAV_IR_DP: noise on the centroids of MDAV clusters of each column by itself (individual)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget
from covey.partition import PARTITIONERS, partition_records
from covey.systems.base import columns_setting, epsilon_setting, k_setting
from covey.systems.columns import choose_columns
from covey.systems.papers.p000.centroid_noise import (
    Clustering,
    centroid_setting,
    perturbation_system,
)
from covey.systems.papers.p000.groups import split_setting

if TYPE_CHECKING:
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MdavIrDpSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int = k_setting()
    split: str | tuple[float, ...] = split_setting()
    centroid: str = centroid_setting()
    columns: tuple[str, ...] | None = columns_setting()


def clustering(table: Table, settings: MdavIrDpSettings) -> Clustering:
    """Form the clusters of each column by MDAV."""
    attributes = choose_columns(table.schema, settings.columns)
    return Clustering(
        system="mdav-ir-dp",
        groups=tuple((attribute,) for attribute in attributes),
        budget=Budget.of(settings.epsilon),
        split=settings.split,
        centroid=settings.centroid,
        form=lambda X, _: partition_records(X, PARTITIONERS["mdav"], k=settings.k),
    )


MDAV_IR_DP = perturbation_system(
    "mdav-ir-dp",
    summary="Clusters of each column by itself by MDAV, noise on each centroid.",
    paper="000, algorithm 2 and section 5",
    takes=MdavIrDpSettings,
    clustering=clustering,
)

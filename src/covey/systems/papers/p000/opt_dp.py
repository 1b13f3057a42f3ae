"""OPT_DP: noise on the centroids of the clusters of a column that minimise the expected error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget
from covey.partition import PARTITIONERS, Partition, partition_records
from covey.systems.base import columns_setting, epsilon_setting
from covey.systems.columns import choose_columns
from covey.systems.papers.p000.centroid_noise import (
    Clustering,
    centroid_setting,
    perturbation_system,
)
from covey.systems.papers.p000.groups import split_setting
from covey.systems.papers.p000.guarantee import OPTIMAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OptDpSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    split: str | tuple[float, ...] = split_setting()
    centroid: str = centroid_setting()
    columns: tuple[str, ...] | None = columns_setting()


def clustering(table: Table, settings: OptDpSettings) -> Clustering:
    """Form the clusters of each column with the least expected error."""
    attributes = choose_columns(table.schema, settings.columns)
    return Clustering(
        system=OPTIMAL,
        groups=tuple((attribute,) for attribute in attributes),
        budget=Budget.of(settings.epsilon),
        split=settings.split,
        centroid=settings.centroid,
        form=_optimal,
    )


def _optimal(X: NDArray[np.float64], share: Budget) -> Partition:
    # |C| times the variance 2(Δ/(ε|C|))² of the noise on a mean, the width Δ being 1.
    cost = 2.0 / float(share.epsilon) ** 2
    return partition_records(X, PARTITIONERS["optimal-noise"], noise_cost=cost)


OPT_DP = perturbation_system(
    OPTIMAL,
    summary="Clusters of each column that minimise the error with noise, noise on each centroid.",
    paper="000, section 6",
    takes=OptDpSettings,
    clustering=clustering,
)

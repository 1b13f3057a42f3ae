"""V-MDAV: MDAV with clusters that take in records which are near (paper 001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.partition import PARTITIONERS
from covey.systems.anonymity.blocks import blocks_setting
from covey.systems.anonymity.microaggregate import k_anonymity_system, microaggregate_jointly
from covey.systems.base import Outcome, Progress, k_setting, setting

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class VMdavSettings:
    """What may be set."""

    k: int = k_setting()
    gamma: float = setting(
        "how readily a cluster takes in one more record: if its squared distance is below gamma "
        "times that to the next other one; 0 never does",
        default=PARTITIONERS["v-mdav"].parameters["gamma"],
        at_least=0.0,
    )
    blocks: tuple[str, ...] | None = blocks_setting()


def run(
    table: Table, settings: VMdavSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish centroids of clusters of whole records."""
    del source
    return microaggregate_jointly(
        table, "v-mdav", progress, blocks=settings.blocks, k=settings.k, gamma=settings.gamma
    )


V_MDAV = k_anonymity_system("v-mdav", VMdavSettings, run)

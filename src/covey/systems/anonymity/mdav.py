"""MDAV: clusters around the record that is farthest from the average (paper 001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.partition import PARTITIONERS
from covey.partition.multivariate import LOOPS
from covey.systems.anonymity.blocks import blocks_setting
from covey.systems.anonymity.microaggregate import k_anonymity_system, microaggregate_jointly
from covey.systems.base import Outcome, Progress, k_setting, setting

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MdavSettings:
    """What may be set."""

    k: int = k_setting()
    loop: str = setting(
        "while so many records are left two clusters are formed at once: 3k, or 2k as paper 001 "
        "prints it",
        default=PARTITIONERS["mdav"].parameters["loop"],
        choices=LOOPS,
    )
    blocks: tuple[str, ...] | None = blocks_setting()


def run(
    table: Table, settings: MdavSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish centroids of clusters of whole records."""
    del source
    return microaggregate_jointly(
        table, "mdav", progress, blocks=settings.blocks, k=settings.k, loop=settings.loop
    )


MDAV = k_anonymity_system("mdav", MdavSettings, run)

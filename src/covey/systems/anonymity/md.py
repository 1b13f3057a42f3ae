"""MD: clusters around the two records that are farthest from each other (paper 001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.systems.anonymity.blocks import blocks_setting
from covey.systems.anonymity.microaggregate import k_anonymity_system, microaggregate_jointly
from covey.systems.base import Outcome, Progress, k_setting

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MdSettings:
    """What may be set."""

    k: int = k_setting()
    blocks: tuple[str, ...] | None = blocks_setting()


def run(
    table: Table, settings: MdSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish centroids of clusters of whole records."""
    del source
    return microaggregate_jointly(table, "md", progress, blocks=settings.blocks, k=settings.k)


MD = k_anonymity_system("md", MdSettings, run)

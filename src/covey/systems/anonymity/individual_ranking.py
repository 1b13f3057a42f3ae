"""Individual ranking: blocks of consecutive ranks of each column by itself (paper 000)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.systems.anonymity.microaggregate import k_anonymity_system, microaggregate_columns
from covey.systems.base import Outcome, Progress, k_setting

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class IndividualRankingSettings:
    """What may be set."""

    k: int = k_setting()


def run(
    table: Table,
    settings: IndividualRankingSettings,
    source: NoiseSource,
    progress: Progress | None,
) -> Outcome:
    """Publish centroids of the clusters of each column."""
    del source, progress
    return microaggregate_columns(table, "individual-ranking", k=settings.k)


INDIVIDUAL_RANKING = k_anonymity_system("individual-ranking", IndividualRankingSettings, run)

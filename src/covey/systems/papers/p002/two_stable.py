"""2-stable, S-MDAV: noise for a given neighbour of which two clusters at most differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.core import GuaranteeKind, PrivacyUnit
from covey.partition.stable import s_mdav
from covey.systems.base import (
    Outcome,
    PlainSystem,
    Progress,
    columns_setting,
    epsilon_setting,
    k_setting,
)
from covey.systems.papers.p000.groups import split_setting
from covey.systems.papers.p002.stable_clusters import neighbour_setting, publish_pair

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStableSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int = k_setting()
    neighbour: str | Any = neighbour_setting()  # noqa: RUF009 — any data, by name or in memory
    split: str | tuple[float, ...] = split_setting()
    columns: tuple[str, ...] | None = columns_setting()


def run(
    table: Table, settings: TwoStableSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish noisy centroids of the clusters that S-MDAV starts from."""
    derive = partial(s_mdav, k=settings.k)
    return publish_pair(table, "2-stable", settings, source, progress, alpha=2, derive=derive)


TWO_STABLE = PlainSystem(
    name="2-stable",
    summary="MDAV clusters, noise for a given neighbour whose clusters differ in two at most.",
    paper="002, algorithm 1",
    kind=GuaranteeKind.PAIR_ONLY,
    unit=PrivacyUnit.NONE,
    takes=TwoStableSettings,
    run=run,
)

"""alpha-stable: noise for a given neighbour of which alpha clusters at most differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.core import GuaranteeKind, PrivacyUnit
from covey.partition.stable import SEARCHES, alpha_stable
from covey.systems.base import (
    Outcome,
    PlainSystem,
    Progress,
    columns_setting,
    epsilon_setting,
    k_setting,
    setting,
)
from covey.systems.papers.p000.groups import split_setting
from covey.systems.papers.p002.stable_clusters import neighbour_setting, publish_pair

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaStableSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int = k_setting()
    neighbour: str | Any = neighbour_setting()  # noqa: RUF009 — any data, by name or in memory
    alpha: int = setting("the most clusters that may differ between the pair, from 1 to n/k")
    search: str = setting(
        "whether records are exchanged after a look at all of them, or at one cluster",
        default="sequential",
        choices=tuple(SEARCHES),
    )
    split: str | tuple[float, ...] = split_setting()
    columns: tuple[str, ...] | None = columns_setting()


def run(
    table: Table, settings: AlphaStableSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish noisy centroids of the clusters that the pair shares but for alpha."""
    alpha = settings.alpha
    search: Any = settings.search  # one of SEARCHES
    derive = partial(alpha_stable, k=settings.k, alpha=alpha, search=search)
    return publish_pair(
        table, "alpha-stable", settings, source, progress, alpha=alpha, derive=derive
    )


ALPHA_STABLE = PlainSystem(
    name="alpha-stable",
    summary="MDAV clusters, noise for a given neighbour whose clusters differ in few at most.",
    paper="002, algorithms 2 and 3",
    kind=GuaranteeKind.PAIR_ONLY,
    unit=PrivacyUnit.NONE,
    takes=AlphaStableSettings,
    run=run,
)

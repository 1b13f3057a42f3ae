"""ST-dK: counts sampled by preference, noise for a threshold (paper 002, algorithm 8)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.core.exact import kept_parts
from covey.systems.base import Outcome, Progress
from covey.systems.graph_counts import refuse_empty_graph
from covey.systems.graph_preferences import PARTS, preference_parts
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.preferences import (
    PUBLIC,
    PreferenceSettings,
    cell_of_each_unit,
    distribution,
    entry_sensitivity,
    mu_setting,
    reasons_of_single_counts,
    threshold_parts,
    unit_parts,
)
from covey.systems.papers.p002.printed import printed_outcome, printed_system

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.graph import Graph

SAMPLED_COUNTS = (
    "Counts are sampled rather than nodes or edges, and an edge of a node that asks for much "
    "protection also moves its neighbours in the counts, which are kept."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StDkSettings(PreferenceSettings):
    """What may be set."""

    mu: float | None = mu_setting()


def publish_sampled(
    graph: Graph, settings: PreferenceSettings, source: NoiseSource, *, mu: float | str | None
) -> Outcome:
    """Keep counts the less often the smaller their preference, and add noise for the threshold."""
    refuse_empty_graph(graph)
    parts = preference_parts(graph, settings)
    threshold = Fraction(threshold_parts(parts, mu), PARTS)
    dk = distribution(graph, settings.order)
    kept = _kept(unit_parts(graph, parts, dk.order), threshold, source)
    sampled = np.bincount(cell_of_each_unit(graph, dk)[kept], minlength=len(dk.counts))
    present = sampled > 0
    noisy = add_printed_noise(
        sampled[present],
        sensitivity=entry_sensitivity(graph, settings.unit, dk.order),
        epsilons=[threshold] * int(present.sum()),
        source=source,
    )
    return printed_outcome(
        dk.keys[present],
        noisy,
        epsilon=threshold,
        reasons=(SAMPLED_COUNTS, *reasons_of_single_counts(settings)),
        conditions=(PUBLIC,),
    )


def _kept(parts: NDArray[np.int64], threshold: Fraction, source: NoiseSource) -> NDArray[np.bool_]:
    """Toss a coin for each node or edge that is counted."""
    levels, level = np.unique(parts, return_inverse=True)
    coins = [kept_parts(Fraction(part, PARTS), threshold) for part in levels.tolist()]
    return source.coins(np.array(coins, dtype=np.int64)[level])


def run(
    graph: Graph, settings: StDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish with a given threshold, or the largest preference."""
    del progress
    return publish_sampled(graph, settings, source, mu=settings.mu)


ST_DK = printed_system(
    "st-dk",
    summary="Counts sampled by preference, noise for a threshold.",
    paper="002, algorithm 8",
    takes=StDkSettings,
    run=run,
)

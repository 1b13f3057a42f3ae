"""PDPmin: noise for the least preference of all on each degree cell (paper 002, chapter 8)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from covey.systems.base import Outcome, Progress
from covey.systems.graph_counts import refuse_empty_graph
from covey.systems.graph_preferences import PARTS, preference_parts
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.preferences import (
    PUBLIC,
    PreferenceSettings,
    distribution,
    entry_sensitivity,
    reasons_of_single_counts,
)
from covey.systems.papers.p002.printed import printed_outcome, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


def run(
    graph: Graph, settings: PreferenceSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Give every cell that occurs the same noise."""
    del progress
    refuse_empty_graph(graph)
    parts = preference_parts(graph, settings)
    dk = distribution(graph, settings.order)
    least = Fraction(int(parts.min()), PARTS)
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=entry_sensitivity(graph, settings.unit, dk.order),
        epsilons=[least] * len(dk.counts),
        source=source,
    )
    return printed_outcome(
        dk.keys,
        noisy,
        epsilon=least,
        reasons=reasons_of_single_counts(settings),
        conditions=(PUBLIC,),
    )


PDP_MIN = printed_system(
    "pdp-min",
    summary="Noise for the least preference of all on each degree cell that occurs.",
    paper="002, section 8.5.1",
    takes=PreferenceSettings,
    run=run,
)

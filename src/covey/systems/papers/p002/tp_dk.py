"""TP-dK: degrees bounded, careful nodes dropped, noise for a threshold (paper 002, algorithm 7)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.graph.graph import without_nodes
from covey.systems.base import Outcome, Progress
from covey.systems.graph_counts import key_setting, refuse_empty_graph, theta_setting
from covey.systems.graph_preferences import PARTS, preference_parts
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.bounded_degrees import (
    reading_setting,
    reasons_of_removal,
    removal_sequence_setting,
    removed_stably,
)
from covey.systems.papers.p002.preferences import (
    PUBLIC,
    SINGLE,
    PreferenceSettings,
    distribution,
    entry_sensitivity,
    mu_setting,
    threshold_parts,
)
from covey.systems.papers.p002.printed import OCCURRING, printed_outcome, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph

PROJECTED_FIRST = (
    "Degrees are bounded before the nodes below mu are dropped, so these nodes still decide which "
    "edges of the others remain."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncationSettings(PreferenceSettings):
    """What may be set but the threshold."""

    theta: int = theta_setting()
    sequence: str = removal_sequence_setting()
    key: str = key_setting()
    reading: str = reading_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class TpDkSettings(TruncationSettings):
    """What may be set."""

    mu: float | None = mu_setting()


def publish_truncated(
    graph: Graph, settings: TruncationSettings, source: NoiseSource, *, mu: float | str | None
) -> Outcome:
    """Bound degrees, drop the nodes below the threshold, and add noise for the threshold."""
    refuse_empty_graph(graph)
    parts = preference_parts(graph, settings)
    threshold = threshold_parts(parts, mu)
    epsilon = Fraction(threshold, PARTS)
    # In the order of Algorithm 7, lines 1 and 2; the other way round would be sound.
    truncated = without_nodes(removed_stably(graph, settings), parts >= threshold)
    dk = distribution(truncated, settings.order)
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=entry_sensitivity(truncated, settings.unit, dk.order, settings.theta),
        epsilons=[epsilon] * len(dk.counts),
        source=source,
    )
    return printed_outcome(
        dk.keys,
        noisy,
        epsilon=epsilon,
        reasons=(PROJECTED_FIRST, *reasons_of_removal(settings), SINGLE, OCCURRING),
        conditions=(PUBLIC,),
    )


def run(
    graph: Graph, settings: TpDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish with a given threshold, or the largest preference."""
    del progress
    return publish_truncated(graph, settings, source, mu=settings.mu)


TP_DK = printed_system(
    "tp-dk",
    summary="Degrees bounded, nodes below a threshold dropped, noise for the threshold.",
    paper="002, algorithm 7",
    takes=TpDkSettings,
    run=run,
)

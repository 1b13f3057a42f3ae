"""AG-dK: noise for the least preference in MDAV groups of degree cells (paper 002, algorithm 9)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.partition.degree_pairs import mdav_dk
from covey.systems.base import Outcome, Progress, setting
from covey.systems.graph_counts import refuse_empty_graph
from covey.systems.graph_preferences import PARTS, preference_parts
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.preferences import (
    LOCAL,
    PUBLIC,
    PreferenceSettings,
    as_epsilons,
    cell_parts,
    distribution,
    entry_sensitivity,
    reasons_of_single_counts,
)
from covey.systems.papers.p002.printed import (
    CLUSTERS,
    cluster_totals,
    clustered_outcome,
    printed_system,
    spread_randomly,
)

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class AgDkSettings(PreferenceSettings):
    """What may be set."""

    k: int = setting("the fewest degree cells in a group", at_least=1)


def run(
    graph: Graph, settings: AgDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Add up counts of similar degrees and preferences before they get noise."""
    del progress
    refuse_empty_graph(graph)
    parts = preference_parts(graph, settings)
    dk = distribution(graph, settings.order)
    least = cell_parts(graph, dk, parts)
    clusters = mdav_dk(dk, settings.k, beside=least.astype(np.float64))
    asked = np.full(len(clusters.sizes), np.iinfo(np.int64).max)
    np.minimum.at(asked, clusters.labels, least)
    noisy = add_printed_noise(
        cluster_totals(dk.counts, clusters),
        sensitivity=entry_sensitivity(graph, settings.unit, dk.order),
        epsilons=as_epsilons(asked),
        source=source,
    )
    return clustered_outcome(
        dk.keys,
        spread_randomly(noisy.values, clusters, source.placement()),
        noisy,
        clusters,
        epsilon=Fraction(int(parts.max()), PARTS),
        reasons=(LOCAL, CLUSTERS, *reasons_of_single_counts(settings)),
        conditions=(PUBLIC,),
    )


AG_DK = printed_system(
    "ag-dk",
    summary="Degree cells grouped by MDAV, noise for the least preference in each group.",
    paper="002, algorithm 9",
    takes=AgDkSettings,
    run=run,
)

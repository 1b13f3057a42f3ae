"""MPDC-dK: noise on the edges of boxes that cover the degree pairs that occur (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget
from covey.graph import joint_degrees
from covey.partition.degree_pairs import mpdc_dk
from covey.systems.base import Outcome, Progress, setting
from covey.systems.graph_counts import refuse_empty_graph, regenerate_setting
from covey.systems.papers.p002.degree_clusters import publish_clusters
from covey.systems.papers.p002.printed import printed_epsilon_setting, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class MpdcDkSettings:
    """What may be set."""

    epsilon: float = printed_epsilon_setting()
    tau: int = setting(
        "the most that degrees may differ within a cluster; 0 leaves each pair by itself",
        at_least=0,
    )
    # Off unless asked for: so much noise on so many cells can mean a graph of any size.
    regenerate: bool = regenerate_setting(default=False)


def run(
    graph: Graph, settings: MpdcDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish the edges of each cluster of degree pairs with the printed noise."""
    refuse_empty_graph(graph)
    budget = Budget.of(settings.epsilon)
    if progress is not None:
        progress("mpdc-dk: forming clusters", 0, 1)
    dk = joint_degrees(graph)
    clusters = mpdc_dk(dk, settings.tau)
    return publish_clusters(
        graph, dk, clusters, source, budget=budget, regenerate=settings.regenerate
    )


MPDC_DK = printed_system(
    "mpdc-dk",
    summary="Boxes that cover the degree pairs that occur, noise on the edges of each.",
    paper="002, algorithm 4",
    takes=MpdcDkSettings,
    run=run,
)

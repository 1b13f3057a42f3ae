"""MDAV-dK: noise on the edges of MDAV clusters of the degree pairs that occur (paper 002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget
from covey.graph import joint_degrees
from covey.partition.degree_pairs import mdav_dk
from covey.systems.base import Outcome, Progress, setting
from covey.systems.graph_counts import refuse_empty_graph, regenerate_setting
from covey.systems.papers.p002.degree_clusters import publish_clusters
from covey.systems.papers.p002.printed import printed_epsilon_setting, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class MdavDkSettings:
    """What may be set."""

    epsilon: float = printed_epsilon_setting()
    k: int = setting("the fewest degree pairs in a cluster; 1 leaves each by itself", at_least=1)
    # Off unless asked for: so much noise on so many cells can mean a graph of any size.
    regenerate: bool = regenerate_setting(default=False)


def run(
    graph: Graph, settings: MdavDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish the edges of each cluster of degree pairs with the printed noise."""
    refuse_empty_graph(graph)
    budget = Budget.of(settings.epsilon)
    if progress is not None:
        progress("mdav-dk: forming clusters", 0, 1)
    dk = joint_degrees(graph)
    clusters = mdav_dk(dk, settings.k)
    return publish_clusters(
        graph, dk, clusters, source, budget=budget, regenerate=settings.regenerate
    )


MDAV_DK = printed_system(
    "mdav-dk",
    summary="MDAV clusters of the degree pairs that occur, noise on the edges of each.",
    paper="002, section 6.4.1",
    takes=MdavDkSettings,
    run=run,
)

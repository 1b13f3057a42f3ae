"""EAD-dK: noise on the degree pairs that edge addition leaves (paper 002, section 7.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.graph.projection import project
from covey.systems.base import Outcome, Progress, setting
from covey.systems.graph_counts import key_setting, refuse_empty_graph, theta_setting
from covey.systems.papers.p002.bounded_degrees import publish_bounded
from covey.systems.papers.p002.printed import OCCURRING, printed_epsilon_setting, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class EadDkSettings:
    """What may be set."""

    epsilon: float = printed_epsilon_setting()
    theta: int = theta_setting()
    sequence: str = setting(
        "the public order in which edges are added: by a keyed hash of their ids, or by id",
        default="hash",
        choices=("hash", "id"),
    )
    key: str = key_setting()


def run(
    graph: Graph, settings: EadDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Add edges one by one up to the degree bound, then add noise."""
    del progress
    refuse_empty_graph(graph)
    theta = settings.theta
    projected = project(
        graph, "edge-addition", theta=theta, order=settings.sequence, key=settings.key
    )
    return publish_bounded(
        projected, source, theta=theta, epsilon=settings.epsilon, reasons=(OCCURRING,)
    )


EAD_DK = printed_system(
    "ead-dk",
    summary="Degrees bounded by edge addition, noise on the degree pairs that occur.",
    paper="002, algorithm 6 and section 7.5",
    takes=EadDkSettings,
    run=run,
)

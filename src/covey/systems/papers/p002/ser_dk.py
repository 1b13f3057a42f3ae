"""SER-dK: noise on the degree pairs that stable edge removal leaves (paper 002, chapter 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.systems.base import Outcome, Progress
from covey.systems.graph_counts import key_setting, refuse_empty_graph, theta_setting
from covey.systems.papers.p002.bounded_degrees import (
    publish_bounded,
    reading_setting,
    reasons_of_removal,
    removal_sequence_setting,
    removed_stably,
)
from covey.systems.papers.p002.printed import OCCURRING, printed_epsilon_setting, printed_system

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class SerDkSettings:
    """What may be set."""

    epsilon: float = printed_epsilon_setting()
    theta: int = theta_setting()
    sequence: str = removal_sequence_setting()
    key: str = key_setting()
    reading: str = reading_setting()


def run(
    graph: Graph, settings: SerDkSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Remove edges, then add noise."""
    del progress
    refuse_empty_graph(graph)
    return publish_bounded(
        removed_stably(graph, settings),
        source,
        theta=settings.theta,
        epsilon=settings.epsilon,
        reasons=(*reasons_of_removal(settings), OCCURRING),
    )


SER_DK = printed_system(
    "ser-dk",
    summary="Degrees bounded by stable edge removal, noise on the degree pairs that occur.",
    paper="002, algorithms 5 and 6",
    takes=SerDkSettings,
    run=run,
)

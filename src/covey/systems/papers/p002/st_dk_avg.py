"""ST-dK with the average preference as threshold (paper 002, algorithm 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.systems.base import Outcome, Progress
from covey.systems.papers.p002.preferences import AVERAGE, PreferenceSettings
from covey.systems.papers.p002.printed import printed_system
from covey.systems.papers.p002.st_dk import publish_sampled

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


def run(
    graph: Graph, settings: PreferenceSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish with the average preference as threshold."""
    del progress
    return publish_sampled(graph, settings, source, mu=AVERAGE)


ST_DK_AVG = printed_system(
    "st-dk-avg",
    summary="As st-dk with the average preference as threshold.",
    paper="002, algorithm 8 and section 8.5.1",
    takes=PreferenceSettings,
    run=run,
)

"""TP-dK with the average preference as threshold (paper 002, algorithm 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.systems.base import Outcome, Progress
from covey.systems.papers.p002.preferences import AVERAGE
from covey.systems.papers.p002.printed import printed_system
from covey.systems.papers.p002.tp_dk import TruncationSettings, publish_truncated

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.graph import Graph


def run(
    graph: Graph, settings: TruncationSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish with the average preference as threshold."""
    del progress
    return publish_truncated(graph, settings, source, mu=AVERAGE)


TP_DK_AVG = printed_system(
    "tp-dk-avg",
    summary="As tp-dk with the average preference as threshold.",
    paper="002, algorithm 7 and section 8.5.1",
    takes=TruncationSettings,
    run=run,
)

"""How do paper 002's systems for graphs end: noise as printed, and why it protects nobody?

The chapters put Laplace noise on the counts of degrees that occur, scaled by bounds for one count
or taken from the graph at hand.  None of it survives a look at two neighbouring graphs
(tests/systems/papers/p002/test_counterexamples.py), so every outcome made here says that it carries
no guarantee, and why.  `joint-degree-boxes` and `degree-histogram` are the sound relatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.core import EXACT, Guarantee, GuaranteeKind, PrivacyUnit
from covey.systems.base import Outcome, PlainSystem, setting
from covey.systems.graph_counts import COUNTED, NAMES, UNITS, cell_columns, noisy_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.graph import Graph
    from covey.partition import Partition
    from covey.systems.base import Progress
    from covey.systems.papers.noise import PrintedCounts

OCCURRING = (
    "Only degrees that occur in the graph are published, so one edge can show by a row that would "
    "not be there without it."
)
SCALE = (
    "The scale of the noise is computed from the graph itself, its largest degree or its number of "
    "nodes, so it differs between graphs that must not be told apart."
)
CLUSTERS = (
    "The clusters are formed from the degrees that occur, so one edge can change which counts are "
    "added up."
)
EXPERIMENTS = (
    "For repeating the experiments of paper 002. Where a guarantee is needed, use "
    "joint-degree-boxes or degree-histogram."
)


def printed_outcome(
    keys: NDArray[np.int64],
    noisy: PrintedCounts,
    *,
    epsilon: Fraction,
    reasons: tuple[str, ...],
    conditions: tuple[str, ...] = (),
) -> Outcome:
    """Return the cells with what their noisy counts leave above 0, and say what that protects.

    Parameters
    ----------
    keys : array of shape (cells, 1) or (cells, 2)
        The degrees of the cells, which depend on the graph.
    noisy : PrintedCounts
        A count for each cell.
    epsilon : Fraction
        What the paper says that the release costs; ledgers note it, and it bounds nothing.
    reasons, conditions : tuple of str
        Why there is no guarantee, and what else a reader must know.
    """
    cells = dict(zip(NAMES[keys.shape[1]], keys.T, strict=True))
    return _outcome(
        keys,
        noisy.values,
        guarantee=_nothing(epsilon, reasons, conditions),
        extras={"measured": noisy_table(cells, noisy, COUNTED[keys.shape[1]])},
    )


def clustered_outcome(
    keys: NDArray[np.int64],
    spread: NDArray[np.int64],
    noisy: PrintedCounts,
    clusters: Partition,
    *,
    epsilon: Fraction,
    reasons: tuple[str, ...],
    conditions: tuple[str, ...] = (),
) -> Outcome:
    """Return the same where clusters of cells got the noise, and what was spread over the cells."""
    cells = dict(zip(NAMES[keys.shape[1]], keys.T, strict=True))
    numbered = {"cluster": np.arange(len(clusters.sizes))}
    return _outcome(
        keys,
        spread,
        guarantee=_nothing(epsilon, reasons, conditions),
        extras={
            "measured": noisy_table(numbered, noisy, COUNTED[keys.shape[1]]),
            "clusters": pl.DataFrame({**cells, "cluster": clusters.labels}),
        },
    )


def _outcome(
    keys: NDArray[np.int64],
    counts: NDArray[np.int64],
    *,
    guarantee: Guarantee,
    extras: dict[str, pl.DataFrame],
) -> Outcome:
    columns = cell_columns(keys, np.maximum(counts, 0))
    return Outcome(
        columns=columns, guarantee=replace(guarantee, columns=tuple(columns)), extras=extras
    )


def _nothing(epsilon: Fraction, reasons: tuple[str, ...], conditions: tuple[str, ...]) -> Guarantee:
    return Guarantee(
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        epsilon=epsilon,
        conditions=(*conditions, EXPERIMENTS),
        arithmetic=EXACT,
        reasons=reasons,
    )


def cluster_totals(counts: NDArray[np.int64], clusters: Partition) -> NDArray[np.int64]:
    """Add up the counts of each cluster, in integers."""
    totals = np.zeros(len(clusters.sizes), dtype=np.int64)
    np.add.at(totals, clusters.labels, counts)
    return totals


def spread_randomly(
    totals: NDArray[np.int64], clusters: Partition, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Divide the total of each cluster among its cells, unit by unit at random.

    The post-processing of paper 002, section 6.5.1: cells of a cluster are drawn until its total
    is reached.  A negative total is divided in the same way, so that the cells add up to it.
    """
    spread = np.empty(len(clusters.labels), dtype=np.int64)
    by_cluster = np.argsort(clusters.labels, kind="stable")
    starts = np.cumsum(clusters.sizes) - clusters.sizes
    for size in np.unique(clusters.sizes).tolist():
        chosen = np.flatnonzero(clusters.sizes == size)
        drawn = generator.multinomial(np.abs(totals[chosen]), np.full(size, 1.0 / size))
        cells = by_cluster[starts[chosen][:, None] + np.arange(size)]
        spread[cells] = np.sign(totals[chosen])[:, None] * drawn
    return spread


def printed_epsilon_setting() -> Any:
    """Declare what the paper says that a release costs."""
    return setting(
        "what the paper says that a release costs, which sets the noise; smaller adds more"
    )


def printed_unit_setting() -> Any:
    """Declare which of the paper's bounds sets the noise."""
    return setting(
        "which of the paper's bounds sets the noise: for one edge, or for one node with all its "
        "edges",
        default="edge",
        choices=UNITS,
    )


def printed_system(
    name: str,
    *,
    summary: str,
    paper: str,
    takes: type,
    run: Callable[[Graph, Any, NoiseSource, Progress | None], Outcome],
) -> PlainSystem:
    """Describe a system of paper 002 for graphs, none of which promises anything."""
    return PlainSystem(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        takes=takes,
        run=run,
        data="graph",
    )

"""Cluster the degree pairs that occur, then add noise to each cluster's edges (paper 002, ch. 6).

MDAV-dK forms clusters of k pairs or more, MPDC-dK covers the pairs with boxes of side tau.  The
edges of each cluster are added up, get Laplace noise of scale (4 h + 1) / epsilon, where h is the
largest degree of the graph, and are divided again among the pairs of the cluster at random.  A
graph with the joint degrees that come out, the chapter's dK-graph, is made if asked for.

The noise is that of Lemma 4, which the paper adds to each cluster; the factor z of Lemma 5, the
number of clusters, is not used there, and a proof would not need it.

Unlike paper 002, which claims edge differential privacy: the largest degree, the pairs that occur
and the clusters all come from the graph, so two graphs that differ in one edge can often be told
apart for certain.  With k = 1 or tau = 0 each pair is a cluster: the paper's baseline.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from covey.postprocess.realisable import realisable
from covey.systems.base import Outcome
from covey.systems.graph_counts import regenerated
from covey.systems.papers.noise import add_printed_noise
from covey.systems.papers.p002.printed import (
    CLUSTERS,
    OCCURRING,
    SCALE,
    cluster_totals,
    clustered_outcome,
    spread_randomly,
)

if TYPE_CHECKING:
    from covey.core import Budget, NoiseSource
    from covey.graph import DK, Graph
    from covey.partition import Partition


def publish_clusters(
    graph: Graph,
    dk: DK,
    clusters: Partition,
    source: NoiseSource,
    *,
    budget: Budget,
    regenerate: bool,
) -> Outcome:
    """Add noise to the edges of each cluster of the degree pairs, and divide them again."""
    totals = cluster_totals(dk.counts, clusters)
    noisy = add_printed_noise(
        totals,
        sensitivity=4 * int(graph.degrees.max()) + 1,
        epsilons=[budget.epsilon] * len(totals),
        source=source,
    )
    spread = spread_randomly(noisy.values, clusters, source.placement())
    outcome = clustered_outcome(
        dk.keys,
        spread,
        noisy,
        clusters,
        epsilon=budget.epsilon,
        reasons=(SCALE, OCCURRING, CLUSTERS),
    )
    if not regenerate:
        return outcome
    made = regenerated(realisable(dk.keys, spread), graph.n_nodes, source.placement())
    return replace(
        outcome,
        extras={**outcome.extras, **made},
        resolved={**outcome.resolved, "regenerate": bool(made)},
    )

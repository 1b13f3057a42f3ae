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

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from covey.graph import joint_degrees
from covey.partition.degree_pairs import mdav_dk, mpdc_dk
from covey.perturb import add_printed_noise
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit
from covey.release.realisable import realisable
from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.graphs.counts import REGENERATE, refuse_empty, regenerated
from covey.systems.graphs.printed import (
    CLUSTERS,
    OCCURRING,
    PRINTED_EPSILON,
    SCALE,
    cluster_totals,
    clustered_outcome,
    spread_randomly,
)

if TYPE_CHECKING:
    from covey.graph import DK, Graph
    from covey.partition import Partition
    from covey.perturb import NoiseSource


def _publish(
    graph: Graph,
    cluster: Callable[[DK], Partition],
    parameters: Mapping[str, Any],
    source: NoiseSource,
) -> Outcome:
    refuse_empty(graph)
    budget = Budget.of(parameters["epsilon"])
    dk = joint_degrees(graph)
    clusters = cluster(dk)
    totals = cluster_totals(dk.counts, clusters)
    noisy = add_printed_noise(
        totals,
        sensitivity=4 * int(graph.degrees.max()) + 1,
        epsilons=[budget.epsilon] * len(totals),
        source=source,
    )
    spread = spread_randomly(noisy.counts, clusters, source.placement())
    outcome = clustered_outcome(
        dk.keys,
        spread,
        noisy,
        clusters,
        epsilon=budget.epsilon,
        reasons=(SCALE, OCCURRING, CLUSTERS),
    )
    if not parameters["regenerate"]:
        return outcome
    edges = regenerated(realisable(dk.keys, spread), graph.n_nodes, source)
    return replace(outcome, extras={**outcome.extras, "edges": edges})


def _system(
    name: str,
    *,
    cluster: Callable[..., Partition],
    parameter: Parameter,
    summary: str,
    paper: str,
) -> System:
    def publish(
        graph: Graph, settings: Mapping[str, Any], source: NoiseSource, progress: Progress | None
    ) -> Outcome:
        def clustered(dk: DK) -> Partition:
            if progress is not None:
                progress(f"{name}: forming clusters", 0, 1)
            return cluster(dk, settings[parameter.name])

        return _publish(graph, clustered, settings, source)

    return System(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        # Off unless asked for: so much noise on so many cells can mean a graph of any size.
        parameters=(PRINTED_EPSILON, parameter, replace(REGENERATE, default=False)),
        run=publish,
        data="graph",
    )


MICROAGGREGATED_SYSTEMS = (
    _system(
        "mdav-dk",
        cluster=mdav_dk,
        parameter=Parameter(
            name="k",
            meaning="the fewest degree pairs in a cluster; 1 leaves each by itself",
            kind=int,
            at_least=1,
        ),
        summary="MDAV clusters of the degree pairs that occur, noise on the edges of each.",
        paper="002, section 6.4.1",
    ),
    _system(
        "mpdc-dk",
        cluster=mpdc_dk,
        parameter=Parameter(
            name="tau",
            meaning="the most that degrees may differ within a cluster; 0 leaves each pair by "
            "itself",
            kind=int,
            at_least=0,
        ),
        summary="Boxes that cover the degree pairs that occur, noise on the edges of each.",
        paper="002, algorithm 4",
    ),
)

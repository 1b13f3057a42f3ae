"""Add the noise that the nodes in a count ask for (paper 002, chapter 8), as printed.

PDPmin uses the least preference of all for every count, LL-dK the least of the nodes in the count,
TP-dK drops the nodes below a threshold mu, ST-dK keeps their counts with a lower probability, and
AG-dK adds up counts of similar degrees and preferences.  TP-dK and ST-dK take the largest
preference as mu, their variants ``-avg`` the average one.

Noise is scaled by what one node or edge changes in a *single* count (Lemmas 10 to 13): |E⁺| + 1
and (deg(G) + 1) |E⁺| for a node, 2 and 2 deg(G) + 1 for an edge.  Only TP-dK bounds degrees;
there theta stands for deg(G) and for |E⁺|.  Elsewhere deg(G) is the largest degree of the graph,
and |E⁺| its number of nodes, the worst case that section 8.3 names.  The sample size m that
section 8.5 varies for ST-dK is left out: Algorithm 8 has none.

Unlike paper 002, which claims personalised differential privacy: one change moves several counts at
once, and what scales, groups and rows depend on differs between neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.partition.degree_pairs import mdav_dk
from covey.perturb import add_printed_noise, keep_records
from covey.privacy import Budget, GuaranteeKind, PrivacyUnit, as_printed
from covey.systems.base import Outcome, Parameter, Progress, System
from covey.systems.graphs.counts import KEY, ORDER, THETA, refuse_empty
from covey.systems.graphs.preferences import (
    AVERAGE,
    MU,
    PARTS,
    PREFERENCE_SEED,
    PREFERENCES,
    as_epsilons,
    cell_of_each_unit,
    cell_parts,
    distribution,
    preference_parts,
    threshold_parts,
    unit_parts,
    without_nodes,
)
from covey.systems.graphs.printed import (
    CLUSTERS,
    OCCURRING,
    PRINTED_UNIT,
    SCALE,
    cluster_totals,
    clustered_outcome,
    printed_outcome,
    spread_randomly,
)
from covey.systems.graphs.projected import (
    READING,
    SEQUENCE,
    reasons_of_removal,
    removed_stably,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.graph import Graph
    from covey.perturb import NoiseSource

Publish = Callable[["Graph", "NDArray[np.int64]", Mapping[str, Any], "NoiseSource"], Outcome]

SINGLE = (
    "The noise pays for the change of one count, and one edge or node changes several counts at "
    "once, each of which tells something about it."
)
LOCAL = (
    "Each count gets the noise that the nodes in it ask for, so a node that asks for much "
    "protection shows by the noise of the counts that it moves to."
)
PROJECTED_FIRST = (
    "Degrees are bounded before the nodes below mu are dropped, so these nodes still decide which "
    "edges of the others remain."
)
SAMPLED_COUNTS = (
    "Counts are sampled rather than nodes or edges, and an edge of a node that asks for much "
    "protection also moves its neighbours in the counts, which are kept."
)
PUBLIC = "The preferences are taken to be public and chosen without looking at the edges."


def entry_sensitivity(graph: Graph, unit: str, order: int, theta: int | None = None) -> int:
    """Return how far one count can move, Lemmas 10 to 13 of paper 002.

    With ``theta``, degrees and new edges are at most that many; without it they are read off the
    graph, which is one reason why the result calibrates no noise.
    """
    degree = int(graph.degrees.max(initial=0)) if theta is None else theta
    joined = graph.n_nodes if theta is None else theta
    if unit == "edge":
        return 2 if order == 1 else 2 * degree + 1
    return joined + 1 if order == 1 else (degree + 1) * joined


def _publish_least(
    graph: Graph, parts: NDArray[np.int64], parameters: Mapping[str, Any], source: NoiseSource
) -> Outcome:
    dk = distribution(graph, parameters["order"])
    least = Fraction(int(parts.min()), PARTS)
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=entry_sensitivity(graph, parameters["unit"], dk.order),
        epsilons=[least] * len(dk.counts),
        source=source,
    )
    return printed_outcome(
        dk.keys,
        noisy,
        epsilon=least,
        reasons=_reasons(parameters),
        conditions=(PUBLIC,),
    )


def _publish_local(
    graph: Graph, parts: NDArray[np.int64], parameters: Mapping[str, Any], source: NoiseSource
) -> Outcome:
    dk = distribution(graph, parameters["order"])
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=entry_sensitivity(graph, parameters["unit"], dk.order),
        epsilons=as_epsilons(cell_parts(graph, dk, parts)),
        source=source,
    )
    return printed_outcome(
        dk.keys,
        noisy,
        epsilon=Fraction(int(parts.max()), PARTS),
        reasons=(LOCAL, *_reasons(parameters)),
        conditions=(PUBLIC,),
    )


def _publish_truncated(
    graph: Graph,
    parts: NDArray[np.int64],
    parameters: Mapping[str, Any],
    source: NoiseSource,
) -> Outcome:
    mu = threshold_parts(parts, parameters["mu"])
    unit, theta = parameters["unit"], parameters["theta"]
    # In the order of Algorithm 7, lines 1 and 2; the other way round would be sound.
    truncated = without_nodes(removed_stably(graph, parameters), parts >= mu)
    dk = distribution(truncated, parameters["order"])
    noisy = add_printed_noise(
        dk.counts,
        sensitivity=entry_sensitivity(truncated, unit, dk.order, theta),
        epsilons=[Fraction(mu, PARTS)] * len(dk.counts),
        source=source,
    )
    return printed_outcome(
        dk.keys,
        noisy,
        epsilon=Fraction(mu, PARTS),
        reasons=(PROJECTED_FIRST, *reasons_of_removal(parameters), SINGLE, OCCURRING),
        conditions=(PUBLIC,),
    )


def _publish_sampled(
    graph: Graph, parts: NDArray[np.int64], parameters: Mapping[str, Any], source: NoiseSource
) -> Outcome:
    mu = Fraction(threshold_parts(parts, parameters["mu"]), PARTS)
    dk = distribution(graph, parameters["order"])
    kept = keep_records(
        unit_parts(graph, parts, dk.order) / PARTS,
        sensitivity=as_printed(1),
        budget=Budget(mu),
        source=source,
    )
    sampled = np.bincount(cell_of_each_unit(graph, dk)[kept.mask], minlength=len(dk.counts))
    present = sampled > 0
    noisy = add_printed_noise(
        sampled[present],
        sensitivity=entry_sensitivity(graph, parameters["unit"], dk.order),
        epsilons=[mu] * int(present.sum()),
        source=source,
    )
    return printed_outcome(
        dk.keys[present],
        noisy,
        epsilon=mu,
        reasons=(SAMPLED_COUNTS, *_reasons(parameters)),
        conditions=(PUBLIC,),
    )


def _publish_aggregated(
    graph: Graph, parts: NDArray[np.int64], parameters: Mapping[str, Any], source: NoiseSource
) -> Outcome:
    dk = distribution(graph, parameters["order"])
    least = cell_parts(graph, dk, parts)
    clusters = mdav_dk(dk, parameters["k"], beside=least.astype(np.float64))
    asked = np.full(len(clusters.sizes), np.iinfo(np.int64).max)
    np.minimum.at(asked, clusters.labels, least)
    noisy = add_printed_noise(
        cluster_totals(dk.counts, clusters),
        sensitivity=entry_sensitivity(graph, parameters["unit"], dk.order),
        epsilons=as_epsilons(asked),
        source=source,
    )
    return clustered_outcome(
        dk.keys,
        spread_randomly(noisy.counts, clusters, source.placement()),
        noisy,
        clusters,
        epsilon=Fraction(int(parts.max()), PARTS),
        reasons=(LOCAL, CLUSTERS, *_reasons(parameters)),
        conditions=(PUBLIC,),
    )


def _reasons(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what is wrong with noise for one count; only edges and single degrees need no SCALE."""
    public = parameters["unit"] == "edge" and parameters["order"] == 1
    return (SINGLE, OCCURRING) if public else (SINGLE, SCALE, OCCURRING)


def _system(
    name: str, publish: Publish, *, summary: str, paper: str, parameters: tuple[Parameter, ...] = ()
) -> System:
    def run(
        graph: Graph, settings: Mapping[str, Any], source: NoiseSource, progress: Progress | None
    ) -> Outcome:
        del progress
        refuse_empty(graph)
        threshold = {"mu": AVERAGE} if name.endswith("-avg") else {}
        return publish(graph, preference_parts(graph, settings), {**settings, **threshold}, source)

    return System(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        parameters=(PREFERENCES, PREFERENCE_SEED, PRINTED_UNIT, ORDER, *parameters),
        run=run,
        data="graph",
    )


GROUP = Parameter(name="k", meaning="the fewest degree cells in a group", kind=int, at_least=1)
_REMOVAL = (THETA, SEQUENCE, KEY, READING)
PERSONALISED_PAPER_SYSTEMS = (
    _system(
        "pdp-min",
        _publish_least,
        summary="Noise for the least preference of all on each degree cell that occurs.",
        paper="002, section 8.5.1",
    ),
    _system(
        "ll-dk",
        _publish_local,
        summary="Noise for the least preference in each degree cell that occurs.",
        paper="002, section 8.4.1",
    ),
    _system(
        "tp-dk",
        _publish_truncated,
        summary="Degrees bounded, nodes below a threshold dropped, noise for the threshold.",
        paper="002, algorithm 7",
        parameters=(*_REMOVAL, MU),
    ),
    _system(
        "tp-dk-avg",
        _publish_truncated,
        summary="As tp-dk with the average preference as threshold.",
        paper="002, algorithm 7 and section 8.5.1",
        parameters=_REMOVAL,
    ),
    _system(
        "st-dk",
        _publish_sampled,
        summary="Counts sampled by preference, noise for a threshold.",
        paper="002, algorithm 8",
        parameters=(MU,),
    ),
    _system(
        "st-dk-avg",
        _publish_sampled,
        summary="As st-dk with the average preference as threshold.",
        paper="002, algorithm 8 and section 8.5.1",
    ),
    _system(
        "ag-dk",
        _publish_aggregated,
        summary="Degree cells grouped by MDAV, noise for the least preference in each group.",
        paper="002, algorithm 9",
        parameters=(GROUP,),
    ),
)

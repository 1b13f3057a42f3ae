"""What is audited about systems of the papers, whose claims covey does not repeat?

Most of them add noise to clusters that were chosen from the records.  What covey promises for
these, a bound among inputs that lead to the same clusters, is audited beside the paper's claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.audit.case import Case, law_case, pair_case, search_case
from covey.audit.cases.neighbours import (
    changed_record,
    circle,
    largest_record,
    moved_inside_a_cluster,
    one_in_zeros,
    one_short_of_three,
    random_pair,
    scattered,
    table_pair,
    zeros_and_ones,
)
from covey.audit.cases.specimens import FloatBlock, full_budget_each, printed_coskewness
from covey.audit.instruments.search import Arrays, move_records
from covey.audit.report import Claimant
from covey.audit.subject import Neighbours

CLUSTER_STEPS = 60
"""So many changes are tried from each seed of a search."""


def _circle() -> Neighbours:
    words = "100 records on a circle, one of which moves inwards by 2e-6"
    return table_pair(words, circle(100, 25))


def _on_a_circle(name: str, system: str, **parameters: Any) -> Case:
    return pair_case(
        name, system, _circle, promise=Claimant.PAPER, unordered=True, k=25, **parameters
    )


def _same_clusters(system: str, **parameters: Any) -> Case:
    return pair_case(
        "neighbours with the same clusters",
        system,
        lambda: table_pair("2 zeros and 2 ones; a zero becomes 0.95", moved_inside_a_cluster(2)),
        k=2,
        **parameters,
    )


def _smaller_cluster(system: str, **parameters: Any) -> Case:
    """Audit clusters of two sizes, which tell them apart whatever their order is."""
    return pair_case(
        "3k − 1 records: which cluster is smaller",
        system,
        lambda: table_pair(
            "5 zeros, 4 halves and 5 ones; a half moves by 2e-6", one_short_of_three(5)
        ),
        promise=Claimant.PAPER,
        k=5,
        **parameters,
    )


def _seeds(rng: np.random.Generator) -> Sequence[tuple[str, Arrays]]:
    return [
        ("random records", random_pair(20, 2, rng)),
        ("a circle", circle(20, 5)),
        ("zeros and a one", one_in_zeros(20, 2)),
    ]


MDAV_DP_CASES = (
    _on_a_circle("circle, n = 100, k = 25", "mdav-dp"),
    search_case(
        "mdav-dp",
        _seeds,
        changed_record,
        move_records,
        steps=CLUSTER_STEPS,
        promise=Claimant.PAPER,
        unordered=True,
        k=5,
    ),
    _same_clusters("mdav-dp"),
)

MDAV_IR_DP_CASES = (
    pair_case(
        "several columns: who is in which clusters",
        "mdav-ir-dp",
        lambda: table_pair("20 scattered records, one of which is mirrored", scattered(20, 2)),
        promise=Claimant.PAPER,
        k=5,
    ),
    _smaller_cluster("mdav-ir-dp"),
    _same_clusters("mdav-ir-dp"),
)

OPT_DP_CASES = (
    pair_case(
        "sizes of the clusters",
        "opt-dp",
        lambda: table_pair("15 zeros and 5 ones; a zero becomes a one", zeros_and_ones(20, 5)),
        promise=Claimant.PAPER,
    ),
    pair_case(
        "neighbours with the same clusters",
        "opt-dp",
        lambda: table_pair("4 zeros, one of which becomes a one", one_in_zeros(4)),
    ),
)

CROSS_MOMENT_CASES = (
    law_case(
        "coskewness, k = 3, as printed",
        "a cluster of 0, 1 and a third record that moves from 0 to 1",
        printed_coskewness,
        promise=Claimant.PAPER,
    ),
    _smaller_cluster("cross-moment", m=0),
    _same_clusters("cross-moment", m=0),
)

TWO_STABLE_CASES = (_on_a_circle("circle, n = 100, k = 25, noise for two clusters", "2-stable"),)

ALPHA_STABLE_CASES = (_on_a_circle("circle, n = 100, k = 25, alpha = 2", "alpha-stable", alpha=2),)

AS_EVALUATED_CASES = (
    law_case(
        "four attributes, the full epsilon for each",
        "20 records of zeros, one of which becomes ones",
        lambda: full_budget_each(4),
        promise=Claimant.PAPER,
    ),
    pair_case(
        "bounds at 1.5 times the largest value",
        "insensitive",
        lambda: table_pair("8 small records, the last of which grows", largest_record(8)),
        promise=Claimant.PAPER,
        k=4,
        paper=True,
    ),
)

FLOATS = law_case(
    "rank block in float64, full precision",
    "zeros, one of which becomes a one; the float that comes out is read to its end",
    FloatBlock,
    promise=Claimant.NOBODY,
)


def k_anonymity(system: str) -> tuple[Case, ...]:
    """Return the audit of a system without noise: it tells neighbours apart with certainty."""
    return (
        pair_case(
            "centroids without noise",
            system,
            lambda: table_pair("4 zeros and 4 ones; a zero becomes a one", zeros_and_ones(8, 4)),
            promise=Claimant.NOBODY,
            k=3,
        ),
    )

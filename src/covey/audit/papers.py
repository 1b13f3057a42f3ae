"""What is audited about systems of the papers, whose claims covey does not repeat?

Most of them add noise to clusters that were chosen from the records.  What covey promises for
these, a bound among inputs that lead to the same clusters, is audited beside the paper's claim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from covey.audit.case import Case, Promise, law_case, real_case, search_case
from covey.audit.neighbours import (
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
from covey.audit.pairs import Pair
from covey.audit.search import Arrays
from covey.audit.specimens import FloatBlock, full_budget_each, printed_coskewness
from covey.audit.statistics import (
    distance_to,
    largest_group,
    smaller_group,
    total,
)

ON_A_CIRCLE = "records on a circle, one of which moves inwards by 2e-6"
OTHER_CLUSTERS = distance_to(0.949, 0.507)
"""The first centroid of the circle before the move; afterwards all are elsewhere."""


def _circle() -> Pair:
    return table_pair(f"100 {ON_A_CIRCLE}", circle(100, 25))


def _same_clusters() -> Pair:
    return table_pair("2 zeros and 2 ones; a zero becomes 0.45", moved_inside_a_cluster(2))


def _same_clusters_case(system: str, **parameters: Any) -> Case:
    return law_case(
        "neighbours with the same clusters",
        system,
        _same_clusters,
        promise=Promise.COVEY,
        shrink=4,
        k=2,
        **parameters,
    )


MDAV_DP = (
    law_case(
        "circle, n = 100, k = 25",
        "mdav-dp",
        _circle,
        promise=Promise.PAPER,
        unordered=True,
        k=25,
    ),
    search_case(
        "mdav-dp",
        lambda rng: _seeds(rng, n=20, k=5),
        promise=Promise.PAPER,
        unordered=True,
        k=5,
    ),
    real_case(
        "circle: how near a centroid is",
        "mdav-dp",
        _circle,
        OTHER_CLUSTERS,
        promise=Promise.PAPER,
        parameters={"epsilon": 1.0, "k": 25},
        exact=lambda _: math.nan,
    ),
    _same_clusters_case("mdav-dp"),
)

MDAV_IR_DP = (
    law_case(
        "several columns: who is in which clusters",
        "mdav-ir-dp",
        lambda: table_pair("20 scattered records, one of which is mirrored", scattered(20, 2)),
        promise=Promise.PAPER,
        k=5,
    ),
    real_case(
        "3k − 1 records: the value of the smaller cluster",
        "mdav-ir-dp",
        lambda: table_pair(
            "5 zeros, 4 halves and 5 ones; a half moves by 2e-6", one_short_of_three(5)
        ),
        smaller_group,
        promise=Promise.PAPER,
        parameters={"epsilon": 1.0, "k": 5},
        exact=lambda _: math.nan,
    ),
    _same_clusters_case("mdav-ir-dp"),
)

OPT_DP = (
    law_case(
        "sizes of the clusters",
        "opt-dp",
        lambda: table_pair("15 zeros and 5 ones; a zero becomes a one", zeros_and_ones(20, 5)),
        promise=Promise.PAPER,
    ),
    real_case(
        "sizes: how often the most frequent value occurs",
        "opt-dp",
        lambda: table_pair("15 zeros and 5 ones; a zero becomes a one", zeros_and_ones(20, 5)),
        largest_group,
        promise=Promise.PAPER,
        parameters={"epsilon": 1.0},
    ),
    law_case(
        "neighbours with the same clusters",
        "opt-dp",
        lambda: table_pair("4 zeros, one of which becomes a one", one_in_zeros(4)),
        promise=Promise.COVEY,
    ),
)

CROSS_MOMENT = (
    Case(
        name="coskewness, k = 3, as printed",
        epsilon=1.0,
        promise=Promise.PAPER,
        build=lambda _rng, _progress: printed_coskewness(),
    ),
    real_case(
        "circle: how near a centroid is",
        "cross-moment",
        _circle,
        OTHER_CLUSTERS,
        promise=Promise.PAPER,
        parameters={"epsilon": 1.0, "k": 25, "m": 0},
        exact=lambda _: math.nan,
    ),
    _same_clusters_case("cross-moment", m=0),
)

TWO_STABLE = (
    law_case(
        "circle, n = 100, k = 25, noise for two clusters",
        "2-stable",
        _circle,
        promise=Promise.PAPER,
        unordered=True,
        k=25,
    ),
)

ALPHA_STABLE = (
    law_case(
        "circle, n = 100, k = 25, alpha = 2",
        "alpha-stable",
        _circle,
        promise=Promise.PAPER,
        unordered=True,
        k=25,
        alpha=2,
    ),
)

INSENSITIVE_AS_EVALUATED = (
    Case(
        name="four attributes, the full epsilon for each",
        epsilon=1.0,
        promise=Promise.PAPER,
        build=lambda _rng, _progress: full_budget_each(4),
    ),
    law_case(
        "bounds at 1.5 times the largest value",
        "insensitive",
        lambda: table_pair("8 small records, the last of which grows", largest_record(8)),
        promise=Promise.PAPER,
        k=4,
        paper=True,
    ),
)

FLOATS = Case(
    name="rank block in float64, full precision",
    epsilon=1.0,
    promise=Promise.NOBODY,
    build=lambda _rng, _progress: FloatBlock(),
)


def k_anonymity(system: str) -> tuple[Case, ...]:
    """Return the audit of a system without noise: it tells neighbours apart with certainty."""
    case = real_case(
        "centroids without noise",
        system,
        lambda: table_pair("4 zeros and 4 ones; a zero becomes a one", zeros_and_ones(8, 4)),
        total,
        promise=Promise.NOBODY,
        parameters={"k": 3},
    )
    # The system is run once and the answer never changes, so that more runs cost nothing.
    return (replace(case, share=1.0),)


def _seeds(rng: np.random.Generator, *, n: int, k: int) -> Sequence[tuple[str, Arrays]]:
    return [
        ("random records", random_pair(n, 2, rng)),
        ("a circle", circle(n, k)),
        ("zeros and a one", one_in_zeros(n, 2)),
    ]

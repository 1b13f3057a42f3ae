"""Microaggregate under public total orders, then add noise (paper 004, sound).

Algorithm 2 forms clusters that change by at most one record each when one record is replaced
(docs/proofs/insensitive.md).  Numeric attributes get noise on the cluster sums, categorical
ones a concept of their taxonomy by the exponential mechanism (Algorithm 4).

Unlike paper 004: bounds are public, the budget is split over the attributes, a cluster gets
one draw, rows are not aligned, and the diameter of a taxonomy bounds its marginality.
`systems/papers/p004` has what the paper evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import ClusterConcepts, ClusterSums
from covey.errors import SchemaError
from covey.partition import check_k
from covey.partition.insensitive import ORDERS, PublicOrder
from covey.postprocess.rows import Link, Repeated
from covey.systems.base import Built, SoundSystem, columns_setting, epsilon_setting, setting
from covey.systems.columns import assumptions, choose_columns, dropped, known_n, on_grids
from covey.systems.concepts import candidate_codes, distance_steps
from covey.systems.intervals import mean_table
from covey.systems.papers.p004.insensitive import AS_EVALUATED
from covey.table import Attribute, Grid, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter, Noisy
    from covey.systems.base import PlainSystem
    from covey.table import Head

NOISE_SHARE = 0.05
"""The default k keeps the noise of a centroid near this share of the range."""


def default_cluster_size(n: int, attributes: int, epsilon: float) -> int:
    """Return the k at which the noise of a centroid is 5 % of the range, or n/2 if smaller.

    The noise has standard deviation √2·N·m/(k·ε) of the range with N = n/k clusters and the
    budget split over m attributes.  A function of public numbers.
    """
    wanted = math.ceil(math.sqrt(math.sqrt(2) * n * attributes / (NOISE_SHARE * epsilon)))
    return max(2, min(n // 2, wanted))


@dataclass(frozen=True, slots=True, kw_only=True)
class InsensitiveSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int | None = setting(
        "the number of records in a cluster; chosen from public numbers unless given", default=None
    )
    order: str = setting(
        "the public order of records: one reference point, corners in turn, or the Hilbert curve",
        default="corners",
        choices=ORDERS,
    )
    columns: tuple[str, ...] | None = columns_setting()
    paper: bool = setting(
        "whether to repeat the paper's evaluation, which carries no guarantee", default=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedClusters:
    """Which clusters are asked for their sums and concepts, and what that may cost."""

    head: Head
    attributes: tuple[Attribute, ...]
    order: PublicOrder
    budget: Budget
    promise: Promise
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredClusters:
    """Noisy sums of numeric columns, and the concepts chosen for categorical ones."""

    sums: Mapping[str, Noisy]
    concepts: Mapping[str, tuple[str, ...]]
    steps: int | None = None


def ask(head: Head, settings: InsensitiveSettings) -> AskedClusters:
    """Sort the attributes by kind, or explain which one lacks public knowledge."""
    attributes = choose_columns(head.schema, settings.columns)
    nominal = [attribute for attribute in attributes if attribute.scale is Scale.NOMINAL]
    numeric = [attribute for attribute in attributes if attribute.scale is not Scale.NOMINAL]
    grids = on_grids(numeric, "insensitive") if numeric or not nominal else {}
    if settings.order == "hilbert" and nominal:
        raise SchemaError(
            f"attribute {nominal[0].name!r} is nominal and the Hilbert order runs through numbers. "
            f'Use order = "corners", or leave it out with --columns.'
        )
    whole, n = Budget.of(settings.epsilon), known_n(head)
    chosen = default_cluster_size(n, len(attributes), whole.value)
    order = PublicOrder(
        kind=settings.order,  # type: ignore[arg-type]
        grids=grids,
        taxonomies={attribute.name: head.taxonomy(attribute.name) for attribute in nominal},
        k=chosen if settings.k is None else check_k(settings.k, n),
        n=n,
    )
    return AskedClusters(
        head=head,
        attributes=attributes,
        order=order,
        budget=whole,
        promise=Promise(
            columns=tuple(attribute.name for attribute in attributes),
            dropped=dropped(head.schema, attributes),
            assumes=_assumes(numeric, order),
            conditions=(
                "Each cluster is published once, repeated for its public number of records.",
            ),
        ),
    )


def measure(meter: Meter, asked: AskedClusters) -> MeasuredClusters:
    """Ask for sums and concepts column by column; along the curve for all sums at once."""
    meter.progress("insensitive: forming clusters", 0, 1)
    order = asked.order
    if order.kind == "hilbert":
        noisy = meter.counts(ClusterSums(order, None), asked.budget)
        parts = np.split(noisy.values, len(order.grids))
        sums = {
            name: replace(noisy, values=part) for name, part in zip(order.grids, parts, strict=True)
        }
        return MeasuredClusters(sums=sums, concepts={}, steps=(1 << order.bits) - 1)
    sums, concepts = {}, {}
    shares = asked.budget.split([1] * len(asked.attributes))
    for attribute, share in zip(asked.attributes, shares, strict=True):
        name = attribute.name
        if name in order.taxonomies:
            question, candidates = _concepts(asked.head, order, name)
            codes = candidates[meter.choices(question, share)]
            concepts[name] = tuple(order.taxonomies[name].values(codes))
        else:
            sums[name] = meter.counts(ClusterSums(order, name), share)
    return MeasuredClusters(sums=sums, concepts=concepts)


def build(asked: AskedClusters, measured: MeasuredClusters, rng: np.random.Generator) -> Built:
    """Repeat each centroid for the public number of records of its cluster."""
    del rng
    order, sizes = asked.order, asked.order.sizes
    means = {
        name: _means(order.grids[name], noisy.values / sizes, measured.steps)
        for name, noisy in measured.sums.items()
    }
    concepts = {name: np.array(texts, dtype=object) for name, texts in measured.concepts.items()}
    columns: dict[str, Any] = {**means, **concepts}
    return Built(
        rows=Repeated({a.name: columns[a.name] for a in asked.attributes}, sizes),
        extras={
            "accuracy": mean_table(asked.attributes, measured.sums, order.n, steps=measured.steps)
        },
        resolved={"k": order.k},
        links=(Link(order, means),),
    )


def _means(grid: Grid, steps: NDArray[np.float64], last: int | None) -> NDArray[np.float64]:
    """Return noisy means as values between the public bounds; in steps of the curve's own grid."""
    if last is None:
        return grid.values(steps)
    share = Grid(low=0.0, high=1.0, steps=last).values(steps)
    return np.asarray(grid.low + share * (grid.high - grid.low))


def _concepts(
    head: Head, order: PublicOrder, name: str
) -> tuple[ClusterConcepts, NDArray[np.int64]]:
    """Ask for a concept of each cluster (Algorithm 4) among public candidates."""
    taxonomy = order.taxonomies[name]
    distances = distance_steps(taxonomy)
    # Unlike [004, Alg. 4]: the largest distance, because that of the boundaries can be smaller.
    largest = int(distances[:, np.array(taxonomy.domain)].max())
    candidates = candidate_codes(head, name, taxonomy)
    return ClusterConcepts(order, name, distances[:, candidates], largest), candidates


def _assumes(numeric: list[Attribute], order: PublicOrder) -> tuple[str, ...]:
    facts = [
        *assumptions(numeric, order.grids),
        f"k = {order.k} and the sequence of orders ({order.kind}) are functions of public numbers.",
    ]
    facts += [
        f"The possible values of {name} and their taxonomy are known without these data."
        for name in order.taxonomies
    ]
    return tuple(facts)


def _printed(settings: InsensitiveSettings) -> PlainSystem | None:
    return AS_EVALUATED if settings.paper else None


INSENSITIVE = SoundSystem(
    name="insensitive",
    summary="Clusters under public total orders, noise on each centroid; numbers and categories.",
    paper="004, algorithms 2 to 4",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=InsensitiveSettings,
    ask=ask,
    measure=measure,
    build=build,
    printed=_printed,
)

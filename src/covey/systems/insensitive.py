"""Microaggregate under public total orders, then add noise (paper 004, sound).

Algorithm 2 forms clusters that change by at most one record each when one record is replaced
(docs/proofs/insensitive.md).  Numeric attributes get noise on the cluster sums, categorical
ones a concept of their taxonomy by the exponential mechanism (Algorithm 4).

Unlike paper 004: bounds are public, the budget is split over the attributes, a cluster gets
one draw, rows are not aligned, and the diameter of a taxonomy bounds its marginality.
`insensitive_paper` has what the paper evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_sums
from covey.aggregate.semantic import concept_counts
from covey.errors import SchemaError
from covey.partition import check_k
from covey.partition.hilbert import grid_cells, hilbert_bits, hilbert_chain
from covey.partition.insensitive import ORDERS, insensitive_labels, insensitive_sizes
from covey.perturb import Grid, add_laplace, choose
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, ConceptColumn, NoisyColumn
from covey.systems.base import COLUMNS, EPSILON, Outcome, Parameter, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data, on_grids
from covey.systems.insensitive_paper import publish_as_evaluated
from covey.systems.intervals import mean_table
from covey.table import Attribute, Scale, Table, Taxonomy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import NoiseSource

DISTANCE_STEPS = 2**20
"""Semantic distances lie in 0 … 1 and are rounded to this many steps."""

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
class Parts:
    """The attributes to publish, by how they are protected."""

    attributes: tuple[Attribute, ...]
    grids: Mapping[str, Grid]
    taxonomies: Mapping[str, Taxonomy]


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    if parameters["paper"]:
        return publish_as_evaluated(table, parameters, source)
    if progress is not None:
        progress("insensitive: forming clusters", 0, 1)
    parts = parts_of(table, parameters)
    whole = Budget.of(parameters["epsilon"])
    count = len(parts.attributes)
    k = cluster_size(parameters["k"], table.n, count, whole)
    sizes = insensitive_sizes(table.n, k)
    order = parameters["order"]
    integers = {name: grid.integers(table.values(name)) for name, grid in parts.grids.items()}
    if order == "hilbert":
        labels, centroids = _along_the_curve(parts, integers, k=k, budget=whole, source=source)
    else:
        labels = _labels(table, parts, integers, k=k, order=order)
        centroids = _one_by_one(table, parts, integers, labels, budget=whole, source=source)
    columns = {name: _repeated(centroid, sizes) for name, centroid in centroids.items()}
    aligned = {
        name: centroid.values[labels]
        for name, centroid in centroids.items()
        if isinstance(centroid, NoisyColumn)
    }
    return Outcome(
        columns=columns,
        guarantee=insensitive_guarantee(table, parts, whole, k=k, order=order),
        aligned=aligned,
        resolved={"k": k},
        extras={"accuracy": mean_table(parts.attributes, columns, table.n)},
    )


def cluster_size(k: int | None, n: int, attributes: int, whole: Budget) -> int:
    """Return the number of records in a cluster: what was asked for, or the default."""
    return default_cluster_size(n, attributes, whole.value) if k is None else check_k(k, n)


def insensitive_guarantee(
    table: Table, parts: Parts, whole: Budget, *, k: int, order: str
) -> Guarantee:
    """Return what clusters under public orders promise, whichever engine has formed them."""
    guarantee = Guarantee(
        kind=GuaranteeKind.PURE_DP,
        unit=PrivacyUnit.REPLACE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(attribute.name for attribute in parts.attributes),
        dropped=dropped(table, parts.attributes),
        assumes=_assumes(parts, k=k, order=order),
        conditions=("Each cluster is published once, repeated for its public number of records.",),
        arithmetic=EXACT,
        claim="insensitive",
    )
    reason = from_the_data(parts.attributes)
    return guarantee.downgraded(reason) if reason else guarantee


def parts_of(table: Table, parameters: Mapping[str, Any]) -> Parts:
    """Sort the attributes by kind, or explain which one lacks public knowledge."""
    attributes = chosen(table, parameters)
    nominal = [attribute for attribute in attributes if attribute.scale is Scale.NOMINAL]
    numeric = [attribute for attribute in attributes if attribute.scale is not Scale.NOMINAL]
    for attribute in nominal:
        if attribute.taxonomy is None and attribute.categories is None:
            raise SchemaError(
                f"attribute {attribute.name!r} lists neither categories nor a taxonomy, so the "
                f"candidates to publish would come from the data. Give `categories = [...]` or "
                f'`taxonomy = "file.csv"`, from public knowledge.'
            )
    grids = on_grids(numeric, "insensitive") if numeric or not nominal else {}
    taxonomies = {attribute.name: table.taxonomy(attribute.name) for attribute in nominal}
    if parameters["order"] == "hilbert" and nominal:
        raise SchemaError(
            f"attribute {nominal[0].name!r} is nominal and the Hilbert order runs through numbers. "
            f'Use order = "corners", or leave it out with --columns.'
        )
    return Parts(attributes=attributes, grids=grids, taxonomies=taxonomies)


def _labels(
    table: Table, parts: Parts, integers: Mapping[str, NDArray[np.int64]], *, k: int, order: Any
) -> NDArray[np.int64]:
    steps = [float(grid.steps) for grid in parts.grids.values()]
    numeric = [integers[name].astype(np.float64) for name in parts.grids]
    codes = [
        taxonomy.codes(table.texts(name), attribute=name)
        for name, taxonomy in parts.taxonomies.items()
    ]
    return insensitive_labels(
        np.column_stack(numeric) if numeric else np.empty((table.n, 0)),
        np.zeros(len(steps)),
        np.array(steps),
        k=k,
        order=order,
        codes=np.column_stack(codes) if codes else None,
        taxonomies=tuple(parts.taxonomies.values()),
    )


Centroids = dict[str, NoisyColumn | ConceptColumn]


def _one_by_one(
    table: Table,
    parts: Parts,
    integers: Mapping[str, NDArray[np.int64]],
    labels: NDArray[np.int64],
    *,
    budget: Budget,
    source: NoiseSource,
) -> Centroids:
    sizes = np.bincount(labels).astype(np.int64)
    sums = {name: cluster_sums(column, labels, sizes.size) for name, column in integers.items()}
    counts = {
        name: concept_counts(
            labels,
            taxonomy.codes(table.texts(name), attribute=name),
            clusters=sizes.size,
            taxonomy=taxonomy,
        )
        for name, taxonomy in parts.taxonomies.items()
    }
    return noisy_centroids(table, parts, sizes, sums, counts, budget=budget, source=source)


def noisy_centroids(
    table: Table,
    parts: Parts,
    sizes: NDArray[np.int64],
    sums: Mapping[str, NDArray[np.int64]],
    counts: Mapping[str, NDArray[np.int64]],
    *,
    budget: Budget,
    source: NoiseSource,
) -> Centroids:
    """Publish the centroids of clusters from their integer sums and counts of concepts."""
    shares = budget.split([1] * len(parts.attributes))
    centroids: Centroids = {}
    for attribute, share in zip(parts.attributes, shares, strict=True):
        name = attribute.name
        if name in parts.taxonomies:
            centroids[name] = _concepts(table, name, counts[name], budget=share, source=source)
            continue
        grid = parts.grids[name]
        if len(parts.attributes) == 1:
            # One attribute: corners take ranks from either end, so clusters are rank blocks.
            bound = sensitivity("rank-blocks", "sums", steps=grid.steps)
        else:
            bound = sensitivity("insensitive", "sums", steps=grid.steps, clusters=sizes.size)
        noisy = add_laplace(
            sums[name],
            grid=grid,
            sensitivity=bound,
            budget=share,
            source=source,
        )
        centroids[name] = NoisyColumn(values=noisy.means(sizes), origin=noisy)
    return centroids


def _concepts(
    table: Table, name: str, counts: NDArray[np.int64], *, budget: Budget, source: NoiseSource
) -> ConceptColumn:
    """Choose a concept for each cluster (Algorithm 4) among public candidates."""
    taxonomy = table.taxonomy(name)
    distances = np.rint(taxonomy.distances * DISTANCE_STEPS).astype(np.int64)
    domain = np.array(taxonomy.domain)
    # Unlike [004, Alg. 4]: the largest distance, because that of the boundaries can be smaller.
    largest = int(distances[np.ix_(np.arange(len(distances)), domain)].max())
    candidates = candidate_codes(table, name, taxonomy)
    selected = choose(
        (counts @ distances)[:, candidates],
        sensitivity=sensitivity("insensitive", "marginality", steps=largest),
        budget=budget,
        source=source,
    )
    concepts = taxonomy.values(candidates[selected.codes])
    return ConceptColumn(concepts=tuple(concepts), origin=selected)


def candidate_codes(table: Table, name: str, taxonomy: Taxonomy) -> NDArray[np.int64]:
    """Return the concepts that the column's type can hold: all of them if it holds texts.

    The root of a flat list of categories says nothing and is no candidate.
    """
    import polars as pl

    flat = table.schema[name].taxonomy is None
    texts = table.frame[name].dtype in (pl.String, pl.Categorical)
    if texts and not flat:
        return np.arange(len(taxonomy.concepts))
    allowed = set(table.domain(name)) if flat else set(table.schema[name].categories or ())
    codes = [code for code, concept in enumerate(taxonomy.concepts) if concept in allowed]
    return np.array(codes or taxonomy.leaves)


def _along_the_curve(
    parts: Parts,
    integers: Mapping[str, NDArray[np.int64]],
    *,
    k: int,
    budget: Budget,
    source: NoiseSource,
) -> tuple[NDArray[np.int64], Centroids]:
    """Order by the Hilbert curve: one joint release of all sums with the chain's sensitivity."""
    names = list(parts.grids)
    shares = np.column_stack([integers[name] / parts.grids[name].steps for name in names])
    zeros, ones = np.zeros(len(names)), np.ones(len(names))
    bits = hilbert_bits(len(names))
    cells = grid_cells(shares, zeros, ones, bits=bits)
    last = (1 << bits) - 1
    labels = insensitive_labels(cells / last, zeros, ones, k=k, order="hilbert", bits=bits)
    sizes = np.bincount(labels).astype(np.int64)
    chain = round(hilbert_chain(sizes.size, len(names), bits) * last)
    sums = np.concatenate([cluster_sums(column, labels, sizes.size) for column in cells.T])
    noisy = add_laplace(
        sums,
        grid=Grid(low=0.0, high=1.0, steps=last),
        sensitivity=sensitivity("insensitive", "chain-sums", chain=chain),
        budget=budget,
        source=source,
    )
    means = np.split(noisy.means(np.tile(sizes, len(names))), len(names))
    ranges = [parts.grids[name] for name in names]
    return labels, {
        name: NoisyColumn(values=grid.low + mean * (grid.high - grid.low), origin=noisy)
        for name, grid, mean in zip(names, ranges, means, strict=True)
    }


def _repeated(centroid: NoisyColumn | ConceptColumn, sizes: NDArray[np.int64]) -> Column:
    """Write each cluster's centroid once for each of its records, whose number is public."""
    if isinstance(centroid, ConceptColumn):
        return replace(centroid, concepts=tuple(np.repeat(centroid.concepts, sizes).tolist()))
    return replace(centroid, values=np.repeat(centroid.values, sizes))


def _assumes(parts: Parts, *, k: int, order: str) -> tuple[str, ...]:
    numeric = [attribute for attribute in parts.attributes if attribute.name in parts.grids]
    facts = [
        *assumptions(numeric, parts.grids),
        f"k = {k} and the sequence of orders ({order}) are functions of public numbers.",
    ]
    facts += [
        f"The possible values of {name} and their taxonomy are known without these data."
        for name in parts.taxonomies
    ]
    return tuple(facts)


INSENSITIVE = System(
    name="insensitive",
    summary="Clusters under public total orders, noise on each centroid; numbers and categories.",
    paper="004, algorithms 2 to 4",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(
        EPSILON,
        Parameter(
            name="k",
            meaning="the number of records in a cluster; chosen from public numbers unless given",
            kind=int,
            default=None,
        ),
        Parameter(
            name="order",
            meaning="the public order of records: one reference point, corners in turn, or the "
            "Hilbert curve",
            kind=str,
            default="corners",
            choices=ORDERS,
        ),
        COLUMNS,
        Parameter(
            name="paper",
            meaning="whether to repeat the paper's evaluation, which carries no guarantee",
            kind=bool,
            default=False,
        ),
    ),
    run=_publish,
)

"""Repeat the evaluation of paper 004, which differs from what it proves.

Corners at the smallest and largest value of the data, bounds at 1.5 times the largest value,
the full budget for every attribute, and a fresh draw for every record (Algorithm 3), of a number
by Laplace noise and of a concept by the exponential mechanism (Algorithm 4).  None of this carries
a guarantee; the reasons are printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means
from covey.aggregate.semantic import concept_counts
from covey.core import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit
from covey.partition import check_k
from covey.partition.insensitive import ORDERS, insensitive_labels, paired_sequence
from covey.systems.base import (
    Outcome,
    PlainSystem,
    Progress,
    columns_setting,
    epsilon_setting,
    setting,
)
from covey.systems.columns import choose_columns, dropped, refuse_kept_missing
from covey.systems.concepts import candidate_codes, distance_steps
from covey.systems.papers.noise import add_laplace
from covey.table import Scale
from covey.table.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.table import Attribute, Table, Taxonomy

_REASONS = (
    "The paper's evaluation is repeated as it was run, for comparison only.",
    "Every attribute spends the whole epsilon, so m attributes spend m times as much.",
    "Noise is drawn for each record of a cluster, so it averages out.",
)
_NUMBERS = (
    "The reference corners and the bounds (1.5 times the largest value) are taken from the data."
)
_CONCEPTS = (
    "The boundaries of a taxonomy are those of the values that occur, and their distance, which "
    "can be too small, bounds how far a concept's marginality moves."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsEvaluatedSettings:
    """What may be set: the settings of the sound system, which this one is reached through."""

    epsilon: float = epsilon_setting()
    k: int | None = setting("the number of records in a cluster; 2 unless given", default=None)
    order: str = setting(
        "the order of records: one reference point, corners in turn, or the Hilbert curve",
        default="corners",
        choices=ORDERS,
    )
    columns: tuple[str, ...] | None = columns_setting()
    paper: bool = setting(
        "whether to repeat the paper's evaluation, which carries no guarantee", default=True
    )


def run(
    table: Table, settings: AsEvaluatedSettings, source: NoiseSource, progress: Progress | None
) -> Outcome:
    """Publish numbers and categories as section 5 of paper 004 evaluates them."""
    del progress
    attributes = choose_columns(table.schema, settings.columns)
    for attribute in attributes:
        refuse_kept_missing(attribute, "the paper's evaluation")
    numeric = [a.name for a in attributes if a.scale is not Scale.NOMINAL]
    nominal = [a.name for a in attributes if a.scale is Scale.NOMINAL]
    k = check_k(settings.k or 2, table.n)
    X = table.matrix(numeric) if numeric else np.empty((table.n, 0))
    codes = np.empty((table.n, len(nominal)), dtype=np.int64)
    taxonomies = []
    for j, name in enumerate(nominal):
        taxonomy = table.taxonomy(name)
        codes[:, j] = taxonomy.codes(table.texts(name), attribute=name)
        taxonomies.append(taxonomy.with_domain(taxonomy.values(np.unique(codes[:, j]))))
    # As evaluated in [004, section 5.1]: domains from 0 to 1.5 times the largest value.
    high = 1.5 * X.max(axis=0)
    labels = insensitive_labels(
        X,
        np.zeros(len(numeric)),
        high,
        k=k,
        order=settings.order,  # type: ignore[arg-type]
        codes=codes,
        taxonomies=taxonomies,
        corners=(X.min(axis=0), X.max(axis=0)),
        sequence=paired_sequence(len(attributes)),
    )
    budget = Budget.of(settings.epsilon)
    columns: dict[str, Any] = {}
    for j, name in enumerate(numeric):
        grid = Grid.between(0.0, high[j])
        columns[name] = _numbers(X[:, j], labels, grid=grid, k=k, budget=budget, source=source)
    for j, (name, taxonomy) in enumerate(zip(nominal, taxonomies, strict=True)):
        columns[name] = _concepts(
            codes[:, j],
            labels,
            taxonomy=taxonomy,
            candidates=candidate_codes(table, name, taxonomy),
            k=k,
            budget=budget,
            source=source,
        )
    columns = {attribute.name: columns[attribute.name] for attribute in attributes}
    guarantee = _nothing(table, attributes, budget)
    return Outcome(columns=columns, guarantee=guarantee, aligned=columns, resolved={"k": k})


def _numbers(
    values: NDArray[np.float64],
    labels: NDArray[np.int64],
    *,
    grid: Grid,
    k: int,
    budget: Budget,
    source: NoiseSource,
) -> NDArray[np.float64]:
    """Add Laplace noise to the centroid of each record's cluster, for each record anew."""
    means = cluster_means(values, labels, np.bincount(labels).astype(np.int64))
    noisy = add_laplace(
        grid.integers(means)[labels],
        grid=grid,
        sensitivity=max(1, round(values.size / k * grid.steps / k)),
        budget=budget,
        source=source,
    )
    return noisy.means()


def _concepts(
    codes: NDArray[np.int64],
    labels: NDArray[np.int64],
    *,
    taxonomy: Taxonomy,
    candidates: NDArray[np.int64],
    k: int,
    budget: Budget,
    source: NoiseSource,
) -> NDArray[np.object_]:
    """Draw a concept by its marginality in each record's cluster, for each record anew, Eq. (6)."""
    steps = distance_steps(taxonomy)
    bottom, top = taxonomy.boundaries
    moved = max(1, int(steps[bottom, top]))
    counts = concept_counts(labels, codes, clusters=int(labels.max()) + 1, taxonomy=taxonomy)
    rate = budget.epsilon / (2 * moved) * Fraction(k, codes.size)
    drawn = source.choices((counts @ steps[:, candidates])[labels], rate=rate)
    return np.array(taxonomy.values(candidates[drawn]), dtype=object)


def _nothing(table: Table, attributes: Sequence[Attribute], budget: Budget) -> Guarantee:
    scales = [attribute.scale is Scale.NOMINAL for attribute in attributes]
    taken = (_NUMBERS,) * (not all(scales)) + (_CONCEPTS,) * any(scales)
    return Guarantee(
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        epsilon=budget.epsilon * len(attributes),
        columns=tuple(attribute.name for attribute in attributes),
        dropped=dropped(table.schema, attributes),
        arithmetic=EXACT,
        reasons=(_REASONS[0], *taken, *_REASONS[1:]),
    )


AS_EVALUATED = PlainSystem(
    name="insensitive",
    summary="Clusters under total orders with corners from the data, noise on each record.",
    paper="004, section 5",
    kind=GuaranteeKind.NONE,
    unit=PrivacyUnit.NONE,
    takes=AsEvaluatedSettings,
    run=run,
)

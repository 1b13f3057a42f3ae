"""Repeat the evaluation of paper 004, which differs from what it proves.

Corners at the smallest and largest value of the data, bounds at 1.5 times the largest value,
the full budget for every attribute, and a fresh draw for every record (Algorithm 3).  None of
this carries a guarantee; the reasons are printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_means
from covey.errors import SchemaError
from covey.partition import check_k
from covey.partition.insensitive import insensitive_labels, paired_sequence
from covey.perturb import Grid, add_laplace
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, as_printed
from covey.release import Column, NoisyColumn
from covey.systems.base import Outcome
from covey.systems.columns import chosen, dropped
from covey.table import Scale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.perturb import NoiseSource
    from covey.table import Table

REASONS = (
    "The paper's evaluation is repeated as it was run, for comparison only.",
    "The reference corners and the bounds (1.5 times the largest value) are taken from the data.",
    "Every attribute spends the whole epsilon, so m attributes spend m times as much.",
    "Noise is drawn for each record of a cluster, so it averages out.",
)


def publish_as_evaluated(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource
) -> Outcome:
    """Publish numeric attributes as section 5 of paper 004 evaluates them."""
    attributes = chosen(table, parameters)
    for attribute in attributes:
        if attribute.scale is Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is nominal, and the paper's evaluation is repeated "
                f"for numeric attributes only. Leave it out with --columns, or set paper = false."
            )
    names = [attribute.name for attribute in attributes]
    k = check_k(parameters["k"] or 2, table.n)
    X = table.matrix(names)
    # As evaluated in [004, section 5.1]: domains from 0 to 1.5 times the largest value.
    high = 1.5 * X.max(axis=0)
    labels = insensitive_labels(
        X,
        np.zeros(len(names)),
        high,
        k=k,
        order=parameters["order"],
        corners=(X.min(axis=0), X.max(axis=0)),
        sequence=paired_sequence(len(names)),
    )
    sizes = np.bincount(labels).astype(np.int64)
    budget = Budget.of(parameters["epsilon"])
    columns: dict[str, Column] = {}
    aligned = {}
    for j, name in enumerate(names):
        grid = Grid.between(0.0, high[j])
        centroids = grid.integers(cluster_means(X[:, j], labels, sizes))[labels]
        noisy = add_laplace(
            centroids,
            grid=grid,
            sensitivity=as_printed(max(1, round(table.n / k * grid.steps / k))),
            budget=budget,
            source=source,
        )
        aligned[name] = noisy.means()
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    guarantee = Guarantee(
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        epsilon=budget.epsilon * len(names),
        columns=tuple(names),
        dropped=dropped(table, attributes),
        arithmetic=EXACT,
        reasons=REASONS,
    )
    return Outcome(columns=columns, guarantee=guarantee, aligned=aligned, resolved={"k": k})

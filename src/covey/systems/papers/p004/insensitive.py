"""Repeat the evaluation of paper 004, which differs from what it proves.

Corners at the smallest and largest value of the data, bounds at 1.5 times the largest value,
the full budget for every attribute, and a fresh draw for every record (Algorithm 3).  None of
this carries a guarantee; the reasons are printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate import cluster_means
from covey.core import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit
from covey.errors import SchemaError
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
from covey.systems.papers.noise import add_laplace
from covey.table import Scale
from covey.table.grid import Grid

if TYPE_CHECKING:
    from covey.core import NoiseSource
    from covey.table import Table

_REASONS = (
    "The paper's evaluation is repeated as it was run, for comparison only.",
    "The reference corners and the bounds (1.5 times the largest value) are taken from the data.",
    "Every attribute spends the whole epsilon, so m attributes spend m times as much.",
    "Noise is drawn for each record of a cluster, so it averages out.",
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
    """Publish numeric attributes as section 5 of paper 004 evaluates them."""
    del progress
    attributes = choose_columns(table.schema, settings.columns)
    for attribute in attributes:
        refuse_kept_missing(attribute, "the paper's evaluation")
        if attribute.scale is Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is nominal, and the paper's evaluation is repeated "
                f"for numeric attributes only. Leave it out with --columns, or set paper = false."
            )
    names = [attribute.name for attribute in attributes]
    k = check_k(settings.k or 2, table.n)
    X = table.matrix(names)
    # As evaluated in [004, section 5.1]: domains from 0 to 1.5 times the largest value.
    high = 1.5 * X.max(axis=0)
    labels = insensitive_labels(
        X,
        np.zeros(len(names)),
        high,
        k=k,
        order=settings.order,  # type: ignore[arg-type]
        corners=(X.min(axis=0), X.max(axis=0)),
        sequence=paired_sequence(len(names)),
    )
    sizes = np.bincount(labels).astype(np.int64)
    budget = Budget.of(settings.epsilon)
    columns = {}
    for j, name in enumerate(names):
        grid = Grid.between(0.0, high[j])
        noisy = add_laplace(
            grid.integers(cluster_means(X[:, j], labels, sizes))[labels],
            grid=grid,
            sensitivity=max(1, round(table.n / k * grid.steps / k)),
            budget=budget,
            source=source,
        )
        columns[name] = noisy.means()
    guarantee = Guarantee(
        kind=GuaranteeKind.NONE,
        unit=PrivacyUnit.NONE,
        epsilon=budget.epsilon * len(names),
        columns=tuple(names),
        dropped=dropped(table.schema, attributes),
        arithmetic=EXACT,
        reasons=_REASONS,
    )
    return Outcome(columns=columns, guarantee=guarantee, aligned=columns, resolved={"k": k})


AS_EVALUATED = PlainSystem(
    name="insensitive",
    summary="Clusters under total orders with corners from the data, noise on each record.",
    paper="004, section 5",
    kind=GuaranteeKind.NONE,
    unit=PrivacyUnit.NONE,
    takes=AsEvaluatedSettings,
    run=run,
)

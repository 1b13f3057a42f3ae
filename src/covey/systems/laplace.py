"""Perturb every record by itself: local differential privacy, the plain baseline.

The only system whose rows may stay in the order of the original records, because each row
is protected without the help of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.perturb import add_laplace
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, NoisyColumn
from covey.systems.base import COLUMNS, EPSILON, Outcome, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data, on_grids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from covey.perturb import NoiseSource
    from covey.table import Table

_CONDITIONS = (
    (
        "Rows keep the order of the original records, which no other guarantee allows; without "
        "this guarantee they are sorted by their released values."
    ),
    "Single values mean little, because the noise is wider than the bounds; averages do.",
)


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    attributes = chosen(table, parameters)
    grids = on_grids(attributes, "laplace")
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    columns: dict[str, Column] = {}
    aligned = {}
    for done, (attribute, share) in enumerate(zip(attributes, shares, strict=True)):
        name, grid = attribute.name, grids[attribute.name]
        if progress is not None:
            progress("laplace: perturbing columns", done, len(attributes))
        noisy = add_laplace(
            grid.integers(table.values(name)),
            grid=grid,
            sensitivity=sensitivity("laplace", "values", steps=grid.steps),
            budget=share,
            source=source,
        )
        aligned[name] = noisy.means()
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    guarantee = Guarantee(
        kind=GuaranteeKind.LOCAL_DP,
        unit=PrivacyUnit.REPLACE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(columns),
        dropped=dropped(table, attributes),
        assumes=assumptions(attributes, grids),
        conditions=_CONDITIONS,
        arithmetic=EXACT,
        claim="record-values",
    )
    reason = from_the_data(attributes)
    if reason:
        guarantee = guarantee.downgraded(reason)
    return Outcome(columns=columns, guarantee=guarantee, aligned=aligned)


LAPLACE = System(
    name="laplace",
    summary="Discrete Laplace noise on every value of every record; no clusters.",
    paper="baseline of 000, 002, 003 and 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(EPSILON, COLUMNS),
    run=_publish,
)

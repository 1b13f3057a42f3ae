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
from covey.systems.intervals import mean_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from covey.perturb import Grid, NoiseSource, Perturbed
    from covey.table import Attribute, Table

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
        noisy = noisy_values(table.values(name), grid=grid, budget=share, source=source)
        aligned[name] = noisy.means()
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    return Outcome(
        columns=columns,
        guarantee=laplace_guarantee(table, attributes, grids, whole),
        aligned=aligned,
        extras={"accuracy": mean_table(attributes, columns, table.n)},
    )


def noisy_values(
    values: NDArray[np.float64], *, grid: Grid, budget: Budget, source: NoiseSource
) -> Perturbed:
    """Put values of one column on their grid and add noise to each of them."""
    return add_laplace(
        grid.integers(values),
        grid=grid,
        sensitivity=sensitivity("laplace", "values", steps=grid.steps),
        budget=budget,
        source=source,
    )


def laplace_guarantee(
    table: Table, attributes: Sequence[Attribute], grids: Mapping[str, Grid], whole: Budget
) -> Guarantee:
    """Return what noise on every record promises, whichever engine adds it."""
    guarantee = Guarantee(
        kind=GuaranteeKind.LOCAL_DP,
        unit=PrivacyUnit.REPLACE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(attribute.name for attribute in attributes),
        dropped=dropped(table, attributes),
        assumes=assumptions(attributes, grids),
        conditions=_CONDITIONS,
        arithmetic=EXACT,
        claim="record-values",
    )
    reason = from_the_data(attributes)
    return guarantee.downgraded(reason) if reason else guarantee


LAPLACE = System(
    name="laplace",
    summary="Discrete Laplace noise on every value of every record; no clusters.",
    paper="baseline of 000, 002, 003 and 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(EPSILON, COLUMNS),
    run=_publish,
)

"""In which whole steps does a survey weight count, so that sums of it can be asked about?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import ColumnCells
from covey.errors import PlanError, SchemaError, suggest
from covey.partition.axis import axis_of
from covey.table import Role
from covey.table.grid import FINEST

if TYPE_CHECKING:
    from covey.table import Attribute, Head

LEAST_LARGEST = 1.0
"""Published totals are whole numbers, so a record must be able to stand for one person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """A survey weight in whole steps.

    ``cells.of`` are the steps that each integer of its axis counts, and ``step`` is one of them in
    the weight's own unit.
    """

    attribute: Attribute
    cells: ColumnCells = field(repr=False)
    step: float

    @property
    def fact(self) -> str:
        """Return what must be public for the promise to hold."""
        name, told = self.attribute.name, self.attribute.told
        largest = told(self.attribute.public_bounds[1])
        return (
            f"The largest weight in {name}, {largest}, is known without these data; larger weights "
            f"are moved to it."
        )

    @property
    def condition(self) -> str:
        """Return what readers must know."""
        return (
            f"Cells add up the survey weight {self.attribute.name}: they count what records stand "
            f"for, not records. Weights that were calibrated to totals of this sample are taken as "
            f"part of their own record."
        )


def weighing_of(head: Head, name: str) -> Weighing:
    """Return a weight of the schema in whole steps, or explain why it is none."""
    weights = [each.name for each in head.schema.with_role(Role.WEIGHT)]
    if name not in head.schema.names:
        raise PlanError(
            f"there is no column {name!r} to weight with, so nothing was published. "
            f"{suggest(name, weights or head.schema.names)}"
        )
    attribute = head.schema[name]
    if attribute.role is not Role.WEIGHT:
        raise PlanError(
            f"the column {name!r} is {attribute.role} in the schema and no weight, so nothing was "
            f'published. Set role = "weight", with bounds = [0, largest weight of the design].'
        )
    high = attribute.public_bounds[1]
    if high < LEAST_LARGEST:
        raise SchemaError(
            f"the largest weight in {name!r} is below 1, and totals are published as whole "
            f"numbers, so nothing was published. Multiply the weights, so that they add up to the "
            f"people or the records that they stand for."
        )
    axis = axis_of(head, attribute)
    assert axis.grid is not None  # noqa: S101 — weights are numbers
    grid = axis.grid
    # Not finer than 2^20 steps up to the largest weight, even if the smallest is close to it.
    step = grid.step if high <= grid.step * FINEST else high / FINEST
    values = grid.values(np.arange(grid.steps + 1))
    steps = np.rint(values / step).astype(np.int32)
    cells = ColumnCells(axis, steps, int(steps[-1]) + 1)
    return Weighing(attribute=attribute, cells=cells, step=step)

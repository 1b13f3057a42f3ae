"""On which public axis does each attribute of a private tree lie?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import SchemaError
from covey.partition.taxonomy_side import taxonomy_side
from covey.partition.tree import Side, bent_side
from covey.perturb import Grid
from covey.table import Attribute, Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

FINEST = 2.0**-12
"""A side of a continuous attribute is not cut below this share of its scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One attribute as integers 0 … m on a public scale.

    Parameters
    ----------
    name : str
        The attribute.
    side : Side
        Where its range is cut.
    grid : Grid, optional
        What the integers mean; None for categories.
    values : tuple of str
        The categories in the order of the axis; empty for numbers.
    whole : bool
        Whether the grid's steps are the attribute's own, so that released values are rounded.
    """

    name: str
    side: Side
    grid: Grid | None
    values: tuple[str, ...] = ()
    whole: bool = False

    def cells(self, table: Table) -> NDArray[np.int32]:
        """Return the integer of each record."""
        if self.grid is not None:
            return self.grid.integers(table.values(self.name)).astype(np.int32)
        place = {value: code for code, value in enumerate(self.values)}
        return np.array([place[text] for text in table.texts(self.name)], dtype=np.int32)


def axis_of(table: Table, attribute: Attribute) -> Axis:
    """Return the public axis of an attribute, or explain what is missing in the schema."""
    if attribute.scale is not Scale.NOMINAL:
        low, high = attribute.public_bounds
        whole = attribute.integer or attribute.scale is Scale.ORDINAL
        grid = Grid.between(low, high, integer=whole)
        exact = grid.step == 1.0 and whole
        side = bent_side(grid.steps + 1, finest=0.0 if exact else FINEST)
        return Axis(name=attribute.name, side=side, grid=grid, whole=exact)
    if attribute.taxonomy is None and attribute.categories is None:
        raise SchemaError(
            f"attribute {attribute.name!r} lists neither categories nor a taxonomy, so its "
            f"possible values would come from the data. Give `categories = [...]` or "
            f'`taxonomy = "file.csv"`, from public knowledge.'
        )
    taxonomy = table.taxonomy(attribute.name)
    listed = attribute.categories or tuple(taxonomy.concepts[code] for code in taxonomy.domain)
    listed = tuple(value for value in table.domain(attribute.name) if value in {*listed})
    side, order = taxonomy_side(taxonomy, listed)
    return Axis(name=attribute.name, side=side, grid=None, values=order)

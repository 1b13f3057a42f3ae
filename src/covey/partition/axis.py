"""On which public axis does each attribute lie, so that boxes can be cut along it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import SchemaError
from covey.partition.priv_tree import Side, bent_side
from covey.partition.taxonomy_side import taxonomy_side
from covey.table import Attribute, Head, Scale
from covey.table.attribute import MISSING_CATEGORY
from covey.table.grid import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

FINEST_SIDE = 2.0**-12
"""A side of a continuous attribute is not cut below this share of its scale."""

LEAST_SHARE = 1e-4
"""Every category occupies at least about this share of its axis."""


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
    exact : bool
        Whether records themselves lie on the grid, so that it rounds nothing.
    by_mass : bool
        Whether places on the axis are measured by published mass, not in the attribute's units.
    special : tuple of float
        Public values with a mass of their own: the first integers of the axis, before the grid.
        NaN stands for a missing value.
    """

    name: str
    side: Side
    grid: Grid | None
    values: tuple[str, ...] = ()
    whole: bool = False
    exact: bool = False
    by_mass: bool = False
    special: tuple[float, ...] = ()

    @property
    def measured(self) -> bool:
        """Return whether sums make sense: the attribute is no category."""
        return self.grid is not None

    def places(self, cells: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return where records lie: the middle of their mass, or their integer."""
        if self.by_mass:
            return np.asarray((self.side.edges[:-1] + self.side.edges[1:])[cells] / 2.0)
        return cells.astype(np.float64)

    def ends(
        self, low: NDArray[np.int64], high: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where boxes begin and end, in the same coordinates; one value has no width."""
        if not self.by_mass:
            return low.astype(np.float64), high.astype(np.float64)
        begin, end = self.side.edges[low], self.side.edges[high + 1]
        return begin, np.where(high > low, end, begin)

    def integers(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn places back into (fractional) integers of the axis."""
        if not self.by_mass:
            return places
        last = self.side.edges.size - 2
        found = np.searchsorted(self.side.edges, places, side="right") - 1
        return np.asarray(np.clip(found, 0, last), dtype=np.float64)

    def at(self, integers: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the values that (fractional) integers of a numeric axis stand for."""
        assert self.grid is not None  # noqa: S101 — categories have no values
        apart = len(self.special)
        values = self.grid.values(np.asarray(integers) - apart)
        for place, value in enumerate(self.special):
            values = np.where(np.asarray(integers) == place, value, values)
        return np.asarray(values)


def axis_of(head: Head, attribute: Attribute) -> Axis:
    """Return the public axis of an attribute, or explain what is missing in the schema."""
    if attribute.scale is not Scale.NOMINAL:
        grid = grid_of(attribute)
        own = has_own_steps(attribute, grid)
        side = bent_side(grid.steps + 1, finest=0.0 if own else FINEST_SIDE)
        special = attribute.apart
        if special:
            before = np.arange(-len(special), 0.0)
            edges = np.concatenate((before, side.edges))
            side = Side(edges=edges, finest=side.finest, apart=len(special))
        return Axis(
            name=attribute.name,
            side=side,
            grid=grid,
            whole=own,
            # Whole numbers are checked when records are read; other steps are rounded to.
            exact=own and grid.step == 1.0 and attribute.is_whole,
            special=special,
        )
    if attribute.taxonomy is None and attribute.categories is None:
        raise SchemaError.without_categories(attribute.name)
    values = head.domain(attribute.name)
    if attribute.categories is not None:
        listed = {*attribute.categories, MISSING_CATEGORY}
        values = tuple(value for value in values if value in listed)
    side, order = taxonomy_side(head.taxonomy(attribute.name), values)
    return Axis(name=attribute.name, side=side, grid=None, values=order)


def grid_of(attribute: Attribute) -> Grid:
    """Return the public grid of a numeric or ordinal attribute, or explain what is missing."""
    low, high = attribute.public_bounds
    step = attribute.step if attribute.kind is None else None
    return Grid.between(low, high, integer=attribute.is_whole, step=step)


def has_own_steps(attribute: Attribute, grid: Grid) -> bool:
    """Return whether the steps of a grid are those that the attribute's values lie on."""
    step = attribute.own_step
    # A step in decimals is hardly ever a float, so the number of steps is compared.
    return step is not None and abs(grid.steps - (grid.high - grid.low) / step) < _NEAR


_NEAR = 1e-6


def weighted(axis: Axis, noisy_counts: NDArray[np.int64]) -> Axis:
    """Return the axis of a categorical attribute with cuts at the middle of published mass.

    Categories keep their place next to their kin in the taxonomy; a frequent one is cut off
    first.  Noise below zero counts as nothing, and every category keeps a small share.
    """
    mass = np.maximum(noisy_counts, 0).astype(np.float64)
    mass += max(mass.sum(), 1.0) * LEAST_SHARE
    return replace(axis, side=Side(edges=_cumulated(mass)), by_mass=True)


def scaled(axis: Axis, mass: NDArray[np.float64], *, finest: float) -> Axis:
    """Return the axis of a numeric attribute measured by a published distribution."""
    finest = 0.0 if axis.whole else finest
    return replace(axis, side=Side(edges=_cumulated(mass), finest=finest), by_mass=True)


def _cumulated(mass: NDArray[np.float64]) -> NDArray[np.float64]:
    edges = np.concatenate(([0.0], np.cumsum(mass / mass.sum())))
    edges[-1] = 1.0
    return np.minimum(edges, 1.0)

"""Which integer does each record of a piece have on a public axis, and under a public order?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.partition.hilbert import grid_cells
from covey.partition.insensitive import insensitive_labels
from covey.table.attribute import MISSING_CATEGORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.partition.axis import Axis
    from covey.partition.insensitive import PublicOrder
    from covey.table import Table


def cells_of(table: Table, axis: Axis) -> NDArray[np.int32]:
    """Return the integer of each record on an axis."""
    if axis.grid is not None:
        values = table.values(axis.name)
        lacking = np.isnan(values)
        known = np.where(lacking, axis.grid.low, values) if lacking.any() else values
        found = axis.grid.integers(known) + len(axis.special)
        for code, value in enumerate(axis.special):
            found[lacking if np.isnan(value) else values == value] = code
        return found.astype(np.int32)
    texts = table.frame[axis.name].cast(pl.String).fill_null(MISSING_CATEGORY)
    codes = pl.Series(range(len(axis.values)), dtype=pl.Int32)
    codes_of = texts.replace_strict(pl.Series(axis.values), codes, return_dtype=pl.Int32)
    return np.asarray(codes_of.to_numpy(), dtype=np.int32)


def axis_scale(axis: Axis) -> tuple[Any, ...]:
    """Return all that the integers of an axis depend on; where it is cut does not matter."""
    # Written out, because a missing value, NaN, does not equal itself.
    return axis.name, axis.grid, repr(axis.special), axis.values


def concept_codes(table: Table, order: PublicOrder, name: str) -> NDArray[np.int64]:
    """Return the concept of each record."""
    return order.taxonomies[name].codes(table.texts(name), attribute=name)


def curve_cells(table: Table, order: PublicOrder) -> NDArray[np.int64]:
    """Return the cells of the grid under the Hilbert curve, one column for each attribute."""
    shares = np.column_stack(
        [grid.integers(table.values(name)) / grid.steps for name, grid in order.grids.items()]
    )
    count = len(order.grids)
    return grid_cells(shares, np.zeros(count), np.ones(count), bits=order.bits)


def cluster_labels(table: Table, order: PublicOrder) -> NDArray[np.int64]:
    """Return the cluster of each record under a public order."""
    if order.kind == "hilbert":
        last, count = (1 << order.bits) - 1, len(order.grids)
        return insensitive_labels(
            curve_cells(table, order) / last,
            np.zeros(count),
            np.ones(count),
            k=order.k,
            order="hilbert",
            bits=order.bits,
        )
    numeric = [
        grid.integers(table.values(name)).astype(np.float64) for name, grid in order.grids.items()
    ]
    codes = [concept_codes(table, order, name) for name in order.taxonomies]
    return insensitive_labels(
        np.column_stack(numeric) if numeric else np.empty((table.n, 0)),
        np.zeros(len(numeric)),
        np.array([float(grid.steps) for grid in order.grids.values()]),
        k=order.k,
        order=order.kind,
        codes=np.column_stack(codes) if codes else None,
        taxonomies=tuple(order.taxonomies.values()),
    )

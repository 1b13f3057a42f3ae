"""On which public axes can the values of columns be counted, before anyone asks?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import CoveyError
from covey.partition.axis import Axis, axis_of, grid_of
from covey.partition.priv_tree import Side
from covey.table import Scale

if TYPE_CHECKING:
    from covey.table import Table
    from covey.table.grid import Grid

NOWHERE = Side(edges=np.empty(0))
"""Where an axis is cut that is counted and nothing else: fine cuts take memory."""


def public_axes(head: Table, columns: Sequence[str] | None) -> dict[str, Axis]:
    """Return the axes of some columns, or all; those without a public one are left out."""
    found, public = {}, head.head(known_n=False)
    for attribute in head.schema:
        name, special = attribute.name, attribute.apart
        if attribute.is_hidden or not (columns is None or name in columns):
            continue
        # Nobody can ask about a column without bounds or categories: `ask` says so by its name.
        with suppress(CoveyError):
            if attribute.scale is Scale.NOMINAL:
                found[name] = axis_of(public, attribute)
            else:
                found[name] = uncut_axis(name, grid_of(attribute), special)
    return found


def uncut_axis(name: str, grid: Grid, special: tuple[float, ...] = ()) -> Axis:
    """Return an axis that knows its integers alone."""
    return Axis(name=name, side=NOWHERE, grid=grid, special=special)


def axis_width(axis: Axis) -> int:
    """Return how many different integers an axis has."""
    return len(axis.values) if axis.grid is None else len(axis.special) + axis.grid.steps + 1

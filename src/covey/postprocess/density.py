"""How is a column distributed along its public scale?  Published mass in pieces, read by rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NARROW = 2.0**-6
TOWERING = 8.0
"""A piece at a bound is taken as one value if it is not wider on the scale, and so many times as
dense as the next."""

TILTED = 4
"""A piece with a slope is cut into so many even ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """Mass in pieces of an axis, even on its public scale inside each.

    Parameters
    ----------
    edges : array of float64
        Integer i of the axis occupies edges[i] … edges[i + 1] on the scale.
    starts : array of int64
        The first integer of each piece.
    mass : array of float64
        The share of the records in each.
    """

    edges: NDArray[np.float64]
    starts: NDArray[np.int64]
    mass: NDArray[np.float64]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Return the first integer after each piece."""
        return np.append(self.starts[1:], self.edges.size - 1)

    def below(self, integers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mass below each integer."""
        ends = np.append(self.starts, self.edges.size - 1)
        total = np.concatenate(([0.0], np.cumsum(self.mass)))
        return np.asarray(np.interp(self.edges[integers], self.edges[ends], total / total[-1]))

    def at_ranks(self, ranks: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the integer of the axis at each rank, 0 … 1."""
        full = np.flatnonzero(self.mass > 0)
        starts, ends = self.starts[full], self.ends[full]
        total = np.concatenate(([0.0], np.cumsum(self.mass[full])))
        total /= total[-1]
        piece = np.clip(np.searchsorted(total, ranks, side="right") - 1, 0, full.size - 1)
        share = (ranks - total[piece]) / (total[piece + 1] - total[piece])
        low, high = self.edges[starts[piece]], self.edges[ends[piece]]
        found = np.searchsorted(self.edges, low + share * (high - low), side="right") - 1
        return np.asarray(np.clip(found, starts[piece], ends[piece] - 1))

    def reweighted(self, cuts: NDArray[np.int64], mass: NDArray[np.float64]) -> Density:
        """Return the density with given mass between cuts, in the same proportions inside."""
        starts = np.union1d(self.starts, cuts)
        below = np.append(self.below(starts), 1.0)
        inside = np.searchsorted(cuts, starts, side="right") - 1
        fine = np.maximum(np.diff(below), 0.0)
        ends = np.append(starts[1:], self.edges.size - 1)
        # Mass that was not there before is even on the scale.
        width = self.edges[ends] - self.edges[starts]
        empty = np.bincount(inside, weights=fine, minlength=cuts.size) <= 0
        fine = np.where(empty[inside], width, fine)
        whole = np.bincount(inside, weights=fine, minlength=cuts.size)
        return replace(self, starts=starts, mass=fine / whole[inside] * mass[inside])


def piled(density: Density, apart: int) -> Density:
    """Put the mass of a narrow piece at either end on the bound, if it towers over the next one.

    "None" and "all" are frequent answers, and nothing else explains such a piece.
    """
    last, size = density.starts.size - 1, density.edges.size - 1
    ends = density.ends
    width = density.edges[ends] - density.edges[density.starts]
    height = density.mass / width
    starts, mass = list(density.starts), list(density.mass)
    for piece, beside, value in ((last, last - 1, size - 1), (apart, apart + 1, apart)):
        if not apart <= beside <= last or ends[piece] - density.starts[piece] == 1:
            continue
        if width[piece] <= NARROW and height[piece] > TOWERING * height[beside]:
            # From the end, so that places before it stay where they are.
            split = [value] if piece == last else [apart + 1]
            starts[piece + 1 : piece + 1] = split
            whole = mass[piece]
            mass[piece : piece + 1] = [0.0, whole] if piece == last else [whole, 0.0]
    return replace(density, starts=np.array(starts), mass=np.array(mass))


def tilted_density(
    edges: NDArray[np.float64], starts: NDArray[np.int64], counts: NDArray[np.float64], apart: int
) -> Density:
    """Return the density of counts, rising or falling inside a cell as its neighbours suggest.

    The slope is the smaller of the two to the neighbours, none at a peak or in a trough, and
    never makes a density negative.  The first ``apart`` cells are single values.
    """
    ends = np.append(starts[1:], edges.size - 1)
    width = edges[ends] - edges[starts]
    total = counts.sum()
    mass = counts / total if total > 0 else width / width.sum()
    height, middle = mass / width, (edges[starts] + edges[ends]) / 2.0
    slope = np.zeros(starts.size)
    if starts.size - apart > 2:  # noqa: PLR2004 — a neighbour on either side
        rise = np.diff(height[apart:]) / np.diff(middle[apart:])
        before, after = rise[:-1], rise[1:]
        smaller = np.where(np.abs(before) < np.abs(after), before, after)
        slope[apart + 1 : -1] = np.where(before * after > 0, smaller, 0.0)
    slope = np.clip(slope, -2.0 * height / width, 2.0 * height / width)
    found = [starts]
    wide = np.flatnonzero((slope != 0) & (ends - starts > 1))
    for part in range(1, TILTED):
        cut = edges[starts[wide]] + width[wide] * part / TILTED
        found.append(np.searchsorted(edges, cut))
    fine = np.unique(np.concatenate(found))
    owner = np.searchsorted(starts, fine, side="right") - 1
    stop = np.append(fine[1:], edges.size - 1)
    centre = (edges[fine] + edges[stop]) / 2.0 - middle[owner]
    density = np.maximum(height[owner] + slope[owner] * centre, 0.0) * (edges[stop] - edges[fine])
    whole = np.bincount(owner, weights=density, minlength=starts.size)
    share = np.divide(mass, whole, out=np.zeros(mass.size), where=whole > 0)
    return Density(edges=edges, starts=fine, mass=density * share[owner])

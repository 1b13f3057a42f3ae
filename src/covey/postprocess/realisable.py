"""Which joint degrees, or degrees, of a simple graph are nearest to noisy ones?

Everything here is a function of noisy counts and public numbers, so it cannot undo a guarantee.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError
from covey.graph import DK

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Steps of the most even lattice in the plane, from the root of x³ = x + 1: neighbouring cells of a
# row or of a column get thresholds far apart, so that rounding favours no degrees.
_LATTICE = (0.7548776662466927, 0.5698402909980532)


def realisable(keys: ArrayLike, counts: ArrayLike) -> DK:
    """Return the joint degrees (2K) of some simple graph that are near the given ones.

    A matrix p of whole numbers is the 2K of a simple graph if and only if each degree i has a
    whole number of nodes n(i), that is, i divides the ends of edges at degree i, and
    p(i, j) <= n(i) n(j) and p(i, i) <= n(i) (n(i) - 1) / 2 (Stanton and Pinar 2012).

    Negative counts become 0.  Then, from the largest degree down, the ends at each degree are
    rounded to whole nodes, and what is left over goes to the next degree, so that edges are kept
    in number and roughly in place even if every single cell holds a fraction of one.  The node
    counts are made graphical (see :func:`graphical`), the cells are scaled to the new numbers of
    ends, and rounded with regard to these.  Joint degrees of a simple graph come back as they are.

    Parameters
    ----------
    keys : array of int, shape (cells, 2)
        Pairs of degrees in either order; pairs with a 0 are left out, repeats are added up.
    counts : array of float, shape (cells,)
        Noisy numbers of edges: any finite numbers.

    Returns
    -------
    DK
        Of order 2.  The input alone decides; nothing is drawn.

    Notes
    -----
    Edges are lost where so many ends are at large degrees that too few nodes are left to take
    them.  A few dense tables of a few nodes cannot be rounded by the search that is made here;
    then the joint degrees of another graph with the same node counts are returned.

    Examples
    --------
    >>> realisable([(1, 2), (2, 2)], [1.7, 1.2]).counts.tolist()
    [2, 1]
    """
    pairs, values = _cells(keys, counts, width=2)
    pairs = np.sort(pairs, axis=1)
    wanted = (pairs[:, 0] > 0) & (values > 0)
    pairs, values = pairs[wanted], values[wanted]
    degrees, places = np.unique(pairs, return_inverse=True)
    ends = np.bincount(places.ravel(), weights=np.repeat(values, 2), minlength=degrees.size)
    degrees, sizes = _graphical(*_whole_nodes(degrees, ends.astype(np.float64)))
    if degrees.size == 0:
        return DK(order=2, keys=np.empty((0, 2), np.int64), counts=np.empty(0, np.int64))
    whole = _whole_edges(degrees, sizes, _snapped(pairs, values, degrees))
    low, high = np.nonzero(np.triu(whole))
    return DK(order=2, keys=np.column_stack([degrees[low], degrees[high]]), counts=whole[low, high])


def graphical(keys: ArrayLike, counts: ArrayLike) -> DK:
    """Return the degree distribution (1K) of some simple graph that is near the given one.

    Negative counts become 0, and the number of nodes of each degree or more is rounded.  A node
    of degree 1 is added where the degrees have an odd sum.  While some k nodes have more ends
    than the others can take (Erdős and Gallai 1960), the largest degree is lowered.  The degrees
    of a simple graph come back as they are.

    Parameters
    ----------
    keys : array of int, shape (cells,) or (cells, 1)
        Degrees, 0 for isolated nodes; repeats are added up.
    counts : array of float, shape (cells,)
        Noisy numbers of nodes: any finite numbers.

    Examples
    --------
    >>> near = graphical([1, 2, 7], [2.2, 0.9, 0.6])
    >>> near.keys.ravel().tolist(), near.counts.tolist()
    ([1, 2, 3], [3, 1, 1])
    """
    column, values = _cells(keys, counts, width=1)
    degrees, places = np.unique(column, return_inverse=True)
    amounts = np.bincount(places.ravel(), weights=np.maximum(values, 0.0), minlength=degrees.size)
    at_least = np.floor(np.cumsum(amounts[::-1])[::-1] + 0.5).astype(np.int64)
    sizes = -np.diff(at_least, append=0)
    isolated = int(sizes[degrees == 0].sum())
    degrees, sizes = _graphical(degrees[degrees > 0], sizes[degrees > 0])
    if isolated > 0:
        degrees, sizes = np.append(0, degrees), np.append(isolated, sizes)
    return DK(order=1, keys=degrees[:, None], counts=sizes)


def is_realisable(dk: DK) -> bool:
    """Say whether a simple graph has exactly these degrees (1K) or joint degrees (2K)."""
    keys, counts = dk.keys, dk.counts
    if (counts < 0).any() or (keys < 0).any() or len(np.unique(keys, axis=0)) < len(keys):
        return False
    if dk.order == 1:
        proper = (keys[:, 0] > 0) & (counts > 0)
        degrees, sizes = keys[proper, 0], counts[proper]
        order = np.argsort(degrees)
        odd = bool((degrees * sizes).sum() % 2)
        return not odd and _excess(degrees[order], sizes[order]) <= 0
    if (keys[:, 0] > keys[:, 1]).any() or (keys == 0).any():
        return False
    degrees, sizes, rest = node_counts(dk)
    low, high = np.searchsorted(degrees, keys).T
    limit = np.where(low == high, sizes[low] * (sizes[low] - 1) // 2, sizes[low] * sizes[high])
    return not rest.any() and bool((counts <= limit).all())


def node_counts(dk: DK) -> tuple[Ints, Ints, Ints]:
    """Return the degrees of a 2K, the whole number of nodes of each, and the ends left over."""
    degrees, places = np.unique(dk.keys, return_inverse=True)
    ends = np.zeros(degrees.size, dtype=np.int64)
    np.add.at(ends, places.ravel(), np.repeat(dk.counts, 2))
    return degrees, ends // np.maximum(degrees, 1), ends % np.maximum(degrees, 1)


def _cells(keys: ArrayLike, counts: ArrayLike, *, width: int) -> tuple[Ints, Floats]:
    values = np.asarray(counts, dtype=np.float64).ravel()
    pairs = np.asarray(keys).reshape(values.size, -1) if values.size else np.empty((0, width))
    if pairs.shape[1] != width or not np.isfinite(values).all() or (pairs < 0).any():
        raise DataError(
            "the noisy counts do not name their degrees, so no graph can be near them. Give one "
            f"row of {width} degree(s), 0 or more, and one finite count for each cell."
        )
    return pairs.astype(np.int64), values


def _whole_nodes(degrees: Ints, ends: Floats) -> tuple[Ints, Ints]:
    """Round the ends at each degree to whole nodes; the rest goes to the next smaller degree."""
    sizes = np.zeros(degrees.size, dtype=np.int64)
    rest = 0.0
    for place in range(degrees.size - 1, -1, -1):
        rest += ends[place]
        sizes[place] = max(0, int(np.floor(rest / degrees[place] + 0.5)))
        rest -= degrees[place] * sizes[place]
    return degrees, sizes


def _graphical(degrees: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Change the fewest nodes that come to hand until a simple graph has these degrees."""
    sizes_of = {int(d): int(n) for d, n in zip(degrees, sizes, strict=True) if n > 0}
    if sum(d * n for d, n in sizes_of.items()) % 2:
        sizes_of[1] = sizes_of.get(1, 0) + 1
    while True:
        degrees = np.array(sorted(sizes_of), dtype=np.int64)
        sizes = np.array([sizes_of[int(d)] for d in degrees], dtype=np.int64)
        excess = _excess(degrees, sizes)
        if excess <= 0:
            return degrees, sizes
        top = int(degrees[-1])
        # By an even number, so that the sum of degrees stays even.
        lowered = max(top - (excess + excess % 2), top % 2)
        sizes_of[top] -= 1
        if sizes_of[top] == 0:
            del sizes_of[top]
        if lowered > 0:
            sizes_of[lowered] = sizes_of.get(lowered, 0) + 1


def _excess(degrees: Ints, sizes: Ints) -> int:
    """Return by how much the condition of Erdős and Gallai is missed, at the worst k; <= 0 if met.

    It needs to be looked at only where the sorted degrees fall (Tripathi and Vijay 2003).
    """
    falling, many = degrees[::-1], sizes[::-1]
    chosen = np.cumsum(many)
    ends = np.cumsum(falling * many)
    # Nodes of degree k or more give k each to the first k, the others all they have.
    small = np.searchsorted(-falling, -chosen, side="right")
    small = np.maximum(small, np.arange(1, falling.size + 1))
    below = np.concatenate([[0], chosen])
    under = np.concatenate([[0], ends])
    rest = chosen * (below[small] - chosen) + (ends[-1:] - under[small])
    return int(np.max(ends - chosen * (chosen - 1) - rest, initial=0))


def _snapped(pairs: Ints, values: Floats, degrees: Ints) -> Floats:
    """Add up the cells by the nearest degrees that have nodes, as a symmetric table."""
    middles = (degrees[1:] + degrees[:-1]) / 2.0
    low, high = np.searchsorted(middles, pairs, side="left").T
    flat = np.bincount(low * degrees.size + high, weights=values, minlength=degrees.size**2)
    table = flat.reshape(degrees.size, degrees.size)
    return np.asarray(table + np.triu(table, 1).T)


def _whole_edges(degrees: Ints, sizes: Ints, table: Floats) -> Ints:
    """Fit the table to the ends of each degree, in whole numbers.

    Degrees times nodes are the ends of the edges, so the table has O(edges) entries.
    """
    from covey.kernels.graphs.joint import complete, fit_ends, round_up

    ends = degrees * sizes
    fit_ends(table, ends, sizes)
    whole = np.floor(table).astype(np.int64)
    missing = ends - whole.sum(axis=1) - np.diagonal(whole)
    low, high = np.nonzero(np.triu(table > whole))
    share = table[low, high] - whole[low, high]
    threshold = (degrees[low] * _LATTICE[0] + degrees[high] * _LATTICE[1]) % 1.0
    # In the order of odds ratios a cell is rounded up about as often as its fraction says.
    odds = threshold * (1.0 - share) / (share * (1.0 - threshold))
    order = np.argsort(odds, kind="stable")
    round_up(whole, missing, low[order], high[order])
    if not complete(whole, missing, sizes):
        return _any_edges(degrees, sizes)
    return whole


def _any_edges(degrees: Ints, sizes: Ints) -> Ints:
    """Return the joint degrees of one simple graph with these nodes, whatever they are."""
    from covey.kernels.graphs.rewire import havel_hakimi

    stubs = havel_hakimi(np.repeat(degrees, sizes))
    home = np.repeat(np.arange(degrees.size), sizes)
    ends = np.repeat(home, stubs.used), home[stubs.neighbour]
    whole = np.zeros((degrees.size, degrees.size), dtype=np.int64)
    np.add.at(whole, ends, 1)
    inside = np.arange(degrees.size)
    whole[inside, inside] //= 2
    return whole

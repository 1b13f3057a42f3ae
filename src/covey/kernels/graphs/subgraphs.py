"""How many triangles, and how many paths over two edges, join nodes of given classes?

The nodes are numbered by class, so the neighbours of a node in ascending order are also its
neighbours class by class.  Both counts are taken for one class of nodes at a time into a table
of pairs of classes that the caller lends and that is given back empty.  If the classes are the
degrees that occur, D of them, the table has no more than 4 m cells for m edges, because
1 + 2 + … + D <= 2 m: memory stays linear in the size of the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def count_triangles(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    classes: NDArray[np.int64],
    first: int,
    last: int,
    table: NDArray[np.int64],
    marks: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the triangles whose lowest node is in ``first:last``, by the other two classes.

    Each node's higher neighbours are marked, and those of its higher neighbours are looked up
    among the marks.  If nodes are numbered by degree, that is O(m^1.5) over all nodes.

    Parameters
    ----------
    indptr, indices
        The graph as compressed sparse rows, neighbours ascending.
    classes
        Class of each node; ascending with the node's number.
    first, last
        Which nodes.
    table : shape (number of classes,) * 2
        Room to work in: zeros, and zeros again afterwards.
    marks : one for each node
        Room to work in: below ``first`` before, below ``last`` afterwards.

    Returns
    -------
    cells, counts
        Pairs (x, y) with x <= y as ``x * number of classes + y``, in no order, and how many
        triangles have them.
    """
    width = table.shape[0]
    cells = np.empty(16, np.int64)
    found = 0
    for a in range(first, last):
        for p in range(indptr[a + 1] - 1, indptr[a] - 1, -1):
            if indices[p] < a:
                break
            marks[indices[p]] = a
        for p in range(indptr[a + 1] - 1, indptr[a] - 1, -1):
            b = indices[p]
            if b < a:
                break
            for q in range(indptr[b + 1] - 1, indptr[b] - 1, -1):
                c = indices[q]
                if c < b:
                    break
                if marks[c] == a:
                    x, y = classes[b], classes[c]
                    if table[x, y] == 0:
                        cells = _append(cells, found, x * width + y)
                        found += 1
                    table[x, y] += 1
    return _take(cells[:found].copy(), table)


@njit(cache=True)
def count_paths(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    classes: NDArray[np.int64],
    first: int,
    last: int,
    table: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the paths over two edges with their middle in ``first:last``, by the end classes.

    Neighbours of one class stand together, so a node costs the square of the number of classes
    among its neighbours, not of its degree.  Parameters and result as in `count_triangles`.
    """
    width = table.shape[0]
    cells = np.empty(16, np.int64)
    found = 0
    runs = np.empty(width, np.int64)
    sizes = np.empty(width, np.int64)
    for v in range(first, last):
        n_runs = 0
        for p in range(indptr[v], indptr[v + 1]):
            x = classes[indices[p]]
            if n_runs == 0 or runs[n_runs - 1] != x:
                runs[n_runs] = x
                sizes[n_runs] = 0
                n_runs += 1
            sizes[n_runs - 1] += 1
        for i in range(n_runs):
            for j in range(i, n_runs):
                paths = sizes[i] * sizes[j] if i < j else sizes[i] * (sizes[i] - 1) // 2
                if paths == 0:
                    continue
                x, y = runs[i], runs[j]
                if table[x, y] == 0:
                    cells = _append(cells, found, x * width + y)
                    found += 1
                table[x, y] += paths
    return _take(cells[:found].copy(), table)


@njit(cache=True)
def _append(cells: NDArray[np.int64], found: int, cell: int) -> NDArray[np.int64]:
    """Put a cell at the end of a list that doubles when it is full."""
    if found == cells.shape[0]:
        longer = np.empty(2 * found, np.int64)
        for place in range(found):
            longer[place] = cells[place]
        cells = longer
    cells[found] = cell
    return cells


@njit(cache=True)
def _take(
    cells: NDArray[np.int64], table: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Read the counts of the listed cells and empty them."""
    width = table.shape[0]
    counts = np.empty(cells.shape[0], np.int64)
    for i in range(cells.shape[0]):
        x, y = cells[i] // width, cells[i] % width
        counts[i] = table[x, y]
        table[x, y] = 0
    return cells, counts

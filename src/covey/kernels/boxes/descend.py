"""Which node of a tree of cuts does each record end in?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True)
def ends_of(
    cells: NDArray[np.int32],
    sides: NDArray[np.int64],
    cuts: NDArray[np.int64],
    children: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the last node on the way of each record from node 0.

    At a node with children, a record goes on to ``children[node]`` if its integer on the node's
    side is below the cut, else to the node after that; −1 means that there are none.  Costs one
    comparison for each record and level.
    """
    # One line of the cache for a node: a record visits some twenty of them all over the tree.
    nodes = np.empty((children.size, 4), np.int32)
    for at in range(children.size):
        nodes[at, 0] = sides[at]
        nodes[at, 1] = cuts[at]
        nodes[at, 2] = children[at]
    found = np.empty(cells.shape[0], np.int64)
    for i in range(cells.shape[0]):
        node = np.int32(0)
        while nodes[node, 2] >= 0:
            above = cells[i, nodes[node, 0]] >= nodes[node, 1]
            node = nodes[node, 2] + np.int32(above)
        found[i] = node
    return found

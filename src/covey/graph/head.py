"""What is public about a graph?  Its nodes where one edge is protected, else nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from covey.errors import InternalError


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphHead:
    """All that a system may know of a graph before it asks a meter.

    Parameters
    ----------
    nodes : array, optional
        What the nodes are called, if they are public.
    kind : str
        What the graph was read from.
    given : bool
        Whether somebody said which nodes there are, or how many.
    """

    nodes: NDArray[np.generic] | None = field(repr=False)
    kind: str = "arrays"
    given: bool = True

    @property
    def ids(self) -> NDArray[np.generic]:
        """Return the public names of the nodes."""
        if self.nodes is None:
            raise InternalError("a system for edges was not told the public nodes.")
        return self.nodes

    @property
    def n_nodes(self) -> int:
        """Return the public number of nodes."""
        return len(self.ids)

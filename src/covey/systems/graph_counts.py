"""What do systems for graphs share: their settings, and how counts become columns?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from covey.core import PrivacyUnit, Promise
from covey.errors import DataError
from covey.postprocess.regenerate import regenerate
from covey.systems.base import setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

    from covey.graph import DK, Graph

NAMES = {1: ("degree",), 2: ("degree_1", "degree_2")}
"""Columns that say which cell of a degree distribution a row is about."""

COUNTED = {1: "nodes", 2: "edges"}
"""What is counted in the cells of a distribution of order 1 or 2."""

UNITS = ("edge", "node")


def graph_epsilon_setting() -> Any:
    """Declare epsilon where edges or nodes are protected."""
    return setting(
        "the bound on the privacy loss of one edge, or of one node with all its edges; "
        "smaller protects more"
    )


def unit_setting() -> Any:
    """Declare the unit of privacy."""
    return setting(
        "whom the guarantee protects: one edge, or one node with all its edges",
        default="edge",
        choices=UNITS,
    )


def order_setting() -> Any:
    """Declare which distribution is published."""
    return setting(
        "1 for the distribution of degrees, 2 for that of degrees along edges",
        default=2,
        choices=(1, 2),
    )


def theta_setting() -> Any:
    """Declare a degree bound that must be given."""
    return setting("the public degree bound that the graph is cut down to", at_least=1)


def chosen_theta_setting() -> Any:
    """Declare a degree bound that is chosen from noisy counts unless given."""
    return setting(
        "the public degree bound that the graph is cut down to, where nodes are protected; "
        "chosen from noisy counts for a tenth of epsilon unless given",
        default=None,
        at_least=1,
    )


def top_setting() -> Any:
    """Declare the degree from which on degrees are not told apart."""
    return setting(
        "the degree from which on all degrees are counted together, a public number",
        default=100,
        at_least=2,
    )


def key_setting() -> Any:
    """Declare the public key of an order of edges."""
    return setting(
        "a public word that the order of edges is made from, not chosen by looking at them",
        default="covey",
    )


def regenerate_setting(*, default: bool = True) -> Any:
    """Declare whether a graph is made."""
    return setting(
        "whether to make a graph that has the published degrees (edges.csv)", default=default
    )


def refuse_empty_graph(graph: Graph) -> None:
    """Refuse a graph without edges: every count would be noise."""
    if graph.n_edges == 0:
        raise DataError(
            "the graph has no edges, so there is nothing to publish about their degrees. "
            "Check that the file holds one edge on each line."
        )


def cell_columns(
    keys: NDArray[np.int64], estimate: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    """Return one row for each cell: its degrees, and the estimate of how many there are.

    Parameters
    ----------
    keys : array of shape (cells, 1) or (cells, 2)
        The degrees of the cells.
    estimate : array of int64
        How many nodes or edges have these degrees; not negative.
    """
    order = keys.shape[1]
    degrees = dict(zip(NAMES[order], keys.T.astype(np.int64), strict=True))
    return {**degrees, COUNTED[order]: estimate}


class Scaled(Protocol):
    """Noisy counts, and the scale of the noise of each: `covey.core.Noisy` and its like."""

    @property
    def values(self) -> NDArray[np.int64]:
        """Return the noisy counts; they may be negative."""
        ...

    @property
    def scales(self) -> NDArray[np.float64]:
        """Return the scale of each count's noise."""
        ...


def noisy_table(
    cells: Mapping[str, NDArray[np.int64]], noisy: Scaled, counted: str
) -> pl.DataFrame:
    """Return the noisy counts as they were drawn, for readers who do their own inference."""
    import polars as pl

    return pl.DataFrame({**cells, f"noisy_{counted}": noisy.values, "noise_scale": noisy.scales})


MOST_EDGES = 10_000_000
"""A graph that noise makes larger than this would fill the memory and say nothing."""


def regenerated(dk: DK, nodes: int, rng: np.random.Generator) -> dict[str, pl.DataFrame]:
    """Return the edges of a graph that has these degrees: post-processing of noisy counts.

    No edges at all if these were more than `MOST_EDGES`.
    """
    import polars as pl

    wanted = dk.counts if dk.order > 1 else dk.keys[:, 0] * dk.counts / 2
    if wanted.sum() > MOST_EDGES:
        return {}
    edges = regenerate(dk, nodes=nodes, generator=rng).edges()
    return {"edges": pl.DataFrame({"source": edges[:, 0], "target": edges[:, 1]})}


def graph_promise(unit: PrivacyUnit) -> Promise:
    """Return what a sound release of degrees says beside what the meter knows."""
    if unit is PrivacyUnit.EDGE:
        return Promise(
            assumes=("The nodes and their number are public.",), conditions=(EDGES_ONLY,)
        )
    return Promise(
        assumes=("The order of edges depends on public names of nodes and a public key.",),
        conditions=(NODES_OF_ONE_PERSON,),
    )


def theta_fact(theta: int | None, *, chosen: bool) -> tuple[str, ...]:
    """Say where the degree bound came from, if there is one."""
    if theta is None:
        return ()
    how = "was chosen from noisy counts, paid from epsilon" if chosen else "is public"
    return (f"The degree bound theta = {theta} {how}.",)


EDGES_ONLY = (
    "One edge is protected, not a person with many of them: her loss grows with their number."
)
NODES_OF_ONE_PERSON = "Each person is one node; the loss of somebody with several adds up."

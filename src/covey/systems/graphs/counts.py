"""What do systems for graphs share: their parameters, and how counts become columns?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError
from covey.privacy import EXACT, Guarantee, GuaranteeKind, PrivacyUnit
from covey.release import Column, CountColumn
from covey.release.regenerate import regenerate
from covey.systems.base import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

    from covey.graph import DK, Graph
    from covey.perturb import Accounted, NoiseSource, NoisyCounts
    from covey.privacy import Budget

NAMES = {1: ("degree",), 2: ("degree_1", "degree_2")}
"""Columns that say which cell of a degree distribution a row is about."""

COUNTED = {1: "nodes", 2: "edges"}
"""What is counted in the cells of a distribution of order 1 or 2."""

EPSILON = Parameter(
    name="epsilon",
    meaning="the bound on the privacy loss of one edge, or of one node with all its edges; "
    "smaller protects more",
    kind=float,
)
UNIT = Parameter(
    name="unit",
    meaning="whom the guarantee protects: one edge, or one node with all its edges",
    kind=str,
    default="edge",
    choices=("edge", "node"),
)
ORDER = Parameter(
    name="order",
    meaning="1 for the distribution of degrees, 2 for that of degrees along edges",
    kind=int,
    default=2,
    choices=(1, 2),
)
THETA = Parameter(
    name="theta",
    meaning="the public degree bound that the graph is cut down to",
    kind=int,
    at_least=1,
)
CHOSEN_THETA = Parameter(
    name="theta",
    meaning="the public degree bound that the graph is cut down to, where nodes are protected; "
    "chosen from noisy counts for a tenth of epsilon unless given",
    kind=int,
    default=None,
    at_least=1,
)
TOP = Parameter(
    name="top",
    meaning="the degree from which on all degrees are counted together, a public number",
    kind=int,
    default=100,
    at_least=2,
)
KEY = Parameter(
    name="key",
    meaning="a public word that the order of edges is made from, not chosen by looking at them",
    kind=str,
    default="covey",
)
REGENERATE = Parameter(
    name="regenerate",
    meaning="whether to make a graph that has the published degrees (edges.csv)",
    kind=bool,
    default=True,
)


def refuse_empty(graph: Graph) -> None:
    """Refuse a graph without edges: every count would be noise."""
    if graph.n_edges == 0:
        raise DataError(
            "the graph has no edges, so there is nothing to publish about their degrees. "
            "Check that the file holds one edge on each line."
        )


def cell_columns(
    keys: NDArray[np.int64], estimate: NDArray[np.int64], *, origin: Accounted
) -> dict[str, Column]:
    """Return one row for each cell: its degrees, and the estimate of how many there are.

    Cells and estimates are post-processed noisy counts, so all columns rest on their account.

    Parameters
    ----------
    keys : array of shape (cells, 1) or (cells, 2)
        The degrees of the cells.
    estimate : array of int64
        How many nodes or edges have these degrees; not negative.
    origin : Accounted
        The account of the noise.
    """
    order = keys.shape[1]
    columns: dict[str, Column] = {
        name: CountColumn(values=values.astype(np.int64), origin=origin)
        for name, values in zip(NAMES[order], keys.T, strict=True)
    }
    columns[COUNTED[order]] = CountColumn(values=estimate, origin=origin)
    return columns


def measured(
    cells: Mapping[str, NDArray[np.int64]], noisy: NoisyCounts, counted: str
) -> pl.DataFrame:
    """Return the noisy counts as they were drawn, for readers who do their own inference."""
    import polars as pl

    return pl.DataFrame({**cells, f"noisy_{counted}": noisy.counts, "noise_scale": noisy.scales})


def regenerated(dk: DK, nodes: int, source: NoiseSource) -> pl.DataFrame:
    """Return the edges of a graph that has these degrees: post-processing of noisy counts."""
    import polars as pl

    edges = regenerate(dk, nodes=nodes, generator=source.placement()).edges()
    return pl.DataFrame({"source": edges[:, 0], "target": edges[:, 1]})


def graph_guarantee(
    unit: str, budget: Budget, *, claim: str, theta: int | None, chosen: bool
) -> Guarantee:
    """Return the guarantee of a sound release of degrees."""
    edge = unit == "edge"
    how = "was chosen from noisy counts, paid from epsilon" if chosen else "is public"
    bound = () if theta is None else (f"The degree bound theta = {theta} {how}.",)
    return Guarantee(
        kind=GuaranteeKind.EDGE_DP if edge else GuaranteeKind.NODE_DP,
        unit=PrivacyUnit.EDGE if edge else PrivacyUnit.NODE,
        epsilon=budget.epsilon,
        assumes=(
            ("The nodes and their number are public.",)
            if edge
            else ("The order of edges depends on public names of nodes and a public key.", *bound)
        ),
        conditions=(EDGES_ONLY if edge else NODES_OF_ONE_PERSON,),
        arithmetic=EXACT,
        claim=claim,
    )


EDGES_ONLY = (
    "One edge is protected, not a person with many of them: her loss grows with their number."
)
NODES_OF_ONE_PERSON = "Each person is one node; the loss of somebody with several adds up."

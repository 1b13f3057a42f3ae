"""How much protection does each node ask for?

A preference is the epsilon that a node allows: the smaller, the more it is protected.  All
guarantees about preferences take them to be public and chosen without looking at the edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.errors import DataError, PlanError
from covey.graph.graph import Graph
from covey.graph.head import GraphHead
from covey.graph.randomness import generator


def privacy_preferences(
    graph: Graph | GraphHead,
    *,
    random_state: int | np.random.Generator,
    conservative: float = 0.54,
    moderate: float = 0.37,
    epsilon_conservative: float = 0.01,
    epsilon_moderate: float = 0.2,
    epsilon_liberal: float = 1.0,
) -> NDArray[np.float64]:
    """Draw a preference for each node as the experiments of paper 002, section 8.5.1, do.

    Nodes are divided at random into conservative, moderate and liberal ones.  Conservative
    preferences are uniform between ``epsilon_conservative`` and ``epsilon_moderate``, moderate
    ones between ``epsilon_moderate`` and ``epsilon_liberal``, and liberal ones are
    ``epsilon_liberal``.  Only the number of nodes is used, never an edge.

    Parameters
    ----------
    random_state : int or numpy.random.Generator
        The same number, the same preferences.
    conservative, moderate : float
        Fractions of the nodes, rounded to whole nodes; the others are liberal.
    epsilon_conservative, epsilon_moderate, epsilon_liberal : float
        Ends of the ranges, 0 < conservative <= moderate <= liberal.

    Returns
    -------
    array of float64, one for each node

    Raises
    ------
    PlanError
        If the fractions or the ranges do not make sense.
    """
    if not (conservative >= 0 and moderate >= 0 and conservative + moderate <= 1):
        raise PlanError(
            f"conservative = {conservative!r} and moderate = {moderate!r} are no fractions of "
            f"the nodes. Give two numbers of at least 0 with a sum of at most 1."
        )
    if not 0 < epsilon_conservative <= epsilon_moderate <= epsilon_liberal < np.inf:
        raise PlanError(
            "the epsilons of conservative, moderate and liberal nodes do not ascend from above "
            "0. Give 0 < epsilon_conservative <= epsilon_moderate <= epsilon_liberal."
        )
    rng = generator(random_state)
    n = graph.n_nodes
    first = round(conservative * n)
    second = min(round((conservative + moderate) * n), n)
    drawn = np.full(n, float(epsilon_liberal))
    drawn[:first] = rng.uniform(epsilon_conservative, epsilon_moderate, first)
    drawn[first:second] = rng.uniform(epsilon_moderate, epsilon_liberal, second - first)
    return rng.permutation(drawn)


def read_preferences(path: str | Path, graph: Graph | GraphHead) -> NDArray[np.float64]:
    """Read a preference for each node from a CSV file with the columns node and epsilon.

    Returns
    -------
    array of float64, one for each node
        In the order of the graph's nodes.

    Raises
    ------
    DataError
        If the file cannot be read, names a node twice, lacks one or has one that the graph
        does not have, or if an epsilon is not a number above 0.
    """
    named, listed = repr(str(path)), listed_preferences(path)
    number = {str(name): place for place, name in enumerate(graph.ids.tolist())}
    places = [number.get(name, -1) for name in listed]
    if -1 in places:
        raise DataError(
            f"{named} has a node that is not in the graph. Check that both name nodes alike; "
            f"give nodes without edges to `read_graph` by `nodes`."
        )
    return matched_preferences(listed, graph)


def listed_preferences(path: str | Path) -> dict[str, float]:
    """Read the preference of each node that a file lists, whoever is in a graph."""
    named = repr(str(path))
    frame = _read(Path(path), named)
    if frame["node"].n_unique() < len(frame):
        raise DataError(
            f"a node occurs more than once in {named}, so its preference is unclear. "
            f"Write each node once."
        )
    epsilon = frame["epsilon"].str.strip_chars().cast(pl.Float64, strict=False)
    if epsilon.null_count() or not ((epsilon > 0) & epsilon.is_finite()).all():
        raise DataError(
            f"an epsilon in {named} is not a number above 0, so nothing can be promised to its "
            f"node. Write a positive number for each node."
        )
    return dict(zip(frame["node"], epsilon, strict=True))


def matched_preferences(
    listed: Mapping[str, float], graph: Graph | GraphHead
) -> NDArray[np.float64]:
    """Return the preference of each node of a graph, in the order of its nodes."""
    found = [listed.get(str(name)) for name in graph.ids.tolist()]
    if None in found:
        raise DataError(
            "a node of the graph has no preference in the file, so it is unknown how much it may "
            "lose. Write a line for each node."
        )
    return np.array(found, dtype=np.float64)


def _read(path: Path, named: str) -> pl.DataFrame:
    if path.is_dir() or not path.exists():
        raise DataError(f"there is no file {named}, so nothing was read. Check the path.")
    try:
        frame = pl.read_csv(path, infer_schema_length=0)
    except (pl.exceptions.PolarsError, OSError):
        # The reader's own message may quote a record, so it is not passed on.
        raise DataError(
            f"the file {named} is not a regular CSV table. Write the header node,epsilon and "
            f"one line for each node."
        ) from None
    if not {"node", "epsilon"} <= set(frame.columns):
        raise DataError(
            f"the file {named} has no columns node and epsilon, so preferences cannot be "
            f"matched with nodes. Write the header node,epsilon."
        )
    frame = frame.select(pl.col("node").str.strip_chars(), "epsilon")
    if frame["node"].null_count():
        raise DataError(f"a line of {named} lacks its node. Complete or remove it.")
    return frame

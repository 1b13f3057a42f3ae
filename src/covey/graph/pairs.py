"""What remains of pairs of names when they must be a simple undirected graph?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.errors import DataError
from covey.graph.graph import Graph, from_edges


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Edges as they stand in a source, and what else it said about them.

    Parameters
    ----------
    names : Series of Int64 or String
        Names of nodes; a name may stand in many places.
    ends : array of int64, shape (m, 2)
        Each edge as two places in ``names``.
    kind : str
        As in `Graph`.
    directed : bool
        Whether the source said that its edges have directions.
    mirrored : bool
        Whether the source writes each edge in both directions as a matter of form.
    values : bool
        Whether edges carried values such as weights.
    notes : tuple of str
        What was decided while reading.
    complete : bool
        Whether the names are all nodes there are, and not those of the edges alone.
    """

    names: pl.Series
    ends: NDArray[np.int64]
    kind: str
    directed: bool = False
    mirrored: bool = False
    values: bool = False
    notes: tuple[str, ...] = ()
    complete: bool = False


def pairs_of_columns(columns: Iterable[pl.Series], *, kind: str, values: bool) -> Pairs:
    """Take edges from two columns of names."""
    first, second = columns
    rows = np.arange(len(first), dtype=np.int64)
    ends = np.stack([rows, rows + len(first)]).T
    return Pairs(names=joined(first, second), ends=ends, kind=kind, values=values)


def names_of(names: Iterable[Any]) -> pl.Series:
    """Keep names that are all integers of 64 bits, make texts of all others."""
    listed = list(names)
    if all(_is_integer(name) for name in listed):
        return pl.Series(listed, dtype=pl.Int64)
    return pl.Series([str(name) for name in listed], dtype=pl.String)


def joined(first: pl.Series, second: pl.Series) -> pl.Series:
    """Put names under names, as texts if one side has texts."""
    if first.dtype != second.dtype:
        first, second = first.cast(pl.String), second.cast(pl.String)
    return pl.concat([first.alias("name"), second.alias("name")], rechunk=True)


def simple_graph(pairs: Pairs, *, strict: bool) -> Graph:
    """Drop what a simple undirected graph cannot have, and say so, or refuse it if strict."""
    if not len(pairs.names):
        raise DataError("the graph has no nodes, so there is nothing to protect. Check the source.")
    ids, numbers = _number(pairs.names)
    n = len(ids)
    u, v = numbers[pairs.ends[:, 0]], numbers[pairs.ends[:, 1]]
    loops = u == v
    if loops.any():
        u, v = u[~loops], v[~loops]
    edges = _different(np.minimum(u, v) * n + np.maximum(u, v))
    arcs = len(edges) if len(edges) == len(u) else len(_different(u * n + v))
    both_ways = 0 if pairs.directed or pairs.mirrored else arcs - len(edges)

    # What is there, how a refusal calls it, and what a note says about it.
    found = [
        (
            int(pairs.values),
            "values beside its edges, such as weights",
            "values beside the edges, such as weights, were dropped: an edge exists or not",
        ),
        (
            int(pairs.directed),
            "directed edges",
            "the edges were directed; their directions were dropped",
        ),
        (
            both_ways,
            "edges in both directions, as a directed list has",
            f"edges in both directions, as in a directed list: {both_ways}, read as one each",
        ),
        (
            int(loops.sum()),
            "self-loops",
            f"self-loops: {loops.sum()}, dropped; their nodes stay",
        ),
        (
            len(u) - arcs,
            "repeated edges",
            f"repetitions of edges: {len(u) - arcs}, dropped",
        ),
    ]
    for present, what, _ in found:
        if strict and present:
            raise DataError(
                f"the graph has {what}, which strict reading refuses. Remove them, or read "
                f"without strict to drop them with a note."
            )
    return from_edges(
        np.column_stack(np.divmod(edges, n)),
        ids=ids,
        kind=pairs.kind,
        notes=pairs.notes + tuple(f"{note}." for present, _, note in found if present),
        nodes_given=pairs.complete,
    )


def _is_integer(name: object) -> bool:
    if isinstance(name, bool) or not isinstance(name, (int, np.integer)):
        return False
    return -(2**63) <= int(name) < 2**63


def _different(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the different values, ascending; for these sizes faster than ``numpy.unique``."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    different: NDArray[np.int64] = ordered[new]
    return different


def _number(names: pl.Series) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
    """Sort the different names and give each place its name's number."""
    if names.dtype == pl.Int64:
        values = names.to_numpy()
        least = int(values.min())
        span = int(values.max()) - least + 1
        if span > 8 * len(values):
            ids = _different(values)
            return ids, np.searchsorted(ids, values)
        # A table where the integers lie close, which is much faster than searching each.
        places = values - least
        occurs = np.zeros(span, dtype=np.bool_)
        occurs[places] = True
        found = np.flatnonzero(occurs)
        table = np.zeros(span, dtype=np.int64)
        table[found] = np.arange(len(found))
        return found + least, table[places]
    different = names.unique().sort()
    numbers = names.cast(pl.Enum(different)).to_physical().to_numpy().astype(np.int64)
    return np.array(different.to_list(), dtype=object), numbers

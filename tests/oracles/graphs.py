"""Graphs counted and projected as the definitions say, in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from covey.graph import Graph, from_edges

Edges = list[tuple[int, int]]


def simple_graphs(max_nodes: int = 12) -> st.SearchStrategy[Graph]:
    """Draw simple graphs, isolated nodes and empty ones included."""

    def of(n: int) -> st.SearchStrategy[Graph]:
        pairs = list(combinations(range(n), 2))
        edges = st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([])
        return edges.map(lambda chosen: graph_of(chosen, n))

    return st.integers(1, max_nodes).flatmap(of)


def graph_of(edges: Edges, n: int) -> Graph:
    return from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), ids=n)


def edges_of(graph: Graph) -> Edges:
    return [(u, v) for u, v in graph.edges().tolist()]


def degrees_of(edges: Edges, n: int) -> list[int]:
    return [sum(v in edge for edge in edges) for v in range(n)]


def count_edges_by_degrees(edges: Edges, n: int) -> Counter[tuple[int, ...]]:
    degrees = degrees_of(edges, n)
    return Counter(tuple(sorted((degrees[u], degrees[v]))) for u, v in edges)


def count_triples_by_degrees(edges: Edges, n: int) -> Counter[tuple[int, ...]]:
    """Look at all sets of three nodes: three edges make a triangle, two make a wedge."""
    degrees = degrees_of(edges, n)
    counts: Counter[tuple[int, ...]] = Counter()
    for triple in combinations(range(n), 3):
        within = [edge for edge in combinations(triple, 2) if edge in set(edges)]
        if len(within) == 3:
            counts[1, *sorted(degrees[v] for v in triple)] += 1
        elif len(within) == 2:
            (middle,) = set(within[0]) & set(within[1])
            low, high = sorted(degrees[v] for v in triple if v != middle)
            counts[0, low, degrees[middle], high] += 1
    return counts


def add_edges(edges: Edges, n: int, theta: int) -> Edges:
    """Insert the edges in the given order, while both ends have fewer than theta."""
    degrees, kept = [0] * n, []
    for u, v in edges:
        if degrees[u] < theta and degrees[v] < theta:
            degrees[u] += 1
            degrees[v] += 1
            kept.append((u, v))
    return sorted(kept)


def remove_edges(edges: Edges, n: int, theta: int) -> Edges:
    """Remove the edges in the given order, while one end has more than theta."""
    degrees, kept = degrees_of(edges, n), []
    for u, v in edges:
        if degrees[u] > theta or degrees[v] > theta:
            degrees[u] -= 1
            degrees[v] -= 1
        else:
            kept.append((u, v))
    return sorted(kept)


def remove_stably(edges: Edges, turn: list[int], theta: int, reading: str) -> Edges:
    """Follow Algorithm 5 of paper 002 in one of three readings.

    "printed": each edge once, from its end that has its turn first; "bounded": from both ends,
    if it still exists; "literal": from both ends, and counted as removed each time.
    """
    n = len(turn)
    place = {v: i for i, v in enumerate(turn)}
    degrees, kept = degrees_of(edges, n), {tuple(sorted(edge)) for edge in edges}
    arcs = [(u, v) for u, v in edges] + [(v, u) for u, v in edges]
    for v, u in sorted(arcs, key=lambda arc: (place[arc[0]], place[arc[1]])):
        edge = tuple(sorted((u, v)))
        if reading == "printed" and place[v] > place[u]:
            continue
        if reading == "bounded" and edge not in kept:
            continue
        if degrees[v] > theta:
            kept.discard(edge)
            degrees[u] -= 1
            degrees[v] -= 1
    return sorted((u, v) for u, v in kept)

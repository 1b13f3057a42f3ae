"""A table and a graph that no paper knows, small enough for every experiment."""

from __future__ import annotations

import numpy as np
import polars as pl

from covey.graph import Graph, from_edges
from covey.reproduce.experiments.sets import with_domains
from covey.table import Table


def small_table(n: int = 240, columns: int = 3) -> Table:
    rng = np.random.default_rng(7)
    values = np.round(rng.lognormal(3.0, 1.0, size=(n, columns)), 2)
    return with_domains(pl.DataFrame({f"x{j}": values[:, j] for j in range(columns)}))


def small_graph(nodes: int = 120) -> Graph:
    """Return a graph whose degrees differ widely."""
    rng = np.random.default_rng(8)
    pairs = np.floor(nodes * rng.random((8 * nodes, 2)) ** 2).astype(np.int64)
    return from_edges(pairs[pairs[:, 0] != pairs[:, 1]], ids=nodes)

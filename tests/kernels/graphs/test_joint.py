"""Tables of edges are fitted to the ends of each degree, and never beyond what is possible."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.graphs.joint import complete, fit_ends, most_edges, round_up


@st.composite
def classes(draw):
    """Draw a graph; return its degrees, how many nodes have each, and its table of edges."""
    n, p, seed = draw(st.integers(2, 16)), draw(st.floats(0.1, 1.0)), draw(st.integers(0, 10**6))
    graph = nx.gnp_random_graph(n, p, seed=seed)
    of_node = np.array([degree for _, degree in graph.degree()])
    degrees, sizes = np.unique(of_node[of_node > 0], return_counts=True)
    table = np.zeros((degrees.size, degrees.size), np.int64)
    for edge in graph.edges():
        a, b = np.searchsorted(degrees, of_node[list(edge)])
        table[a, b] += 1
        table[b, a] += a != b
    return degrees.astype(np.int64), sizes.astype(np.int64), table


def ends_of(table: np.ndarray) -> np.ndarray:
    return table.sum(axis=1) + np.diagonal(table)


def limits(sizes: np.ndarray) -> np.ndarray:
    k = sizes.size
    flat = [most_edges(sizes, a, b) for a in range(k) for b in range(k)]
    return np.array(flat, dtype=np.int64).reshape(k, k)


@given(drawn=classes())
def test_a_table_that_fits_is_not_touched(drawn) -> None:
    degrees, sizes, table = drawn
    fitted = table.astype(float)

    fit_ends(fitted, degrees * sizes, sizes)

    assert (fitted == table).all()


@given(drawn=classes(), seed=st.integers(0, 10**6))
def test_fitting_leaves_no_row_with_too_many_ends_and_no_entry_above_its_limit(drawn, seed) -> None:
    degrees, sizes, table = drawn
    noise = np.random.default_rng(seed).uniform(0, 3, table.shape)
    fitted = table * noise + noise
    fitted = np.minimum(fitted, fitted.T)

    fit_ends(fitted, degrees * sizes, sizes)

    assert (ends_of(fitted) <= degrees * sizes * (1 + 1e-9)).all()
    assert (fitted <= limits(sizes) + 1e-9).all()
    assert (fitted >= 0).all()
    assert (fitted == fitted.T).all()


def test_fitting_keeps_the_ratios_of_a_product() -> None:
    sizes = np.array([1000, 1000, 1000])
    shares = np.array([0.2, 0.3, 0.5])
    table = np.outer(shares, shares) * np.where(np.eye(3), 1, 2) * 10
    ends = np.array([400, 900, 700])

    fit_ends(table, ends, sizes)

    assert ends_of(table) == pytest.approx(ends, rel=1e-3)
    odds = table[0, 1] * table[1, 2] / (table[0, 2] * table[1, 1])
    assert odds == pytest.approx(2.0)


@given(drawn=classes(), seed=st.integers(0, 10**6))
def test_completing_meets_all_ends_within_the_limits_or_says_that_it_did_not(drawn, seed) -> None:
    degrees, sizes, table = drawn
    kept = np.random.default_rng(seed).random(table.shape) < 0.5
    whole = np.where(kept | kept.T, table, 0)
    missing = degrees * sizes - ends_of(whole)

    done = complete(whole, missing, sizes)

    assert done == (not missing.any())
    assert (missing == degrees * sizes - ends_of(whole)).all()
    assert ((whole >= 0) & (whole <= limits(sizes))).all()
    assert (whole == whole.T).all()


def test_a_row_joined_to_all_others_gets_its_end_by_an_alternating_walk() -> None:
    # Two nodes of degree 1, joined to each other, and two of degree 2 that miss one end each but
    # are joined already: the only way is to take the edge 1–1 out.
    whole = np.array([[1, 0], [0, 1]])
    missing = np.array([0, 2])

    assert complete(whole, missing, np.array([2, 2]))
    assert whole.tolist() == [[0, 2], [2, 1]]


def test_entries_are_rounded_up_only_where_ends_are_missing() -> None:
    whole, missing = np.zeros((2, 2), np.int64), np.array([3, 1])

    round_up(whole, missing, np.array([1, 0, 0, 0]), np.array([1, 0, 1, 1]))

    assert whole.tolist() == [[1, 1], [1, 0]]
    assert missing.tolist() == [0, 0]

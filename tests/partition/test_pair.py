"""Clusters of a pair: at most alpha differ, by one record each, and the searches differ."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import PartitionError


def neighbours(seed: int, n: int = 30, d: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Y = X.copy()
    Y[rng.integers(n)] = rng.normal(scale=3.0, size=d)
    return X, Y


@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 5),
    alpha=st.integers(1, 6),
    search=st.sampled_from(["sequential", "decisional"]),
)
def test_at_most_alpha_clusters_differ_by_one_record_each(seed, k, alpha, search) -> None:
    X, Y = neighbours(seed)

    pair = covey.partition_pair(X, Y, "alpha-stable", k=k, alpha=alpha, search=search)

    assert len(pair.differing) <= alpha
    assert pair.first.sizes.tolist() == pair.second.sizes.tolist()
    assert min(pair.second.sizes) >= k
    for cluster in range(pair.first.sizes.size):
        here = {tuple(row) for row in X[pair.first.labels == cluster]}
        there = {tuple(row) for row in Y[pair.second.labels == cluster]}
        assert len(here - there) == len(there - here) <= 1
        assert (here != there) == (cluster in pair.differing)


def test_the_first_is_clustered_by_mdav_and_the_second_is_not() -> None:
    X, Y = neighbours(3)

    pair = covey.partition_pair(X, Y, "2-stable", k=3)

    assert pair.first.labels.tolist() == covey.partition(X, "mdav", k=3).labels.tolist()
    alone = covey.partition(Y, "mdav", k=3).labels
    assert {frozenset(np.flatnonzero(alone == c)) for c in set(alone)} != {
        frozenset(np.flatnonzero(pair.second.labels == c)) for c in set(pair.second.labels)
    }


def test_sequential_and_decisional_searches_exchange_different_records() -> None:
    different = 0
    for seed in range(20):
        X, Y = neighbours(seed)
        labels = [
            covey.partition_pair(X, Y, "alpha-stable", k=3, alpha=8, search=search).second.labels
            for search in ("sequential", "decisional")
        ]
        different += not np.array_equal(*labels)

    assert 0 < different < 20


def test_alpha_one_exchanges_nothing_and_equal_data_sets_differ_nowhere() -> None:
    X, Y = neighbours(5)

    one = covey.partition_pair(X, Y, "alpha-stable", k=3, alpha=1)
    same = covey.partition_pair(X, X, "alpha-stable", k=3, alpha=4)

    assert one.first.labels.tolist() == one.second.labels.tolist()
    assert len(one.differing) == 1
    assert same.differing == ()


def test_tables_are_compared_by_their_quasi_identifiers() -> None:
    X, Y = neighbours(7)
    schema = covey.Schema(
        (
            covey.Attribute("a", role="quasi-identifier"),
            covey.Attribute("b", role="quasi-identifier"),
        )
    )
    tables = [covey.read_table(pl.DataFrame(rows, schema=["a", "b"]), schema) for rows in (X, Y)]

    pair = covey.partition_pair(*tables, "alpha-stable", k=3, alpha=4)

    plain = covey.partition_pair(X, Y, "alpha-stable", k=3, alpha=4)
    assert pair.second.labels.tolist() == plain.second.labels.tolist()


@pytest.mark.parametrize(
    ("method", "parameters", "words"),
    [
        ("mdav", {}, "no partitioner 'mdav' of pairs"),
        ("alpha-stable", {}, "needs alpha"),
        ("alpha-stable", {"alpha": 99}, "out of range"),
        ("alpha-stable", {"alpha": 2, "search": "binary"}, "no search 'binary'"),
        ("2-stable", {"alpha": 3}, "lets two clusters differ"),
    ],
)
def test_what_is_wrong_is_said(method, parameters, words) -> None:
    with pytest.raises(PartitionError, match=words):
        covey.partition_pair(*neighbours(1), method, k=3, **parameters)

"""Blocks of ranks have public sizes; the optimal partition has the least squared error."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import PartitionError
from covey.partition import rank_block_sizes
from tests.oracles.uncompiled import labels_of_microagg1d


def sse(values: np.ndarray, cuts: tuple[int, ...]) -> float:
    """Return the squared error of sorted values cut before these ranks."""
    ends = (0, *cuts, len(values))
    return sum(float(np.var(values[i:j]) * (j - i)) for i, j in pairwise(ends))


def least_sse(values: np.ndarray, k: int) -> float:
    """Return the least squared error over all partitions into blocks of at least k."""
    best = [0.0] + [np.inf] * len(values)
    for end in range(k, len(values) + 1):
        best[end] = min(
            best[start] + float(np.var(values[start:end]) * (end - start))
            for start in range(end - k + 1)
        )
    return best[-1]


@given(n=st.integers(1, 500), k=st.integers(1, 500))
def test_block_sizes_add_up_and_only_the_middle_one_has_a_surplus(n, k) -> None:
    sizes = rank_block_sizes(n, k).tolist()

    middle = len(sizes) // 2
    assert sum(sizes) == n
    assert len(sizes) == max(1, n // k)
    assert all(size == k for block, size in enumerate(sizes) if block != middle)
    assert sizes[middle] == n - k * (len(sizes) - 1)


def test_individual_ranking_cuts_the_sorted_values_at_public_ranks() -> None:
    values = [50.0, 1.0, 2.0, 49.0, 3.0, 48.0, 4.0]

    found = covey.partition(values, "individual-ranking", k=2)

    assert found.labels.tolist() == [2, 0, 0, 2, 1, 1, 1]
    assert found.sizes.tolist() == [2, 3, 2]


@given(values=st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=40), k=st.integers(2, 5))
def test_individual_ranking_has_the_sizes_of_rank_blocks_whatever_the_values(values, k) -> None:
    k = min(k, len(values) // 2)

    found = covey.partition(values, "individual-ranking", k=k)

    assert found.sizes.tolist() == rank_block_sizes(len(values), k).tolist()


@given(
    values=st.lists(st.integers(0, 20).map(float) | st.floats(0, 1e4), min_size=4, max_size=16),
    k=st.integers(2, 4),
)
def test_no_partition_into_clusters_of_k_beats_the_optimal_one(values, k) -> None:
    k = min(k, len(values) // 2)

    found = covey.partition(values, "optimal-univariate", k=k)

    cuts = tuple(np.cumsum(found.sizes)[:-1].tolist())
    ranked = np.sort(values)
    assert found.sizes.min() >= k
    assert found.sizes.max() < 2 * k
    assert sse(ranked, cuts) == pytest.approx(least_sse(ranked, k), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("shape", ["even", "tied", "heavy-tailed"])
def test_the_optimal_partition_agrees_with_an_independent_solver(shape) -> None:
    rng = np.random.default_rng(8)
    values = {
        "even": rng.uniform(size=200),
        "tied": rng.integers(0, 30, 200).astype(float),
        "heavy-tailed": rng.pareto(1.2, 200),
    }[shape]

    found = covey.partition(values, "optimal-univariate", k=4)

    (theirs,) = labels_of_microagg1d([(values, {"k": 4})])
    ours_sse, their_sse = (
        sum(float(np.var(values[labels == c]) * np.sum(labels == c)) for c in np.unique(labels))
        for labels in (found.labels, theirs)
    )
    # Its running sums lose digits beside a long tail, so there it may be a little worse.
    assert ours_sse <= their_sse * (1 + 1e-12)
    assert ours_sse == pytest.approx(their_sse, rel=1e-5 if shape == "heavy-tailed" else 1e-9)
    assert ours_sse == pytest.approx(least_sse(np.sort(values), 4), rel=1e-12)


def test_free_noise_gives_every_value_a_cluster_and_dear_noise_gives_one() -> None:
    values = [1.0, 2.0, 7.0, 9.0]

    free, dear = (covey.partition(values, "optimal-noise", noise_cost=cost) for cost in (0.0, 1e9))

    assert free.sizes.tolist() == [1, 1, 1, 1]
    assert dear.sizes.tolist() == [4]


@given(
    values=st.lists(st.integers(0, 30).map(float), min_size=2, max_size=8),
    cost=st.floats(0.01, 1e3),
)
def test_no_partition_beats_the_optimal_one_with_noise(values, cost) -> None:
    found = covey.partition(values, "optimal-noise", noise_cost=cost)

    ranked, n = np.sort(values), len(values)

    def objective(cuts: tuple[int, ...]) -> float:
        sizes = np.diff((0, *cuts, n))
        return sse(ranked, cuts) + float(np.sum(cost / sizes))

    every = [
        tuple(rank for rank in range(1, n) if pattern >> (rank - 1) & 1)
        for pattern in range(2 ** (n - 1))
    ]
    ours = objective(tuple(np.cumsum(found.sizes)[:-1].tolist()))
    assert ours == pytest.approx(min(map(objective, every)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_a_cost_of_noise_that_is_no_cost_is_refused(cost) -> None:
    with pytest.raises(PartitionError, match=r"noise_cost = .* is not a finite number"):
        covey.partition([1.0, 2.0, 3.0], "optimal-noise", noise_cost=cost)

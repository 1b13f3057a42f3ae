"""One value stands for a cluster: a mean, the most frequent category, or an exact integer sum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.aggregate import cluster_means, cluster_modes, cluster_sums

clustered = st.lists(
    st.tuples(st.integers(0, 4), st.integers(-(10**6), 10**6)), min_size=1, max_size=40
)


def dense(labels: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return labels without gaps and their sizes."""
    _, numbered, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    return numbered.astype(np.int64), sizes.astype(np.int64)


@given(rows=clustered)
def test_a_mean_is_the_mean_of_its_own_cluster(rows) -> None:
    labels, sizes = dense([label for label, _ in rows])
    values = np.array([float(value) for _, value in rows])

    means = cluster_means(values, labels, sizes)

    expected = [values[labels == cluster].mean() for cluster in range(sizes.size)]
    assert means == pytest.approx(expected, rel=1e-12, abs=1e-6)


def test_means_keep_their_digits_beside_a_large_offset() -> None:
    values = 1e15 + np.array([0.0, 1.0, 2.0, 3.0])

    means = cluster_means(values, np.array([0, 0, 1, 1]), np.array([2, 2]))

    assert (means - 1e15).tolist() == [0.5, 2.5]


@given(rows=clustered, seed=st.integers(0, 99))
def test_means_depend_neither_on_the_order_of_records_nor_on_other_clusters(rows, seed) -> None:
    labels, sizes = dense([label for label, _ in rows])
    values = np.array([value / 7 for _, value in rows])
    order = np.random.default_rng(seed).permutation(values.size)
    first = values[labels == 0]

    means = cluster_means(values, labels, sizes)

    assert cluster_means(values[order], labels[order], sizes).tolist() == means.tolist()
    assert cluster_means(first, np.zeros(first.size, dtype=np.int64), sizes[:1])[0] == means[0]


@given(rows=clustered)
def test_a_mode_is_the_most_frequent_category_and_the_lowest_among_equals(rows) -> None:
    labels, sizes = dense([label for label, _ in rows])
    codes = np.array([value % 5 for _, value in rows], dtype=np.int64)

    modes = cluster_modes(codes, labels, sizes)

    expected = [np.bincount(codes[labels == cluster]).argmax() for cluster in range(sizes.size)]
    assert modes.tolist() == expected
    assert modes.dtype == np.int64


@given(rows=clustered)
def test_cluster_sums_are_exact_integers(rows) -> None:
    labels, sizes = dense([label for label, _ in rows])
    values = np.array([value for _, value in rows], dtype=np.int64) * 2**30

    sums = cluster_sums(values, labels, sizes.size)

    expected = [
        sum(int(value) for value in values[labels == cluster]) for cluster in range(sizes.size)
    ]
    assert [int(total) for total in sums] == expected
    assert sums.dtype == np.int64


def test_sums_beyond_the_precision_of_floats_are_not_rounded() -> None:
    values = np.array([2**53, 1, 2**53, 1], dtype=np.int64)

    assert cluster_sums(values, np.array([0, 0, 1, 1]), 2).tolist() == [2**53 + 1] * 2

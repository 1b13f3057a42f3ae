"""MD, MDAV and V-MDAV form the clusters of the paper, as a slow and plain version does."""

import numpy as np
import pytest

import covey
from covey.errors import PartitionError
from tests.oracles import microaggregation

METHODS = ["md", "mdav", "v-mdav"]


def blobs() -> np.ndarray:
    """Return three heaps of 4, 5 and 3 records, far apart."""
    rng = np.random.default_rng(2)
    centres = np.repeat([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]], [4, 5, 3], axis=0)
    return centres + rng.uniform(-1, 1, centres.shape)


@pytest.mark.parametrize("seed", range(5))
def test_mdav_forms_the_clusters_of_the_plain_version(seed) -> None:
    X = np.random.default_rng(seed).normal(size=(41, 3))
    X = X[np.lexsort(X.T[::-1])]

    found = covey.partition(X, "mdav", k=4, standardize=False)

    plain = microaggregation.mdav(X, 4)
    assert {frozenset(np.flatnonzero(found.labels == c)) for c in range(found.sizes.size)} == {
        frozenset(np.flatnonzero(plain == c)) for c in np.unique(plain)
    }


@pytest.mark.parametrize("method", METHODS)
def test_two_heaps_of_k_records_are_found(method) -> None:
    X = np.array([[0.0, 0.0], [9.0, 9.0], [0.1, 0.0], [9.1, 9.0], [0.0, 0.1], [9.0, 9.1]])

    labels = covey.partition(X, method, k=3).labels

    assert len(set(labels[::2])) == len(set(labels[1::2])) == 1
    assert labels[0] != labels[1]


def test_md_and_mdav_keep_to_clusters_of_k_and_a_rest() -> None:
    X = np.random.default_rng(3).normal(size=(50, 2))

    for method in ("md", "mdav"):
        sizes = np.sort(covey.partition(X, method, k=4).sizes)
        assert sizes[:-1].tolist() == [4] * (len(sizes) - 1)
        assert 4 <= sizes[-1] < 8


def test_v_mdav_lets_a_cluster_grow_where_a_record_is_clearly_near() -> None:
    grown = covey.partition(blobs(), "v-mdav", k=3, gamma=1.0, standardize=False)

    assert sorted(grown.sizes.tolist()) == [3, 4, 5]
    assert all(len(set(grown.labels[rows])) == 1 for rows in ([0, 1, 2, 3], range(4, 9), [9, 10]))


def test_v_mdav_with_gamma_0_never_lets_a_cluster_grow_before_the_rest() -> None:
    X = np.random.default_rng(3).normal(size=(48, 2))

    assert covey.partition(X, "v-mdav", k=4, gamma=0.0).sizes.tolist() == [4] * 12


def test_a_cluster_of_v_mdav_grows_to_2k_minus_1_and_takes_in_a_rest_of_k_minus_1() -> None:
    X = np.random.default_rng(3).normal(size=(100, 2))

    assert covey.partition(X, "v-mdav", k=3, gamma=100.0).sizes.max() <= 5 + 2


@pytest.mark.parametrize("gamma", [-0.1, float("nan"), float("inf")])
def test_a_gamma_that_is_no_factor_is_refused(gamma) -> None:
    with pytest.raises(PartitionError, match=r"gamma = .* is not a finite number"):
        covey.partition(np.zeros((9, 1)), "v-mdav", k=3, gamma=gamma)


@pytest.mark.parametrize("method", METHODS)
def test_progress_is_told_up_to_the_end(method) -> None:
    heard = []

    covey.partition(
        np.random.default_rng(1).normal(size=(300, 2)),
        method,
        k=3,
        progress=lambda done, total: heard.append((done, total)),
    )

    assert all(0 <= done <= total == 300 for done, total in heard)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)

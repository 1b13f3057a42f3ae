"""A medoid is a member of its cluster, and none is nearer to the others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.aggregate.medoid import cluster_medoids

coordinate = st.integers(-3, 3).map(float)
records = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.tuples(st.integers(0, 2), *[coordinate] * width), min_size=1, max_size=20
    )
)


def labelled(rows: list[tuple[float, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """Take the first entries as clusters, numbered without gaps."""
    _, labels = np.unique([row[0] for row in rows], return_inverse=True)
    return np.array([row[1:] for row in rows]), labels.astype(np.int64)


@given(records)
def test_no_other_member_has_a_smaller_sum_of_distances(rows) -> None:
    X, labels = labelled(rows)

    medoids = cluster_medoids(X, labels)

    for cluster, medoid in enumerate(medoids):
        members = X[labels == cluster]
        totals = np.linalg.norm(members[:, None] - members[None], axis=2).sum(axis=1)
        own = np.linalg.norm(members - X[medoid], axis=1).sum()
        assert labels[medoid] == cluster
        assert own <= totals.min() + 1e-9


@given(records, st.randoms())
def test_the_order_of_the_rows_does_not_matter(rows, random) -> None:
    X, labels = labelled(rows)
    order = np.array(random.sample(range(len(rows)), len(rows)))

    medoids = cluster_medoids(X, labels)
    shuffled = cluster_medoids(X[order], labels[order])

    assert np.array_equal(X[medoids], X[order][shuffled])


def test_of_two_in_the_middle_of_a_column_the_lower_is_the_medoid() -> None:
    X = np.array([[7.0], [1.0], [2.0], [9.0]])

    assert X[cluster_medoids(X, np.zeros(4, dtype=np.int64))].tolist() == [[2.0]]


def test_clusters_of_more_distances_than_are_held_at_a_time_have_their_medoid_too() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2))

    (medoid,) = cluster_medoids(X, np.zeros(1500, dtype=np.int64))

    totals = [np.linalg.norm(X - record, axis=1).sum() for record in X]
    assert medoid == np.argmin(totals)

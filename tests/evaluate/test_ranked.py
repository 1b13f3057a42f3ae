"""Sampled records are compared with the records of their cluster by rank, as in paper 003."""

import numpy as np
import pytest

import covey
from covey.evaluate.ranked import matched_by_rank, ranked_sse

X = np.column_stack([np.arange(60.0), np.arange(60.0)[::-1] % 7])
SCHEMA = covey.Schema((covey.Attribute("a", bounds=(0, 100)), covey.Attribute("b", bounds=(0, 10))))


def test_each_record_gets_the_value_of_its_rank_in_its_cluster() -> None:
    original, sampled = np.array([3.0, 1.0, 9.0, 8.0]), np.array([5.0, 6.0, 20.0, 10.0])

    matched = matched_by_rank(original, sampled, np.array([0, 0, 1, 1]))

    assert matched.tolist() == [6.0, 5.0, 20.0, 10.0]


def test_the_order_of_samples_in_a_cluster_does_not_count() -> None:
    labels = {"a": np.array([0, 0, 0])}
    original = np.array([1.0, 2.0, 4.0])

    errors = [
        ranked_sse({"a": (original, np.array(sampled))}, labels, {"a": 2.0})
        for sampled in ([1.0, 2.0, 6.0], [6.0, 1.0, 2.0])
    ]

    assert errors == [1.0, 1.0]


@pytest.fixture
def sampled():
    """Publish records that are sampled from the means and covariances of clusters."""
    table = covey.read_table(X, SCHEMA)
    settings = {"k": 20, "epsilon": 50.0, "m": 1}
    return table, *covey.publish(table, "cross-moment", trace=True, random_state=1, **settings)


def test_a_release_of_samples_has_the_score_and_it_is_below_that_of_rows(sampled) -> None:
    scores = covey.evaluate(*sampled)

    assert 0.0 < scores["sse_ranked"] < scores["sse"]


def test_a_release_of_means_has_no_such_score() -> None:
    table = covey.read_table(X, SCHEMA)
    release, trace = covey.publish(table, "cross-moment", trace=True, k=20, epsilon=5.0, m=0)

    assert "sse_ranked" not in covey.evaluate(table, release, trace)


def test_the_clusters_are_not_in_the_release(sampled) -> None:
    _, release, trace = sampled

    assert set(trace.clusters) == {"a", "b"}
    assert "clusters" not in repr(trace)
    assert not hasattr(release, "clusters")

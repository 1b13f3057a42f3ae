"""The clusters of a pair differ in at most alpha clusters, by one record each: for that pair."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from covey.errors import PartitionError
from covey.partition import partition
from covey.partition.stable import SEARCHES, PartialOrder, alpha_stable, changed_row, s_mdav

value = st.one_of(st.integers(0, 3).map(float), st.floats(-5, 5, allow_subnormal=False))


@st.composite
def pairs(draw):
    """Draw data with many ties, a neighbour, and a cluster size."""
    width = draw(st.integers(1, 3))
    record = st.tuples(*[value] * width)
    X = np.array(draw(st.lists(record, min_size=4, max_size=40)))
    Y = X.copy()
    Y[draw(st.integers(0, len(X) - 1))] = draw(record)
    return X, Y, draw(st.integers(2, len(X) // 2))


def clusters(X: np.ndarray, labels: np.ndarray) -> list[Counter]:
    """Return the records of each cluster, as the definitions of stability compare them."""
    found = [Counter() for _ in range(int(labels.max()) + 1)]
    for record, label in zip(X.tolist(), labels, strict=True):
        found[label][tuple(record)] += 1
    return found


def differences(X, Y, pair) -> list[int]:
    """Return in how many records each pair of corresponding clusters differs, if it does."""
    matched = zip(clusters(X, pair.here), clusters(Y, pair.there), strict=True)
    counts = [(here - there).total() for here, there in matched]
    return [count for count in counts if count]


@settings(max_examples=300)
@given(pairs())
def test_s_mdav_is_2_stable(pair) -> None:
    X, Y, k = pair

    found = s_mdav(X, Y, k=k)

    assert differences(X, Y, found) in ([], [1], [1, 1])
    assert np.bincount(found.here).tolist() == np.bincount(found.there).tolist()


@settings(max_examples=300)
@given(pairs(), st.data())
def test_alpha_stable_clusters_are_alpha_stable(pair, data) -> None:
    X, Y, k = pair
    alpha = data.draw(st.integers(1, len(X) // k))
    search = data.draw(st.sampled_from(list(SEARCHES)))

    found = alpha_stable(X, Y, k=k, alpha=alpha, search=search)

    assert set(differences(X, Y, found)) <= {1}
    assert len(differences(X, Y, found)) <= alpha
    assert np.bincount(found.here).tolist() == np.bincount(found.there).tolist()


@given(pairs(), st.sampled_from(["2-stable", *SEARCHES]))
def test_the_clusters_of_the_data_are_those_of_mdav_whatever_the_neighbour_is(pair, how) -> None:
    X, Y, k = pair

    found = (
        s_mdav(X, Y, k=k)
        if how == "2-stable"
        else alpha_stable(X, Y, k=k, alpha=len(X) // k, search=how)
    )

    assert np.array_equal(found.here, partition(X, "mdav", k=k, standardize=False).labels)


@given(pairs())
def test_exchanges_bring_records_nearer_to_the_means_they_left(pair) -> None:
    X, Y, k = pair
    assume(len(X) // k >= 2)

    before, after = (alpha_stable(X, Y, k=k, alpha=alpha).there for alpha in (1, 2))

    centroids = np.array([Y[before == c].mean(axis=0) for c in range(before.max() + 1)])
    apart = [np.linalg.norm(Y - centroids[labels], axis=1).sum() for labels in (before, after)]
    assert apart[1] <= apart[0] + 1e-9


def line(changed: float) -> tuple[np.ndarray, np.ndarray]:
    """Three clusters of three on a line; the first record of the first is changed."""
    X = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 20.0, 21.0, 22.0])[:, None]
    Y = X.copy()
    Y[0] = changed
    return X, Y


@pytest.mark.parametrize(
    "derive",
    [
        lambda X, Y: s_mdav(X, Y, k=3),
        lambda X, Y: alpha_stable(X, Y, k=3, alpha=2),
        lambda X, Y: alpha_stable(X, Y, k=3, alpha=2, search="decisional"),
    ],
    ids=["2-stable", "sequential", "decisional"],
)
def test_a_record_that_moved_to_the_next_cluster_changes_places_with_its_nearest_record(
    derive,
) -> None:
    X, Y = line(11.5)

    found = derive(X, Y)

    # 10 goes to 1 and 2, and 11.5 joins 11 and 12.
    groups = {frozenset(Y[found.there == c, 0]) for c in range(3)}
    assert groups == {frozenset({1, 2, 10}), frozenset({11, 11.5, 12}), frozenset({20, 21, 22})}


@pytest.mark.parametrize("search", SEARCHES)
def test_with_a_larger_alpha_the_exchanges_go_on_to_the_next_cluster(search) -> None:
    X, Y = line(21.5)

    few, more = (alpha_stable(X, Y, k=3, alpha=alpha, search=search).there for alpha in (2, 3))

    assert (few != more).any()
    groups = {frozenset(Y[more == c, 0]) for c in range(3)}
    assert groups == {frozenset({1, 2, 10}), frozenset({11, 12, 20}), frozenset({21, 21.5, 22})}


def test_a_record_that_stays_nearest_to_its_cluster_changes_nothing_else() -> None:
    X, Y = line(0.5)

    assert np.array_equal(s_mdav(X, Y, k=3).there, s_mdav(X, Y, k=3).here)
    assert np.array_equal(alpha_stable(X, Y, k=3, alpha=3).there, s_mdav(X, Y, k=3).here)


@pytest.mark.parametrize("search", SEARCHES)
def test_an_exchange_that_contradicts_an_earlier_one_is_not_made(search) -> None:
    X, Y = line(11.5)
    first = alpha_stable(X, Y, k=3, alpha=2, search=search)
    ((lower, upper),) = first.order.pairs

    against = PartialOrder().extended(upper, (99.0,)).extended((99.0,), lower)
    found = alpha_stable(X, Y, k=3, alpha=2, search=search, order=against)

    assert (lower, upper) == ((11.5,), (10.0,))
    assert np.array_equal(found.there, found.here)
    assert found.order == against


def test_an_empty_order_forbids_nothing_and_a_chain_forbids_its_reverse() -> None:
    order = PartialOrder()
    chain = order.extended((1.0,), (2.0,)).extended((2.0,), (3.0,))

    assert order.allows((3.0,), (1.0,))
    assert chain.allows((1.0,), (3.0,))
    assert not chain.allows((3.0,), (1.0,))


def test_data_that_equal_their_neighbour_have_the_same_clusters() -> None:
    X, _ = line(0.0)

    assert changed_row(X, X) is None
    assert np.array_equal(s_mdav(X, X, k=3).there, s_mdav(X, X, k=3).here)
    assert np.array_equal(alpha_stable(X, X, k=3, alpha=3).there, s_mdav(X, X, k=3).here)


@pytest.mark.parametrize("alpha", [0, -1, 4])
def test_an_alpha_that_is_no_number_of_clusters_is_refused(alpha) -> None:
    X, Y = line(11.5)

    with pytest.raises(PartitionError, match=r"alpha = .* out of range.* from 1 to 3"):
        alpha_stable(X, Y, k=3, alpha=alpha)


def test_data_sets_that_differ_in_two_records_are_no_neighbours() -> None:
    X, Y = line(11.5)
    Y[1] = 5.0

    with pytest.raises(PartitionError, match="more than one record"):
        s_mdav(X, Y, k=3)
    with pytest.raises(PartitionError, match="more than one record"):
        alpha_stable(X, Y, k=3, alpha=2)


def test_data_sets_of_different_shapes_are_no_neighbours() -> None:
    X, Y = line(11.5)

    with pytest.raises(PartitionError, match="same number of records"):
        s_mdav(X, Y[1:], k=3)


def test_an_unknown_search_is_refused_with_the_known_ones() -> None:
    X, Y = line(11.5)

    with pytest.raises(PartitionError, match=r"no search 'sequentail'.*'sequential'"):
        alpha_stable(X, Y, k=3, alpha=2, search="sequentail")

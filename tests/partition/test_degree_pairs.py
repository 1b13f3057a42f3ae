"""Degree pairs are clustered as paper 002 does it, and what makes no sense is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import PartitionError
from covey.graph import DK, Graph, degree_distribution, from_edges, joint_degrees
from covey.graph.dk import subgraph_degrees
from covey.partition import DEGREE_PAIR_PARTITIONERS, PARTITIONERS, partition
from covey.partition.degree_pairs import mdav_dk, mpdc_dk


def random_graph(seed: int, nodes: int = 40, share: float = 0.15) -> Graph:
    rng = np.random.default_rng(seed)
    pairs = np.column_stack(np.triu_indices(nodes, 1))
    return from_edges(pairs[rng.random(len(pairs)) < share], ids=nodes)


@given(seed=st.integers(0, 10**6), k=st.integers(1, 9))
def test_mdav_dk_forms_as_many_clusters_as_k_allows_and_none_is_smaller(seed, k) -> None:
    dk = joint_degrees(random_graph(seed))

    found = mdav_dk(dk, k)

    assert len(found.sizes) == len(dk.counts) // k
    assert found.sizes.min() >= k
    assert found.sizes.sum() == len(dk.counts)


@given(seed=st.integers(0, 10**6), tau=st.integers(0, 9))
def test_degrees_within_a_cluster_of_mpdc_dk_differ_by_at_most_tau(seed, tau) -> None:
    dk = joint_degrees(random_graph(seed))

    found = mpdc_dk(dk, tau)

    for cluster in range(len(found.sizes)):
        assert np.ptp(dk.keys[found.labels == cluster], axis=0).max() <= tau


@given(seed=st.integers(0, 10**6))
def test_how_often_a_pair_occurs_plays_no_part(seed) -> None:
    dk = joint_degrees(random_graph(seed))
    again = DK(order=2, keys=dk.keys.copy(), counts=dk.counts * 1000)

    for method, settings in (("mdav-dk", {"k": 3}), ("mpdc-dk", {"tau": 2})):
        one, other = (partition(each, method, **settings) for each in (dk, again))
        assert one.labels.tolist() == other.labels.tolist()


def test_one_leaves_every_pair_by_itself_and_so_does_a_side_of_zero() -> None:
    dk = joint_degrees(random_graph(1))

    assert mdav_dk(dk, 1).sizes.tolist() == [1] * len(dk.counts)
    assert mpdc_dk(dk, 0).sizes.tolist() == [1] * len(dk.counts)


def test_degrees_alone_can_be_clustered_too_with_a_number_beside_them() -> None:
    dk = degree_distribution(random_graph(2))
    apart = np.where(dk.keys[:, 0] % 2 == 0, 0.0, 1e9)

    found = mdav_dk(dk, 2, beside=apart)

    split = [set(apart[found.labels == label]) for label in range(len(found.sizes))]
    assert sum(len(values) > 1 for values in split) <= 1


def test_equal_degrees_beside_different_ones_do_no_harm() -> None:
    # A regular graph with one more edge: the lower degree is constant for all but one pair.
    circle = [(i, (i + 1) % 8) for i in range(8)]
    dk = joint_degrees(from_edges(np.array([*circle, (0, 4)]), ids=8))

    assert len(mdav_dk(dk, 2).sizes) == len(dk.counts) // 2


def test_the_same_names_work_through_partition() -> None:
    dk = joint_degrees(random_graph(3))

    for found, again in (
        (partition(dk, "mdav-dk", k=3), mdav_dk(dk, 3)),
        (partition(dk, "mpdc-dk", tau=3), mpdc_dk(dk, 3)),
    ):
        assert found.method == again.method
        assert found.labels.tolist() == again.labels.tolist()


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_k_must_be_a_whole_number_of_at_least_one(k) -> None:
    with pytest.raises(PartitionError, match="whole number of at least 1"):
        mdav_dk(joint_degrees(random_graph(1)), k)


def test_k_beyond_the_number_of_cells_is_refused_without_saying_that_number() -> None:
    dk = joint_degrees(random_graph(1))

    with pytest.raises(PartitionError, match="larger than the number of degree cells") as refusal:
        mdav_dk(dk, 777_777)

    assert str(len(dk.counts)) not in str(refusal.value)


@pytest.mark.parametrize("tau", [-1, 1.5, True])
def test_tau_must_be_a_whole_number_of_at_least_zero(tau) -> None:
    with pytest.raises(PartitionError, match="whole number of at least 0"):
        mpdc_dk(joint_degrees(random_graph(1)), tau)


def test_boxes_need_pairs() -> None:
    with pytest.raises(PartitionError, match="order 1 was given"):
        mpdc_dk(degree_distribution(random_graph(1)), 2)


def test_wedges_and_triangles_are_not_clustered() -> None:
    with pytest.raises(PartitionError, match="order 3 was given"):
        mdav_dk(subgraph_degrees(random_graph(1)), 2)


def test_a_distribution_needs_its_own_partitioners_and_records_need_theirs() -> None:
    with pytest.raises(PartitionError, match="no partitioner of degree distributions"):
        partition(joint_degrees(random_graph(1)), "mdav", k=3)
    with pytest.raises(PartitionError, match="no partitioner of records"):
        partition([[1.0], [2.0]], "mpdc-dk", tau=1)
    with pytest.raises(PartitionError, match="'mdav-dk'"):
        partition(joint_degrees(random_graph(1)), "mdav-dq", k=3)


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(PartitionError, match="needs the parameter 'tau'"):
        partition(joint_degrees(random_graph(1)), "mpdc-dk")


def test_no_name_stands_for_two_partitioners() -> None:
    assert not PARTITIONERS.keys() & DEGREE_PAIR_PARTITIONERS.keys()

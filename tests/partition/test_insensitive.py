"""One replaced record changes each cluster by at most one record, whatever the fixed orders."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.errors import BoundsError, PartitionError
from covey.kernels.hilbert import hilbert_index
from covey.partition.hilbert import grid_cells, hilbert_bits, hilbert_chain
from covey.partition.insensitive import (
    hamming_sequence,
    insensitive_labels,
    insensitive_sizes,
    paired_sequence,
)
from covey.table.taxonomy import Taxonomy

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))
PET = Taxonomy.from_edges(
    "pet",
    [
        ("pet", ""),
        ("bird", "pet"),
        ("owl", "bird"),
        ("hen", "bird"),
        ("cat", "pet"),
        ("cow", "pet"),
    ],
)
LOW, HIGH = np.array([0.0, -1.0]), np.array([3.0, 1.0])
record = st.tuples(
    st.sampled_from([0.0, 1.0, 1.5, 3.0]),
    st.sampled_from([-1.0, 0.0, 1.0]),
    st.integers(0, len(PET.concepts) - 1),
)
records = st.lists(record, min_size=1, max_size=24)
partitions = st.sampled_from(
    [
        {"order": "single"},
        {"order": "corners"},
        {"order": "corners", "sequence": paired_sequence(3)},
        {"order": "corners", "corners": ([0.5, -0.5], [2.0, 0.0])},
        {"order": "hilbert", "bits": 1},
        {"order": "hilbert"},
    ]
)


def labels_of(table: list[tuple[float, float, int]], k: int, how: dict) -> np.ndarray:
    """Partition by all three attributes, or by the two numeric ones along the curve."""
    numeric = np.array([row[:2] for row in table])
    if how["order"] == "hilbert":
        return insensitive_labels(numeric, LOW, HIGH, k=k, **how)
    codes = np.array([row[2:] for row in table])
    return insensitive_labels(numeric, LOW, HIGH, k=k, codes=codes, taxonomies=[PET], **how)


def clusters_of(table: list[tuple], labels: np.ndarray, how: dict) -> list[Counter]:
    width = 2 if how["order"] == "hilbert" else 3
    clusters = [Counter() for _ in range(labels.max() + 1)]
    for row, label in zip(table, labels, strict=True):
        clusters[label][row[:width]] += 1
    return clusters


@settings(deadline=None, max_examples=400)
@given(records, st.integers(1, 6), record, st.randoms(), partitions)
def test_replacing_one_record_changes_each_cluster_by_at_most_one(
    table, k, other, random, how
) -> None:
    k = min(k, len(table))
    neighbour = [*table[1:], other]
    random.shuffle(neighbour)  # neighbours are multisets: rows have no names

    here = clusters_of(table, labels_of(table, k, how), how)
    there = clusters_of(neighbour, labels_of(neighbour, k, how), how)

    assert len(here) == len(there)
    assert all((one - two).total() <= 1 for one, two in zip(here, there, strict=True))


@settings(deadline=None)
@given(records, st.integers(1, 6), st.randoms(), partitions)
def test_permuting_rows_permutes_labels(table, k, random, how) -> None:
    k = min(k, len(table))
    shuffled = random.sample(table, len(table))

    here = clusters_of(table, labels_of(table, k, how), how)

    assert here == clusters_of(shuffled, labels_of(shuffled, k, how), how)


@settings(deadline=None)
@given(records, st.integers(1, 6), partitions)
def test_sizes_depend_on_the_number_of_records_and_k_alone(table, k, how) -> None:
    k = min(k, len(table))

    sizes = np.bincount(labels_of(table, k, how))

    assert sizes.tolist() == insensitive_sizes(len(table), k).tolist()
    assert sizes.sum() == len(table)
    assert (sizes[:-1] == k).all()
    assert k <= sizes[-1] < 2 * k


@settings(deadline=None)
@given(records, st.integers(1, 6), st.sampled_from(["single", "corners"]))
def test_labels_are_those_of_algorithm_2_written_out(table, k, order) -> None:
    k = min(k, len(table))
    bottom, top = PET.boundaries
    ends = [(0.0, 3.0), (-1.0, 1.0), (bottom, top)]
    points = [(0, 0, 0)] if order == "single" else hamming_sequence(3).tolist()
    left, expected, step = sorted(table), [], 0
    while len(left) >= 2 * k:
        x, y, c = (end[bit] for end, bit in zip(ends, points[step % len(points)], strict=True))
        left.sort(
            key=lambda row: (
                ((row[0] - x) / 3) ** 2
                + ((row[1] - y) / 2) ** 2
                + (PET.distances[row[2], c] / PET.distances[bottom, top]) ** 2,
                row,
            )
        )
        expected.append(Counter(left[:k]))
        left, step = left[k:], step + 1

    found = clusters_of(table, labels_of(table, k, {"order": order}), {"order": order})

    assert found == [*expected, Counter(left)]


def test_input_is_not_modified() -> None:
    numeric = np.random.default_rng(0).random((20, 2))
    before = numeric.copy()

    insensitive_labels(numeric, [0, 0], [1, 1], k=3)

    assert np.array_equal(numeric, before)


def test_constant_attributes_and_one_value_domains_do_not_matter() -> None:
    numeric = np.random.default_rng(0).random((20, 2))
    numeric[:, 1] = 7.0
    alone = Taxonomy.flat("alone", ["x"]).with_domain(["x"])
    constant = {"codes": np.ones((20, 1)), "taxonomies": [alone]}
    with_constants = insensitive_labels(numeric, [0, 7], [1, 7], k=3, order="single", **constant)

    without = insensitive_labels(numeric[:, :1], [0], [1], k=3, order="single")

    assert np.array_equal(with_constants, without)


def test_first_corner_is_the_bottom_and_each_next_is_the_farthest_from_the_recent_ones() -> None:
    assert hamming_sequence(2).tolist() == [[0, 0], [1, 1], [0, 1], [1, 0]]
    for attributes in range(1, 5):
        visited = [tuple([0] * attributes)]
        for corner in map(tuple, hamming_sequence(attributes).tolist()[1:]):

            def recency(candidate: tuple, so_far: list = visited) -> list[int]:
                return [
                    sum(a != b for a, b in zip(candidate, earlier, strict=True))
                    for earlier in reversed(so_far)
                ]

            free = [c for c in product((0, 1), repeat=attributes) if c not in visited]
            assert recency(corner) == max(map(recency, free))
            visited.append(corner)
        assert len(visited) == 2**attributes


def test_many_attributes_use_a_bounded_number_of_distinct_corners() -> None:
    corners = hamming_sequence(40)

    assert corners.shape == (64, 40)
    assert len(np.unique(corners, axis=0)) == 64


def test_paired_sequence_visits_each_corner_and_then_its_opposite() -> None:
    corners = ["".join(map(str, row)) for row in paired_sequence(4)]

    assert corners[:6] == ["0000", "1111", "0001", "1110", "0010", "1101"]
    assert len(set(corners)) == 16


@pytest.mark.parametrize(("attributes", "bits"), [(1, 4), (2, 1), (2, 5), (3, 3), (4, 2), (6, 2)])
def test_curve_visits_every_cell_once_and_steps_to_a_neighbour(attributes: int, bits: int) -> None:
    cells = np.array(list(product(range(2**bits), repeat=attributes)))

    index = hilbert_index(cells, bits)

    assert sorted(index) == list(range(len(cells)))
    steps = np.abs(np.diff(cells[np.argsort(index)], axis=0)).sum(axis=1)
    assert (steps == 1).all()


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="minutes if interpreted")
@pytest.mark.parametrize(
    ("attributes", "lengths"),
    [
        (1, [1.0, 1.0, 1.0]),
        (2, [7.6, 15.4, 27.65]),
        (3, [14.74, 37.94, 77.13]),
        (4, [22.93, 62.67, 142.67]),
    ],
)
def test_chain_has_the_lengths_found_independently(attributes: int, lengths: list[float]) -> None:
    chains = [hilbert_chain(clusters, attributes) for clusters in (8, 32, 100)]

    assert chains == pytest.approx(lengths, rel=1.5e-3)


@pytest.mark.parametrize(
    ("attributes", "bits", "clusters"), [(2, 1, 2), (2, 1, 3), (2, 2, 1), (2, 2, 3), (3, 1, 4)]
)
def test_chain_is_the_longest_of_all_chains_on_a_small_grid(
    attributes: int, bits: int, clusters: int
) -> None:
    cells = np.array(list(product(range(2**bits), repeat=attributes)))
    curve = cells[np.argsort(hilbert_index(cells, bits))]
    chains = np.array(list(combinations_with_replacement(range(len(curve)), clusters + 1)))

    lengths = np.abs(np.diff(curve[chains], axis=1)).sum(axis=(1, 2))

    assert hilbert_chain(clusters, attributes, bits) == lengths.max() / (2**bits - 1)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 1), (4, 2)])
def test_chain_is_attained_by_neighbouring_tables_and_never_exceeded(n: int, k: int) -> None:
    cells = np.array(list(product((0.0, 1.0), repeat=2)))
    clusters = len(insensitive_sizes(n, k))
    worst = 0.0
    for table in product(range(4), repeat=n):
        sums = []
        for other in range(4):
            numeric = cells[[other, *table[1:]]]
            labels = insensitive_labels(numeric, [0, 0], [1, 1], k=k, order="hilbert", bits=1)
            sums.append(np.eye(clusters)[labels].T @ numeric)
        worst = max(worst, *(np.abs(sums[table[0]] - there).sum() for there in sums))

    assert worst == hilbert_chain(clusters, 2, 1)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(*[st.integers(0, 7)] * 2), min_size=2, max_size=30),
    st.integers(1, 4),
    st.tuples(*[st.integers(0, 7)] * 2),
)
def test_sums_of_clusters_on_the_grid_never_move_beyond_the_chain(table, k, other) -> None:
    k = min(k, len(table))
    clusters = len(insensitive_sizes(len(table), k))
    sums = []
    for numeric in np.array(table, float), np.array([other, *table[1:]], float):
        labels = insensitive_labels(numeric, [0, 0], [7, 7], k=k, order="hilbert", bits=3)
        sums.append(np.eye(clusters)[labels].T @ numeric / 7)

    moved = np.abs(sums[0] - sums[1]).sum()

    assert moved <= hilbert_chain(clusters, 2, 3) + 1e-9


def test_cells_are_the_nearest_grid_values_and_stay_within_the_bounds() -> None:
    numeric = np.array([[-9.0, 5.0], [0.0, 5.0], [1.4, 5.0], [3.0, 5.0], [99.0, 5.0]])

    cells = grid_cells(numeric, np.array([0.0, 5.0]), np.array([3.0, 5.0]), bits=2)

    assert cells.tolist() == [[0, 0], [0, 0], [1, 0], [3, 0], [3, 0]]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"k": 0}, PartitionError, "k = 0 is not the size"),
        ({"k": 7}, PartitionError, "larger than the number of records.*smaller k"),
        ({"order": "corner"}, PartitionError, "Did you mean 'corners'"),
        ({"low": [0]}, BoundsError, "do not match"),
        ({"low": [2, 0]}, BoundsError, "wrong way round"),
        ({"high": [1, np.inf]}, BoundsError, "not finite"),
        ({"numeric": [1.0, 2.0]}, PartitionError, "no table of finite numbers"),
        ({"numeric": [[1.0, np.nan]] * 6}, PartitionError, "no table of finite numbers"),
        ({"numeric": np.empty((6, 0)), "low": [], "high": []}, PartitionError, "no attribute"),
        ({"codes": [[0]] * 6}, PartitionError, "do not match"),
        ({"sequence": [[0, 1, 1]]}, PartitionError, "with 2 columns"),
        ({"sequence": [[0, 2]]}, PartitionError, "table of 0 and 1"),
        ({"sequence": np.empty((0, 2))}, PartitionError, "names no corners"),
        ({"corners": ([0.0], [1.0])}, PartitionError, "corners do not match"),
        ({"order": "hilbert", "bits": 11}, PartitionError, "bits = 11.*Give 1 to 10"),
        (
            {"order": "hilbert", "codes": [[0]] * 6, "taxonomies": [PET]},
            *(PartitionError, "numeric attributes only"),
        ),
    ],
)
def test_what_cannot_be_partitioned_is_refused_with_the_next_step(change, error, message) -> None:
    given_ = {"numeric": [[0.5, 0.5]] * 6, "low": [0, 0], "high": [1, 1], "k": 2} | change

    with pytest.raises(error, match=message):
        insensitive_labels(**given_)


def test_too_many_attributes_for_the_curve_are_refused() -> None:
    with pytest.raises(PartitionError, match="1 to 6 numeric attributes"):
        hilbert_bits(7)


@pytest.mark.skipif(not (DATA / "census.csv").exists(), reason="reference data not at COVEY_DATA")
@pytest.mark.parametrize(
    ("k", "evaluated", "sse"),
    [
        (2, True, 9453652796.0),
        (66, True, 65842397223.5),
        (2, False, 11220355572.0),
        (33, False, 48739780471.5),
    ],
)
def test_census_has_the_sse_of_the_evaluation_and_of_the_rule_as_printed(
    k: int, evaluated: bool, sse: float
) -> None:
    with (DATA / "census.csv").open() as file:
        names = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",")
    numeric = rows[:, [names.index(name) for name in ("FEDTAX", "POTHVAL", "INTVAL", "FICA")]]
    how = {"corners": (numeric.min(axis=0), numeric.max(axis=0)), "sequence": paired_sequence(4)}

    labels = insensitive_labels(
        numeric, np.zeros(4), 1.5 * numeric.max(axis=0), k=k, **(how if evaluated else {})
    )

    members = np.eye(labels.max() + 1)[labels]
    means = members.T @ numeric / members.sum(axis=0)[:, None]
    assert ((numeric - means[labels]) ** 2).sum() == pytest.approx(sse, rel=1e-10)

"""The centroid of categorical values is the concept nearest to all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.aggregate.semantic import cluster_marginality, concept_counts, semantic_centroids
from covey.table.taxonomy import Taxonomy

SPORT = Taxonomy.from_edges(
    "sport",
    [
        ("sport", ""),
        ("water", "sport"),
        ("sailing", "water"),
        ("swimming", "water"),
        ("diving", "water"),
        ("chess", "sport"),
        ("kayak", "water"),
        ("kayak", "sport"),
    ],
)
CONCEPTS = len(SPORT.concepts)
samples = st.lists(st.integers(0, CONCEPTS - 1), min_size=1, max_size=30)


def counted(sample: list[int]) -> np.ndarray:
    return np.bincount(sample, minlength=CONCEPTS)[None, :]


def test_counts_say_how_often_each_concept_occurs_in_each_cluster() -> None:
    labels = np.array([1, 0, 1, 1])
    codes = SPORT.codes(["water", "chess", "water", "sailing"])

    counts = concept_counts(labels, codes, clusters=3, taxonomy=SPORT)

    assert counts.shape == (3, CONCEPTS)
    assert counts[0].sum() == 1
    assert counts[1, SPORT.codes(["water"])[0]] == 2
    assert not counts[2].any()


@given(samples)
def test_marginality_is_the_sum_of_distances_to_every_value(sample: list[int]) -> None:
    expected = [sum(SPORT.distances[value, c] for value in sample) for c in range(CONCEPTS)]

    np.testing.assert_allclose(cluster_marginality(counted(sample), SPORT)[0], expected, rtol=1e-12)


@given(samples, st.integers(0, 29), st.integers(0, CONCEPTS - 1))
def test_replacing_one_value_moves_no_marginality_beyond_the_diameter(
    sample: list[int], victim: int, other: int
) -> None:
    neighbour = sample.copy()
    neighbour[victim % len(sample)] = other

    here, there = (cluster_marginality(counted(each), SPORT) for each in (sample, neighbour))

    assert np.abs(here - there).max() <= SPORT.diameter + 1e-12


@given(samples)
def test_centroid_is_the_least_marginal_value_or_generalisation(sample: list[int]) -> None:
    candidates = np.flatnonzero(SPORT.ancestors[sample].any(axis=0))
    marginality = {c: sum(SPORT.distances[value, c] for value in sample) for c in candidates}
    least = min(marginality.values())

    centroid = semantic_centroids(counted(sample), SPORT)[0]

    assert centroid == min(c for c in candidates if marginality[c] <= least + 1e-9)


@pytest.mark.parametrize(
    ("values", "centroid"),
    [
        (["chess"], "chess"),
        (["sailing", "sailing", "swimming"], "sailing"),
        (["sailing", "swimming"], "sailing"),  # log2(3/2) < 2 log2(4/3)
        (["diving", "kayak", "sailing", "swimming"], "water"),  # 4 log2(4/3) < 3 log2(3/2)
        (["chess", "chess", "sailing"], "chess"),
        (["water", "sport"], "sport"),
    ],
)
def test_centroid_generalises_only_as_far_as_it_must(values: list[str], centroid: str) -> None:
    counts = counted(SPORT.codes(values).tolist())

    assert SPORT.values(semantic_centroids(counts, SPORT)) == [centroid]


def test_clusters_do_not_influence_each_other() -> None:
    counts = np.random.default_rng(1).integers(0, 9, (50, CONCEPTS))

    together = semantic_centroids(counts, SPORT)

    assert together.tolist() == [semantic_centroids(row[None], SPORT)[0] for row in counts]

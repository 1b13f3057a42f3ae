"""Linking by distance finds exactly the nearest originals, ties included."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.kernels.linkage import linked_probability
from tests.oracles.microaggregation import mdav

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))


def every_pair(released: np.ndarray, original: np.ndarray) -> np.ndarray:
    """Compare each released record with each original, as the definition says."""
    p = np.zeros(len(released))
    for i, record in enumerate(released):
        distance = np.zeros(len(original))
        for j, value in enumerate(record):
            distance += (original[:, j] - value) ** 2
        nearest = distance == distance.min()
        p[i] = nearest[i] / nearest.sum()
    return p


def noisy(rng):
    original = rng.normal(size=(700, 3))
    return original + rng.normal(scale=0.4, size=original.shape), original


def full_of_ties(rng):
    return rng.integers(0, 9, (700, 3)) / 2.0, rng.integers(0, 5, (700, 3)).astype(float)


def duplicated(rng):
    original = np.repeat(rng.normal(size=(70, 2)), 10, axis=0)
    return original[rng.permutation(700)], original


def constant_originals(rng):
    return rng.normal(size=(300, 4)), np.full((300, 4), 0.1)


def one_released_record_for_all(rng):
    original = rng.lognormal(size=(300, 2))
    return np.tile(original.mean(axis=0), (300, 1)), original


def originals_on_a_circle(rng):
    # Pythagorean triples: many distinct originals at exactly the same distance from the centre.
    corners = np.array([[3, 4], [5, 0], [0, 5], [4, 3]], dtype=float) * rng.integers(1, 9)
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    original = (corners[:, None, :] * signs).reshape(-1, 2)
    return np.zeros((len(original), 2)), original


def far_from_zero(rng):
    original = 1e9 + rng.integers(0, 50, (400, 2)).astype(float)
    return original + rng.integers(-1, 2, (400, 2)), original


def one_attribute(rng):
    original = rng.integers(0, 40, (200, 1)).astype(float)
    return np.round(original / 4) * 4, original


def many_attributes(rng):
    original = rng.normal(size=(200, 15))
    return original + rng.normal(scale=0.7, size=original.shape), original


@pytest.mark.parametrize(
    "draw",
    [
        noisy,
        full_of_ties,
        duplicated,
        constant_originals,
        one_released_record_for_all,
        originals_on_a_circle,
        far_from_zero,
        one_attribute,
        many_attributes,
    ],
)
def test_the_search_finds_what_comparing_every_pair_finds(draw) -> None:
    released, original = draw(np.random.default_rng(0))

    p = linked_probability(released, original)

    np.testing.assert_array_equal(p, every_pair(released, original))


coordinates = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 1e-8, 1e8]) | st.floats(-3.0, 3.0)


@given(st.data(), st.integers(1, 30), st.integers(1, 3))
def test_the_search_is_exact_on_small_tables(data, n, d) -> None:
    released = data.draw(arrays(np.float64, (n, d), elements=coordinates))
    original = data.draw(arrays(np.float64, (n, d), elements=coordinates))

    p = linked_probability(released, original)

    np.testing.assert_array_equal(p, every_pair(released, original))


def test_the_order_of_the_records_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    released, original = full_of_ties(rng)
    shuffled = rng.permutation(len(original))

    p = linked_probability(released[shuffled], original[shuffled])

    np.testing.assert_array_equal(p, linked_probability(released, original)[shuffled])


def test_neither_table_is_modified() -> None:
    released, original = noisy(np.random.default_rng(2))
    before = released.copy(), original.copy()

    linked_probability(released, original)

    np.testing.assert_array_equal(released, before[0])
    np.testing.assert_array_equal(original, before[1])


def test_progress_never_falls_and_ends_with_all_distinct_records() -> None:
    released, original = full_of_ties(np.random.default_rng(3))
    seen: list[tuple[int, int]] = []

    linked_probability(released, original, progress=lambda done, total: seen.append((done, total)))

    distinct = len(np.unique(released, axis=0))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {distinct}
    assert seen[-1] == (distinct, distinct)


def read(name: str, columns: list[str]) -> np.ndarray:
    with (DATA / name).open(newline="") as file:
        return np.array([[float(row[c]) for c in columns] for row in csv.DictReader(file)])


def linked_after_mdav(X: np.ndarray, by: np.ndarray, k: int) -> float:
    """Cluster on ``by``, replace ``X`` by cluster means, and return the percentage linked."""
    order = np.lexsort(by.T[::-1])
    labels = np.empty(len(X), dtype=np.int64)
    labels[order] = mdav(by[order], k)
    sizes = np.bincount(labels)
    means = np.stack([np.bincount(labels, column) / sizes for column in X.T], axis=1)
    return 100.0 * linked_probability(means[labels], X).mean()


CENSUS = "census.csv", ["FEDTAX", "POTHVAL", "INTVAL", "FICA"]
EIA = "eia.csv", ["RESREVENUE", "RESSALES", "TOTREVENUE", "TOTSALES"]
TARRAGONA = (
    "tarragona.csv",
    ["FIXED.ASSETS", "CURRENT.ASSETS", "PAID.UP.CAPITAL", "SHORT.TERM.DEBT", "SALES"],
)
needs_data = pytest.mark.skipif(
    not (DATA / "census.csv").exists(), reason="reference data not at COVEY_DATA"
)


@needs_data
@pytest.mark.parametrize(("k", "printed"), [(2, 45.3), (33, 2.96), (66, 1.48)])
def test_linkage_after_mdav_is_that_of_table_1_of_paper_004(k, printed) -> None:
    X = read(*CENSUS)
    X /= 1.5 * X.max(axis=0)

    rl = linked_after_mdav(X, X, k)

    assert rl == pytest.approx(printed, abs=0.05 if k == 2 else 0.005)


@needs_data
@pytest.mark.parametrize(
    ("table", "k", "reproduced"),
    [
        (CENSUS, 20, 4.444444),
        (CENSUS, 40, 2.314815),
        (CENSUS, 60, 1.574074),
        (CENSUS, 80, 1.203704),
        (EIA, 20, 3.519062),
        (EIA, 40, 1.808407),
        (EIA, 60, 1.441838),
        (EIA, 80, 1.173021),
        (EIA, 100, 0.9286413),
        (TARRAGONA, 2, 29.93605),
        (TARRAGONA, 20, 4.076739),
        (TARRAGONA, 80, 1.079137),
        (TARRAGONA, 100, 0.8393285),
    ],
)
def test_linkage_after_mdav_is_that_of_tables_5_2_to_5_6_of_paper_002(table, k, reproduced) -> None:
    X = read(*table)

    rl = linked_after_mdav(X, (X - X.mean(axis=0)) / X.std(axis=0), k)

    assert rl == pytest.approx(reproduced, rel=1e-6)

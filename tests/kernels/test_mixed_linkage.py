"""Linking by numbers and categories finds exactly the nearest originals, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.kernels.linkage import linked_probability
from covey.kernels.mixed_linkage import mixed_linked_probability


def every_pair(released, original, squared) -> np.ndarray:
    """Compare each released record with each original, as the definition says."""
    n = len(original[0])
    p = np.zeros(n)
    for i in range(n):
        distance = np.zeros(n)
        for j, value in enumerate(released[0][i]):
            distance += (original[0][:, j] - value) ** 2
        for j, code in enumerate(released[1][i]):
            codes = original[1][:, j]
            table = squared[j]
            distance += (codes != code) if table is None else table[code, codes]
        nearest = distance == distance.min()
        p[i] = nearest[i] / nearest.sum()
    return p


def table_of(rng: np.random.Generator, categories: int) -> np.ndarray:
    """Draw squared distances as a taxonomy may have them: symmetric, 0 on the diagonal alone."""
    table = rng.integers(1, 5, (categories, categories)) / 4.0
    table = np.minimum(table, table.T)
    np.fill_diagonal(table, 0.0)
    return table


def drawn(seed: int, n: int, d: int, categories: tuple[int, ...], *, flat: bool):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 6, (n, d)) / 2.0
    codes = np.column_stack([rng.integers(0, c, n) for c in categories])
    moved = numbers + rng.integers(-1, 2, (n, d)) / 4.0
    other = np.column_stack([rng.integers(0, c, n) for c in categories])
    changed = np.where(rng.random(codes.shape) < 0.2, other, codes)
    squared = [None if flat else table_of(rng, c) for c in categories]
    return (moved, changed), (numbers, codes), squared


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(
    ("d", "categories"), [(0, (3,)), (0, (40, 2, 5)), (1, (3,)), (2, (14, 41)), (3, (2, 90))]
)
def test_the_search_finds_what_comparing_every_pair_finds(d, categories, flat) -> None:
    released, original, squared = drawn(1, 500, d, categories, flat=flat)

    p = mixed_linked_probability(released, original, squared)

    np.testing.assert_array_equal(p, every_pair(released, original, squared))


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(0, 2), st.booleans())
def test_the_search_is_exact_on_small_tables(seed, n, d, flat) -> None:
    released, original, squared = drawn(seed, n, d, (3, 7), flat=flat)

    p = mixed_linked_probability(released, original, squared)

    np.testing.assert_array_equal(p, every_pair(released, original, squared))


def test_a_released_category_that_no_original_has_is_as_near_as_its_distances_say() -> None:
    # 2 is the concept above 0 and 1, nearer to 0.
    table = np.array([[0.0, 1.0, 0.25], [1.0, 0.0, 0.5], [0.25, 0.5, 0.0]])
    original = np.empty((4, 0)), np.array([[0], [0], [1], [1]])
    released = np.empty((4, 0)), np.array([[2], [2], [2], [2]])

    p = mixed_linked_probability(released, original, [table])

    np.testing.assert_array_equal(p, [0.5, 0.5, 0.0, 0.0])


def test_a_constant_category_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    original = rng.normal(size=(800, 3))
    released = original + rng.normal(scale=0.5, size=original.shape)
    none = np.zeros((800, 1), dtype=np.int64)

    p = mixed_linked_probability((released, none), (original, none), [None])

    np.testing.assert_array_equal(p, linked_probability(released, original))


def test_progress_never_falls_and_ends_with_all_distinct_records() -> None:
    released, original, squared = drawn(5, 300, 2, (4,), flat=True)
    seen: list[tuple[int, int]] = []

    mixed_linked_probability(
        released, original, squared, progress=lambda done, total: seen.append((done, total))
    )

    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1] <= 300

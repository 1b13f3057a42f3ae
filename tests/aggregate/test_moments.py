"""Moment sums are those of textbooks, exact to the last step of the grid."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstat

from covey.aggregate.moments import (
    COSKEWNESS,
    COVARIANCE,
    MEAN,
    as_matrices,
    decomposed,
    inverse_gaps,
    moment_indices,
    moment_sums,
    unit_moments,
)

STEPS = (1, 7, 2**20)
RESOLUTION = 1000


@st.composite
def clusters(draw):
    """Draw records of three attributes on grids of different width, in clusters of 3 and more."""
    sizes = draw(st.lists(st.integers(3, 6), min_size=1, max_size=3))
    n = sum(sizes)
    columns = [draw(st.lists(st.integers(0, steps), min_size=n, max_size=n)) for steps in STEPS]
    labels = np.array(draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist())))
    return np.array(columns).T, labels, np.array(sizes)


def exactly(rows, index) -> Fraction:
    """Compute size times the unbiased coefficient from its definition, in fractions."""
    n = len(rows)
    columns = [[Fraction(int(row[i]), STEPS[i]) for row in rows] for i in index]
    if len(index) == MEAN:
        return sum(columns[0], Fraction(0))
    means = [sum(column, Fraction(0)) / n for column in columns]
    products = sum(
        math.prod(column[r] - mean for column, mean in zip(columns, means, strict=True))
        for r in range(n)
    )
    if len(index) == COVARIANCE:
        return n * products / (n - 1)
    return n * (n * products / ((n - 1) * (n - 2)))


@given(clusters())
def test_every_sum_is_the_definition_rounded_once(drawn) -> None:
    integers, labels, sizes = drawn
    indices = [
        index
        for order in (MEAN, COVARIANCE, COSKEWNESS)
        for index in combinations_with_replacement(range(3), order)
    ]

    found = moment_sums(integers, STEPS, labels, sizes, indices, resolution=RESOLUTION)

    for cluster in range(sizes.size):
        rows = integers[labels == cluster]
        expected = [
            math.floor(RESOLUTION * exactly(rows, index) + Fraction(1, 2)) for index in indices
        ]
        assert found[cluster].tolist() == expected


def test_large_clusters_of_fine_values_do_not_overflow() -> None:
    top, n = 2**20, 30_000
    integers = np.full((n, 1), top)
    integers[0] = 0
    indices = [(0,), (0, 0), (0, 0, 0)]

    found = moment_sums(
        integers, [top], np.zeros(n, dtype=np.int64), np.array([n]), indices, resolution=top
    )

    # One zero among ones: deviations −(n − 1)/n once and 1/n otherwise.
    assert found[0].tolist() == [(n - 1) * top, top, -top]


def test_coefficients_agree_with_numpy_and_scipy() -> None:
    rng = np.random.default_rng(3)
    integers = rng.integers(0, 2**20, (90, 2)) ** 2 // 2**20
    labels = np.repeat([1, 0, 2], 30)
    indices = [(0,), (1,), (0, 0), (0, 1), (1, 1), (0, 0, 0)]

    sums = moment_sums(
        integers, [2**20] * 2, labels, np.array([30, 30, 30]), indices, resolution=2**30
    )
    found = unit_moments(sums, np.array([30, 30, 30]), resolution=2**30)

    for cluster in range(3):
        X = integers[labels == cluster] / 2**20
        covariance = np.cov(X.T)
        expected = [
            *X.mean(axis=0),
            covariance[0, 0],
            covariance[0, 1],
            covariance[1, 1],
            kstat(X[:, 0], 3),
        ]
        assert found[cluster] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("order", [MEAN, COVARIANCE, COSKEWNESS])
def test_distinct_coefficients_are_as_many_as_the_paper_counts(d, order) -> None:
    counts = {MEAN: d, COVARIANCE: d * (d + 1) // 2, COSKEWNESS: d * (d + 1) * (d + 2) // 6}

    crossed = moment_indices(d, order, cross=True)
    marginal = moment_indices(d, order, cross=False)

    assert len(set(crossed)) == counts[order]
    assert [set(index) for index in marginal] == [{i} for i in range(d)]
    assert set(marginal) <= set(crossed)


def test_matrices_are_symmetric_and_zero_where_nothing_was_published() -> None:
    full = as_matrices(np.array([[1.0, 2.0, 3.0]]), [(0, 0), (0, 1), (1, 1)], 2)
    diagonal = as_matrices(np.array([[1.0, 3.0]]), [(0, 0), (1, 1)], 2)

    assert full.tolist() == [[[1.0, 2.0], [2.0, 3.0]]]
    assert diagonal.tolist() == [[[1.0, 0.0], [0.0, 3.0]]]


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_a_decomposition_puts_the_matrix_together_again_largest_eigenvalue_first(entries) -> None:
    matrix = as_matrices(np.array([entries]), moment_indices(3, COVARIANCE, cross=True), 3)

    values, vectors = decomposed(matrix)

    rebuilt = (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    assert rebuilt == pytest.approx(matrix, abs=1e-9)
    assert (np.diff(values) <= 1e-12).all()
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=1, keepdims=True), axis=1)
    assert (largest > 0).all()


def test_a_multiple_eigenvalue_has_an_infinite_inverse_gap_and_one_alone_has_none() -> None:
    assert inverse_gaps(np.array([[2.0, 1.0, 1.0], [4.0, 2.0, 1.0]])).tolist() == [
        [1.0, np.inf, np.inf],
        [0.5, 1.0, 1.0],
    ]
    assert inverse_gaps(np.array([3.0])).tolist() == [0.0]

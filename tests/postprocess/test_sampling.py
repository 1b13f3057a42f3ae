"""Sampled records have the moments that were asked for, and impossible moments become possible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kstat, skew, skewnorm

from covey.postprocess.sampling import (
    LARGEST_VARIANCE,
    feasible_coskewness,
    feasible_covariances,
    nearest_psd,
    sample_records,
    skewed_directions,
)

MANY = np.array([200_000])
LARGEST_SKEWNESS = 0.99527
noisy = arrays(np.float64, (2, 3, 3), elements=st.floats(-5, 5)).map(
    lambda matrices: (matrices + np.swapaxes(matrices, 1, 2)) / 2
)


def smallest_eigenvalue(matrices) -> float:
    return float(np.linalg.eigvalsh(matrices).min())


@given(noisy, st.integers(0, 2**32 - 1))
def test_no_other_positive_matrix_is_nearer_than_the_nearest(matrices, seed) -> None:
    found = nearest_psd(matrices)

    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(50, 1, 3, 3))
    others = [factor @ np.swapaxes(factor, 1, 2) for factor in factors]
    others += [nearest_psd(found + 0.01 * (other - found)) for other in others]
    distances = [np.linalg.norm(other - matrices, axis=(1, 2)) for other in others]
    assert smallest_eigenvalue(found) >= -1e-9
    assert (np.linalg.norm(found - matrices, axis=(1, 2)) <= np.min(distances, axis=0) + 1e-9).all()


@given(noisy)
def test_a_positive_matrix_is_its_own_nearest(matrices) -> None:
    positive = matrices @ np.swapaxes(matrices, 1, 2)

    assert nearest_psd(positive) == pytest.approx(positive, abs=1e-9)


@given(noisy)
def test_feasible_covariances_are_positive_and_within_the_public_range(matrices) -> None:
    found = feasible_covariances(matrices)

    assert smallest_eigenvalue(found) >= -1e-12
    assert (np.abs(found) <= LARGEST_VARIANCE * (1 + 1e-9)).all()
    assert found == pytest.approx(np.swapaxes(found, 1, 2))


def test_possible_covariances_stay_as_they_are() -> None:
    possible = np.array([[[0.2, 0.1], [0.1, 0.06]], [[0.0, 0.0], [0.0, 0.25]]])

    assert feasible_covariances(possible) == pytest.approx(possible, abs=1e-12)


def test_variances_alone_are_clipped_one_by_one() -> None:
    found = feasible_covariances(np.array([np.diag([-3.0, 0.1, 7.0])]))

    assert found[0] == pytest.approx(np.diag([0.0, 0.1, 0.25]))


@given(arrays(np.float64, (40, 3), elements=st.floats(0, 1)))
def test_no_values_between_zero_and_one_have_a_coskewness_that_is_truncated(X) -> None:
    deviations = X - X.mean(axis=0)

    mixed = np.array([deviations.prod(axis=1).mean(), (deviations[:, 0] ** 3).mean()])

    assert feasible_coskewness(mixed).tolist() == mixed.tolist()


def test_impossible_coskewness_is_truncated() -> None:
    assert feasible_coskewness(np.array([-3.0, 0.1, 3.0])).tolist() == [-0.125, 0.1, 0.125]


def test_normal_records_have_the_means_and_covariances() -> None:
    means = np.array([[0.4, 0.6]])
    covariance = np.array([[[0.04, -0.03], [-0.03, 0.09]]])

    records = sample_records(means, covariance, MANY, np.random.default_rng(1))

    assert records.mean(axis=0) == pytest.approx(means[0], abs=0.003)
    assert np.cov(records.T) == pytest.approx(covariance[0], abs=0.002)
    assert skew(records) == pytest.approx([0.0, 0.0], abs=0.03)


def test_skew_normal_records_have_all_three_moments() -> None:
    means = np.array([[0.4, 0.6]])
    covariance = np.array([[[0.04, -0.02], [-0.02, 0.09]]])
    thirds = np.array([[0.5 * 0.04**1.5, -0.3 * 0.09**1.5]])

    records = sample_records(means, covariance, MANY, np.random.default_rng(2), coskewness=thirds)

    assert records.mean(axis=0) == pytest.approx(means[0], abs=0.003)
    assert np.cov(records.T) == pytest.approx(covariance[0], abs=0.002)
    assert [kstat(column, 3) for column in records.T] == pytest.approx(thirds[0], rel=0.1)


def test_one_attribute_has_azzalinis_distribution() -> None:
    law = skewnorm(3.0, loc=0.2, scale=0.1)
    mean, variance, skewness = law.stats(moments="mvs")

    records = sample_records(
        np.array([[mean]]),
        np.array([[[variance]]]),
        MANY,
        np.random.default_rng(3),
        coskewness=np.array([[skewness * variance**1.5]]),
    )

    shares = np.linspace(0.01, 0.99, 25)
    assert np.quantile(records, shares) == pytest.approx(law.ppf(shares), abs=0.002)


@given(
    noisy,
    arrays(np.float64, (2, 3), elements=st.floats(-5, 5)),
)
def test_skewness_that_no_member_of_the_family_has_is_shrunk_until_one_has_it(
    matrices, thirds
) -> None:
    covariances = feasible_covariances(matrices)

    t = skewed_directions(covariances, thirds)

    rest = covariances - (1 - 2 / np.pi) * t[:, :, None] * t[:, None, :]
    assert smallest_eigenvalue(rest) >= -1e-9


def test_possible_skewness_is_not_shrunk() -> None:
    covariance = np.array([[[0.04, 0.01], [0.01, 0.09]]])
    thirds = np.array([[0.2 * 0.04**1.5, 0.2 * 0.09**1.5]])

    t = skewed_directions(covariance, thirds)

    half_normal_third = np.sqrt(2 / np.pi) * (4 / np.pi - 1)
    assert t**3 * half_normal_third == pytest.approx(thirds)


def test_more_skewness_than_one_attribute_can_have_ends_at_the_largest() -> None:
    records = sample_records(
        np.array([[0.5]]),
        np.array([[[0.01]]]),
        MANY,
        np.random.default_rng(4),
        coskewness=np.array([[77.0]]),
    )

    assert skew(records[:, 0]) == pytest.approx(LARGEST_SKEWNESS, abs=0.03)
    assert records.var() == pytest.approx(0.01, rel=0.02)


@pytest.mark.parametrize("thirds", [None, np.array([[0.001, 0.001, -0.2]])])
def test_a_singular_covariance_keeps_records_where_it_says(thirds) -> None:
    # The second attribute is constant, the third a copy of the first.
    covariance = np.array([[[0.04, 0.0, 0.04], [0.0, 0.0, 0.0], [0.04, 0.0, 0.04]]])

    records = sample_records(
        np.array([[0.5, 0.3, 0.5]]),
        covariance,
        np.array([500]),
        np.random.default_rng(5),
        coskewness=thirds,
    )

    assert np.isfinite(records).all()
    assert records[:, 1] == pytest.approx(np.full(500, 0.3), abs=1e-7)
    assert records[:, 0] == pytest.approx(records[:, 2], abs=1e-6)
    assert records[:, 0].std() == pytest.approx(0.2, rel=0.1)


def test_clusters_come_in_their_order_and_with_their_sizes_across_blocks() -> None:
    sizes = np.array([70_000, 2, 70_000])
    means = np.array([[0.1], [0.5], [0.9]])

    records = sample_records(means, np.zeros((3, 1, 1)), sizes, np.random.default_rng(6))

    assert records[:, 0].tolist() == np.repeat([0.1, 0.5, 0.9], sizes).tolist()

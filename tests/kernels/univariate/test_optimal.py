"""The partition of sorted values is the cheapest there is, on friendly and on hostile data."""

from __future__ import annotations

import csv
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from covey.kernels.univariate.doubledouble import prefix_sums
from covey.kernels.univariate.optimal import _last_starts, optimal_noise_sizes, optimal_sizes
from tests.oracles.univariate import (
    exact_cost,
    exact_optimum,
    exact_total,
    last_starts,
    recursion,
)

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))

N = 120
# Interpreted, as for coverage, the quadratic recursion takes a thousand times longer.
MANY = 300 if config.DISABLE_JIT else 8_000


def normal(rng):
    return rng.normal(size=N)


def lognormal(rng):
    return rng.lognormal(0.0, 3.0, N)


def cauchy(rng):
    return rng.standard_cauchy(N)


def few_values(rng):
    return rng.integers(0, 7, N).astype(float)


def equal_steps(_):
    return np.arange(N) * 0.1


def constant(_):
    return np.full(N, 0.1)


def pareto_with_a_tail_of_0_3(rng):
    return rng.pareto(0.3, N)


def two_blobs_at_0_and_1e9_with_spread_1e_3(rng):
    return np.concatenate([rng.normal(0.0, 1e-3, N // 2), rng.normal(1e9, 1e-3, N // 2)])


def two_blobs_at_0_and_1e12_with_spread_1e_3(rng):
    return np.concatenate([rng.normal(0.0, 1e-3, N // 2), rng.normal(1e12, 1e-3, N // 2)])


def small_ties_and_one_value_at_1e12(rng):
    return np.append(rng.integers(0, 5, N - 1).astype(float), 1e12)


def normal_around_1e9(rng):
    return 1e9 + rng.normal(size=N)


def powers_of_two_on_both_sides_of_zero(_):
    powers = 2.0 ** np.arange(-N // 4, N // 4)
    return np.concatenate([-powers, powers])


HOSTILE = [
    normal,
    lognormal,
    cauchy,
    few_values,
    equal_steps,
    constant,
    pareto_with_a_tail_of_0_3,
    two_blobs_at_0_and_1e9_with_spread_1e_3,
    two_blobs_at_0_and_1e12_with_spread_1e_3,
    small_ties_and_one_value_at_1e12,
    normal_around_1e9,
    powers_of_two_on_both_sides_of_zero,
]


@pytest.mark.parametrize("k", [1, 2, 3, 7, 25, N // 2, N])
@pytest.mark.parametrize("draw", HOSTILE)
def test_no_partition_with_clusters_of_k_has_a_smaller_exact_sse(draw, k) -> None:
    x = np.sort(draw(np.random.default_rng(1)))

    sizes = optimal_sizes(x, k)

    assert exact_total(x, sizes) == exact_optimum(x, k)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k


@pytest.mark.parametrize("noise", ["local", 1e-6, 1.0, 1e3, "global"])
@pytest.mark.parametrize("draw", HOSTILE)
def test_no_partition_has_a_smaller_exact_sse_plus_noise(draw, noise) -> None:
    x = np.sort(draw(np.random.default_rng(2)))
    if noise == "local":
        noise = 50.0 * float(np.median(np.diff(x))) ** 2
    elif noise == "global":
        noise = float(x[-1] - x[0]) ** 2

    sizes = optimal_noise_sizes(x, noise)

    assert exact_total(x, sizes, noise) == exact_optimum(x, 1, noise)


values = st.one_of(
    st.floats(-100.0, 100.0),
    st.integers(-3, 3).map(float),
    st.floats(-1e-9, 1e-9),
    st.floats(1e9, 1.001e9),
    st.sampled_from([-1e15, 1e15, 1e-15]),
)
columns = st.lists(values, min_size=1, max_size=20).map(sorted).map(np.array)

# Costs that differ by less than their last digits may be taken for each other, so what chance
# finds is held to a relative excess; the named data above are held to the exact optimum.
EXCESS = 1 + Fraction(1, 10**13)


@given(columns, st.integers(1, 8))
@settings(max_examples=300)
def test_sse_is_least_on_columns_of_mixed_scales(x, k) -> None:
    k = min(k, x.size)

    sizes = optimal_sizes(x, k)

    assert exact_total(x, sizes) <= exact_optimum(x, k) * EXCESS
    assert sizes.sum() == x.size
    assert sizes.min() >= k
    assert x.size < 2 * k or sizes.max() < 2 * k


@given(columns, st.one_of(st.just(0.0), st.floats(1e-12, 1e12)))
@settings(max_examples=300)
def test_sse_plus_noise_is_least_on_columns_of_mixed_scales(x, noise) -> None:
    sizes = optimal_noise_sizes(x, noise)

    assert exact_total(x, sizes, noise) <= exact_optimum(x, 1, noise) * EXCESS
    assert sizes.sum() == x.size


@pytest.mark.parametrize(
    ("k", "noise"), [(2, 0.0), (10, 0.0), (300, 0.0), (1, 1e-6), (1, 0.1), (1, 1e3)]
)
def test_every_prefix_of_thousands_of_values_ends_as_the_quadratic_recursion_ends_it(
    k, noise
) -> None:
    x = np.sort(np.random.default_rng(3).normal(size=MANY))

    starts = _last_starts(x, prefix_sums(x), k, noise)

    np.testing.assert_array_equal(starts[k:], last_starts(x, k, noise)[k:])


def test_a_long_queue_of_waiting_starts_is_kept_in_order() -> None:
    # Steps that grow slowly let thousands of starts wait for their turn at a time.
    steps = np.random.default_rng(8).uniform(0.9, 1.1, MANY) * np.linspace(1.0, 1.2, MANY)
    x = np.cumsum(steps)

    sizes = optimal_noise_sizes(x, 1e13)

    np.testing.assert_array_equal(sizes, recursion(x, 1, 1e13))


@pytest.mark.parametrize(("seed", "k"), [(0, 3), (19, 3), (67, 2), (128, 2)])
def test_clusters_stay_below_2k_where_their_errors_vanish_beside_the_total(seed, k) -> None:
    rng = np.random.default_rng(seed)
    x = np.sort(10.0 ** rng.uniform(-20.0, 20.0, 60) * rng.choice([-1.0, 1.0], 60))

    sizes = optimal_sizes(x, k)

    assert sizes.sum() == x.size
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    assert exact_total(x, sizes) <= exact_optimum(x, k) * EXCESS


def test_of_equally_good_partitions_the_last_cluster_is_the_shorter() -> None:
    x = np.arange(5.0)

    assert optimal_sizes(x, 2).tolist() == [3, 2]
    assert optimal_sizes(np.full(7, 4.0), 2).tolist() == [3, 2, 2]
    assert optimal_noise_sizes(np.full(7, 4.0), 0.0).tolist() == [1] * 7


def test_equal_values_are_kept_together_as_soon_as_noise_costs_anything() -> None:
    x = np.repeat([1.0, 2.0, 5.0], [3, 1, 4])

    assert optimal_noise_sizes(x, 1e-9).tolist() == [3, 1, 4]


def test_one_cluster_is_best_if_noise_outweighs_all_else() -> None:
    assert optimal_noise_sizes(np.array([0.0, 1.0, 50.0]), 1e9).tolist() == [3]
    assert optimal_noise_sizes(np.array([7.0]), 1.0).tolist() == [1]


@pytest.mark.parametrize("power", [-1040, -600, 0, 600, 1010])
def test_a_common_power_of_two_changes_no_cut(power) -> None:
    x = np.sort(np.random.default_rng(5).normal(size=200))
    x = np.round(x * 2**20) / 2**20

    scaled = np.ldexp(x, power)

    assert optimal_sizes(scaled, 3).tolist() == optimal_sizes(x, 3).tolist()


def test_noise_is_scaled_together_with_huge_and_with_tiny_values() -> None:
    x = np.sort(np.random.default_rng(6).normal(size=200))
    sizes = optimal_noise_sizes(x, 0.5).tolist()

    assert optimal_noise_sizes(np.ldexp(x, 400), np.ldexp(0.5, 800)).tolist() == sizes
    assert optimal_noise_sizes(np.ldexp(x, -400), np.ldexp(0.5, -800)).tolist() == sizes
    assert optimal_noise_sizes(np.ldexp(x, -400), 1e300).tolist() == [200]


def test_the_values_are_not_modified_and_may_be_a_column_of_a_matrix() -> None:
    matrix = np.sort(np.random.default_rng(7).normal(size=(50, 3)), axis=0)
    before = matrix.copy()

    sizes = optimal_sizes(matrix[:, 1], 4)

    np.testing.assert_array_equal(matrix, before)
    assert sizes.tolist() == optimal_sizes(matrix[:, 1].copy(), 4).tolist()


@given(columns.filter(lambda x: x.size > 1), st.floats(0.0, 1e6), st.data())
def test_the_cost_is_monge_on_sorted_values(x, noise, data) -> None:
    a, b, c, d = sorted(data.draw(st.lists(st.integers(0, x.size), min_size=4, max_size=4)))
    if b == c:
        return
    cost = exact_cost(x, noise)

    assert cost(a, c) + cost(b, d) <= cost(a, d) + cost(b, c)


@pytest.mark.skipif(not (DATA / "census.csv").exists(), reason="reference data not at COVEY_DATA")
@pytest.mark.parametrize(
    ("epsilon", "shares", "clusters", "expected"),
    [
        (1.0, "by width", [4, 5, 3, 2], 35_595_120_000.0),
        (2.0, "equal", [8, 4, 4, 6], 29_825_880_000.0),
        (2.0, "by width", [5, 6, 4, 3], 20_405_860_000.0),
    ],
)
def test_census_is_cut_as_often_as_in_the_reproduction_of_paper_000(
    epsilon, shares, clusters, expected
) -> None:
    with (DATA / "census.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = {name: np.sort([float(row[name]) for row in rows]) for name in rows[0]}
    columns = [table[name] for name in ("FEDTAX", "POTHVAL", "INTVAL", "FICA")]
    widths = np.array([1.5 * x.max() for x in columns])
    budget = epsilon * (widths / widths.sum() if shares == "by width" else np.full(4, 0.25))
    noises = 2.0 * (widths / budget) ** 2

    cuts = [optimal_noise_sizes(x, c) for x, c in zip(columns, noises, strict=True)]

    assert [len(sizes) for sizes in cuts] == clusters
    total = sum(exact_total(x, s, c) for x, s, c in zip(columns, cuts, noises, strict=True))
    assert float(total) == pytest.approx(expected, rel=1e-6)

"""Propositions 7 to 10 of paper 000 hold, and the best and the largest k are what they say."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.errors import PlanError
from covey.systems.papers.p000.worst_case import (
    largest_useful_k,
    record_noise_sse,
    worst_case_k,
    worst_case_sse,
)

sizes = st.integers(2, 5000)
epsilons = st.floats(0.01, 100.0)


@given(values=st.lists(st.floats(0.0, 1.0), min_size=24, max_size=24), k=st.sampled_from([2, 4, 8]))
def test_no_column_does_worse_in_rank_blocks_than_the_worst_case(values, k) -> None:
    blocks = np.sort(values).reshape(-1, k)

    lost = ((blocks - blocks.mean(axis=1, keepdims=True)) ** 2).sum()

    assert lost + record_noise_sse(24, 1.0) / k**2 <= worst_case_sse(24, k, 1.0) + 1e-12


def test_one_cluster_torn_between_the_bounds_attains_it() -> None:
    blocks = np.sort([0.0] * 12 + [1.0] * 12).reshape(-1, 8)

    lost = ((blocks - blocks.mean(axis=1, keepdims=True)) ** 2).sum()

    assert lost == pytest.approx(worst_case_sse(24, 8, 1.0) - record_noise_sse(24, 1.0) / 64)


@given(n=sizes, epsilon=epsilons)
def test_no_other_k_has_a_smaller_worst_case(n, epsilon) -> None:
    best = worst_case_k(n, epsilon)

    every = np.arange(1, n + 1)
    assert worst_case_sse(n, best, epsilon) == pytest.approx(
        float((every / 4 + 2 * n / epsilon**2 / every**2).min())
    )


@given(n=sizes, epsilon=epsilons)
def test_clusters_are_worth_it_up_to_the_largest_useful_k_and_no_further(n, epsilon) -> None:
    largest = largest_useful_k(n, epsilon)

    if largest > 1:
        assert worst_case_sse(n, largest, epsilon) < record_noise_sse(n, epsilon)
        assert largest <= 8 * n / epsilon**2
    if largest < n:
        assert worst_case_sse(n, largest + 1, epsilon) >= record_noise_sse(n, epsilon)


@pytest.mark.parametrize("t", [2, 5])
def test_more_records_divide_the_errors_as_propositions_9_and_10_say(t) -> None:
    def mse(n: int, k: int) -> tuple[float, float]:
        noise = record_noise_sse(n, 1.0) / k**2 / n
        return worst_case_sse(n, k, 1.0) / n - noise, noise

    lost, noise = mse(600, 10)

    assert mse(600 * t, 10) == pytest.approx((lost / t, noise))
    assert mse(600 * t, 10 * t) == pytest.approx((lost, noise / t**2))


def test_the_expected_error_at_k_1_is_that_of_noise_on_single_records() -> None:
    schema = covey.Schema(tuple(covey.Attribute(name, bounds=(0, 2**20)) for name in "ab"))
    rows = pl.DataFrame({"a": np.full(4000, 2.0**19), "b": np.full(4000, 2.0**19)})
    table = covey.read_table(rows, schema)

    release, trace = covey.publish(table, "laplace", epsilon=200.0, trace=True)

    measured = sum(((trace.aligned[name].to_numpy() - 2.0**19) ** 2).sum() for name in "ab")
    # The mean of 8,000 squares of Laplace noise spreads by √5/√8000 = 2.5 %.
    assert measured == pytest.approx(covey.expected_sse(table, "laplace", epsilon=200.0), rel=0.15)
    assert release.guarantee.epsilon == 200


def test_systems_without_an_expected_error_are_refused_with_those_that_have_one() -> None:
    schema = covey.Schema((covey.Attribute("x", bounds=(0, 1)),))
    table = covey.read_table(pl.DataFrame({"x": [0.0, 1.0]}), schema)

    with pytest.raises(PlanError, match="private-tree"):
        covey.expected_sse(table, "private-tree")

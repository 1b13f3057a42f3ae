"""Range queries are counted exactly and drawn the same way for every release."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.errors import PlanError
from covey.evaluate.queries import answer, draw_queries, range_query_error

tables = st.tuples(st.integers(1, 40), st.just(3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-4, 4).map(float))
)
seeds = st.integers(0, 1000)


def brute_force(values, queries):
    inside = np.ones((queries.columns.shape[0], values.shape[0]), dtype=bool)
    for side in (0, 1):
        asked = values[:, queries.columns[:, side]].T
        inside &= (asked >= queries.low[:, [side]]) & (asked <= queries.high[:, [side]])
    return inside.mean(axis=1)


@given(original=tables, released=tables, seed=seeds)
def test_answers_are_the_shares_found_by_looking_at_every_record(original, released, seed) -> None:
    queries = draw_queries(original, np.random.default_rng(seed), 30)

    assert answer(original, queries).tolist() == brute_force(original, queries).tolist()
    assert answer(released, queries).tolist() == brute_force(released, queries).tolist()


@given(original=tables, released=tables, seed=seeds)
def test_the_error_is_a_share_and_zero_for_the_original(original, released, seed) -> None:
    shuffled = np.random.default_rng(seed).permutation(original)

    assert range_query_error(original, shuffled, np.random.default_rng(seed), 20) == 0.0
    assert 0.0 <= range_query_error(original, released, np.random.default_rng(seed), 20) <= 1.0


@given(original=tables, released=tables, seed=seeds)
def test_neither_row_order_nor_repetition_of_a_release_matters(original, released, seed) -> None:
    rearranged = np.random.default_rng(seed).permutation(np.repeat(released, 3, axis=0))

    error = range_query_error(original, released, np.random.default_rng(seed), 20)

    again = range_query_error(original, rearranged, np.random.default_rng(seed), 20)
    assert again == pytest.approx(error, abs=1e-12)


def test_the_same_generator_state_asks_the_same_questions() -> None:
    original = np.random.default_rng(1).normal(size=(200, 4))
    released = original + 0.3

    errors = {range_query_error(original, released, np.random.default_rng(5)) for _ in range(2)}

    assert len(errors) == 1
    assert errors != {range_query_error(original, released, np.random.default_rng(6))}


def test_exactly_the_queries_between_5_and_50_percent_count() -> None:
    original = np.random.default_rng(1).normal(size=(400, 3))
    rng = np.random.default_rng(2)
    truth = np.concatenate(
        [brute_force(original, draw_queries(original, rng, 100)) for _ in range(5)]
    )
    suitable = truth[(truth >= 0.05) & (truth <= 0.50)]

    # A release far away answers 0 to every query, so its error is the true answer.
    error = range_query_error(original, original + 1e6, np.random.default_rng(2), 100)

    assert truth.min() < 0.05
    assert truth.max() > 0.50
    assert error == pytest.approx(suitable[:100].mean())


def test_an_answer_of_exactly_a_half_counts_and_one_above_does_not() -> None:
    # Intervals of one attribute hold 40, 60 or 100 percent here, then 50 or 100 percent.
    uneven = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    even = np.array([[0.0], [1.0]])

    assert range_query_error(uneven, uneven + 9.0, np.random.default_rng(0), 9) == 0.4
    assert range_query_error(even, even + 9.0, np.random.default_rng(0), 9) == 0.5


def test_one_attribute_is_asked_for_intervals() -> None:
    original = np.random.default_rng(1).normal(size=(50, 1))

    queries = draw_queries(original, np.random.default_rng(2), 40)

    assert (queries.columns == 0).all()
    assert (queries.low[:, 0] == queries.low[:, 1]).all()
    assert (queries.high[:, 0] == queries.high[:, 1]).all()


def test_several_attributes_are_asked_for_in_all_pairs() -> None:
    original = np.random.default_rng(1).normal(size=(50, 3))

    queries = draw_queries(original, np.random.default_rng(2), 400)

    pairs = {tuple(pair) for pair in queries.columns.tolist()}
    assert pairs == {(i, j) for i in range(3) for j in range(3) if i != j}
    assert (queries.low <= queries.high).all()


def test_constant_data_fall_back_on_the_queries_there_are() -> None:
    constant = np.ones((30, 2))
    half_kept = np.array([[1.0, 1.0], [1.0, 2.0]])

    assert range_query_error(constant, constant, np.random.default_rng(0), 10) == 0.0
    assert range_query_error(constant, half_kept, np.random.default_rng(0), 10) == 0.5


def test_at_least_one_query_must_be_asked() -> None:
    with pytest.raises(PlanError, match="n_queries is below 1"):
        range_query_error(np.ones((3, 2)), np.ones((3, 2)), np.random.default_rng(0), 0)

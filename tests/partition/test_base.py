"""Records are sorted by content first, so that row order decides nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import PartitionError
from covey.partition import as_records, check_k, partition_records, standardized
from covey.partition.base import LARGEST_EXPONENT, Partitioner, within_range

BY_RANK = Partitioner(
    name="by-rank",
    summary="Numbers the records in the order in which they arrive.",
    paper="none",
    run=lambda X, *, progress=None: np.arange(len(X)),  # noqa: ARG005
)


def test_a_partitioner_gets_the_records_in_the_order_of_their_content() -> None:
    X = np.array([[2.0, 1.0], [1.0, 9.0], [2.0, 0.0], [1.0, 3.0]])

    found = partition_records(X, BY_RANK)

    assert found.labels.tolist() == [3, 1, 2, 0]
    assert found.sizes.tolist() == [1, 1, 1, 1]


def test_records_that_became_equal_are_told_apart_by_what_they_were() -> None:
    before = np.array([[1e300], [1.0], [0.0]])

    found = partition_records(np.zeros((3, 1)), BY_RANK, content=before)

    assert found.labels.tolist() == [2, 1, 0]


def test_progress_and_parameters_reach_the_partitioner() -> None:
    heard = []

    def run(X, *, k, progress):
        progress(k, len(X))
        return np.zeros(len(X), dtype=np.int64)

    partitioner = Partitioner(name="p", summary="", paper="", run=run, parameters={"k": 1})
    partition_records(np.zeros((4, 1)), partitioner, progress=lambda *call: heard.append(call), k=2)

    assert heard == [(2, 4)]


@given(
    rows=st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 3)), min_size=2, max_size=30),
    data=st.data(),
)
def test_standardized_values_do_not_depend_on_the_order_of_the_rows(rows, data) -> None:
    X = np.array(rows)
    order = np.array(data.draw(st.permutations(range(len(X)))))

    assert standardized(X)[order].tobytes() == standardized(X[order]).tobytes()


def test_standardized_columns_have_mean_0_and_standard_deviation_1() -> None:
    X = np.random.default_rng(1).normal(5.0, 3.0, (100, 2))

    Z = standardized(X)

    assert Z.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    assert Z.std(axis=0) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("constant", [0.0, 3.0])
def test_a_constant_column_becomes_zero(constant) -> None:
    assert standardized(np.full((5, 1), constant)).tolist() == [[0.0]] * 5


@pytest.mark.parametrize("huge", [1e200, 1e308])
def test_huge_values_are_standardized_without_overflow(huge) -> None:
    Z = standardized(np.array([[-huge], [0.0], [huge]]))

    assert Z[:, 0] == pytest.approx([-np.sqrt(1.5), 0.0, np.sqrt(1.5)])


def test_values_within_range_are_left_alone() -> None:
    X = np.array([[2.0**LARGEST_EXPONENT * 0.99, -1.0]])

    assert within_range(X) is X


def test_values_out_of_range_are_divided_by_one_power_of_two() -> None:
    X = np.array([[1e300, 3e290], [-2e300, 0.0]])

    smaller = within_range(X)

    assert (X[X != 0] / smaller[X != 0]).tolist() == [X[0, 0] / smaller[0, 0]] * 3
    assert np.isfinite(smaller**2).all()


def test_records_are_not_copied_without_need() -> None:
    X = np.ones((3, 2))

    assert as_records(X) is X
    assert as_records([1, 2, 3]).shape == (3, 1)


@pytest.mark.parametrize("k", [2, 3, np.int64(4)])
def test_a_k_of_at_most_half_the_records_is_fine(k) -> None:
    assert check_k(k, 8) == k
    assert type(check_k(k, 8)) is int


@pytest.mark.parametrize("k", [5, 8, 9, 1, 0, -1, 2.0, "2", None, True])
def test_any_other_k_is_refused(k) -> None:
    with pytest.raises(PartitionError, match="k = "):
        check_k(k, 8)


def test_the_refusal_of_a_large_k_does_not_tell_the_number_of_records() -> None:
    with pytest.raises(PartitionError) as refused:
        check_k(5_000, 4_321)

    assert "4321" not in str(refused.value).replace(",", "")

"""Rank blocks publish the distribution of each column, and say that they publish no more."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.audit.instruments.recording import RecordingNoise
from covey.errors import PartitionError
from covey.partition import rank_block_sizes
from covey.systems.sound.rank_blocks import default_block_size
from covey.table import Attribute, Schema
from tests.contracts.people import N, numeric_people, people
from tests.systems.metered import published

COLUMN = Schema((Attribute("x", bounds=(0.0, 100.0)),))


def run(table: covey.Table, **parameters):
    source = RecordingNoise()
    release, trace = published("rank-blocks", table, source, **{"epsilon": 1.0, **parameters})
    return release, trace, source.asked


def column(values) -> covey.Table:
    return covey.read_table(np.asarray(values, dtype=float).reshape(-1, 1), COLUMN)


@pytest.mark.parametrize(
    ("n", "epsilon", "k"), [(1080, 1.0, 73), (1080, 10.0, 24), (20190, 0.25, 630), (10, 0.01, 10)]
)
def test_the_default_block_size_is_the_rule_of_n_and_epsilon(n, epsilon, k) -> None:
    assert default_block_size(n, epsilon) == k


@given(n=st.integers(1, 10**7), epsilon=st.floats(1e-9, 1e9))
def test_the_default_block_size_is_between_1_and_n(n, epsilon) -> None:
    assert 1 <= default_block_size(n, epsilon) <= n


def test_the_default_block_size_minimises_the_expected_error_of_a_uniform_column() -> None:
    n, epsilon = 5000, 0.7

    def error(k: int) -> float:
        return k**2 / (12 * n**2) + 2 / (k * epsilon) ** 2

    best = min(range(1, n + 1), key=error)

    assert default_block_size(n, epsilon) in (best, best + 1)


def test_without_noise_the_release_is_the_block_means_repeated() -> None:
    release, _, _ = run(column([7, 1, 2, 9, 3, 8]), k=2)

    expected = [1.5, 1.5, 5.0, 5.0, 8.5, 8.5]
    assert release.frame["x"].to_numpy() == pytest.approx(expected, abs=1e-3)


def test_the_curator_s_alignment_gives_each_record_the_value_of_its_block() -> None:
    _, trace, _ = run(column([7, 1, 2, 9, 3, 8]), k=2)

    became = trace.aligned["x"].to_numpy()
    assert became == pytest.approx([5.0, 1.5, 1.5, 8.5, 5.0, 8.5], abs=1e-3)


def test_the_sums_that_get_noise_are_those_of_public_blocks() -> None:
    table = column(np.arange(23.0))

    _, _, (asked,) = run(table, k=4)

    sizes = rank_block_sizes(23, 4)
    assert asked.exact.shape == sizes.shape
    assert asked.public["scale"] == Fraction(2**20)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_share_the_budget_and_the_default_k_follows_the_share(columns) -> None:
    names = ("age", "income", "visits")[:columns]

    release, _, asked = run(numeric_people(), columns=names, epsilon=0.9)

    assert [call.public["epsilon"] for call in asked] == [Fraction(9, 10) / columns] * columns
    assert release.plan.parameters["k"] == min(
        N, math.ceil(24**0.25 * math.sqrt(N * columns / 0.9))
    )


def test_a_single_column_is_sorted_and_the_guarantee_speaks_of_it_as_a_whole() -> None:
    release = covey.publish(column(np.arange(50.0)), "rank-blocks", epsilon=1.0)

    values = release.data[:, 0]
    assert values.tolist() == sorted(values)
    assert release.guarantee.joint
    assert any("sorted by their released values" in text for text in release.guarantee.conditions)


def test_several_columns_are_independent_and_the_guarantee_says_so() -> None:
    release = covey.publish(numeric_people(), "rank-blocks", epsilon=1.0)

    assert not release.guarantee.joint
    assert "how columns go together is not published" in str(release.guarantee)
    assert any("shuffled" in text for text in release.guarantee.conditions)


def test_perfectly_correlated_columns_lose_their_correlation() -> None:
    n = 400
    x = np.arange(n) / n * 100
    schema = Schema((Attribute("x", bounds=(0, 100)), Attribute("y", bounds=(0, 100))))

    release = covey.publish(
        np.column_stack([x, x]), "rank-blocks", schema=schema, epsilon=10.0, k=4
    )

    # Eight standard deviations of the correlation of independent columns.
    assert abs(np.corrcoef(release.data.T)[0, 1]) < 8 / np.sqrt(n)


@given(seed=st.integers(0, 2**32), n=st.integers(8, 60))
def test_block_means_rise_and_stay_within_the_bounds_however_much_noise_there_is(seed, n) -> None:
    table = column(np.linspace(0, 100, n))

    _, trace = covey.publish(table, "rank-blocks", epsilon=0.01, k=2, random_state=seed, trace=True)

    values = trace.aligned["x"].to_numpy()
    assert (np.diff(values) >= 0).all()
    assert values.min() >= 0
    assert values.max() <= 100


def test_the_block_size_is_written_into_the_plan_and_the_facts() -> None:
    release = covey.publish(people(), "rank-blocks", epsilon=1.0, columns=("age",))

    k = release.plan.parameters["k"]
    assert k == default_block_size(N, 1.0)
    assert f"The block size k = {k} is a function of public numbers." in release.guarantee.assumes


def test_a_k_that_leaves_one_block_is_refused_unless_the_rule_chose_it() -> None:
    table = column(np.arange(15.0))

    assert run(table)[0].plan.parameters["k"] == 9
    assert run(table, k=9)[0].plan.parameters["k"] == 9
    with pytest.raises(PartitionError, match="k = 8 leaves fewer than 2k records"):
        run(table, k=8)

"""The utility metrics give the values of their definitions, on every kind of table."""

from dataclasses import replace
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ks_2samp, wasserstein_distance

from covey.aggregate.deviations import Deviations
from covey.aggregate.histogram import Histogram, side_by_side
from covey.aggregate.running_moments import RunningMoments
from covey.errors import BoundsError, DataError, PlanError
from covey.evaluate import utility
from covey.table.grid import Grid

# Thousandths keep variances far from underflow; few of them bring ties and constant columns.
values = st.one_of(st.integers(-3, 3), st.integers(-1_000_000, 1_000_000)).map(lambda i: i / 1000)


def tables(rows: st.SearchStrategy[int], columns: int = 3):
    return rows.flatmap(lambda n: arrays(np.float64, (n, columns), elements=values))


any_table = tables(st.integers(1, 12))


def variances(original):
    return RunningMoments.of(original).variances


def scales(original):
    return utility.column_scales(variances(original), "standard")


def of_moments(metric):
    return lambda x, y: metric(RunningMoments.of(x), RunningMoments.of(y))


def by_column(metric, original, released):
    """Return the distance of each attribute, all of whose values are counted."""
    pairs = (side_by_side(x, y) for x, y in zip(original.T, released.T, strict=True))
    found = np.array([metric(*pair) for pair in pairs])
    assert (found[:, 1] == 0.0).all()
    return found[:, 0]


MOMENTS = ("mean_error", "variance_error", "sd_error", "correlation_error")
UNALIGNED = {
    **{name: of_moments(getattr(utility, name)) for name in MOMENTS},
    "ks": lambda x, y: np.mean(by_column(utility.ks, x, y)),
    "wasserstein": lambda x, y: np.mean(by_column(utility.wasserstein, x, y) / scales(x)),
}
ALIGNED = {
    "sse": lambda x, y: utility.sse(Deviations.of(x, y)),
    "il_percent": lambda x, y: utility.il_percent(Deviations.of(x, y), variances(x)),
    "il1s": lambda x, y: utility.il1s(Deviations.of(x, y), variances(x)),
    "il1s_sum": lambda x, y: utility.il1s_sum(Deviations.of(x, y), variances(x)),
}
ALL = UNALIGNED | ALIGNED

ORIGINAL = np.array([[0.0, 0.0], [2.0, 10.0], [4.0, 20.0], [6.0, 30.0]])
PAIRED = np.array([[1.0, 5.0], [1.0, 5.0], [5.0, 25.0], [5.0, 25.0]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # errors 1 and 5 in all four records; variances 5 and 125, sds with ddof=1 20/3 and 500/3
        ("sse", 4 * 1 + 4 * 25),
        ("il_percent", 100 * 104 / (4 * 130)),
        ("il1s_sum", 4 * 2 * 1 / sqrt(2 * 20 / 3)),
        ("il1s", 1 / sqrt(2 * 20 / 3)),
        ("mean_error", 0.0),
        ("variance_error", 0.2),
        ("sd_error", 1 - 2 / sqrt(5)),
        ("correlation_error", 0.0),
        ("ks", 0.25),
        ("wasserstein", 1 / sqrt(5)),
    ],
)
def test_pairs_replaced_by_their_means_give_the_values_worked_out_by_hand(name, expected) -> None:
    assert ALL[name](ORIGINAL, PAIRED) == pytest.approx(expected, abs=1e-12)


def test_sse_is_taken_after_division_by_the_scale() -> None:
    errors, scale = Deviations.of(ORIGINAL, PAIRED), scales(ORIGINAL)

    assert utility.sse(errors, scale) == pytest.approx(4 * 1 / 5 + 4 * 25 / 125)
    assert utility.il_percent(errors, variances(ORIGINAL), scale) == pytest.approx(20.0)


def test_replacing_every_value_by_the_mean_loses_100_percent() -> None:
    everything_merged = np.broadcast_to(ORIGINAL.mean(axis=0), ORIGINAL.shape)

    assert ALL["il_percent"](ORIGINAL, everything_merged) == pytest.approx(100.0)


def scores(metrics, original, released):
    return {name: metric(original, released) for name, metric in metrics.items()}


@given(original=any_table)
def test_the_original_itself_has_no_error(original) -> None:
    found = scores(ALL, original, original.copy())

    assert found == pytest.approx(dict.fromkeys(ALL, 0.0), abs=1e-12)


@given(original=any_table, released=any_table, seed=st.integers(0, 99))
def test_the_order_and_repetition_of_released_rows_do_not_matter(original, released, seed) -> None:
    rearranged = np.random.default_rng(seed).permutation(np.repeat(released, 2, axis=0))

    found = scores(UNALIGNED, original, rearranged)

    assert found == pytest.approx(scores(UNALIGNED, original, released), rel=1e-9, abs=1e-9)


@given(original=any_table, released=any_table)
def test_a_score_lies_in_the_declared_range(original, released) -> None:
    found = scores(UNALIGNED, original, released)

    assert set(found) == {n for n, m in utility.UTILITY_METRICS.items() if not m.aligned}
    for name, score in found.items():
        metric = utility.UTILITY_METRICS[name]
        assert metric.low <= score <= metric.high, name


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of scipy, about p-values not used here
@given(original=any_table, released=any_table)
def test_ks_agrees_with_scipy(original, released) -> None:
    distances = by_column(utility.ks, original, released)

    expected = [
        ks_2samp(x, y, method="asymp").statistic
        for x, y in zip(original.T, released.T, strict=True)
    ]
    assert distances == pytest.approx(expected, abs=1e-12)


@given(original=any_table, released=any_table)
def test_wasserstein_agrees_with_scipy(original, released) -> None:
    distances = by_column(utility.wasserstein, original, released)

    expected = [wasserstein_distance(x, y) for x, y in zip(original.T, released.T, strict=True)]
    assert distances == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_wasserstein_is_measured_in_standard_deviations() -> None:
    moved = ORIGINAL + np.array([sqrt(5.0), 0.0])

    assert ALL["wasserstein"](ORIGINAL, moved) == pytest.approx(0.5)


def test_the_worst_attribute_decides_the_errors_of_moments() -> None:
    moved = ORIGINAL * [1.0, 2.0] + [0.0, sqrt(125.0) - 15.0]

    assert ALL["mean_error"](ORIGINAL, moved) == pytest.approx(1.0)
    assert ALL["variance_error"](ORIGINAL, moved) == pytest.approx(3.0)
    assert ALL["sd_error"](ORIGINAL, moved) == pytest.approx(1.0)


def test_turning_an_attribute_round_moves_its_correlation_by_two() -> None:
    assert ALL["correlation_error"](ORIGINAL, ORIGINAL * [1.0, -1.0]) == pytest.approx(2.0)


@given(original=tables(st.integers(3, 9)), released=tables(st.integers(3, 9)))
def test_correlations_are_those_of_numpy_where_it_has_any(original, released) -> None:
    original = original + np.arange(original.shape[0])[:, None] ** [1, 2, 3] * 0.01
    released = released + np.arange(released.shape[0])[:, None] ** [1, 2, 3] * 0.01
    if min(original.std(axis=0).min(), released.std(axis=0).min()) < 1e-3:
        return

    error = ALL["correlation_error"](original, released)

    expected = np.corrcoef(released, rowvar=False) - np.corrcoef(original, rowvar=False)
    assert error == pytest.approx(np.abs(expected).max(), abs=1e-9)


def test_a_flattened_attribute_loses_its_correlation_and_its_variance() -> None:
    flattened = ORIGINAL * [1.0, 0.0] + 0.1

    assert ALL["correlation_error"](ORIGINAL, flattened) == pytest.approx(1.0)
    assert ALL["variance_error"](ORIGINAL, flattened) == pytest.approx(1.0)


def test_a_constant_attribute_is_measured_in_its_own_unit() -> None:
    # The mean of three times 0.1 is not 0.1 in floating point, yet the spread must count as 0.
    constant = np.full((3, 1), 0.1)
    spread_out = constant + np.array([[3.0], [-1.0], [1.0]])

    assert scales(constant).tolist() == [1.0]
    assert ALL["mean_error"](constant, spread_out) == pytest.approx(1.0)
    assert ALL["variance_error"](constant, spread_out) == pytest.approx(8 / 3)
    assert ALL["il1s"](constant, spread_out) == pytest.approx(5 / 3 / sqrt(2))
    assert ALL["il_percent"](constant, spread_out) == inf
    assert ALL["il_percent"](constant, constant) == 0.0


def test_constant_attributes_are_uncorrelated_in_spite_of_rounding() -> None:
    # The mean of seven such numbers is off by a whole 4, the same in both columns.
    constant = np.full((7, 2), 1e17 / 3)

    assert ALL["correlation_error"](constant, ORIGINAL) == pytest.approx(1.0)


def test_a_single_record_can_be_evaluated() -> None:
    scores = [metric(np.ones((1, 2)), np.zeros((1, 2))) for metric in ALL.values()]

    assert not np.isnan(scores).any()


def test_variations_are_relative_to_the_old_value() -> None:
    old, new = np.array([-3.0, 15.0, 5.0]), np.array([-4.0, 10.0, 1.0])

    assert utility.variation(old, new) == pytest.approx([1 / 3, 1 / 3, 0.8])


def test_variation_of_a_correlation_is_given_for_each_pair() -> None:
    original = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [3.0, 3.0]])
    old, new = RunningMoments.of(original), RunningMoments.of(original * [1.0, -1.0])

    found = utility.variation(old.correlations, new.correlations)

    assert found == pytest.approx(np.array([[0.0, 2.0], [2.0, 0.0]]))


def test_a_variation_from_zero_is_infinite_and_of_nothing_is_zero() -> None:
    assert utility.variation(np.zeros(2), np.array([0.0, 1.0])).tolist() == [0.0, inf]


@pytest.mark.parametrize(
    ("scaling", "expected"),
    [("raw", [1.0, 1.0]), ("standard", [sqrt(5), sqrt(125)]), ("bounds", [10.0, 200.0])],
)
def test_scales_are_ones_or_spreads_or_public_widths(scaling, expected) -> None:
    found = utility.column_scales(variances(ORIGINAL), scaling, [(0.0, 10.0), (-100.0, 100.0)])

    assert found == pytest.approx(expected)


@pytest.mark.parametrize("bounds", [None, [(0.0, 1.0)]])
def test_scaling_by_bounds_asks_for_all_of_them(bounds) -> None:
    with pytest.raises(BoundsError, match="public bounds of every attribute"):
        utility.column_scales(np.ones(2), "bounds", bounds)


def test_an_unknown_scaling_is_answered_with_the_nearest() -> None:
    with pytest.raises(PlanError, match="Did you mean 'standard'"):
        utility.column_scales(np.ones(2), "standart")


@pytest.mark.parametrize("name", ALIGNED)
def test_a_release_of_another_length_has_no_record_by_record_error(name) -> None:
    with pytest.raises(DataError, match="one record for each record"):
        ALIGNED[name](ORIGINAL, PAIRED[:1])


def test_score_multiplies_the_improvement_in_error_and_in_linkage() -> None:
    factors = utility.score_factors(sse_baseline=16.0, sse=4.0, rl_baseline=3.0, rl=6.0)

    assert factors == {"sse_f": 2.0, "rl_f": 0.5, "score": 1.0}


@pytest.mark.parametrize(
    ("given_values", "expected"),
    [
        ((4.0, 1.0, 5.0, 0.0), (2.0, inf, inf)),
        ((4.0, 1.0, 0.0, 0.0), (2.0, 1.0, 2.0)),
        ((4.0, 0.0, 5.0, 5.0), (inf, 1.0, inf)),
        ((4.0, 1.0, 0.0, 5.0), (2.0, 0.0, 0.0)),
        ((0.0, 1.0, 5.0, 0.0), (0.0, inf, 1.0)),
        ((4.0, 0.0, 0.0, 5.0), (inf, 0.0, 1.0)),
    ],
    ids=[
        "no links left",
        "none before either",
        "no error",
        "new links",
        "torn",
        "torn the other way",
    ],
)
def test_score_is_defined_where_an_error_or_a_linkage_is_zero(given_values, expected) -> None:
    factors = utility.score_factors(*given_values)

    assert tuple(factors.values()) == expected


def test_values_that_share_a_cell_are_said_to_be_uncertain_by_the_smaller_share() -> None:
    # The first table lies at the places of its cells, the second in part beside them.
    x, y = counted([0, 6, 2, 2, 0]), counted([0, 3, 6, 1, 0], beside=1.0)

    distance, error = utility.ks(x, y)

    assert distance == pytest.approx(0.3)
    assert error == pytest.approx(0.3)
    assert utility.ks(x, replace(y, strayed=np.zeros(3))) == (distance, 0.0)


def test_equal_distributions_are_at_distance_zero_however_often_records_are_repeated() -> None:
    counts = np.random.default_rng(2).integers(0, 50, 1000)
    counts[[0, -1]] = 0

    assert utility.ks(counted(counts), counted(3 * counts)) == (0.0, 0.0)
    assert utility.wasserstein(counted(counts), counted(3 * counts)) == (0.0, 0.0)


def test_what_lies_beyond_the_grid_is_moved_by_its_distance() -> None:
    x = counted([1, 1, 0, 2], below=6.0)
    y = counted([0, 2, 0, 2])

    assert utility.wasserstein(x, y) == (6.0 / 4.0, 0.0)
    # Two tables beyond it may lie anywhere there: twice the smaller mean distance.
    assert utility.wasserstein(x, x) == (0.0, 2.0 * 6.0 / 4.0)


def counted(counts, *, below: float = 0.0, beside: float = 0.0) -> Histogram:
    """Return counts on whole numbers, the first of them below and the last above."""
    grid = Grid(low=0.0, high=len(counts) - 3.0, steps=len(counts) - 3)
    strayed = np.array([below, 0.0, beside])
    return Histogram(cells=grid, counts=np.asarray(counts), strayed=strayed)

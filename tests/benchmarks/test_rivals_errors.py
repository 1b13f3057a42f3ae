"""The measures by which rivals are compared, against values that can be worked out by hand."""

import numpy as np
import polars as pl
import pytest

from benchmarks.rivals.cells import cells_of, decoded, encoded
from benchmarks.rivals.errors import Yardstick, binned, correlation_gap, cramer, distance
from benchmarks.rivals.errors import moment_errors as moments
from benchmarks.rivals.models import areas
from benchmarks.rivals.ours import histograms
from benchmarks.rivals.page import Cell, geometric, ratio
from benchmarks.rivals.tables import Split, Target, columns_of
from covey import Attribute, Scale, Schema
from covey.table import Missing, read_table

ZEROS, ONES = np.zeros(50, dtype=np.int64), np.ones(50, dtype=np.int64)


@pytest.fixture(scope="module")
def split() -> Split:
    """Give a table whose number and category tell about each other."""
    rng = np.random.default_rng(1)
    pay = np.where(rng.random(3000) < 0.3, 0.0, np.round(rng.gamma(3.0, 900.0, 3000), 2))
    town = np.where(pay + rng.normal(0, 700, 3000) > 2000, "B", "A")
    age = rng.integers(0, 100, 3000)
    frame = pl.DataFrame({"pay": pay, "age": age, "town": town})
    schema = Schema(
        (
            Attribute("pay", bounds=(0, 20_000), special=(0.0,)),
            Attribute("age", bounds=(0, 120), integer=True),
            Attribute(
                "town", scale=Scale.NOMINAL, categories=("A", "B", "C"), missing=Missing.REFUSE
            ),
        )
    )
    parts = [read_table(part, schema) for part in (frame[:2400], frame[2400:])]
    target = Target(column="town", value="B")
    return Split(name="towns", train=parts[0], test=parts[1], target=target)


def test_two_tables_without_a_common_cell_are_at_distance_one() -> None:
    old, new = {"a": ZEROS, "b": ZEROS}, {"a": ONES, "b": ZEROS}

    assert distance(old, new, ("a", "b"), {"a": 2, "b": 2}) == 1
    assert distance(old, new, ("b",), {"a": 2, "b": 2}) == 0


def test_a_distance_counts_shares_and_not_rows() -> None:
    old = {"a": np.array([0, 0, 1, 1])}
    new = {"a": np.array([0, 0, 0, 1] * 5)}

    assert distance(old, new, ("a",), {"a": 2}) == pytest.approx(0.25)


def test_cramers_v_is_one_for_equal_columns_and_none_for_a_constant_one() -> None:
    codes = np.array([0, 1, 2, 5] * 10)

    assert cramer(codes, codes) == pytest.approx(1)
    assert cramer(codes, np.zeros(40, dtype=np.int64)) == 0
    assert cramer(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])) == 0


def test_correlations_of_constant_columns_count_as_none() -> None:
    old = {"a": np.arange(50.0), "b": -np.arange(50.0)}
    new = {"a": np.arange(50.0), "b": np.ones(50)}

    assert correlation_gap(old, old) == 0
    assert correlation_gap(old, new) == pytest.approx(1)


def test_a_shift_is_an_error_of_mean_and_distribution_and_none_of_spread() -> None:
    values = np.array([0.0, 2.0] * 50)

    found = moments([(values, values + 0.5)])

    assert found == pytest.approx({"mean": 0.5, "sd": 0.0, "wasserstein": 0.5})


def test_special_values_have_a_bin_of_their_own() -> None:
    found = binned(np.array([0.0, 1.0, 5.0, 9.0]), np.array([4.0]), (0.0,))

    assert found.tolist() == [0, 1, 2, 2]


def test_the_records_themselves_have_no_error(split: Split) -> None:
    scores = Yardstick.of(split).scores(columns_of(split.train))

    assert set(scores) > {"tv1", "tv2", "tv3", "queries", "cramer", "pearson", "wasserstein"}
    assert max(scores.values()) == pytest.approx(0)


def test_columns_shuffled_by_themselves_keep_their_own_tables_alone(split: Split) -> None:
    rng = np.random.default_rng(2)
    shuffled = {name: rng.permutation(v) for name, v in columns_of(split.train).items()}

    scores = Yardstick.of(split).scores(shuffled)

    assert scores["tv1"] == 0
    assert scores["mean"] == pytest.approx(0)
    assert scores["tv2"] > 0.1
    assert scores["cramer"] > 0.1
    assert scores["queries"] > 0.02


def test_measures_of_a_column_that_was_not_released_are_left_out(split: Split) -> None:
    scores = Yardstick.of(split).scores(columns_of(split.train, split.numbers))

    assert set(scores) == {"mean", "sd", "wasserstein", "pearson", "spearman"}


def test_models_learn_from_records_and_not_from_shuffled_columns(split: Split) -> None:
    rng = np.random.default_rng(3)
    records = columns_of(split.train)
    shuffled = records | {"town": rng.permutation(records["town"])}
    constant = records | {"town": np.zeros_like(records["town"])}

    assert areas(split, records)["auc_boosted"] > 0.9
    assert abs(areas(split, shuffled)["auc_boosted"] - 0.5) < 0.15
    assert areas(split, constant) == {"auc_logistic": 0.5, "auc_boosted": 0.5}


def test_public_cells_hold_every_value_and_give_back_one_of_their_own(split: Split) -> None:
    rng = np.random.default_rng(4)
    records = columns_of(split.train)

    codes, sizes = encoded(split, records)
    again, _ = encoded(split, decoded(split, codes, rng))

    assert all((v >= 0).all() and (v < sizes[name]).all() for name, v in codes.items())
    assert all((codes[name] == again[name]).all() for name in records)
    assert 32 <= cells_of(split)["pay"].size <= 65


def test_independent_histograms_come_near_the_columns_for_a_large_epsilon(split: Split) -> None:
    yardstick = Yardstick.of(split)

    near, far = (yardstick.scores(histograms(split, epsilon)) for epsilon in (30.0, 0.03))

    assert near["tv1"] < 0.1 < far["tv1"]


def test_a_ratio_needs_both_systems_and_averages_are_geometric() -> None:
    def cell(system: str, *errors: float) -> Cell:
        runs = [{"tv1": error} for error in errors]
        return Cell(table="t", epsilon=1, system=system, rows=9, columns=1, runs=runs)

    grid = {("t", 1.0, c.system): c for c in (cell("a", 0.1, 0.3), cell("b", 0.4), cell("c"))}

    assert ratio(grid, "a", "b", ("t", 1.0), "tv1") == pytest.approx(0.5)
    assert ratio(grid, "a", "c", ("t", 1.0), "tv1") is None
    assert geometric([0.5, 2.0]) == pytest.approx(1)
    assert grid["t", 1.0, "a"].told("tv1") == "0.200 ± 0.141"


def test_a_target_is_read_from_a_text_and_a_category_may_hold_signs_of_comparison() -> None:
    assert Target.parse("pay>200") == Target(column="pay", value=200.0)
    assert Target.parse("income=>50K") == Target(column="income", value=">50K")

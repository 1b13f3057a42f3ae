"""An interval holds the truth as often as it says, and is not wider than it need be."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import covey
from covey.core import Bill, Budget, Meter, Noisy, PrivacyUnit
from covey.core.questions import Cuts
from covey.engines.memory.records import TableRecords
from covey.partition.axis import axis_of
from covey.postprocess.intervals import (
    LEVEL,
    WEIGHTED,
    Interval,
    as_frame,
    boxes_interval,
    choice_intervals,
    count_intervals,
    mean_interval,
    size_interval,
    sum_quantile,
)
from covey.seeded import SeededNoise
from covey.systems.sound.private_tree.measure import _leaves
from covey.table import Attribute, Scale, Schema, read_table
from covey.table.grid import Grid
from tests.systems.metered import built

RUNS = 400
# With a true coverage of 95 %, fewer than 93 % or more than 99.5 % of so many runs would be news.
LEAST, MOST = 0.93, 0.995

N = 300
SPORTS = ("chess", "judo", "rugby")
MEANS = [("income", "mean", None), ("age", "mean", None)]
SCHEMA = Schema(
    (
        Attribute("income", bounds=(0.0, 1000.0)),
        Attribute("age", bounds=(0, 100), integer=True),
        Attribute("sport", scale=Scale.NOMINAL, categories=SPORTS, missing="refuse"),
        Attribute("allowed", role="identifier"),
    )
)


def frame() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            # Two in a hundred lie beyond the bounds.
            "income": rng.lognormal(5.5, 0.65, N),
            "age": rng.integers(18, 90, N),
            "sport": rng.choice(SPORTS, N, p=[0.5, 0.3, 0.2]),
            "allowed": rng.choice([0.3, 1.0], N),
        }
    )


def truth(statistic: str, column: str, category: str | None) -> float:
    data = frame()
    if statistic == "mean":
        low, high = SCHEMA[column].public_bounds
        return float(np.clip(data[column].to_numpy(), low, high).mean())
    return float((data[column] == category).sum())


def accuracies(system: str, source: SeededNoise, runs: int, **parameters) -> list[pl.DataFrame]:
    """Return the intervals of so many releases, all of one stream of noise."""
    table = read_table(frame(), SCHEMA)
    return [built(system, table, source, **parameters)[0].extras["accuracy"] for _ in range(runs)]


def coverage(system: str, runs: int = RUNS, **parameters) -> pl.DataFrame:
    """Publish again and again; return how often each interval held, and how wide it was."""
    tables = accuracies(system, SeededNoise.of(8), runs, **parameters)
    rows = pl.concat(table.with_row_index("row") for table in tables)
    true = [truth(row["statistic"], row["column"], row["category"]) for row in rows.to_dicts()]
    inside = (pl.col("low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("high"))
    return (
        rows.with_columns(truth=pl.Series(true))
        .group_by("row", "column", "statistic", "category", maintain_order=True)
        .agg(
            held=inside.mean(),
            within=pl.col("within").mean(),
            sd=(pl.col("estimate") - pl.col("truth")).std(),
        )
    )


@pytest.mark.parametrize(
    ("system", "parameters"),
    [
        ("laplace", {"epsilon": 1.0, "columns": ("income", "age")}),
        ("rank-blocks", {"epsilon": 1.0, "columns": ("income", "age")}),
        ("rank-blocks", {"epsilon": 0.2, "k": 100, "columns": ("income",)}),
        ("insensitive", {"epsilon": 2.0, "k": 50, "columns": ("income", "age")}),
        ("insensitive", {"epsilon": 2.0, "k": 50, "order": "single", "columns": ("age",)}),
        ("exponential", {"epsilon": 2.0, "columns": ("sport",)}),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say_and_are_not_too_wide(
    system, parameters
) -> None:
    found = coverage(system, **parameters)

    for row in found.to_dicts():
        assert LEAST <= row["held"] <= MOST, row
        # Were the noise normal, 1.96 standard deviations would do; one Laplace draw needs 2.12.
        assert 1.8 * row["sd"] <= row["within"] <= 2.4 * row["sd"], row


def test_intervals_along_the_curve_hold_too_and_pay_for_its_coarse_grid() -> None:
    found = coverage("insensitive", epsilon=2.0, k=50, order="hilbert", columns=("income", "age"))

    for row in found.to_dicts():
        assert row["held"] >= LEAST
        assert row["within"] <= 3.0 * row["sd"]


@pytest.mark.parametrize("unit", [PrivacyUnit.REPLACE_RECORD, PrivacyUnit.ADD_REMOVE_RECORD])
def test_means_of_boxes_hold_as_often_as_they_say_whether_n_is_public_or_not(unit) -> None:
    table, source = read_table(frame(), SCHEMA), SeededNoise.of(7)
    public = unit is PrivacyUnit.REPLACE_RECORD
    axes = [axis_of(table.head(known_n=public), SCHEMA[name]) for name in ("income", "age")]
    held, errors, widths = [], [], []
    for _ in range(RUNS // 2):
        bill = Bill(unit=unit, budget=Budget.of(1))
        meter = Meter(TableRecords(table), bill, source)
        boxes = meter.boxes(Cuts(axes), Budget.of("0.2"))
        leaves = _leaves(meter, boxes, axes, Budget.of("0.8"))
        found = [
            boxes_interval(
                axis.name,
                leaves,
                side,
                n=N if public else None,
                grid=axis.grid,
                whole=axis.whole,
            )
            for side, axis in enumerate(axes)
        ]
        true = [truth("mean", interval.column, None) for interval in found]
        held.append([i.low <= t <= i.high for i, t in zip(found, true, strict=True)])
        errors.append([i.estimate - t for i, t in zip(found, true, strict=True)])
        widths.append([interval.within for interval in found])

    shares, spreads = np.mean(held, axis=0), np.std(errors, axis=0)

    assert (shares >= LEAST).all()
    assert (shares <= MOST).all()
    assert (np.mean(widths, axis=0) <= 2.4 * spreads).all()


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
def test_a_private_tree_has_intervals_of_means_counts_and_the_number_of_records(unit) -> None:
    runs = accuracies("private-tree", SeededNoise.of(11), 30, epsilon=2.0, unit=unit)

    rows = [run.rows(named=True) for run in runs]
    names = [(row["column"], row["statistic"], row["category"]) for row in rows[0]]
    expected = [*(("sport", "count", sport) for sport in SPORTS), *MEANS]
    assert names == (expected if unit == "replace" else [*expected, ("", "records", None)])
    for place, (column, statistic, category) in enumerate(names):
        true = N if statistic == "records" else truth(statistic, column, category)
        # Of thirty runs, fewer than 23 would hold once in 50,000 tests.
        assert sum(run[place]["low"] <= true <= run[place]["high"] for run in rows) >= 23


def test_many_columns_have_their_means_from_their_own_distributions() -> None:
    rng = np.random.default_rng(4)
    data = pl.DataFrame({f"x{j}": rng.random(N) for j in range(7)})
    schema = Schema(tuple(Attribute(name, bounds=(0, 1)) for name in data.columns))

    found = covey.publish(data, "private-tree", schema=schema, epsilon=8.0, random_state=1).accuracy

    assert found["column"].to_list() == data.columns
    assert set(found["statistic"]) == {"mean"}
    missed = [
        row["column"]
        for row in found.rows(named=True)
        if not row["low"] <= data[row["column"]].mean() <= row["high"]
    ]
    assert len(missed) <= 3
    assert (found["within"] < 0.2).all()


@pytest.mark.parametrize("count", [1, 2, 3, 10, 100, 3000])
def test_the_bound_on_a_sum_of_noise_is_its_quantile(count) -> None:
    rng = np.random.default_rng(count)
    # A gamma law is divided among two signs: the sum of so many Laplace variables.
    drawn = np.abs(rng.gamma(count, size=200_000) - rng.gamma(count, size=200_000))

    share = float(np.mean(drawn <= sum_quantile(count)))

    assert share == pytest.approx(LEVEL, abs=0.003)


def test_a_single_draw_has_its_bound_in_closed_form() -> None:
    assert sum_quantile(1) == pytest.approx(math.log(20.0), rel=1e-4)


def with_noise(counts: np.ndarray, *, scale: Fraction) -> Noisy:
    drawn = SeededNoise.of(2).laplace(counts, scale=scale, l1=1, epsilon=1 / scale)
    return Noisy(drawn, scale)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "5"])
def test_noisy_counts_hold_as_often_as_they_say_whatever_the_scale(epsilon) -> None:
    counts = np.tile([40, 0, 7], 4000)
    noisy = with_noise(counts, scale=2 / Budget.of(epsilon).epsilon)

    found = count_intervals("sport", [""] * counts.size, noisy, 50)

    held = np.mean([i.low <= c <= i.high for i, c in zip(found, counts, strict=True)])
    # Noise comes in whole steps; where these are coarse, the coverage cannot be exact.
    assert held >= LEAST
    assert found[0].within <= float(noisy.scale) * math.log(20.0) + 0.51
    assert all(0 <= i.low <= i.high <= 50 for i in found)


def test_the_number_of_records_has_an_interval_where_it_is_not_public() -> None:
    noisy = with_noise(np.array([1000]), scale=Fraction(50))

    interval = size_interval(noisy)

    assert (interval.column, interval.statistic, interval.category) == ("", "records", None)
    assert interval.low <= 1000 <= interval.high
    assert interval.within == pytest.approx(50 * math.log(20.0) + 0.5, rel=1e-3)


def test_an_interval_and_its_estimate_are_cut_to_what_is_possible() -> None:
    interval = Interval.around("age", "mean", -3.0, 10.0, possible=(0.0, 120.0))

    assert (interval.low, interval.high) == (0.0, 7.0)
    assert (interval.estimate, interval.within, interval.level) == (0.0, 10.0, 0.95)


@pytest.mark.parametrize(("estimate", "ends"), [(-199.0, (0.0, 46.0)), (700.0, (454.0, 500.0))])
def test_an_interval_outside_what_is_possible_is_not_cut_to_a_point(estimate, ends) -> None:
    interval = Interval.around("town", "count", estimate, 46.0, possible=(0.0, 500.0))

    assert (interval.low, interval.high) == ends
    assert interval.low <= interval.estimate <= interval.high


def test_values_that_cannot_be_told_apart_have_no_interval_but_the_whole_range() -> None:
    chances = np.array([[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]])

    found = choice_intervals("sport", SPORTS, chances, np.array([3, 2]))

    assert [(interval.low, interval.high) for interval in found] == [(0.0, 5.0)] * 3


def test_rounding_to_a_coarse_grid_is_part_of_the_interval_unless_values_are_whole() -> None:
    grid = Grid(low=0.0, high=10.0, steps=10)
    noisy = with_noise(np.array([50]), scale=Fraction(10))

    coarse, exact = (mean_interval("x", noisy, 10, grid=grid, whole=w) for w in (False, True))

    assert coarse.within - exact.within == pytest.approx(0.5)
    assert coarse.estimate == exact.estimate


@pytest.mark.parametrize("system", ["laplace", "rank-blocks", "insensitive"])
def test_a_release_gives_its_accuracy_and_writes_it(system, tmp_path) -> None:
    table = read_table(frame(), SCHEMA)

    release = covey.publish(table, system, epsilon=1.0, columns=("income", "age"))
    release.save(tmp_path / "out")

    assert release.accuracy is not None
    assert release.accuracy["column"].to_list() == ["income", "age"]
    assert set(release.accuracy["level"]) == {0.95}
    written = pl.read_csv(tmp_path / "out" / "accuracy.csv", schema=release.accuracy.schema)
    assert written.equals(release.accuracy)


def test_a_release_without_noise_has_no_accuracy() -> None:
    release = covey.publish(read_table(frame(), SCHEMA), "mdav", k=5)

    assert release.accuracy is None


def test_the_mean_of_sampled_records_is_corrected_for_the_public_share_of_defaults() -> None:
    preference = frame()["allowed"].to_numpy()
    p = np.minimum(1.0, np.expm1(preference) / math.expm1(1.0))
    weighted = {
        name: float(np.average(np.clip(frame()[name].to_numpy(), *bounds), weights=p))
        for name, bounds in (("income", (0, 1000)), ("age", (0, 100)))
    }

    runs = accuracies(
        "personalised",
        SeededNoise.of(5),
        RUNS,
        preferences="allowed",
        inner="rank-blocks",
        columns=("income", "age"),
    )

    for j, (name, expected) in enumerate(weighted.items()):
        rows = [run.row(j, named=True) for run in runs]
        assert {row["column"] for row in rows} == {name}
        assert {row["statistic"] for row in rows} == {WEIGHTED}
        held = np.mean([row["low"] <= expected <= row["high"] for row in rows])
        estimates = np.array([row["estimate"] for row in rows])
        assert held >= LEAST
        assert rows[0]["within"] <= 4.0 * estimates.std()
        assert abs(estimates.mean() - expected) <= 4.0 * estimates.std() / math.sqrt(RUNS)


def test_no_intervals_make_an_empty_table_with_all_columns() -> None:
    assert as_frame([]).columns == [
        *("column", "statistic", "category", "estimate", "within", "low", "high", "level")
    ]

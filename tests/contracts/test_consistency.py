"""Released rows agree with what the release says about itself: every interval holds its rows.

Where every record was perturbed by itself, rows are noise around records and are not fitted; their
intervals undo that noise, and the rows' page says so.
"""

from __future__ import annotations

import polars as pl
import pytest
from scipy.stats import binom

import covey
from covey.datasets import load_rand_health
from covey.table import read_table
from covey.table.attribute import MISSING_CATEGORY
from tests.contracts.people import SCHEMA, people_frame
from tests.contracts.publishing import PRIVATE, publish, takes
from tests.contracts.tables import TABLES

FITTED = [name for name in PRIVATE if not covey.SYSTEMS[name].kind.may_be_row_aligned]
STATISTICS = ("mean", "count", "records")
RUNS = 5


def rows_say(release: covey.Release, column: str, statistic: str, category: str | None) -> float:
    """Compute from the rows what an interval is about."""
    if statistic == "records":
        return release.frame.height
    return statistic_of(release.frame[column], statistic, category)


def statistic_of(values: pl.Series, statistic: str, category: str | None) -> float:
    """Return the mean of a column, or how often a value occurs in it."""
    if statistic == "mean":
        return float(values.mean())
    if category == MISSING_CATEGORY:
        return values.null_count()
    if values.dtype.is_numeric():
        return int((values.cast(pl.Float64) == float(category)).sum())
    return int((values.cast(pl.String) == category).sum())


def outside(release: covey.Release) -> list[tuple]:
    """Return the intervals that do not hold what the rows say."""
    accuracy = release.accuracy
    assert accuracy is not None
    numeric = {name for name, kind in release.frame.schema.items() if kind.is_numeric()}
    found = []
    for row in accuracy.filter(pl.col("statistic").is_in(STATISTICS)).iter_rows(named=True):
        if row["statistic"] == "mean" and row["column"] not in numeric:
            continue  # the mean grade of categories that are texts
        said = rows_say(release, row["column"], row["statistic"], row["category"])
        if not row["low"] - 1e-9 <= said <= row["high"] + 1e-9:
            found.append((row["column"], row["statistic"], row["category"], said))
    return found


@pytest.mark.parametrize("name", FITTED)
def test_rows_lie_inside_the_intervals_of_their_release(name) -> None:
    # Enough people for some signal: where all is noise, no box is left to move rows in.
    table = read_table(pl.concat([people_frame()] * 30), SCHEMA)
    amount = {"epsilon": 3.0} if takes(name, "epsilon") else {"threshold": 3.0}

    missed = [outside(publish(name, table, random_state=run, **amount)) for run in range(RUNS)]

    assert missed == [[]] * RUNS


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
def test_rows_of_real_data_do_so_too(unit) -> None:
    table = load_rand_health()

    release = covey.publish(table, "private-tree", epsilon=1.0, unit=unit, random_state=4)

    assert outside(release) == []


MODELS = ("column-model", "private-tree")
ALMOST_NEVER = 1e-6
"""How often a sound system may fail the test of its coverage."""


@pytest.mark.parametrize("name", TABLES)
def test_there_are_eight_tables_and_rows_lie_inside_all_their_intervals(name: str) -> None:
    table = TABLES[name]()
    releases = {
        (system, run): covey.publish(table, system, epsilon=8.0, random_state=run)
        for system in MODELS
        for run in range(2)
    }

    assert len(TABLES) >= 8
    missed = {key: outside(release) for key, release in releases.items()}
    assert not any(missed.values()), missed
    for release in releases.values():
        low, high, estimate = (release.accuracy[end] for end in ("low", "high", "estimate"))
        counts = release.accuracy["statistic"] == "count"
        assert (low < high).all()
        assert (low <= estimate).all()
        assert (estimate <= high).all()
        assert (estimate.filter(counts) >= 0).all()


@pytest.mark.parametrize("system", MODELS)
def test_intervals_hold_the_truth_as_often_as_they_say(system: str) -> None:
    inside = []
    for name in ("homes", "people", "iris", "wine", "diabetes", "breast cancer", "digits"):
        table = TABLES[name]()
        truth = table.frame
        for run in range(6):
            accuracy = covey.publish(table, system, epsilon=8.0, random_state=run).accuracy
            # One interval of each column: those of its other categories depend on it.
            for row in accuracy.unique("column", keep="first").iter_rows(named=True):
                values = truth[row["column"]]
                if row["statistic"] == "mean" and not values.dtype.is_numeric():
                    continue
                low, high = row["low"] - 1e-9, row["high"] + 1e-9
                bounds = table.schema[row["column"]].bounds
                values = values if bounds is None else values.clip(*bounds)
                inside.append(
                    low <= statistic_of(values, row["statistic"], row["category"]) <= high
                )

    assert len(inside) > 100
    missed = inside.count(False)
    assert missed <= binom.ppf(1 - ALMOST_NEVER, len(inside), 0.05)

"""Released rows agree with what the release says about itself: every interval holds its rows.

Where every record was perturbed by itself, rows are noise around records and are not fitted; their
intervals undo that noise, and the rows' page says so.
"""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.datasets import load_rand_health
from covey.table import read_table
from covey.table.attribute import MISSING_CATEGORY
from tests.contracts.people import SCHEMA, people_frame
from tests.contracts.publishing import PRIVATE, publish, takes

FITTED = [name for name in PRIVATE if not covey.SYSTEMS[name].kind.may_be_row_aligned]
STATISTICS = ("mean", "count", "records")
RUNS = 5


def rows_say(release: covey.Release, column: str, statistic: str, category: str | None) -> float:
    """Compute from the rows what an interval is about."""
    if statistic == "records":
        return release.frame.height
    values = release.frame[column]
    if statistic == "mean":
        return float(values.mean())
    if category == MISSING_CATEGORY:
        return values.null_count()
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

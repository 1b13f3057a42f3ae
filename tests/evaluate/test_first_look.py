"""The first look compares what can be compared: codes are in no mean, weights are told apart."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.evaluate.first_look import ColumnLook, worst_in_words

N = 300


def homes() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    year = rng.integers(1900, 2020, N)
    year[:30] = 9999
    rent = np.where(np.arange(N) % 2, 0.0, rng.integers(300, 900, N))
    return pl.DataFrame({"year": year, "rent": rent, "w": rng.uniform(1, 5, N).round(2)})


def schema() -> covey.Schema:
    return covey.Schema(
        (
            covey.Attribute("year", bounds=(1850, 2025), integer=True, special=(9999,)),
            covey.Attribute("rent", bounds=(0, 2000), special=(0,), step=0.5),
            covey.Attribute("w", role="weight", bounds=(0, 10), step=0.01),
        )
    )


def looks(system: str = "column-model") -> dict[str, ColumnLook]:
    release = covey.publish(homes(), system, schema=schema(), epsilon=10.0, random_state=1)
    return {look.name: look for look in covey.evaluate(homes(), release).looks}


@pytest.mark.parametrize("system", ["column-model", "private-tree"])
def test_a_code_outside_the_bounds_is_in_no_mean_and_has_a_share(system: str) -> None:
    rows = {title: pair for title, *pair in looks(system)["year"].rows}
    years = homes().filter(pl.col("year") != 9999)["year"]

    assert rows["mean"][0] == pytest.approx(years.mean())
    assert rows["sd"][0] == pytest.approx(years.std(ddof=0))
    assert 1850 <= rows["mean"][1] <= 2025
    assert rows["9999"][0] == pytest.approx(0.1)
    assert rows["9999"][1] == pytest.approx(0.1, abs=0.05)


def test_a_special_value_inside_the_bounds_is_a_number_and_has_a_share() -> None:
    rows = {title: pair for title, *pair in looks()["rent"].rows}

    assert rows["mean"][0] == pytest.approx(homes()["rent"].mean())
    assert rows["0"][0] == pytest.approx(0.5)


def test_what_is_weighted_leaves_codes_out_too_and_is_told_apart() -> None:
    found = looks()
    frame = homes().filter(pl.col("year") != 9999)
    ((title, before, after),) = found["year"].weighted

    assert title == "mean"
    assert before == pytest.approx((frame["year"] * frame["w"]).sum() / frame["w"].sum())
    assert 1850 <= after <= 2025


def test_the_worst_category_is_one_of_the_records_and_not_a_weighted_one() -> None:
    look = ColumnLook(
        name="town",
        unit="",
        rows=(("A", 0.5, 0.4), ("missing", 0.1, 0.2)),
        weighted=(("weighted A", 0.5, 0.1),),
        shares=True,
        error=0.1,
    )

    (said,) = worst_in_words([look], {})

    assert "weighted" not in said
    assert look.share_rows[-1][0] == "weighted A"


def test_the_public_interval_of_a_code_is_a_count_and_no_mean() -> None:
    release = covey.publish(homes(), "column-model", schema=schema(), epsilon=5.0, random_state=2)
    rows = release.accuracy.filter(pl.col("column") == "year").to_dicts()

    assert [(row["statistic"], row["category"]) for row in rows] == [("count", "9999")]
    assert rows[0]["low"] <= (release.data["year"] == 9999).sum() <= rows[0]["high"]

"""Numbers and categories are compared in one distance, that of paper 004."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import covey
from covey.evaluate.crossed import correlation_ratio, cramers_v, crossed_sets, frequency_error
from covey.evaluate.first_look import ColumnLook, worst_in_words
from covey.table import Attribute, Role, Scale, Schema, Taxonomy
from tests.contracts.identity import release_of

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("COVEY_DATA", ROOT / ".." / "shared" / "data"))
EDGES = [("sport", ""), ("water", "sport"), ("rowing", "water"), ("sailing", "water")]
SPORT = [*EDGES, ("ski", "sport")]


def sports(tmp_path) -> tuple[covey.Table, Taxonomy]:
    taxonomy = Taxonomy.from_edges("does", SPORT)
    taxonomy.save(tmp_path / "sport.csv")
    schema = Schema(
        (Attribute("does", scale=Scale.NOMINAL, taxonomy="sport.csv", missing="refuse"),),
        folder=tmp_path,
    )
    frame = pl.DataFrame({"does": ["rowing", "rowing", "sailing", "ski"]})
    return covey.read_table(frame, schema), taxonomy


def test_a_taxonomy_says_how_far_a_released_concept_is(tmp_path) -> None:
    table, taxonomy = sports(tmp_path)
    released = pl.DataFrame({"does": ["water", "rowing", "ski", "ski"]})
    code = {concept: i for i, concept in enumerate(taxonomy.concepts)}
    away = [
        taxonomy.distances[code["rowing"], code["water"]],
        taxonomy.distances[code["sailing"], code["ski"]],
    ]
    bottom, top = taxonomy.boundaries
    unit = taxonomy.distances[bottom, top]

    raw, eq8 = (
        covey.evaluate(table, *release_of(table, released, ("does",)), scaling=scaling)
        for scaling in ("raw", "bounds")
    )

    assert raw["sse"] == pytest.approx(np.square(away).sum())
    assert eq8["sse"] == pytest.approx(np.square(away).sum() / unit**2)
    # `water` lies as near to rowing as to sailing: 1 of 3; rowing 1 of 2; ski is right once.
    assert raw["rl"] == eq8["rl"] == pytest.approx(100 * (1 / 3 + 1 / 2 + 0 + 1) / 4)


def test_losing_every_category_to_the_nearest_of_all_is_a_loss_of_a_hundred_percent() -> None:
    frame = pl.DataFrame({"c": ["a"] * 5 + ["b"] * 3 + ["d"] * 2})
    table = covey.read_table(frame, Schema((Attribute("c", scale=Scale.NOMINAL),)))
    released = pl.DataFrame({"c": ["a"] * 10})

    scores = covey.evaluate(table, *release_of(table, released, ("c",)))

    assert scores["sse"] == 5
    assert scores["il_percent"] == pytest.approx(100)
    # Two records of the ten are apart in 2 (15 + 10 + 6) of 90 ordered pairs.
    assert scores["il1s"] == pytest.approx(5 / np.sqrt(62 / 90) / 10)


def test_codes_of_categories_do_not_depend_on_which_of_them_occur_in_the_release() -> None:
    frame = pl.DataFrame({"c": ["a", "b", "d", "d"]})
    table = covey.read_table(frame, Schema((Attribute("c", scale=Scale.NOMINAL),)))
    released = pl.DataFrame({"c": ["b", "b", "d", "d"]})

    scores = covey.evaluate(table, *release_of(table, released, ("c",)))

    assert scores["sse"] == 1
    assert scores["rl"] == pytest.approx(100 * (0 + 1 + 1 / 2 + 1 / 2) / 4)
    assert scores["tv_1way"] == pytest.approx(0.25)


def by_hand(original: pl.DataFrame, released: pl.DataFrame) -> float:
    """Compare every released record with every original; distances that rounding parts are ties."""
    linked = 0.0
    numbers = [name for name in original.columns if original[name].dtype.is_numeric()]
    for i in range(original.height):
        distance = np.zeros(original.height)
        for name in numbers:
            values = original[name].to_numpy().astype(float)
            distance += (values / values.std() - released[name][i] / values.std()) ** 2
        for name in set(original.columns) - set(numbers):
            distance += (original[name] != released[name][i]).to_numpy()
        nearest = np.isclose(distance, distance.min(), rtol=1e-12, atol=1e-12)
        linked += nearest[i] / nearest.sum()
    return 100.0 * linked / original.height


@pytest.mark.skipif(not (DATA / "adult.csv.gz").exists(), reason="the Adult data are not here")
def test_linkage_of_mixed_quasi_identifiers_is_that_of_all_of_them() -> None:
    names = ["age", "hours-per-week", "occupation", "native-country"]
    frame = pl.read_csv(DATA / "adult.csv.gz").filter(~pl.any_horizontal(pl.col(pl.String) == "?"))
    frame = frame.select(names).head(4000)
    scales = [Scale.NUMERIC, Scale.NUMERIC, Scale.NOMINAL, Scale.NOMINAL]
    schema = Schema(tuple(Attribute(n, scale=s) for n, s in zip(names, scales, strict=True)))
    table = covey.read_table(frame, schema)
    release, trace = covey.publish(table, "mdav", k=3, trace=True)
    numbers = ("age", "hours-per-week")

    over_all = covey.evaluate(table, release, trace)
    alone = covey.evaluate(
        table, *release_of(table, trace.aligned.select(names), numbers), scaling="standard"
    )

    assert over_all["rl"] == pytest.approx(by_hand(frame, trace.aligned), abs=0.02)
    assert over_all["rl"] == pytest.approx(24.2, abs=0.3)
    assert alone["rl"] == pytest.approx(4.87, abs=0.3)


def test_association_is_one_where_a_column_decides_another_and_none_where_it_does_not() -> None:
    assert cramers_v(np.array([[3, 0, 0], [0, 4, 0], [0, 0, 9]])) == pytest.approx(1)
    assert cramers_v(np.array([[1, 2], [2, 4]])) == pytest.approx(0)
    assert cramers_v(np.array([[3, 0], [4, 0]])) == 0
    assert correlation_ratio(np.array([[5.0, 5.0], [5.0, 5.0], [9.0, 9.0]])) == pytest.approx(0)
    assert correlation_ratio(np.array([[4.0], [2.0], [9.0]])) == 0


def test_frequencies_are_compared_as_shares() -> None:
    assert frequency_error({"a": 1, "b": 1}, {"a": 10, "b": 10}) == 0
    assert frequency_error({"a": 1}, {"b": 1}) == 1


def test_which_columns_are_crossed_depends_on_their_names_alone() -> None:
    names = [f"c{i:02}" for i in range(60)]

    sets, notes = crossed_sets(names)

    assert sets == crossed_sets(names)[0]
    assert {way: sum(len(each) == way for each in sets) for way in (1, 2, 3)} == {
        1: 60,
        2: 1000,
        3: 30,
    }
    assert len(set(sets)) == len(sets)
    assert "1,000 of 1,770" in notes[0]
    assert crossed_sets(names[:4]) == (
        [(n,) for n in names[:4]]
        + [(a, b) for i, a in enumerate(names[:4]) for b in names[i + 1 : 4]]
        + [tuple(n for n in names[:4] if n != names[3 - i]) for i in range(4)],
        [],
    )


def test_bins_that_see_nothing_are_named() -> None:
    frame = pl.DataFrame({"x": [0.0] * 95 + [900.0] * 5, "y": [float(i) for i in range(100)]})
    schema = Schema((Attribute("x", bounds=(0, 1000)), Attribute("y", bounds=(0, 100))))
    table = covey.read_table(frame, schema)

    notes = covey.evaluate(table, *release_of(table, frame, ("x", "y"))).notes

    assert any("public bins of x nearly all" in note for note in notes)


def test_the_worst_three_columns_and_pairs_are_told_in_words() -> None:
    number = {"shares": False, "unit": "years"}
    rows = (("mean", 40.0, 44.0), ("median", 40.0, 40.0), ("sd", 10.0, 10.5))
    looks = [
        ColumnLook(name="age", rows=rows, error=0.12, **number),
        ColumnLook(name="town", unit="", rows=(("A", 0.5, 0.3),), shares=True, error=0.2),
        *(ColumnLook(name=n, rows=rows, error=e, **number) for n, e in (("u", 0.01), ("v", 0.02))),
    ]
    pairs = {("age", "town"): 0.25, ("age", "u"): 0.001}

    told = worst_in_words(looks, pairs)

    assert len(told) == 4
    assert told[0] == (
        "town: 20.0 % of the records would have to change their category; A went from 50.0 % to "
        "30.0 %."
    )
    assert told[1].endswith("12.0 percentage points; its mean went from 40 to 44 years.")
    assert told[2].startswith("v: ")
    assert told[3].startswith("age and town together: 25.0 %")


def test_a_release_that_changed_nothing_has_no_worst_column() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "b"]})
    schema = Schema(
        (Attribute("x", bounds=(0, 4)), Attribute("c", scale=Scale.NOMINAL, role=Role.CONFIDENTIAL))
    )
    table = covey.read_table(frame, schema)

    evaluation = covey.evaluate(table, *release_of(table, frame, ("x", "c")))

    assert evaluation.worst == ()
    assert evaluation.looks[0].rows[0] == ("mean", 2.0, 2.0)
    assert evaluation.looks[1].rows[0] == ("b", pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_dates_and_grades_are_told_as_such() -> None:
    days = [date(2024, 1, 1 + i) for i in range(9)]
    frame = pl.DataFrame({"day": days, "grade": ["low"] * 4 + ["high"] * 5, "pay": [12345.0] * 9})
    schema = Schema(
        (
            Attribute("day", kind="date", bounds=("2023-01-01", "2025-01-01")),
            Attribute("grade", scale=Scale.ORDINAL, categories=("low", "mid", "high")),
            Attribute("pay", bounds=(0, 99_999)),
        )
    )
    table = covey.read_table(frame, schema)
    later = frame.with_columns(pl.col("day").dt.offset_by("3d"))

    evaluation = covey.evaluate(table, *release_of(table, later, tuple(schema.names)))

    day, grade, pay = evaluation.looks
    told = {title: (day.text(title, a), day.text(title, b)) for title, a, b in day.rows}
    assert told["median"] == ("2024-01-05", "2024-01-08")
    assert told["mean"] == ("2024-01-05", "2024-01-08")
    assert told["sd"] == ("2.582 days", "2.582 days")
    assert grade.text(*grade.rows[1][:2]) == "high"
    assert pay.text(*pay.rows[0][:2]) == "12,345"
    assert "went from 2024-01-05 to 2024-01-08" in evaluation.worst[0]
    assert evaluation["sse"] == pytest.approx(9 * 9 / (20 / 3))

"""Every published column enters every measure of risk, or is named as left out: for all systems."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

import polars as pl
import pytest

import covey
from covey.evaluate import METRICS
from covey.evaluate.files import evaluate_stream
from covey.release import open_release
from covey.report.comparison import split_errors, statistics
from covey.report.lights import light
from covey.table import Attribute, Role, Scale, Schema
from tests.contracts.identity import release_of
from tests.contracts.people import people
from tests.contracts.publishing import NAMES, publish

N = 12
SPORT = "child,parent\nsport,\nwater,sport\nrowing,water\nsailing,water\nski,sport\nskate,sport\n"
GRADES = tuple("abcdefghijkl")


def told(evaluation: covey.Evaluation) -> str:
    return " ".join((*evaluation.coverage, *evaluation.notes))


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_measured_or_left_out_by_name(name) -> None:
    table = people()
    release, trace = publish(name, random_state=1, trace=True)

    evaluation = covey.evaluate(table, release, trace)

    assert {*evaluation.columns} | {*evaluation.left_out} == {*table.schema.names}
    assert not {*evaluation.columns} & {*evaluation.left_out}
    assert {*evaluation.columns} == {*release.guarantee.columns}
    assert {*release.frame.columns} <= {*evaluation.columns, *release.guarantee.untouched}
    for column in evaluation.left_out:
        assert column in told(evaluation)
    assert [look.name for look in evaluation.looks] == [
        column for column in table.schema.names if column in evaluation.columns
    ]
    assert all(f"tv_1way[{column}]" in evaluation for column in evaluation.columns)


@pytest.mark.parametrize("name", NAMES)
def test_where_records_are_compared_no_covered_column_is_missing_in_silence(name) -> None:
    table = people()
    release, trace = publish(name, random_state=1, trace=True)
    if trace.aligned is None:
        assert "rl" not in covey.evaluate(table, release, trace)
        return
    lost = release.guarantee.columns[0]
    if len(release.guarantee.columns) > 1:
        partly = covey.Trace(trace.aligned.drop(lost))

        evaluation = covey.evaluate(table, release, partly)

        assert any(lost in note and "risk may be higher" in note for note in evaluation.notes)
        assert evaluation.unlinked == (lost,)
        assert lost not in evaluation.coverage[0]
        assert light(METRICS["rl"], evaluation["rl"], partly=True).colour == "grey"
    assert not any("risk may be higher" in n for n in covey.evaluate(table, release, trace).notes)


def columns(tmp_path) -> dict[str, tuple[Attribute, list]]:
    """Return one column of each kind, with two values that occur equally often."""
    (tmp_path / "sport.csv").write_text(SPORT)
    half = N // 2
    return {
        "number": (Attribute("number", bounds=(0, 9)), [1.0] * half + [7.0] * half),
        "ordinal": (
            Attribute("ordinal", scale=Scale.ORDINAL, categories=GRADES),
            ["a"] * half + ["k"] * half,
        ),
        "nominal": (
            Attribute("nominal", scale=Scale.NOMINAL, categories=("x", "y")),
            ["x"] * half + ["y"] * half,
        ),
        "open list": (Attribute("open list", scale=Scale.NOMINAL), ["p"] * half + ["q"] * half),
        "taxonomy": (
            Attribute("taxonomy", scale=Scale.NOMINAL, taxonomy="sport.csv"),
            ["rowing"] * half + ["ski"] * half,
        ),
    }


@pytest.mark.parametrize("kind", ["number", "ordinal", "nominal", "open list", "taxonomy"])
@pytest.mark.parametrize("scaling", ["standard", "raw"])
def test_a_column_of_every_kind_weighs_in_linkage_and_loss(kind, scaling, tmp_path) -> None:
    known = columns(tmp_path)
    schema = Schema(tuple(attribute for attribute, _ in known.values()), folder=tmp_path)
    frame = pl.DataFrame({name: values for name, (_, values) in known.items()})
    table = covey.read_table(frame, schema)
    # The other half stands in this column alone: whoever links by it goes astray.
    others = pl.Series(kind, known[kind][1][::-1])

    same = covey.evaluate(table, *release_of(table, frame, tuple(known)), scaling=scaling)
    crossed = frame.with_columns(others)
    moved = covey.evaluate(table, *release_of(table, crossed, tuple(known)), scaling=scaling)
    alone = covey.evaluate(table, *release_of(table, crossed, (kind,)), scaling=scaling)

    assert same["sse"] == same["il_percent"] == same["il1s"] == same["tv_2way"] == 0
    assert same["rl"] == pytest.approx(100 / (N // 2))
    assert moved["sse"] == alone["sse"] > 0
    assert moved["il_percent"] > 0
    assert moved["il1s"] > 0
    assert moved["tv_2way"] > 0
    assert alone["rl"] == 0
    assert alone.left_out == dict.fromkeys(set(known) - {kind}, "published as it was")


def test_a_saved_release_is_measured_over_the_same_columns_in_pieces(tmp_path) -> None:
    table = people()
    table.frame.write_parquet(tmp_path / "people.parquet")
    asked = {"epsilon": 20.0, "random_state": 1}
    covey.publish(table, "private-tree", **asked).save(tmp_path / "out", format="parquet")
    saved = open_release(tmp_path / "out")

    pieces = evaluate_stream(tmp_path / "people.parquet", saved)
    whole = covey.evaluate(table, covey.reopen(tmp_path / "out", table)[0])

    assert pieces.columns == whole.columns
    assert pieces.left_out == whole.left_out
    assert pieces.pairs == pytest.approx(whole.pairs)
    for name in ("tv_1way", "tv_2way", "tv_3way", "association_error", "mean_error"):
        assert pieces[name] == pytest.approx(whole[name], rel=1e-9, abs=1e-12)


def test_identifiers_and_free_text_are_named() -> None:
    schema = Schema(
        (
            Attribute("age", bounds=(0, 120)),
            Attribute("diary", scale=Scale.NOMINAL, role=Role.NON_CONFIDENTIAL),
            Attribute("name", scale=Scale.NOMINAL, role=Role.IDENTIFIER),
        )
    )
    frame = pl.DataFrame(
        {
            "age": [float(i) for i in range(N)],
            "diary": [f"day {i}" for i in range(N)],
            "name": [f"N{i}" for i in range(N)],
        }
    )
    table = covey.read_table(frame, schema)

    evaluation = covey.evaluate(table, *covey.publish(table, "mdav", k=3, trace=True))

    assert evaluation.left_out == {
        "diary": "published as it was",
        "name": "an identifier, not published",
    }
    assert "name" in told(evaluation)
    assert "diary" in told(evaluation)


def test_missing_numbers_are_counted_and_do_not_fail() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, None, 4.0], "y": [1.0, 0.0, 1.0, 0.0]})
    schema = Schema((Attribute("x", bounds=(0, 5)), Attribute("y", bounds=(0, 5))))
    complete = covey.read_table(frame.fill_null(0.0), schema)
    table = replace(complete, frame=frame)
    moved = frame.with_columns(x=pl.Series([1.0, None, None, 4.0]))

    same = covey.evaluate(table, *release_of(table, frame, ("x", "y")), scaling="raw")
    other = covey.evaluate(table, *release_of(table, moved, ("x", "y")), scaling="raw")

    assert same["sse"] == same["ks"] == same["mean_error"] == same["tv_1way"] == 0
    assert same["rl"] == 100
    # One number became missing: 1 apart, and as far from the mean of 7/3 as it was.
    assert other["sse"] == pytest.approx(1 + (2 - 7 / 3) ** 2)
    assert other["tv_1way[x]"] == pytest.approx(0.25)
    assert {row[0]: row[1:] for row in other.looks[0].rows}["missing"] == (0.25, 0.5)
    assert not any(isnan(value) for value in other.values())
    release, trace = release_of(table, moved, ("x", "y"))
    (x, _), (split, _) = statistics(table, release), split_errors(table, release, trace.aligned)[0]
    assert [values[0] for _, values in x.rows] == [3, 2]
    assert x.rows[1][1][1] == 2.5
    assert split.total == 0

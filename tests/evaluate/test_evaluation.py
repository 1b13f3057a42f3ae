"""Sums over pieces give the scores that all records at once give."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import covey
from covey.aggregate.deviations import Deviations
from covey.aggregate.summary import Summary, summarise, summarise_rows
from covey.errors import BoundsError, DataError, PlanError
from covey.evaluate import METRICS
from covey.evaluate.evaluation import evaluate_pieces
from covey.table import Attribute, Missing, Role, Scale, Schema
from tests.contracts.identity import release_of

# Thousandths keep variances far from underflow; few of them bring ties and constant columns.
values = st.one_of(st.integers(-3, 3), st.integers(-1_000_000, 1_000_000)).map(lambda i: i / 1000)
numbers = st.one_of(st.integers(-3, 3), st.integers(-500, 500)).map(float)
NAMES = ("x", "y")
FREE = Schema(tuple(Attribute(name) for name in NAMES))
NARROW = Schema(tuple(Attribute(name, bounds=(-100, 100)) for name in NAMES))
# Few cells, so that thousandths share them and examples are fast.
WHOLE = Schema(tuple(Attribute(name, bounds=(-400, 400), integer=True) for name in NAMES))


def pairs(elements: st.SearchStrategy[float]):
    """Draw an original and a release with as many records."""
    return st.integers(1, 12).flatmap(
        lambda n: st.tuples(*(arrays(np.float64, (n, 2), elements=elements) for _ in range(2)))
    )


def table_of(matrix, schema: Schema) -> covey.Table:
    """Make a table; fractions in columns of whole numbers, which no reader lets in, included."""
    frame = pl.DataFrame(matrix, schema=list(NAMES), orient="row")
    return replace(covey.read_table(frame.select(pl.all().round()), schema), frame=frame)


def slices(table: covey.Table, size: int) -> list[covey.Table]:
    return [replace(table, frame=frame, dropped=0) for frame in table.frame.iter_slices(size)]


def in_pieces(table: covey.Table, size: int):
    """Look at a table some records at a time, as an engine would."""
    pieces = slices(table, size)
    pieces.append(replace(table, frame=table.frame.clear()))

    def look(names, cells, nominal) -> Summary:
        found = [summarise([piece], names, cells, nominal) for piece in pieces]
        return reduce(Summary.merged, found)

    return look


def both_ways(original, released, schema: Schema, size: int = 5, **asked):
    """Evaluate the same release in pieces and in memory."""
    table, after = table_of(original, schema), table_of(released, schema)
    release, trace = release_of(table, after.frame, NAMES)
    found = evaluate_pieces(
        replace(table, frame=table.frame.clear()),
        release.guarantee,
        in_pieces(table, size),
        in_pieces(after, size),
        scaling=asked.get("scaling", "standard"),
        deviations=lambda names: Deviations.of(table.matrix(names), after.matrix(names)),
        pieces=(lambda _: slices(table, size), lambda _: slices(after, size)),
    )
    return found, covey.evaluate(table, release, trace, **asked)


def stated_errors(evaluation) -> tuple[float, float]:
    """Return how far ks and wasserstein can be off, as the note says."""
    notes = [note for note in evaluation.notes if "counted on grids" in note]
    if not notes:
        return 0.0, 0.0
    ks, wasserstein = (float(part.split(" ")[0]) for part in notes[0].split("up to ")[1:])
    # The note gives two digits.
    return 1.06 * ks, 1.06 * wasserstein


@given(
    tables=pairs(values),
    size=st.integers(1, 7),
    scaling=st.sampled_from(["standard", "raw", "bounds"]),
)
def test_moments_and_errors_of_records_are_those_in_memory(tables, size, scaling) -> None:
    found, expected = both_ways(*tables, WHOLE, size, scaling=scaling)

    moments = ("mean_error", "variance_error", "sd_error", "correlation_error")
    for name in (*moments, "sse", "il_percent", "il1s", "il1s_sum", "tv_1way", "tv_2way"):
        assert found[name] == pytest.approx(expected[name], rel=1e-9, abs=1e-9), name


def test_pieces_have_every_metric_that_does_not_look_at_many_records_at_once() -> None:
    found, _ = both_ways(np.eye(2), np.zeros((2, 2)), WHOLE)

    # One that improves on a baseline has none here, and two columns of numbers have no triple.
    others = {"sse_f", "tv_3way", "association_error"}
    assert {m.name for m in METRICS.values() if not m.memory_only} - others == {
        name for name in found if "[" not in name
    }
    (note,) = (note for note in found.notes if "piece by piece" in note)
    assert all(m.name in note for m in METRICS.values() if m.memory_only and not m.target)


@given(tables=pairs(values), size=st.integers(1, 7))
def test_distances_are_as_near_as_the_note_says(tables, size) -> None:
    found, expected = both_ways(*tables, WHOLE, size)

    assert_as_near_as_stated(found, expected)


def test_distances_on_a_fine_grid_are_as_near_as_the_note_says() -> None:
    rng = np.random.default_rng(1)
    tables = rng.normal(0, 30, (500, 2)), rng.normal(1, 30, (500, 2)).round()

    for schema in (NARROW, FREE):
        found, expected = both_ways(*tables, schema, 170)

        assert_as_near_as_stated(found, expected)
        assert stated_errors(found)[0] <= 3 / 500


def assert_as_near_as_stated(found, expected) -> None:
    off_ks, off_wasserstein = stated_errors(found)
    for column in NAMES:
        exact, counted = (scores[f"ks[{column}]"] for scores in (expected, found))
        assert counted - 1e-12 <= exact <= counted + off_ks + 1e-12
        exact, counted = (scores[f"wasserstein[{column}]"] for scores in (expected, found))
        assert exact == pytest.approx(counted, rel=1e-9, abs=off_wasserstein + 1e-9)


@given(tables=pairs(numbers), size=st.integers(1, 7))
def test_distances_of_whole_numbers_are_exact(tables, size) -> None:
    original, released = tables
    inside = np.clip(released, -400, 400)

    found, expected = both_ways(original, inside, WHOLE, size)

    assert stated_errors(found) == (0.0, 0.0)
    for name in ("ks", "ks[x]", "ks[y]", "wasserstein", "wasserstein[x]"):
        assert found[name] == pytest.approx(expected[name], rel=1e-12, abs=1e-12), name


def test_values_that_share_a_cell_are_said_to_be_uncertain() -> None:
    # All records of both tables in one cell, and not one of them at the same place.
    original, released = np.full((4, 2), 0.00001), np.full((4, 2), 0.00002)

    found, expected = both_ways(original, released, NARROW)

    assert found["ks"] == 0.0
    assert expected["ks"] == 1.0
    assert stated_errors(found)[0] >= 1.0


def test_fractions_in_a_column_of_whole_numbers_are_said_to_be_uncertain() -> None:
    found, _ = both_ways(np.full((2, 2), 1.0), np.full((2, 2), 1.25), WHOLE)

    assert stated_errors(found)[0] >= 1.0


def test_ordinal_codes_missing_values_and_values_outside_are_as_in_memory() -> None:
    frame = pl.DataFrame(
        {
            "x": [1.0, None, 3.0, 400.0, 5.0],
            "y": ["low", "high", "low", "middle", "high"],
            "z": ["a", "b", "a", "b", None],
        }
    )
    levels = ("low", "middle", "high")
    schema = Schema(
        (
            Attribute("x", bounds=(0, 10), missing=Missing.DROP),
            Attribute("y", scale=Scale.ORDINAL, categories=levels),
            Attribute("z", scale=Scale.NOMINAL, categories=("a", "b"), role=Role.CONFIDENTIAL),
        )
    )
    table = covey.read_table(frame, schema)
    after = table.frame.with_columns(x=pl.lit(2.0), y=pl.lit("middle"))
    release, trace = release_of(table, after, ("x", "y"))
    head = replace(table, frame=table.frame.clear())

    looks = partial(summarise, [table]), partial(summarise_rows, head, [after])

    found = evaluate_pieces(head, release.guarantee, *looks, scaling="standard")

    expected = covey.evaluate(table, release, trace)
    assert found.dropped == expected.dropped == 1
    assert found.outside_bounds == expected.outside_bounds == {"x": 1}
    assert set(found) < set(expected)
    for name, value in found.items():
        assert value == pytest.approx(expected[name], rel=1e-5, abs=1e-9), name
    assert "sse" not in found
    assert any("no link to the original records" in note for note in found.notes)


def test_columns_without_bounds_are_counted_between_the_ends_of_both_tables() -> None:
    original, released = np.array([[0.0, 5.0], [1.0, 5.0]]), np.array([[7.0, 5.0], [-3.0, 5.0]])

    found, expected = both_ways(original, released, FREE)

    assert found["wasserstein[x]"] == pytest.approx(expected["wasserstein[x]"], rel=1e-4)
    assert found["ks[y]"] == expected["ks[y]"] == 0.0


@pytest.mark.parametrize("schema", [FREE, WHOLE])
def test_tables_without_records_and_records_of_others_are_refused(schema) -> None:
    table = table_of(np.zeros((2, 2)), schema)
    head = replace(table, frame=table.frame.clear())
    guarantee = release_of(table, table.frame, NAMES)[0].guarantee
    full, empty = in_pieces(table, 1), in_pieces(head, 1)

    for looks in ((full, empty), (empty, full)):
        with pytest.raises(DataError, match="no complete record"):
            evaluate_pieces(head, guarantee, *looks, scaling="raw")
    with pytest.raises(DataError, match="not as many records"):
        evaluate_pieces(head, guarantee, full, full, scaling="raw", deviations=none_of_them)


def none_of_them(names) -> Deviations:
    return Deviations.none(len(names))


def test_scales_that_are_not_there_are_refused() -> None:
    table = table_of(np.zeros((2, 2)), FREE)
    head = replace(table, frame=table.frame.clear())
    guarantee = release_of(table, table.frame, NAMES)[0].guarantee
    full = in_pieces(table, 1)

    with pytest.raises(PlanError, match="'standart' is not known"):
        evaluate_pieces(head, guarantee, full, full, scaling="standart")
    with pytest.raises(BoundsError, match="'x' has no public bounds"):
        evaluate_pieces(head, guarantee, full, full, scaling="bounds")

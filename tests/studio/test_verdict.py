"""The verdict is in words and lights, and the rows are those of the release."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey.studio.graph_drawing import MOST_NODES, draw_graph, drawn_release
from covey.studio.verdict import ROWS_LOOKED_AT, SomeRows, judge_release, released_rows


@pytest.fixture
def judged(people, people_schema):
    settings = {
        "epsilon": 5.0,
        "schema": people_schema,
        "random_state": 1,
        "columns": ("age", "income", "town"),
    }
    release, trace = covey.publish(people, "private-tree", trace=True, **settings)
    table = covey.read_table(people, people_schema)
    evaluation = covey.evaluate(table, release, trace)
    return release, evaluation, judge_release(table, evaluation, release.frame.columns)


def test_every_measured_column_has_a_light_and_stands_before_and_after(judged) -> None:
    release, evaluation, verdict = judged

    assert [each.name for each in verdict.columns] == [look.name for look in evaluation.looks]
    assert all(each.light.thresholds.startswith("good") for each in verdict.columns)
    assert verdict.headline.startswith(f"Of {len(verdict.columns)} columns")
    assert verdict.worst == evaluation.worst[:3]
    assert set(verdict.originals.columns) == set(release.frame.columns)


def test_scores_without_a_threshold_are_not_judged(judged) -> None:
    _, _, verdict = judged

    assert verdict.scores
    assert all(each.light.colour in ("green", "amber", "red") for each in verdict.scores)


def test_rows_of_a_release_are_those_that_are_published(judged) -> None:
    release, _, _ = judged

    rows = released_rows(release)

    assert rows.columns == tuple(release.frame.columns)
    assert rows.n == release.frame.height
    assert len(rows.rows) == min(ROWS_LOOKED_AT, rows.n)


def test_of_many_rows_some_are_drawn() -> None:
    rows = SomeRows.of(pl.DataFrame({"x": range(5000)}))

    numbers = [int(row[0]) for row in rows.rows]
    assert (len(numbers), rows.n) == (ROWS_LOOKED_AT, 5000)
    assert numbers == sorted(set(numbers))
    assert numbers != list(range(ROWS_LOOKED_AT))


def test_a_large_graph_is_drawn_from_its_middle() -> None:
    star = np.array([[0, i] for i in range(1, 2000)])

    drawn = draw_graph(star)

    assert drawn.count("<circle") == MOST_NODES
    assert drawn.count("<line") == MOST_NODES - 1


def test_a_graph_in_parts_is_drawn() -> None:
    assert draw_graph(np.array([[0, 1], [2, 3], [4, 5]])).count("<line") == 3


def test_a_release_without_a_graph_has_no_drawing(judged) -> None:
    assert drawn_release(judged[0]) == ""

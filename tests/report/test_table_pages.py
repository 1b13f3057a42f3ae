"""Tables are laid out with their totals, and nothing in them can run."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import covey
from covey.report import public_report
from covey.report.table_pages import MOST_ACROSS, shown_numbers, shown_tables
from tests.report.conftest import HOSTILE


@pytest.fixture
def tabulated(table) -> covey.Release:
    asked = {"tables": ["town*pain", "age"], "bins": {"age": [18.0, 65.0]}, "epsilon": 9.0}
    return covey.publish(table, "tables", **asked)


def test_a_cross_table_has_its_totals_at_the_sides(tabulated) -> None:
    age, both = shown_tables(tabulated)

    (layer,) = both.layers
    assert (age.name, both.name) == ("age", "town*pain")
    assert (both.down, both.over) == ("town", "pain")
    assert layer.across == ["none", "mild", "strong", "total"]
    assert [label for label, _ in layer.rows] == ["Ahof", "Bdorf", "Cstadt", "(missing)", "total"]
    counts = [[cell.count for cell in cells] for _, cells in layer.rows]
    assert [sum(row[:-1]) for row in counts] == [row[-1] for row in counts]
    assert counts[-1][-1] == 24
    published = tabulated.table("town", "pain")["count"].to_list()
    assert sorted(count for row in counts[:-1] for count in row[:-1]) == sorted(published)


def test_three_columns_are_layers(table) -> None:
    asked = {"tables": ["town*pain*age"], "bins": {"age": 2}, "epsilon": 90.0}
    (shown,) = shown_tables(covey.publish(table, "tables", **asked))

    assert [layer.title for layer in shown.layers] == ["age: 0-60", "age: 61-120"]
    assert {len(layer.rows) for layer in shown.layers} == {5}


def test_a_table_without_published_margins_is_shown_without_totals(tabulated) -> None:
    frame = tabulated.extras["tables"].filter(pl.col("table") == "town*pain")
    alone = replace(tabulated, extras={"tables": frame})

    (shown,) = shown_tables(alone)

    assert shown.layers[0].across == ["none", "mild", "strong"]
    assert all(len(cells) == 3 for _, cells in shown.layers[0].rows)


def test_wide_tables_go_down_the_page_and_large_ones_are_named_alone(table) -> None:
    asked = {"tables": ["age*income"], "bins": {"age": 12, "income": 12}, "epsilon": 40.0}
    (shown,) = shown_tables(covey.publish(table, "tables", **asked))
    assert shown.over == ""
    assert len(shown.layers) == 12 > MOST_ACROSS

    asked = {"tables": ["age*income"], "bins": {"age": 40, "income": 40}, "epsilon": 200.0}
    (shown,) = shown_tables(covey.publish(table, "tables", **asked))
    assert (shown.cells, list(shown.layers)) == (1600, [])


def test_means_and_quantiles_are_shown_for_numbers(tabulated) -> None:
    (age,) = shown_numbers(tabulated)

    assert age["heads"][:4] == ["mean", "5 %", "10 %", "25 %"]
    for value, lower, upper in age["cells"]:
        assert lower <= value <= upper


def test_the_page_shows_counts_and_intervals_and_escapes_names(table) -> None:
    hostile = table.schema.updated("town", categories=("Ahof", "Bdorf", "Cstadt", HOSTILE))
    release = covey.publish(
        covey.read_table(table.frame, hostile), "tables", tables=["town"], epsilon=9.0
    )

    page = public_report(release)

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    first = release.table("town").row(0, named=True)
    assert f"{first['count']}<small>{first['lower']}–{first['upper']}</small>" in page
    assert "exact" in page


def test_a_release_of_rows_has_no_tables_on_its_page(table) -> None:
    release = covey.publish(table, "rank-blocks", epsilon=1.0, columns=("age",))

    assert shown_tables(release) == []
    assert 'id="tables"' not in public_report(release)

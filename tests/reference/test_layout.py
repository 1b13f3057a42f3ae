"""Printed tables look as in the paper, and each of their numbers is computed or has a reason."""

import pytest

from covey.reproduce import PaperEntry, PrintedTable, Result, Spread, load_entries, load_tables
from covey.reproduce.entries import BASES
from covey.reproduce.judged import judged, summary
from covey.reproduce.layout import figures_as, laid_out, others
from covey.reproduce.recipes import RECIPES

PRINTED = {"001": 48, "002": 532, "003": 36, "004": 450}
"""How many numbers the tables of each paper print; paper 000 has none."""


def entry(text: str = "4.71", **changes) -> PaperEntry:
    given = {"paper": "001", "table": "Table I", "data": "Census", "method": "md", "recipe": "sse"}
    return PaperEntry(**{**given, "text": text, "place": (0, 0), **changes})


def table(*heads: str) -> PrintedTable:
    return PrintedTable(
        paper="001",
        name="Table I",
        caption="SSE",
        stub=("Data set",),
        heads=heads or ("k = 3",),
        rows=(("Census",),),
    )


@pytest.mark.parametrize("paper", PRINTED)
def test_every_printed_number_is_computed_or_listed_with_its_reason(paper: str) -> None:
    cells = [entry for entry in load_entries(paper) if entry.place is not None]

    assert len(cells) == PRINTED[paper]
    for cell in cells:
        assert cell.text
        assert cell.recipe in RECIPES or (cell.recipe == "none" and cell.reason)


def test_the_1066_numbers_of_the_tables_are_all_there() -> None:
    assert sum(entry.place is not None for entry in load_entries()) == 1066 + 8

    assert sum(PRINTED.values()) == 1066


def test_no_cell_of_a_printed_table_is_empty_or_twice() -> None:
    for printed in load_tables():
        places = [
            entry.place
            for entry in load_entries(printed.paper, printed.name)
            if entry.place is not None
        ]
        size = len(printed.rows) * len(printed.heads)
        assert len(places) == len(set(places)) == size


def test_every_number_says_where_its_convention_comes_from() -> None:
    assert {entry.basis for entry in load_entries()} == set(BASES)
    for each in load_entries():
        assert each.convention or each.basis == "stated"


@pytest.mark.parametrize(
    ("text", "ours", "expected"),
    [
        ("4.71", 4.714, "exact"),
        ("3", 3.477, "exact"),
        ("3.00", 3.06, "close"),
        ("0.0500", 0.0456, "differs"),
        ("48.60", 48.607, "last digit"),
        ("3.07E+09", 3.0749e9, "exact"),
        ("3.07E+09", 3.083e9, "last digit"),
        ("9.95E-05", 9.96e-5, "last digit"),
        ("0.0", 1e-17, "exact"),
    ],
)
def test_the_printed_text_says_how_exact_a_number_is(text, ours, expected) -> None:
    assert judged(entry(text), ours).word == expected


@pytest.mark.parametrize(("ours", "word"), [(34.94, "close"), (35.11, "differs")])
def test_logarithms_are_compared_on_the_scale_of_what_they_are_logarithms_of(ours, word) -> None:
    found = judged(entry("34.9", recipe="log2-sse"), ours + 0.0)

    assert found.word == ("exact" if word == "close" else word)
    assert found.difference == pytest.approx(2 ** (ours - 34.9) - 1)


@pytest.mark.parametrize(
    ("text", "shown", "ours", "expected"),
    [
        ("3", {"decimals": 2}, 3.477, "differs"),
        ("0.9", {"decimals": 2}, 0.904, "exact"),
        ("1006", {"figures": 5}, 1006.1, "last digit"),
        ("1006", {"figures": 5}, 1006.4, "close"),
        ("0", {"figures": 5}, 0.0, "exact"),
    ],
)
def test_zeros_that_a_table_drops_at_the_end_count_as_printed(text, shown, ours, expected) -> None:
    assert judged(entry(text, **shown), ours).word == expected


def test_a_random_number_is_consistent_inside_its_interval_alone() -> None:
    spread = Spread.of([1.0, 1.1, 0.9, 1.0], of=3)

    assert judged(entry("1.0"), spread).word == "consistent"
    assert judged(entry("9.0"), spread).word == "differs"
    assert spread.low < 0.9
    assert spread.high > 1.1


def test_more_runs_make_an_interval_narrower() -> None:
    few, many = Spread.of([1.0, 2.0], of=1), Spread.of([1.0, 2.0] * 10, of=1)

    assert many.high - many.low < few.high - few.low


def test_a_fitted_match_does_not_count_as_reproduced() -> None:
    stated, fitted = (judged(entry(basis=basis), 4.71) for basis in ("stated", "fitted"))

    assert (stated.reproduced, fitted.reproduced) == (True, False)
    assert (stated.colour, fitted.colour) == ("green", "grey")
    assert (stated.mark, fitted.mark) == ("=", "(=)")
    assert summary([stated, fitted]) == (
        "2 printed numbers: 1 reproduced (exact 1), "
        "1 matched by a convention that was fitted to them."
    )


def test_columns_of_a_group_stand_under_its_title() -> None:
    results = [judged(entry(place=(0, j)), 4.71) for j in range(3)]

    (layout,) = laid_out([table("a | x", "a | y", "z")], results)

    assert [(group.title, group.heads) for group in layout.groups] == [
        ("a", ("x", "y")),
        ("", ("z",)),
    ]
    assert layout.heads == ("x", "y", "z")
    assert [cell.printed for cell in layout.rows[0].cells] == ["4.71"] * 3


def test_what_stands_in_no_table_is_listed_apart() -> None:
    said = judged(entry(place=None, table="text"), 4.0)

    assert others([judged(entry(), 4.71), said]) == [said]
    assert laid_out([table()], [said]) == []


def test_why_a_number_was_not_computed_stands_under_its_table() -> None:
    lost = entry(recipe="none", reason="nobody has the data")
    result = Result(entry=lost, ours=None, status="not reproducible: nobody has the data")

    (layout,) = laid_out([table()], [result])

    assert layout.rows[0].cells[0].ours == "–"
    assert layout.notes == ("Not computed: nobody has the data.",)


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("4.71", 4.7186, "4.719"),
        ("53", 53.0, "53"),
        ("3.07E+09", 3.0749e9, "3.075E+09"),
        ("754.5", float("inf"), "∞"),
        ("503", float("nan"), "–"),
    ],
)
def test_ours_has_one_figure_more_than_the_printed_number(text, value, shown) -> None:
    assert figures_as(text, value) == shown

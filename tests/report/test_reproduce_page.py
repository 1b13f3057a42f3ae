"""The page about the papers: every number, its status in its colour, and the figures."""

from __future__ import annotations

import re

import pytest

from covey.report.figure_section import FigureSection, Said
from covey.report.reproduce_page import reproduce_page
from covey.reproduce import PaperEntry, PrintedTable, Result, judged
from covey.reproduce.layout import laid_out
from tests.report.conftest import HOSTILE

SVG = '<svg class="chart"><title>Figure 1</title></svg>'


def figure(paper: str = "001", text: str = "Figure 1") -> FigureSection:
    said = Said(text=text, word="fails", colour="red", numbers="in 5 of 20 places")
    return FigureSection(
        paper=paper,
        number=text,
        title=text,
        anchors=("figure-1", "figure-2"),
        note=text,
        legend=((text, "var(--accent)", "1 0"),),
        panels=((text, SVG),),
        claims=(said,),
        missing=(f"{text}: nobody has the data",),
    )


def result(status: str = "exact", *, paper: str = "001", method: str = "mdav") -> Result:
    entry = PaperEntry(
        paper=paper,
        table="Table I",
        data="Census",
        method=method,
        recipe="sse",
        settings={"k": 3},
        text="799",
    )
    return Result(entry=entry, ours=799.2, status=status)


def test_a_number_is_a_row_and_a_figure_stands_with_its_paper() -> None:
    page = reproduce_page([result(), *2 * [result(paper="literature")]], [figure()])

    first, second = page.split("<section>")[1:]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", first.split("<section")[0])
    assert cells == [
        *("Table I", "Census", "mdav", "SSE", "k=3", "799", "799.2", "", "+0.03 %"),
        *("exact", "stated"),
    ]
    assert second.count("<td>Table I</td>") == 2
    assert (first.count('<svg class="chart"'), second.count("<svg ")) == (1, 0)
    assert "k-anonymity through microaggregation" in first
    assert "Values printed in several papers." in second


@pytest.mark.parametrize(
    ("status", "colour"),
    [
        *((word, "green") for word in ("exact", "close", "consistent", "holds")),
        *((word, "red") for word in ("differs", "impossible: at most 0.3 can be reached")),
        *((word, "grey") for word in ("derived", "not reproducible: nobody has the data")),
    ],
)
def test_a_status_has_its_colour(status, colour) -> None:
    page = reproduce_page([result(status)], [])

    assert f'<td class="toned {colour}">{status}</td>' in page


def test_a_figure_has_an_anchor_for_each_number_and_says_what_became_of_each_claim() -> None:
    page = reproduce_page([], [figure()])

    assert [page.count(f'id="{anchor}"') for anchor in ("figure-1", "figure-2")] == [1, 1]
    assert '<td class="toned red">fails</td><td class="soft">in 5 of 20 places</td>' in page
    assert "<li>Figure 1: nobody has the data</li>" in page
    assert "<thead><tr><th>Table</th>" not in page


def test_the_page_needs_no_network_and_no_script() -> None:
    page = reproduce_page([result()], [figure()])

    assert not re.search(
        r"""https?://|src=|@import|url\(|<script""",
        page.replace('xmlns="http://www.w3.org/2000/svg"', ""),
    )


def test_hostile_names_do_no_harm() -> None:
    page = reproduce_page([result(paper=HOSTILE, method=HOSTILE)], [figure(HOSTILE, HOSTILE)])

    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_printed_table_has_ours_in_its_cells_and_its_conventions_below() -> None:
    entry = PaperEntry(
        paper="001",
        table="Table I",
        data="Census",
        method="mdav",
        recipe="sse",
        text="799.18",
        place=(0, 0),
        convention="columns were standardised",
        basis="fitted",
    )
    table = PrintedTable(
        paper="001",
        name="Table I",
        caption="SSE",
        stub=("Data set",),
        heads=("MDAV | k = 3",),
        rows=(("Census",),),
    )

    page = reproduce_page([], [], laid_out([table], [judged(entry, 799.183)]))

    assert '<h3 id="001-table-i">Table I</h3>' in page
    assert '<th class="over" colspan="1">MDAV</th>' in page
    assert '799.18<br><span class="toned grey">799.183 (=)</span>' in page
    assert "<li>Columns were standardised (fitted).</li>" in page

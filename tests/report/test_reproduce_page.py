"""The page about the papers: every number, its status in its colour, and the figures."""

from __future__ import annotations

import re

import pytest

from covey.report.plan_charts import line_chart
from covey.report.reproduce_page import reproduce_page
from covey.reproduce import PaperEntry, Result
from tests.report.conftest import HOSTILE

FIGURE = line_chart([{"line": "a", "x": x, "y": float(x)} for x in (1, 2)], "k", "SSE", "Figure 1")


def result(status: str = "exact", *, paper: str = "001", method: str = "mdav") -> Result:
    entry = PaperEntry(
        paper=paper,
        table="Table I",
        data="Census",
        method=method,
        recipe="sse",
        settings={"k": 3},
        printed=799.0,
    )
    return Result(entry=entry, ours=799.2, status=status)


def test_a_number_is_a_row_and_a_figure_stands_with_its_paper() -> None:
    page = reproduce_page(
        [result(), *2 * [result(paper="literature")]], [("001", "Figure 1", FIGURE)]
    )

    first, second = page.split("<section>")[1:]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", first)
    assert cells == ["Table I", "Census", "mdav", "SSE", "k=3", "799", "799.2", "+0.03 %", "exact"]
    assert second.count("<td>Table I</td>") == 2
    assert (first.count("<svg "), second.count("<svg ")) == (1, 0)
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


def test_the_page_needs_no_network_and_no_script() -> None:
    page = reproduce_page([result()], [("001", "Figure 1", FIGURE)])

    assert not re.search(
        r"""https?://|src=|@import|url\(|<script""",
        page.replace('xmlns="http://www.w3.org/2000/svg"', ""),
    )


def test_hostile_names_do_no_harm() -> None:
    page = reproduce_page([result(paper=HOSTILE, method=HOSTILE)], [(HOSTILE, HOSTILE, FIGURE)])

    assert "<script" not in page
    assert "&lt;script&gt;" in page

"""Reports in a real browser: every chart is there, nothing is fetched, nothing overflows."""

from __future__ import annotations

import io

import networkx as nx
import polars as pl
import pytest

import covey
from covey import Attribute, Role, Scale, Schema
from covey.report import curator_report, public_report
from covey.report.figure_section import FigureSection
from covey.report.reproduce_page import reproduce_page
from covey.report.small_multiples import Picture, draw_panel, legend
from covey.reproduce import PaperEntry, Result

WIDTHS = (390, 1280)
LONG = "a_very_long_name_of_a_column_" * 3
EDITIONS = ("table public", "table curator", "graph public", "graph curator")

MARKS = """
() => [...document.querySelectorAll("svg.chart")].map(svg => {
  const box = svg.getBoundingClientRect();
  const drawn = [...svg.querySelectorAll("path")].filter(path => {
    const own = path.getBBox();
    return own.width > 0 || own.height > 0;
  });
  const inks = drawn.map(path => getComputedStyle(path))
    .map(style => [style.fill, style.stroke]).flat();
  return {width: box.width, height: box.height, marks: drawn.length,
          inked: inks.some(ink => ink.startsWith("rgb") && ink !== "rgb(0, 0, 0)")};
})
"""
OVERFLOW = """
() => [...document.querySelectorAll("body *")].filter(element => {
  if (element.closest(".scroll") || element.closest("svg")) return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.right > document.documentElement.clientWidth + 1;
}).map(element => element.outerHTML.slice(0, 80))
"""
OUTSIDE = """
() => [...document.querySelectorAll("figure svg.chart text")].filter(text => {
  const frame = text.closest("figure").getBoundingClientRect();
  const box = text.getBoundingClientRect();
  return box.left < frame.left || box.right > frame.right ||
         box.top < frame.top || box.bottom > frame.bottom;
}).map(text => text.textContent)
"""
OVERLAP = """
() => {
  const clash = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
                          a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const found = [];
  for (const svg of document.querySelectorAll("svg.chart")) {
    const texts = [...svg.querySelectorAll("text")].filter(text => !/rotate/.test(text.outerHTML));
    const boxes = texts.map(text => text.getBoundingClientRect());
    boxes.forEach((box, i) => boxes.slice(i + 1).forEach((other, j) => {
      if (clash(box, other))
        found.push(texts[i].textContent + " / " + texts[i + 1 + j].textContent);
    }));
  }
  return found;
}
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    n = 200
    frame = pl.DataFrame(
        {
            "age": [18 + (i * 37) % 61 for i in range(n)],
            "income": [12_500.0 + 731.5 * ((i * 53) % 97) for i in range(n)],
            LONG: [("a rather long answer", "no")[i % 2] for i in range(n)],
            "<script>": [float(i % 7) for i in range(n)],
        }
    )
    schema = Schema(
        (
            Attribute("age", bounds=(0, 120), unit="years", integer=True),
            Attribute("income", bounds=(0, 100_000), unit="euros a year"),
            Attribute(LONG, scale=Scale.NOMINAL, role=Role.CONFIDENTIAL),
            Attribute("<script>", bounds=(0, 10)),
        )
    )
    table = covey.read_table(frame, schema)
    # Seeded, so that a chart that fits today fits tomorrow.
    columns = ("age", "income", "<script>")
    private = covey.publish(table, "rank-blocks", epsilon=2.0, columns=columns, random_state=3)
    grouped, trace = covey.publish(table, "mdav", k=5, trace=True)
    scores = covey.evaluate(table, grouped, trace)
    graph = covey.read_graph(nx.barabasi_albert_graph(300, 3, seed=4))
    joint = covey.publish(graph, "joint-degree-boxes", epsilon=2.0, unit="edge", random_state=3)
    return {
        "table public": public_report(private),
        "table curator": curator_report(table, grouped, scores, trace),
        "graph public": public_report(joint),
        "graph curator": curator_report(graph, joint, covey.evaluate(graph, joint)),
        "papers": papers(),
    }


def papers() -> str:
    """Return the page about the papers, with as many lines in a figure as ever."""
    rows = [
        {"series": f"MDAV_IR_DP_1, n = {n}", "x": k, "y": 10.0**k, "low": 9.0**k, "high": 11.0**k}
        for n in range(10_000, 100_000, 9_000)
        for k in (1, 9)
    ]
    panel = Picture(title="(a)", x="k", y="SSE", scale="log", rows=tuple(rows))
    styles = legend([panel])
    drawn = draw_panel(panel, styles, "Figure 4")
    figure = FigureSection(
        paper="000",
        number="Figure 4",
        title="the error over k",
        anchors=("figure-4",),
        legend=tuple((name, *style) for name, style in styles.items()),
        panels=(("(a)", drawn), ("(b)", drawn)),
    )
    entry = PaperEntry(paper="000", table="Table I", data="Census", method="mdav", recipe="sse")
    statuses = ("exact", "not reproducible: the simulated data are not published")
    results = [Result(entry=entry, ours=1.0, status=status) for status in statuses]
    return reproduce_page(results, [figure])


CHARTS = {
    "table public": 3,
    "table curator": 7,
    "graph public": 2,
    "graph curator": 3,
    "papers": 2,
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("edition", CHARTS)
def test_a_report_is_drawn_whole_and_alone(pages, open_page, edition, width) -> None:
    opened = open_page(pages[edition], width=width)

    charts = opened.page.evaluate(MARKS)
    assert len(charts) == CHARTS[edition]
    for chart in charts:
        assert chart["width"] > 200
        assert chart["height"] > 100
        assert chart["marks"] >= 2
        assert chart["inked"]
    assert opened.fetched == []
    assert opened.complaints == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.page.evaluate(OVERFLOW) == []
    assert opened.page.evaluate(OUTSIDE) == []
    assert opened.page.evaluate(OVERLAP) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_person_can_read_the_guarantee_in_large_type(pages, open_page, edition) -> None:
    page = open_page(pages[edition]).page

    sentence = page.locator(".guarantee blockquote")
    size = sentence.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert sentence.is_visible()
    assert size >= 20
    assert page.locator(".guarantee .badge").is_visible()


@pytest.mark.parametrize(
    "title",
    [
        *("What was published", "What is covered", "What is not covered", "Assumptions"),
        *("Neighbour relation", "Privacy budget", "Accuracy", "Parameters", "How to cite"),
        "The plan",
    ],
)
def test_the_public_edition_has_its_headings(pages, title) -> None:
    assert f">{title}</h" in pages["table public"]


def test_a_column_named_like_a_script_is_a_name(pages, open_page) -> None:
    page = open_page(pages["table public"]).page

    assert page.locator("script").count() == 0
    assert page.get_by_text("<script>", exact=True).first.is_visible()


@pytest.mark.parametrize("edition", CHARTS)
def test_dark_pages_are_dark_and_still_legible(pages, open_page, edition) -> None:
    page = open_page(pages[edition], scheme="dark").page

    style = "element => {{ const c = getComputedStyle(element).{}; return c; }}"
    paper = _light(page.locator("body").evaluate(style.format("backgroundColor")))
    ink = _light(page.locator("body").evaluate(style.format("color")))
    label = _light(page.locator("svg.chart text").first.evaluate(style.format("fill")))
    assert paper < 0.2
    assert ink > 0.8
    assert label > 0.5


@pytest.mark.parametrize("edition", ["table curator", "graph curator"])
def test_every_printed_page_of_the_curators_edition_says_not_to_publish_it(
    pages, open_page, edition
) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    printed = open_page(pages[edition]).page.pdf(format="A4")

    sheets = [sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(printed)).pages]

    assert len(sheets) > 1
    for sheet in sheets:
        assert "Do not publish: computed on the originals" in " ".join(sheet.split())


def _light(colour: str) -> float:
    """Return how light a CSS colour is, from 0 to 1."""
    numbers = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(numbers) / 3 / 255

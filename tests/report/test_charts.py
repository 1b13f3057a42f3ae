"""Drawings are pictures and nothing else: no script, no network, no fixed colour, no record."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import altair as alt
import numpy as np
import polars as pl
import pytest

from covey import Attribute, Scale, degree_distribution, joint_degrees
from covey.report import charts, degree_charts, plan_charts, small_multiples, vega
from covey.report.comparison import Split
from covey.report.degrees import degree_curve, degree_map
from covey.report.small_multiples import Picture
from tests.report.conftest import HOSTILE, count_column

NUMBERS = pl.Series([1.0, 2.0, 2.5, 9.0])
TEXTS = pl.Series(["a", "b", HOSTILE, "b"])


def drawings(friends) -> dict[str, str]:
    """Draw one chart of each sort, with hostile texts wherever a text can stand."""
    numeric, nominal = (
        Attribute(HOSTILE, scale=scale, unit="<b>") for scale in (Scale.NUMERIC, Scale.NOMINAL)
    )
    sets = {"original": joint_degrees(friends), "released": joint_degrees(friends)}
    maps = {name: degree_map(each) for name, each in sets.items()}
    curves = {"released": degree_curve(degree_distribution(friends))}
    both = {"original": NUMBERS, "released": NUMBERS * 2}
    split = Split(name=HOSTILE, aggregation=3.0, noise=2.0, total=5.0)
    rows = [
        {"series": series, "x": x, "y": 10.0**x, "low": 9.0**x, "high": 11.0**x}
        for series in (HOSTILE, "b")
        for x in (2, 9)
    ]
    panel = Picture(title=HOSTILE, x="<b>", y=HOSTILE, scale="log", rows=tuple(rows))
    run = {"x": 0.2, "y": 0.1, "number": "1", "colour": "green"}
    return {
        "histogram": charts.bars(count_column(numeric, {"released": NUMBERS})),
        "two histograms": charts.bars(count_column(numeric, both)),
        "categories": charts.bars(count_column(nominal, {"released": TEXTS})),
        "two categories": charts.bars(
            count_column(nominal, {"original": TEXTS, "released": TEXTS})
        ),
        "heat map": charts.heat_map([HOSTILE, "b"], np.array([[1, -0.5], [-0.5, 1]]), "original"),
        "split": charts.split_bars([split]),
        "degrees": degree_charts.degree_plot(curves),
        "joint degrees": degree_charts.degree_heat_map(maps, "released"),
        "panel": small_multiples.draw_panel(panel, small_multiples.legend([panel]), HOSTILE),
        "releases": plan_charts.release_map([run, run | {"x": 0.0}], HOSTILE, "<b>"),
    }


SORTS = (
    *("histogram", "two histograms", "categories", "two categories", "heat map", "split"),
    *("degrees", "joint degrees", "panel", "releases"),
)


@pytest.fixture(scope="module")
def drawn(friends) -> dict[str, str]:
    return drawings(friends)


def test_every_sort_of_chart_is_tested(drawn) -> None:
    assert tuple(drawn) == SORTS


@pytest.mark.parametrize("sort", SORTS)
def test_a_drawing_is_a_picture_with_a_name_and_marks(drawn, sort) -> None:
    root = ET.fromstring(drawn[sort])  # noqa: S314 — drawn a moment ago

    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert root.get("role") == "img"
    assert root.get("aria-label") == root[0].text
    assert set(tags) <= {"svg", "title", "g", "path", "line", "text", "rect"}
    assert tags.count("path") >= 1
    assert tags.count("text") >= 3


@pytest.mark.parametrize("sort", SORTS)
def test_a_drawing_has_no_colour_of_its_own(drawn, sort) -> None:
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', drawn[sort]))

    assert all(
        colour.startswith("var(--") or colour in ("none", "transparent") for colour in colours
    )


@pytest.mark.parametrize("sort", SORTS)
def test_a_drawing_refers_to_nothing_outside(drawn, sort) -> None:
    outside = drawn[sort].replace('xmlns="http://www.w3.org/2000/svg"', "")

    assert not re.search(
        r"href|url\(|http|<script|\son[a-z]+=|\bid=", outside.replace("onload", "")
    )


def test_every_specification_is_valid_vega_lite(friends, monkeypatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(vega, "_svg", lambda spec, _label: seen.append(spec) or "")

    drawings(friends)

    assert len(seen) == len(SORTS)
    for spec in seen:
        alt.Chart.from_dict(json.loads(spec))


def test_a_chart_does_not_grow_with_the_records() -> None:
    few, many = (
        charts.bars(count_column(Attribute("x"), {"released": pl.Series(np.linspace(0, 1, n))}))
        for n in (100, 100_000)
    )

    assert len(many) < 1.1 * len(few)

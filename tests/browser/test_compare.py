"""A comparison in a real browser: the map answers to the mouse, and nothing is fetched."""

from __future__ import annotations

import pytest

import covey
from covey.report.compare_page import compare_page
from tests.contracts.people import people


@pytest.fixture(scope="module")
def text() -> str:
    comparison = covey.compare(
        people(),
        ["mdav", "rank-blocks", "private-tree"],
        epsilon=[1.0, 5.0],
        k=[3, 5, 8],
        columns=("age", "income"),
        workers=1,
    )
    return compare_page(comparison)


@pytest.mark.parametrize("width", [390, 1280])
def test_every_chart_is_drawn_and_nothing_is_fetched_or_complained_about(
    open_page, text, width
) -> None:
    opened = open_page(text, width=width)

    opened.page.wait_for_selector("#plot-map svg")
    plots = opened.page.locator(".plot")
    for number in range(plots.count()):
        assert plots.nth(number).locator("svg path").count() > 3
    assert opened.fetched == []
    assert opened.complaints == []
    wide = opened.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_pointing_at_a_plan_shows_its_numbers(open_page, text) -> None:
    opened = open_page(text)
    opened.page.wait_for_selector("#plot-map svg")

    opened.page.locator("#plot-map .mark-symbol.role-mark path").first.hover()

    tip = opened.page.locator("#vg-tooltip-element")
    tip.wait_for(state="visible")
    assert "Plan" in tip.inner_text()
    assert "Guarantee" in tip.inner_text()


def test_the_answer_and_the_ranking_are_there_to_read(open_page, text) -> None:
    opened = open_page(text)

    shown = opened.page.inner_text("body")

    assert "Do not publish: computed on the originals" in shown
    assert "For the whole file, take" in shown
    assert opened.page.locator(".ranking tbody tr").count() == 11

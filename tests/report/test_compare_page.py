"""The page of a comparison."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import covey
from covey.report.compare_page import compare_page
from tests.contracts.people import people


def comparison() -> covey.Comparison:
    return covey.compare(
        people(),
        ["mdav", "private-tree"],
        epsilon=[1.0, 5.0],
        k=[3, 5, 10_000],
        columns=("age", "income"),
        workers=1,
    )


def test_the_page_answers_ranks_and_draws() -> None:
    found = comparison()

    text = compare_page(found)

    assert found.answer in text.replace("&#39;", "'")
    assert text.count('<tr><td class="number">') == len(found.rows)
    specs = json.loads(re.search(r'id="specs">(.*?)</script>', text, re.DOTALL).group(1))
    rings, dots = (layer["data"]["values"] for layer in specs["map"]["layer"][1:])
    assert len(rings) + len(dots) == len(found.rows)
    assert all(point["sound"] for point in dots)
    assert len(specs) > 2
    assert "mdav, k = 10000" in text


def test_the_page_is_marked_and_needs_no_network() -> None:
    text = compare_page(comparison())

    assert "Do not publish: computed on the originals" in text
    assert "default-src 'none'" in text
    assert not re.search(r'<(script|link|img)[^>]+(src|href)="https?:', text)


def test_a_name_that_looks_like_a_script_does_no_harm() -> None:
    bad = "</script><script>alert(1)</script>"
    found = comparison()
    rows = (replace(found.rows[0], label=bad), *found.rows[1:])

    text = compare_page(replace(found, rows=rows))

    assert bad not in text

"""The public edition tells what is published, and nothing more about the originals."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser

import polars as pl
import pytest

import covey
from covey.engines.memory.rows import HeldRows
from covey.kinds import KINDS
from covey.report import public_report
from tests.conftest import SENTINEL
from tests.report.conftest import HOSTILE


class Reader(HTMLParser):
    """Reads the visible text, the tags and what lies in released parts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.public: list[object] = []
        self._released = 0
        self._open: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        """Note a tag, and whether what follows was released."""
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if not self._released:
            self.public.append((tag, attrs))
        if tag in ("meta", "link", "br"):
            return
        released = "data-released" in dict(attrs)
        self._open.append(released)
        self._released += released

    def handle_endtag(self, _tag) -> None:
        """Leave an element."""
        self._released -= self._open.pop()

    def handle_data(self, data) -> None:
        """Note a text."""
        self.text.append(data)
        if not self._released:
            self.public.append(data)


def words(text: str) -> str:
    return " ".join(" ".join(Reader(text).text).split())


def test_the_public_edition_says_what_a_reader_needs(release) -> None:
    page = words(public_report(release))

    assert str(release.guarantee) in page
    assert KINDS[release.guarantee.kind].badge in page
    assert release.guarantee.unit.words in page.lower() or "no neighbour" in page.lower()
    for line in (*release.guarantee.assumes, *release.guarantee.conditions):
        assert " ".join(line.split()) in page
    for title in ("What is covered", "What is not covered", "Assumptions", "Privacy budget"):
        assert title in page
    for title in ("Parameters", "How to cite", "The plan", "Files"):
        assert title in page
    for name in release.frame.columns:
        assert name in page


def test_what_a_kind_does_not_cover_is_said_in_the_report(release) -> None:
    told = KINDS[release.guarantee.kind].not_covered

    assert told in words(public_report(release))


def test_the_report_of_a_private_release_speaks_of_several_records_of_a_person(private) -> None:
    assert "A person with several records is covered" in words(public_report(private))


def test_no_epsilon_is_rounded_down_in_the_report(private) -> None:
    odd = replace(private, guarantee=replace(private.guarantee, epsilon=Fraction("1.0000049")))

    page = words(public_report(odd))

    assert "Epsilon 1.0000049" in page
    assert "This release epsilon 1.0000049" in page


def test_every_column_is_drawn(release) -> None:
    page = public_report(release)

    assert page.count("<svg ") == len(release.frame.columns)


def test_a_graph_is_drawn_by_its_degrees(graph_release) -> None:
    page = public_report(graph_release)

    assert page.count("<svg ") == len(graph_release.frame.columns) - 1
    assert str(graph_release.guarantee) in unescape(page)


def test_a_release_without_a_count_says_that_nothing_is_drawn(graph_release) -> None:
    emptied = replace(graph_release, rows=HeldRows(graph_release.frame.clear()))

    page = public_report(emptied)

    assert "<svg " not in page
    assert "there is nothing to draw" in page


def test_the_plan_that_reproduces_the_release_is_printed(private) -> None:
    page = unescape(public_report(private))

    assert private.plan.to_toml() in page


def test_the_intervals_of_accuracy_are_printed(private) -> None:
    page = words(public_report(private))

    assert "95 times in 100" in page
    assert len(private.accuracy) == 2
    assert page.count("mean") >= 2


def test_the_budget_is_told(table, tmp_path) -> None:
    from covey.ledger import create_ledger

    create_ledger(tmp_path / "a.ledger", 3)
    release = covey.publish(
        table, "rank-blocks", epsilon=0.5, columns=("age",), ledger=tmp_path / "a.ledger"
    )

    page = words(public_report(release))

    assert "Left epsilon 2.5" in page


def test_where_a_row_stands_is_not_looked_at(release) -> None:
    """Rows of some releases stand where their records stood."""
    turned = replace(release, rows=HeldRows(release.frame.reverse()))

    assert public_report(turned) == public_report(release)


def neighbours(people: pl.DataFrame, value: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    changed = people.with_columns(
        income=pl.when(pl.int_range(pl.len()) == 11).then(value).otherwise(pl.col("income"))
    )
    return people, changed


def published(frame: pl.DataFrame, schema: covey.Schema, system: str, **given) -> covey.Release:
    release = covey.publish(
        frame, system, schema=schema, columns=("age", "income"), random_state=7, **given
    )
    # The time of the release is public and differs between the two.
    return replace(release, ledger=covey.Ledger())


SYSTEMS = {"rank-blocks": {"epsilon": 1.0}, "insensitive": {"epsilon": 1.0, "k": 6}}


@pytest.mark.parametrize("system", SYSTEMS)
def test_neighbours_with_equal_releases_have_equal_public_editions(
    people, people_schema, system
) -> None:
    # Both incomes lie above the public bound, so that what is published is the same.
    here, there = (
        published(frame, people_schema, system, **SYSTEMS[system])
        for frame in neighbours(people, 9e9)
    )

    assert here.frame.equals(there.frame)
    assert public_report(here) == public_report(there)


@pytest.mark.parametrize("system", SYSTEMS)
def test_public_editions_of_neighbours_differ_in_released_values_only(
    people, people_schema, system
) -> None:
    here, there = (
        published(frame, people_schema, system, **SYSTEMS[system])
        for frame in neighbours(people, 5_000.0)
    )

    pages = [public_report(release) for release in (here, there)]

    assert not here.frame.equals(there.frame)
    assert pages[0] != pages[1]
    assert Reader(pages[0]).public == Reader(pages[1]).public


def test_no_original_value_is_in_the_public_edition_of_a_private_release(private) -> None:
    assert SENTINEL not in public_report(private)


def test_hostile_names_do_no_harm(hostile) -> None:
    page = public_report(covey.publish(hostile, "mdav", k=2))

    seen = Reader(page)
    assert "script" not in seen.tags
    assert "b" not in seen.tags
    assert HOSTILE in words(page)
    assert HOSTILE not in page
    assert not [name for name in seen.attributes if name.startswith("on")]


def test_the_page_needs_no_network_and_no_script(release) -> None:
    page = public_report(release).replace('xmlns="http://www.w3.org/2000/svg"', "")

    assert not re.search(
        r"""https?://|src=|@import|url\(|<script|<iframe|<link (?!rel="icon")""", page
    )


def test_only_kinds_that_earn_them_get_the_words(release) -> None:
    page = words(public_report(release)).replace(str(release.guarantee), "")
    plan = release.plan.to_toml()
    cited = " ".join(page.replace(" ".join(plan.split()), "").split("How to cite")[:1])
    stated = [*release.guarantee.assumes, *release.guarantee.conditions]
    for line in stated:
        cited = cited.replace(" ".join(line.split()), "")

    assert ("differential privacy" in cited.lower()) == (
        release.guarantee.kind.is_differential_privacy
    )

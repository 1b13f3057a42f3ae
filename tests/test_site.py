"""The documents hang together: menu, anchors, opening tables, reference, numbers of the papers."""

import re
import unicodedata
from pathlib import Path

import pytest
import yaml

import covey
from covey.report.papers import PAPERS
from covey.reproduce import load_entries, load_tables
from covey.reproduce.markdown import BEGIN, END

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
STEPS = ("advise", "evaluate", "graphs", "guarantees", "noise", "partition", "schema", "systems")
"""Guide pages that must open with a table that compares all ways of the step."""


def shown(page: Path) -> str:
    """Return the text of a page with the files that it shows, without blocks of code."""
    text = re.sub(
        r'^--8<-- "([^":]+).*"$',
        lambda match: (ROOT / match[1]).read_text(encoding="utf-8"),
        page.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as Markdown's `toc` makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", shown(page), flags=re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return found


def menu() -> list[str]:
    def leaves(entry: object) -> list[str]:
        if isinstance(entry, dict):
            entry = list(entry.values())
        if isinstance(entry, list):
            return [leaf for part in entry for leaf in leaves(part)]
        return [str(entry)]

    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return leaves(yaml.safe_load(settings)["nav"])


def test_every_page_is_in_the_menu_once_and_every_entry_is_a_page() -> None:
    assert sorted(menu()) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_anchor_is_that_of_a_heading(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", shown(page)):
        assert anchor in anchors(page.parent / target if target else page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_no_page_of_the_site_links_to_a_file_outside_it(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", shown(page)):
        assert (page.parent / target).resolve().is_relative_to(DOCS)


@pytest.mark.parametrize("step", STEPS)
def test_the_page_of_a_step_opens_with_a_table_that_compares(step: str) -> None:
    lines = (DOCS / "guide" / f"{step}.md").read_text(encoding="utf-8").splitlines()
    table = next(line for line in lines if line.startswith("|"))

    # Before any code and any further heading, with a word or two in front at most.
    assert lines.index(table) <= 5
    if step != "guarantees":
        assert "guarantee" in table
        assert "cost" in table
        assert re.search(r"\bwhen|\bused for", table)


def test_every_public_name_is_in_the_reference() -> None:
    page = (DOCS / "reference.md").read_text(encoding="utf-8")

    for name in covey.__all__:
        module = getattr(getattr(covey, name), "__module__", None)
        assert (f"::: {module}.{name}\n" if module else f"| `{name}` |") in page


@pytest.mark.parametrize("paper", [*PAPERS, "literature"])
def test_the_page_of_a_paper_has_every_published_number(paper: str) -> None:
    name = "index" if paper == "literature" else paper
    page = (DOCS / "papers" / f"{name}.md").read_text(encoding="utf-8")
    written = page.partition(BEGIN)[2].partition(END)[0]
    tables = dict(re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", written, re.MULTILINE | re.DOTALL))

    for printed in load_tables(paper):
        cells = re.findall(r"\| ([^|]*?)<br>\*\*", tables[printed.name])
        assert cells == [entry.text for entry in load_entries(paper, printed.name)]
    for entry in load_entries(paper):
        if entry.place is None:
            what = f"| {entry.data} | {entry.method} | {entry.quantity} | {entry.label} |"
            assert f"{what} {entry.text or '–'} |" in written


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_of_a_paper_names_every_system_that_implements_it(paper: str) -> None:
    page = (DOCS / "papers" / f"{paper}.md").read_text(encoding="utf-8")

    for system in covey.SYSTEMS.values():
        if paper in system.paper:
            assert f"`{system.name}`" in page

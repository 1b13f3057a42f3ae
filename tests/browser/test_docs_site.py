"""The documents become a site that opens from a folder, needs no network, and can be searched."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FROM_ELSEWHERE = r'<(?:script|img|iframe)[^>]*\ssrc="(?:https?:)?//|<link[^>]*\shref="https?:'


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Build the site as `make docs` does, from a copy, because the builder writes beside it."""
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed: it comes with the extra `docs`")
    folder = tmp_path_factory.mktemp("documents")
    for name in ("mkdocs.yml", "SECURITY.md", "CONTRIBUTING.md", "Dockerfile"):
        shutil.copy(ROOT / name, folder)
    for name in ("docs", "src"):
        caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=caches)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"


def test_every_page_is_built_with_what_it_shows_and_fetches_nothing(site: Path) -> None:
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]

    for page in pages:
        name = "index.html" if page.name == "README.md" else f"{page.stem}.html"
        text = (site / page.parent / name).read_text(encoding="utf-8")
        assert not re.search(FROM_ELSEWHERE, text)
        assert "8&lt;--" not in text
    assert 'id="covey.publish.publish"' in (site / "reference.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_site_opens_from_a_folder_and_fits_the_screen(site: Path, browser, width) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    fetched, complaints = [], []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    for name in ("index", "guide/systems", "papers/002", "reference"):
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()

    assert complaints == []
    assert all(url.startswith("file:") for url in fetched)


def test_a_word_is_found_where_no_worker_may_run(site: Path, browser) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())

    page.get_by_role("button", name="Search").first.click()
    page.get_by_placeholder("Search").first.press_sequentially("ledger", delay=50)
    page.get_by_role("heading", name="Budgets and ledgers").wait_for(timeout=20_000)

    assert page.get_by_placeholder("Search").first.input_value() == "ledger"
    page.close()

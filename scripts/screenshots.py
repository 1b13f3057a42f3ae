"""Draw reports and a comparison of the embedded data, and photograph them for docs/images.

The noise is seeded, so that the pictures change when the reports do and not otherwise.
Usage: python scripts/screenshots.py [folder]
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

import covey
from covey.datasets import load_rand_health
from covey.ledger import Entry, Ledger
from covey.report import curator_report, public_report
from covey.report.compare_page import compare_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEED = 1
TALLEST = 1700
"""A picture shows the beginning of a page, not all of it, to stay small."""

PICTURES = (
    ("public", 1280, "light"),
    ("public", 390, "light"),
    ("public", 1280, "dark"),
    ("curator", 1280, "light"),
    ("curator", 390, "light"),
    ("compare", 1280, "light"),
    ("compare", 390, "light"),
)


def main(folder: Path) -> None:
    """Write one picture for each edition, width and colour scheme."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, sync_playwright() as player:
        for name, text in reports().items():
            (Path(scratch) / f"{name}.html").write_text(text, encoding="utf-8")
        browser = player.chromium.launch(executable_path=shutil.which("chromium"))
        for name, width, scheme in PICTURES:
            dark = "-dark" if scheme == "dark" else ""
            kind = name if name == "compare" else f"report-{name}"
            picture = folder / f"{kind}-{width}{dark}.png"
            photograph(browser, Path(scratch) / f"{name}.html", picture, width, scheme)
            print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")
        browser.close()


def reports() -> dict[str, str]:
    """Return both editions about the embedded data."""
    table = load_rand_health()
    release = covey.publish(table, "private-tree", epsilon=1.0, random_state=SEED)
    # A real release carries another sentence than a seeded one, and a bill with a date.
    promised = covey.publish(table, "private-tree", epsilon=1.0).guarantee
    plan = replace(release.plan, random_state=None)
    entry = Entry(
        when="2026-11-16T09:00:00+00:00",
        system=plan.system,
        epsilon="1",
        unit=str(promised.unit),
        plan=plan.fingerprint,
        kind=str(promised.kind),
    )
    ledger = Ledger(limit=Fraction(3), entries=(entry,))
    shown = replace(release, guarantee=promised, plan=plan, ledger=ledger)
    return {
        "public": public_report(shown),
        "curator": curator_report(table, shown, covey.evaluate(table, shown)),
        "compare": compare_page(compare_some(table)),
    }


def compare_some(table: covey.Table) -> covey.Comparison:
    """Compare a few systems on part of the embedded data."""
    some = replace(table, frame=table.frame.head(2000))
    return covey.compare(
        some,
        ["mdav", "rank-blocks", "insensitive", "private-tree", "mdav-dp"],
        epsilon=[0.1, 1.0, 10.0],
        k=[5, 25, 125],
        columns=("visits", "diseases", "coinsurance"),
        workers=1,
    )


def photograph(browser: Browser, page_file: Path, picture: Path, width: int, scheme: str) -> None:
    """Open a page at a width and write a picture of its beginning."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(page_file.as_uri())
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(
        path=picture, clip={"x": 0, "y": 0, "width": width, "height": height}, full_page=True
    )
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/images"))

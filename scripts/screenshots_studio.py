"""Walk through Covey Studio with the embedded data and photograph each step, for docs/images.

Usage: python scripts/screenshots_studio.py [folder]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.browser.made_up import write_graph, write_survey

if TYPE_CHECKING:
    from playwright.sync_api import Page

SLOW = 180_000
TALLEST = 2000
"""A picture shows the beginning of a page, not all of it, to stay small."""


def main(folder: Path) -> None:
    """Write one picture for each step at 1280 pixels, and some at 390 and in the dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, sync_playwright() as player:
        ledgers = str(Path(scratch) / "ledgers")
        code = "from covey.cli import main; main()"
        studio = subprocess.Popen(
            [sys.executable, "-c", code, "studio", "--no-browser", "--ledger-folder", ledgers],
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            text=True,
        )
        said = studio.stdout.readline() if studio.stdout else ""
        try:
            address = re.findall(r"http://\S+", said)[0]
            browser = player.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(address)
            walk(page, folder)
            browser.close()
        finally:
            studio.terminate()
            studio.wait(timeout=60)


def walk(page: Page, folder: Path) -> None:
    """Go through all steps and take a picture of each."""
    page.get_by_role("button", name="Use the example").click()
    page.get_by_text("20,190", exact=True).wait_for(timeout=SLOW)
    photograph(page, folder, "1-data", narrow=True)
    page.get_by_role("button", name="Describe the columns").click()
    page.locator("svg.sketch").first.wait_for(timeout=SLOW)
    page.locator("#open-1").click()
    page.locator("#public-1").uncheck()
    page.get_by_text("1 to confirm").wait_for()
    photograph(page, folder, "2-describe", narrow=True)
    page.locator("#public-1").check()
    page.get_by_text("All bounds and categories are public").wait_for()
    page.get_by_role("button", name="Say what it is for").click()
    page.locator("#purpose-public").click()
    page.locator("#expected").wait_for(timeout=SLOW)
    page.locator(".promise:not(.stale)").wait_for(timeout=SLOW)
    photograph(page, folder, "3-choose", narrow=True, dark=True)
    page.get_by_role("button", name="Go on to publish").click()
    page.locator("#promise").wait_for(timeout=SLOW)
    photograph(page, folder, "4-publish", narrow=True)
    page.get_by_role("button", name="Publish now").click()
    publish_again(page)
    page.locator("#compare").click()
    page.locator("#verdict").wait_for(timeout=SLOW)
    photograph(page, folder, "5-verdict", narrow=True, dark=True)
    page.get_by_role("button", name="Comparison").click()
    page.frame_locator("iframe.report").get_by_text("What went worst").wait_for(timeout=SLOW)
    page.wait_for_timeout(500)
    photograph(page, folder, "5-inspect")
    page.get_by_role("button", name="All runs").click()
    page.locator("figure svg").wait_for(timeout=SLOW)
    photograph(page, folder, "5-runs")
    page.get_by_role("button", name="Take it away").click()
    page.locator("#command").wait_for()
    photograph(page, folder, "6-take-away", narrow=True)
    walk_survey(page, folder)
    walk_graph(page, folder)


def walk_survey(page: Page, folder: Path) -> None:
    """Describe a household survey of 61 columns that Excel wrote in Germany."""
    page.locator("#rail-data").click()
    with TemporaryDirectory() as place:
        page.locator("#file").set_input_files(write_survey(Path(place) / "haushalte.csv"))
        page.locator(".message").wait_for(timeout=SLOW)
        page.locator("#reading-encoding").select_option("cp1252")
        page.locator("#opened h2", has_text="haushalte").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Describe the columns").click()
    page.locator("svg.sketch").nth(5).wait_for(timeout=SLOW)
    page.locator("#open-13").click()
    page.locator("#low-13").wait_for()
    photograph(page, folder, "2-survey", narrow=True, dark=True)


def walk_graph(page: Page, folder: Path) -> None:
    """Publish a graph and look at the new one."""
    page.locator("#rail-data").click()
    page.get_by_label("A graph").check()
    with TemporaryDirectory() as place:
        page.locator("#file").set_input_files(write_graph(Path(place) / "friends.txt"))
        page.locator("#opened h2", has_text="friends").wait_for(timeout=SLOW)
        page.locator("#rail-describe").click()
        page.locator("#nodes").fill("600")
        page.locator("#nodes").blur()
        page.locator("#rail-choose").click()
        page.locator("#purpose-graph").click()
        page.locator(".promise:not(.stale)").wait_for(timeout=SLOW)
        page.get_by_role("button", name="Go on to publish").click()
        page.locator("#promise").wait_for(timeout=SLOW)
        page.get_by_role("button", name="Publish now").click()
        page.locator("svg.graph").wait_for(timeout=SLOW)
        page.locator("main .still").wait_for(state="detached", timeout=SLOW)
    page.locator("#compare").click()
    page.locator("#verdict").wait_for(timeout=SLOW)
    photograph(page, folder, "5-graph")


def publish_again(page: Page) -> None:
    """Publish once more with another system, so that the map has two points."""
    page.get_by_role("heading", name="Release 1").wait_for(timeout=SLOW)
    page.locator("main .still").wait_for(state="detached", timeout=SLOW)
    page.get_by_role("button", name="Make another release").click()
    page.get_by_text("Choose a system yourself").click()
    page.locator("#system-rank-blocks").click()
    page.locator("#system-rank-blocks[aria-pressed=true]").wait_for()
    page.get_by_role("button", name="Go on to publish").click()
    page.locator("#promise").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Publish now").click()
    page.get_by_role("heading", name="Release 2").wait_for(timeout=SLOW)


def photograph(
    page: Page, folder: Path, name: str, *, narrow: bool = False, dark: bool = False
) -> None:
    """Write a picture of the page as it is; also as on a telephone, and in the dark."""
    shoot(page, folder / f"studio-{name}.png", 1280)
    if narrow:
        shoot(page, folder / f"studio-{name}-390.png", 390)
    if dark:
        page.emulate_media(color_scheme="dark")
        shoot(page, folder / f"studio-{name}-dark.png", 1280)
        page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def shoot(page: Page, picture: Path, width: int) -> None:
    """Write one picture at a width."""
    page.set_viewport_size({"width": width, "height": 800})
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": height}
    page.screenshot(path=picture, clip=clip, full_page=True)  # type: ignore[arg-type]
    print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/images"))

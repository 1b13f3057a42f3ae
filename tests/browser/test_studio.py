"""The whole job in the browser: from the data to a release that can be made again elsewhere."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

from covey.ledger import load_ledger
from tests.browser.running_studio import SLOW

pytestmark = [pytest.mark.xdist_group("studio"), pytest.mark.thorough]

DATA = Path(os.environ["COVEY_DATA"])

FOCUS = """() => {
  const at = document.activeElement;
  // A file is chosen through its label; the browser's own widget is not to be seen.
  const drawn = at.type === "file" ? at.nextElementSibling.firstElementChild : at;
  const seen = getComputedStyle(drawn);
  const name = at.labels?.[0]?.innerText || at.ariaLabel || at.title || at.innerText || "";
  // Inside a report, the report shows where.
  if (at.nodeName === "IFRAME") return [at.title, true];
  const outlined = seen.outlineStyle !== "none" && parseFloat(seen.outlineWidth) >= 2;
  return [name.trim(), outlined];
}"""


def reach(page, name: str) -> None:
    """Go on from element to element until one of this name; each shows that it is reached."""
    passed = []
    for _ in range(80):
        page.keyboard.press("Tab")
        here, seen = page.evaluate(FOCUS)
        assert seen, f"nothing shows that {here!r} is reached"
        if here.startswith(name):
            return
        passed.append(here)
    pytest.fail(f"{name!r} was not reached, but {passed}")


def walk_to_a_release(visit) -> None:
    """Take the example, tick and untick, choose, slide, set a limit, and publish."""
    page = visit.page
    reach(page, "Skip to the step")
    page.keyboard.press("Enter")
    reach(page, "A table")
    reach(page, "Choose a file")
    reach(page, "Use the example")
    page.keyboard.press("Enter")
    page.locator("#opened h2", has_text="rand_health").wait_for(timeout=SLOW)
    reach(page, "Describe the columns")
    page.keyboard.press("Enter")
    visit.see("All bounds and categories are public")
    reach(page, "Mark all shown columns")
    page.keyboard.press("Space")
    page.locator("#public-marked").wait_for(timeout=SLOW)
    reach(page, "This is public knowledge")
    page.keyboard.press("Space")
    visit.see(" to confirm")
    page.keyboard.press("Space")
    visit.see("All bounds and categories are public")
    reach(page, "Say what it is for")
    page.keyboard.press("Enter")
    visit.see_title("What is the release for?")
    reach(page, "Anyone may have it")
    page.keyboard.press("Space")
    page.locator("#expected").wait_for(timeout=SLOW)
    assert "columns will be near the originals" in page.locator("#expected").inner_text()
    reach(page, "epsilon, slider")
    page.keyboard.press("ArrowRight")
    visit.see("Pure differential privacy with epsilon = 1.1")
    page.locator("#expected").wait_for(timeout=SLOW)
    reach(page, "Go on to publish")
    page.keyboard.press("Enter")
    page.locator("#promise").wait_for(timeout=SLOW)
    reach(page, "How much epsilon")
    page.keyboard.type("5")
    reach(page, "Publish now")
    page.keyboard.press("Enter")


def walk_through_the_reports(visit) -> None:
    """Look at the public report, the comparison and the map, and go to the end."""
    page = visit.page
    report = page.frame_locator("iframe.report")
    reach(page, "Compare with the originals")
    page.keyboard.press("Enter")
    page.locator("#verdict").wait_for(timeout=SLOW)
    reach(page, "Public report")
    page.keyboard.press("Enter")
    report.get_by_text("Release report").wait_for(timeout=SLOW)
    reach(page, "Comparison")
    page.keyboard.press("Enter")
    report.get_by_text("What went worst").wait_for(timeout=SLOW)
    assert report.locator("svg.chart").count() > 6
    reach(page, "All runs")
    page.keyboard.press("Enter")
    page.locator("figure svg").wait_for(timeout=SLOW)
    reach(page, "Take it away")
    page.keyboard.press("Enter")


def test_the_whole_path_on_the_example_with_the_keyboard_alone(visit, terminal) -> None:
    visit.page.reload()
    visit.see_title("Which data")
    walk_to_a_release(visit)
    visit.see_title("Release ")
    walk_through_the_reports(visit)
    visit.see_title("Take it away")
    reach(visit.page, "Release folder")

    packed = visit.download("Release folder", terminal.folder)
    for name in ("Plan", "Script", "Example data"):
        visit.download(name, terminal.folder)
    for command in visit.page.locator("#command").inner_text().splitlines():
        ran = terminal.run(*shlex.split(command)[1:])
        assert ran.code == 0, ran.err

    again = terminal.folder / "release"
    with zipfile.ZipFile(packed) as archive:
        guarantee = json.loads(archive.read("release/guarantee.json"))
        names = {name for name in archive.namelist() if not name.endswith("/")}
    assert names == {f"release/{path.relative_to(again)}" for path in again.rglob("*.*")}
    other = json.loads((again / "guarantee.json").read_text())
    # Which columns are asked about together is chosen with noise, fresh in each release.
    assert other | {"questions": []} == guarantee | {"questions": []}
    assert guarantee["kind"] == "pure-dp"
    assert pl.read_csv(again / "data.csv").height == 20_190
    # The script spends from the same ledger, which has enough left for one more.
    again.rename(terminal.folder / "first")
    script = [sys.executable, "publish.py"]
    ran = subprocess.run(script, capture_output=True, text=True, check=False, cwd=terminal.folder)
    assert ran.returncode == 0, ran.stderr
    assert "epsilon = 1.1" in ran.stdout
    assert (again / "report.html").is_file()


@pytest.mark.skipif(not (DATA / "census.csv").is_file(), reason="the reference data are missing")
def test_census_is_published_until_its_ledger_is_exhausted(visit, studio) -> None:
    visit.describe(DATA / "census.csv")
    visit.click("Say what it is for")
    visit.choose("rank-blocks")
    visit.type("set-epsilon", "1")
    visit.see_promise()
    visit.click("Go on to publish")
    visit.page.locator("#promise").wait_for(timeout=SLOW)
    visit.type("limit", "1.5")
    visit.click("Publish now")
    visit.see_title("Release ")
    visit.see("epsilon 0.5 left")

    visit.click("Make another release")
    visit.click("Go on to publish")
    visit.page.locator("#message-ledger").wait_for(timeout=SLOW)
    said = visit.page.locator("#message-ledger").inner_text()
    assert "epsilon 0.5 left and this release needs 1." in said
    assert visit.page.get_by_role("button", name="Publish now").is_disabled()

    visit.click("Use the 0.5 that is left")
    visit.page.locator("#promise").get_by_text("epsilon = 0.5").wait_for(timeout=SLOW)
    visit.click("Publish now")
    visit.see_title("Release ")
    visit.see("epsilon 0 left")
    ledgers = [load_ledger(path) for path in studio.ledgers.glob("*.json")]
    assert [str(ledger.left) for ledger in ledgers if str(ledger.limit) == "3/2"] == ["0"]


def test_a_graph_with_a_seed_gives_what_the_command_line_gives(visit, terminal) -> None:
    edges = terminal.folder / "friends.txt"
    edges.write_text("".join(f"{i} {j}\n" for i in range(1, 90) for j in {i // 2, i // 3, 0} - {i}))
    visit.page.get_by_label("A graph").check()
    visit.upload(edges)
    visit.see("Edges")
    visit.page.get_by_role("button", name="Say what it is for").last.click()
    visit.choose("joint-degree-boxes")
    visit.see_promise()
    visit.click("Go on to publish")
    visit.page.get_by_text("Repeatable experiment").click()
    visit.type("seed", "seven")
    visit.see("The seed is not a whole number")
    assert visit.page.get_by_role("button", name="Publish now").is_disabled()
    visit.type("seed", "7")
    visit.see("No privacy guarantee")
    visit.click("Publish now")
    visit.see_title("Release ")
    visit.compare()
    visit.page.locator("svg.graph circle").first.wait_for(timeout=SLOW)
    visit.click("Comparison")
    frame = visit.page.frame_locator("iframe.report")
    frame.get_by_text("Nodes by degree").first.wait_for(timeout=SLOW)
    visit.click("Take it away")

    packed = visit.download("Release folder", terminal.folder)
    visit.download("Plan", terminal.folder)
    command = visit.page.locator("#command").inner_text()
    ran = terminal.run(*shlex.split(command)[1:])

    assert ran.code == 0, ran.err
    with zipfile.ZipFile(packed) as archive:
        for name in ("data.csv", "guarantee.json", "plan.toml"):
            here = (terminal.folder / "release" / name).read_bytes()
            assert archive.read(f"release/{name}") == here, name

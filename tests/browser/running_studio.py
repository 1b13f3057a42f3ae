"""A real studio in a process of its own, and tabs that notice what should not be.

One studio and two tabs serve all tests of a process: starting them, and the kernels behind them,
takes longer than most tests.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

EVIL = "<script>document.title='run'</script>"
# Under nohup SIGHUP is ignored, by children too: studio is started as from a terminal.
START = (
    "import signal; hangup = getattr(signal, 'SIGHUP', None); "
    "hangup and signal.signal(hangup, signal.SIG_DFL); "
    "from covey.cli import main; main()"
)
SLOW = 60_000
"""Milliseconds that a step may take where kernels are compiled first."""

TITLES = {
    "data": "Which data",
    "describe": "What do the columns mean?",
    "choose": "What is the release for?",
    "publish": "Is this what you want",
    "inspect": "Release ",
    "take-away": "Take it away",
}


@dataclass
class RunningStudio:
    """A running studio and what its terminal said."""

    process: subprocess.Popen[str]
    address: str
    temporary: Path
    ledgers: Path

    def stop(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it and return what is left on its terminal."""
        self.process.send_signal(how)
        return self.process.communicate(timeout=60)[1]


def start_studio(folder: Path) -> RunningStudio:
    """Start a studio whose temporary files can be seen."""
    temporary, ledgers = folder / "temporary", folder / "ledgers"
    temporary.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", START, "studio", "--no-browser", "--ledger-folder", str(ledgers)],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, process.communicate(timeout=60)
    return RunningStudio(process, found.group(), temporary, ledgers)


@dataclass
class Visit:
    """A tab, and everything in it that should not be."""

    page: Page
    address: str
    wrong: list[str] = field(default_factory=list)

    def click(self, name: str, **more: Any) -> None:
        """Press a button by what is written on it."""
        self.page.get_by_role("button", name=name, **more).click(timeout=SLOW)

    def see(self, text: str, **more: Any) -> None:
        """Wait for a text."""
        self.page.get_by_text(text, **more).first.wait_for(timeout=SLOW)

    def see_title(self, text: str) -> None:
        """Wait for the heading of a step."""
        self.page.get_by_role("heading", level=1, name=text).wait_for(timeout=SLOW)

    def type(self, field: str, text: str) -> None:
        """Type into a field by its id, and leave it."""
        self.page.locator(f"#{field}").fill(text)
        self.page.locator(f"#{field}").blur()

    def open(self, path: Path) -> None:
        """Upload a table, and wait until it is there."""
        self.go("data")
        self.page.get_by_label("A table").check()
        self.see("CSV or Parquet, up to 500 MB")
        self.upload(path)
        self.page.locator("#opened h2", has_text=path.name).wait_for(timeout=SLOW)

    def describe(self, path: Path) -> None:
        """Upload a table and confirm everything that was drafted."""
        self.open(path)
        self.click("Describe the columns")
        self.see_title(TITLES["describe"])
        self.confirm()

    def confirm(self) -> None:
        """Say that all bounds and categories are public."""
        self.page.locator("#mark-shown").check()
        self.page.locator("#public-marked").check(timeout=SLOW)
        self.see("All bounds and categories are public")
        self.page.locator("#mark-shown").uncheck()
        self.page.locator("#public-marked").wait_for(state="detached", timeout=SLOW)

    def column(self, index: int) -> None:
        """Open a column, to change what is said of it."""
        self.page.locator(f"#open-{index}").click(timeout=SLOW)
        self.page.locator(f"#role-{index}").wait_for(timeout=SLOW)

    def go(self, step: str) -> None:
        """Go to a step by the list at the top."""
        self.page.locator(f"#rail-{step}").click(timeout=SLOW)
        self.see_title(TITLES[step])

    def see_promise(self) -> None:
        """Wait until the plan has been rehearsed."""
        self.page.locator(".promise:not(.stale)").wait_for(timeout=SLOW)

    def upload(self, path: Path, field: str = "file") -> None:
        """Choose a file."""
        self.page.locator(f"#{field}").set_input_files(path)

    def message(self) -> str:
        """Wait for a message and return it."""
        found = self.page.locator(".message").first
        found.wait_for(timeout=SLOW)
        return found.inner_text()

    def choose(self, system: str) -> None:
        """Choose a system by hand."""
        self.page.locator("#systems").wait_for(timeout=SLOW)
        if self.page.locator("#systems:not([open])").count():
            self.page.get_by_text("Choose a system yourself").click()
        self.page.locator(f"#system-{system}").click(timeout=SLOW)
        self.page.locator(f"#system-{system}[aria-pressed=true]").wait_for(timeout=SLOW)

    def choose_purpose(self, purpose: str) -> None:
        """Say what the release is for, and wait for what is to be expected."""
        self.page.locator(f"#purpose-{purpose}").click(timeout=SLOW)
        self.page.locator(f"#purpose-{purpose}[aria-pressed=true]").wait_for(timeout=SLOW)
        self.see_promise()
        self.page.locator("#expected").wait_for(timeout=SLOW)

    def publish(self) -> None:
        """Go from the choice to a release."""
        self.click("Go on to publish")
        self.page.locator("#promise").wait_for(timeout=SLOW)
        self.click("Publish now")
        self.see_title(TITLES["inspect"])

    def report(self) -> Any:
        """Show the public report and return its frame."""
        self.click("Public report")
        return self.page.frame_locator("iframe.report")

    def compare(self) -> None:
        """Look at the originals beside the release, which marks later plans."""
        self.page.locator("#compare").click(timeout=SLOW)
        self.page.locator("#verdict").wait_for(timeout=SLOW)

    def download(self, name: str, folder: Path) -> Path:
        """Take a file away."""
        with self.page.expect_download() as started:
            self.page.locator("a.download", has_text=name).click()
        path = folder / started.value.suggested_filename
        started.value.save_as(path)
        return path


@pytest.fixture(scope="session")
def studio(tmp_path_factory) -> Iterator[RunningStudio]:
    """Start one studio for all tests that do not end it."""
    pytest.importorskip("shiny", reason="the web page is an extra: pip install 'covey[studio]'")
    running = start_studio(tmp_path_factory.mktemp("studio"))
    yield running
    said = running.stop()
    assert said == "", said
    assert list(running.temporary.iterdir()) == []


@pytest.fixture(scope="session")
def other_tab(browser, studio) -> Iterator[Visit]:
    """Open a tab for tests that bring their own data."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = open_tab(context.new_page(), studio.address)
    yield opened
    context.close()


@pytest.fixture
def visit(other_tab) -> Iterator[Visit]:
    """Give a tab at its first step, and let nothing in it be wrong at the end."""
    other_tab.go("data")
    yield other_tab
    assert other_tab.wrong == []


@pytest.fixture(scope="session")
def people_tab(browser, studio, tmp_path_factory) -> Iterator[Visit]:
    """Open a tab with people described, one of whose columns is named a script."""
    path = tmp_path_factory.mktemp("people") / "people.csv"
    write_people(path)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = open_tab(context.new_page(), studio.address)
    opened.describe(path)
    yield opened
    context.close()


@pytest.fixture
def tab(people_tab) -> Iterator[Visit]:
    """Give the tab with the people, and let nothing in it be wrong at the end."""
    yield people_tab
    assert people_tab.wrong == []


def write_people(path: Path, salt: int = 0) -> Path:
    """Write five thousand records: fewer would be tried several times."""
    rows = range(5000)
    columns = {
        "age": [18 + (i * 37 + salt) % 61 for i in rows],
        "income": [12_500.0 + 375.5 * (i % 97) for i in rows],
        EVIL: [("Ahof", "Bdorf", "Cstadt")[(i * 5) % 3] for i in rows],
    }
    pl.DataFrame(columns).write_csv(path)
    return path


def open_tab(page: Page, address: str) -> Visit:
    """Open the studio and watch what the browser complains about and where it goes."""
    visit = Visit(page, address)
    here = address.split("/")[2]

    def requested(request: Any) -> None:
        if not request.url.startswith((f"http://{here}/", f"ws://{here}/", "data:")):
            visit.wrong.append(f"asked elsewhere: {request.url}")

    def said(text: Any) -> None:
        if text.type in ("error", "warning"):
            visit.wrong.append(f"console: {text.text}")

    page.on("request", requested)
    page.on("console", said)
    page.on("pageerror", lambda error: visit.wrong.append(f"script: {error}"))
    page.goto(address)
    visit.see_title(TITLES["data"])
    return visit

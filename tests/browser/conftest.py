"""How do tests get a real browser, and what does it notice about a page?"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.running_studio import other_tab, people_tab, studio, tab, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["other_tab", "people_tab", "studio", "tab", "visit"]

# Another process that runs tests may be installing it, too: wait for its turn.
APT = ("apt-get", "--option", "DPkg::Lock::Timeout=300")
INSTALL = (*APT, "install", "--yes", "--no-install-recommends", "chromium")


@dataclass
class Opened:
    """A page in the browser, and what it fetched and complained about while it opened."""

    page: Page
    fetched: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Debian's Chromium; install it if it is missing and this user may, skip otherwise."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as player:
        started = player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield started
        started.close()


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    # A fresh machine may have to learn first which packages there are.
    for commands in ((INSTALL,), ((*APT, "update"), INSTALL)):
        if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
            for command in commands:
                subprocess.run(command, check=False, capture_output=True, timeout=600)
            found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed and this user may not install it")
    return found


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open an HTML text as a file, at a width and in a colour scheme."""
    contexts = []

    def open_it(text: str, *, width: int = 1280, scheme: str = "light") -> Opened:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        opened = Opened(context.new_page())
        opened.page.on("request", lambda request: opened.fetched.append(request.url))
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        opened.page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning") and opened.complaints.append(message.text)
            ),
        )
        opened.page.goto(file.as_uri(), wait_until="load")
        opened.fetched = [url for url in opened.fetched if url != file.as_uri()]
        return opened

    yield open_it
    for context in contexts:
        context.close()

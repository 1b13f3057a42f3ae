"""Large files and long work leave the page free, and the end leaves nothing."""

from __future__ import annotations

import http.client
import signal

import polars as pl
import pytest

from tests.browser.running_studio import SLOW, open_tab, start_studio, write_people

pytestmark = [pytest.mark.xdist_group("studio"), pytest.mark.thorough]

ROWS = 200_000
BYTES_A_SECOND = 1_500_000
"""Slow enough that an upload of some megabytes can be seen and stopped."""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Write a table of some megabytes."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    columns = {f"x{j}": [(i * (7919 + j)) % 99_991 for i in range(ROWS)] for j in range(4)}
    pl.DataFrame(columns).write_csv(path)
    assert path.stat().st_size > 4_000_000
    return path


def test_an_upload_shows_how_far_it_is_and_can_be_stopped(visit, studio, large) -> None:
    browser = visit.page.context.new_cdp_session(visit.page)
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1}
    browser.send("Network.enable")
    browser.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": BYTES_A_SECOND})
    line = visit.page.locator("#sending")

    visit.upload(large)
    line.get_by_text("Uploading large.csv").wait_for(timeout=SLOW)
    while not line.locator("progress").evaluate("(bar) => bar.value > 0"):
        visit.page.wait_for_timeout(20)
    visit.page.get_by_label("A graph").check()
    visit.see("Edge list: text, CSV or Parquet")
    visit.page.get_by_label("A table").check()
    visit.see("CSV or Parquet, up to 500 MB")
    assert line.is_visible(), "the page answered before the upload was complete"
    line.get_by_role("button", name="Stop").click()
    line.wait_for(state="hidden", timeout=SLOW)
    browser.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": -1})
    browser.detach()
    visit.open(large)

    visit.see(f"{ROWS:,}")
    # The server hears of the connection that was closed a moment later.
    for _ in range(100):
        if len(list(studio.temporary.rglob("large.csv"))) == 1:
            return
        visit.page.wait_for_timeout(100)
    pytest.fail("what had come of the upload that was stopped is still there")


def test_a_large_table_is_published_and_the_page_answers_meanwhile(visit, large) -> None:
    visit.describe(large)
    visit.click("Say what it is for")
    visit.choose("rank-blocks")
    visit.see_promise()
    visit.publish()

    visit.click("Make another release")
    visit.choose("mdav")
    visit.see("k-anonymity with k")
    visit.click("Go on to publish")
    visit.page.locator("#promise").wait_for(timeout=SLOW)
    visit.click("Publish now")
    working = visit.page.locator("main .still")
    working.wait_for(timeout=SLOW)
    visit.go("describe")
    visit.column(0)
    assert visit.page.locator("#low-0").input_value() == "0"
    visit.go("inspect")
    visit.report().get_by_text("Release report").wait_for(timeout=SLOW)
    visit.go("publish")
    assert working.is_visible(), "the page answered before the work was complete"

    working.get_by_role("button", name="Stop").click()

    visit.see("You stopped it. Nothing was released, and nothing was spent.")
    assert visit.page.get_by_role("button", name="Publish now").is_enabled()


@pytest.mark.parametrize(
    ("path", "host"),
    [("/", None), ("/favicon.ico", None), ("/websocket/", None), ("token", "evil.example")],
)
def test_a_request_without_the_token_or_for_another_host_is_refused(studio, path, host) -> None:
    place, token = studio.address.split("/")[2:4]
    connection = http.client.HTTPConnection(place, timeout=30)
    headers = {"Host": f"{host}:{place.split(':')[1]}"} if host else {}

    connection.request("GET", f"/{token}/" if path == "token" else path, headers=headers)

    assert connection.getresponse().status == 403
    connection.close()


def test_nothing_is_left_after_the_end(browser, tmp_path) -> None:
    running = start_studio(tmp_path / "studio")
    context = browser.new_context()
    visit = open_tab(context.new_page(), running.address)
    visit.upload(write_people(tmp_path / "people.csv"))
    visit.see("Only you see them")
    private = list(running.temporary.iterdir())
    assert len(private) == 1
    assert private[0].stat().st_mode & 0o777 == 0o700

    # As Ctrl-C does; the studio that all tests share is told to end by another signal.
    said = running.stop(signal.SIGINT)

    visit.see("The studio has stopped")
    context.close()
    assert list(running.temporary.iterdir()) == []
    assert said == ""

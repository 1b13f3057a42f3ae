"""The whole job in the browser: every step, every bad input, and nothing left behind."""

from __future__ import annotations

import http.client
import json
import os
import signal
import zipfile
from pathlib import Path

import polars as pl
import pytest

from covey.privacy import load_ledger
from tests.browser.running_studio import (
    EVIL,
    SLOW,
    open_tab,
    start_studio,
    studio,
    tab,
    visit,
    write_people,
)

__all__ = ["studio", "tab", "visit"]

DESCRIBE, CHOOSE = "What do the columns mean?", "How should it be published?"
DATA = Path(os.environ["COVEY_DATA"])


def test_the_whole_path_on_the_example(visit, desk) -> None:
    visit.click("Use the example")
    visit.see("20,190")
    visit.click("Describe the columns")
    visit.see("All bounds and categories are public")
    visit.click("Choose a system")
    visit.choose("private-tree")
    visit.page.locator("#expected").wait_for(timeout=SLOW)
    assert "with private-tree" in visit.page.locator("#expected").inner_text()
    visit.publish()
    report = visit.page.frame_locator("iframe.report")
    report.get_by_text("Release report").wait_for(timeout=SLOW)
    visit.click("Compared with the original")
    report.get_by_text("Record linkage:").wait_for(timeout=SLOW)
    assert report.locator("svg.chart").count() > 6
    visit.click("All runs")
    visit.page.locator("figure svg").wait_for(timeout=SLOW)
    visit.click("Take it away")

    packed = visit.download("Release folder", desk.folder)
    plan = visit.download("Plan", desk.folder)
    data = visit.download("Example data", desk.folder)
    with zipfile.ZipFile(packed) as archive:
        guarantee = json.loads(archive.read("release/guarantee.json"))
        assert {"release/data.csv", "release/report.html"} <= set(archive.namelist())
    ran = desk.run("publish", data.name, "--plan", plan.name, "-o", "again")
    assert ran.code == 0, ran.err
    again = json.loads((desk.folder / "again" / "guarantee.json").read_text())
    assert again == guarantee
    assert guarantee["kind"] == "pure-dp"
    assert pl.read_csv(desk.folder / "again" / "data.csv").height == 20_190


@pytest.mark.skipif(not (DATA / "census.csv").is_file(), reason="the reference data are missing")
def test_census_is_published_until_its_ledger_is_exhausted(visit, studio) -> None:
    visit.describe(DATA / "census.csv")
    visit.click("Choose a system")
    visit.choose("rank-blocks")
    visit.click("Go on to publish")
    visit.page.locator("#promise").wait_for(timeout=SLOW)
    visit.type("limit", "1.5")
    visit.click("Publish now")
    visit.title("Release 1:")
    visit.see("epsilon 0.5 left")

    visit.click("Try other settings")
    visit.click("Go on to publish")
    assert "epsilon 0.5 left and this release needs 1" in visit.message()
    visit.click("Publish now")
    visit.see("so nothing was published")
    assert visit.page.get_by_role("heading", level=1).inner_text().startswith("Is this what")

    ledgers = [load_ledger(path) for path in studio.ledgers.glob("*.json")]
    assert [str(ledger.left) for ledger in ledgers if str(ledger.limit) == "3/2"] == ["1/2"]


def test_a_graph_is_published(visit, tmp_path) -> None:
    edges = tmp_path / "friends.txt"
    edges.write_text("".join(f"{i} {j}\n" for i in range(1, 90) for j in {i // 2, i // 3, 0} - {i}))

    visit.page.get_by_label("A graph").check()
    visit.upload(edges)
    visit.see("Edges")
    visit.page.get_by_role("button", name="Choose a system").last.click()
    visit.choose("joint-degree-boxes")
    visit.publish()
    visit.click("Compared with the original")
    frame = visit.page.frame_locator("iframe.report")
    frame.get_by_text("Nodes by degree").first.wait_for(timeout=SLOW)


BAD_FILES = [
    ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "is not UTF-8 text"),
    ("nothing.csv", b"", "is empty"),
    ("ragged.csv", b"a,b\n1,2\n1,2,3\n", "is not a regular CSV table"),
    ("notes.txt", b"dear diary", "is of an unknown kind"),
]


@pytest.mark.parametrize(("name", "content", "said"), BAD_FILES)
def test_a_bad_file_is_explained_and_the_old_one_stays(tab, tmp_path, name, content, said) -> None:
    tab.go("data", "Which data")
    (tmp_path / name).write_bytes(content)

    tab.upload(tmp_path / name)

    tab.see(f"'{name}' {said}")
    assert tab.page.locator("#opened h2").inner_text() == "people.csv"


def test_bad_settings_are_explained_in_place_and_nothing_is_lost(tab) -> None:
    tab.go("choose", CHOOSE)
    tab.choose("private-tree")
    forward = tab.page.get_by_role("button", name="Go on to publish")

    tab.type("set-epsilon", "0")
    tab.see("Epsilon = 0.0 is not a positive finite number")
    assert forward.is_disabled()
    tab.type("set-epsilon", "2")
    tab.promised()

    tab.choose("rank-blocks")
    tab.type("set-k", "5000")
    tab.see("k = 5000 is larger")
    assert forward.is_disabled()
    tab.type("set-k", "5")
    tab.promised()

    assert tab.page.locator("#set-epsilon").input_value() == "2"
    assert forward.is_enabled()


def test_a_column_without_bounds_is_explained_and_can_be_given_them(tab) -> None:
    tab.go("describe", DESCRIBE)
    tab.type("low-1", "")
    tab.see("are not two numbers yet")
    tab.type("high-1", "")
    tab.see("No public range")
    tab.click("Choose a system")
    tab.choose("rank-blocks")

    tab.see("'income' has no public bounds")
    tab.go("describe", DESCRIBE)
    tab.type("low-1", "0")
    tab.type("high-1", "100000")
    tab.page.locator("#public-1:checked").wait_for(timeout=SLOW)


def test_bounds_from_the_data_take_the_promise_away_until_confirmed(tab) -> None:
    tab.go("describe", DESCRIBE)
    tab.page.locator("#public-0").uncheck()
    tab.see("1 to confirm")
    tab.click("Choose a system")
    tab.choose("rank-blocks")

    tab.see("No privacy guarantee.")
    tab.go("describe", DESCRIBE)
    tab.confirm()
    tab.click("Choose a system")
    tab.see("Pure differential privacy with epsilon")


def test_research_systems_are_behind_a_door_with_the_reason(tab) -> None:
    tab.go("choose", CHOOSE)
    assert not tab.page.locator("#system-mdav-dp").is_visible()

    tab.page.get_by_text("Research systems").click()

    assert "clusters are chosen" in tab.page.locator("#system-mdav-dp").inner_text()
    tab.page.get_by_text("Research systems").click()


def test_a_slider_moves_the_number_its_words_and_the_chart(tab) -> None:
    tab.go("choose", CHOOSE)
    tab.choose("private-tree")
    tab.type("set-epsilon", "1")
    tab.see("at epsilon 1, with")

    tab.page.locator("#slide-epsilon").focus()
    for _ in range(6):
        tab.page.keyboard.press("ArrowRight")

    tab.see("at epsilon 2, with")
    assert tab.page.locator("#set-epsilon").input_value() == "2"
    assert "7.4 times" in tab.page.locator("#words-epsilon").inner_text()


def test_reload_back_and_undo_lose_nothing(tab) -> None:
    tab.go("choose", CHOOSE)
    tab.type("set-epsilon", "0.9")
    tab.type("set-epsilon", "0.7")

    tab.page.reload()
    tab.title(CHOOSE)
    assert tab.page.locator("#set-epsilon").input_value() == "0.7"
    tab.click("Back")
    tab.title(DESCRIBE)
    tab.page.go_back()
    tab.title(CHOOSE)
    tab.click("Undo")

    tab.page.locator("#set-epsilon[value='0.9']").wait_for(timeout=SLOW)


def test_a_script_in_a_column_name_is_shown_and_never_run(tab) -> None:
    tab.go("choose", CHOOSE)
    tab.choose("private-tree")
    tab.type("set-epsilon", "1")
    tab.publish()
    report = tab.page.frame_locator("iframe.report")
    report.get_by_text(EVIL).first.wait_for(timeout=SLOW)
    tab.click("Compared with the original")
    report.get_by_text("Curator's edition").first.wait_for(timeout=SLOW)

    assert tab.page.title() == "Covey Studio"
    assert tab.page.locator("main script").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out_of_the_page(tab, width) -> None:
    tab.page.set_viewport_size({"width": width, "height": 844})
    titles = {
        "data": "Which data",
        "describe": DESCRIBE,
        "choose": CHOOSE,
        "publish": "Is this what you want",
        "inspect": "Release ",
        "take-away": "Take it away",
    }

    for step, title in titles.items():
        tab.go(step, title)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, step


def test_tabs_do_not_disturb_each_other_and_share_the_ledger(tab, visit, tmp_path) -> None:
    assert visit.page.locator("#opened").count() == 0
    visit.describe(write_people(tmp_path / "renamed.csv"))
    visit.click("Choose a system")
    visit.choose("laplace")
    visit.type("set-epsilon", "0.25")
    visit.publish()
    visit.see("epsilon 1.75 left")

    tab.go("publish", "Is this what you want")

    tab.see("epsilon 1.75 left")
    assert tab.page.locator("#sofar").inner_text().startswith("people.csv")


def test_long_work_can_be_stopped_and_the_page_stays_free(visit, tmp_path) -> None:
    table = tmp_path / "million.csv"
    columns = {f"x{j}": [(i * (7 + j)) % 1000 for i in range(1000)] * 1000 for j in range(4)}
    pl.DataFrame(columns).write_csv(table)
    visit.upload(table)
    visit.see("1,000,000")
    visit.page.locator("#rail-choose").click()
    visit.choose("mdav")
    visit.click("Go on to publish")
    visit.page.locator("#promise").wait_for(timeout=SLOW)
    visit.click("Publish now")
    visit.page.get_by_role("progressbar").wait_for(timeout=SLOW)

    visit.click("Stop")

    visit.see("You stopped it. Nothing was released.")
    assert visit.page.get_by_role("button", name="Publish now").is_enabled()


def test_the_page_can_be_used_with_the_keyboard(visit) -> None:
    reached = []
    for _ in range(12):
        visit.page.keyboard.press("Tab")
        reached.append(visit.page.evaluate("document.activeElement.innerText.trim()"))

    assert reached[0] == "Skip to the step"
    assert "Use the example" in reached
    visit.page.get_by_role("button", name="Use the example").focus()
    visit.page.keyboard.press("Enter")
    visit.see("20,190")


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


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_after_the_end(browser, tmp_path, how) -> None:
    running = start_studio(tmp_path / "studio")
    context = browser.new_context()
    visit = open_tab(context.new_page(), running.address)
    visit.upload(write_people(tmp_path / "people.csv"))
    visit.see("Only you see them")
    private = list(running.temporary.iterdir())
    assert len(private) == 1
    assert private[0].stat().st_mode & 0o777 == 0o700

    said = running.stop(how)

    visit.see("The studio has stopped")
    context.close()
    assert list(running.temporary.iterdir()) == []
    assert said == ""

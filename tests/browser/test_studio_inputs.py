"""What a person gives: files of every kind, and bad ones that are explained and change nothing."""

from __future__ import annotations

import polars as pl
import pytest

from tests.browser.running_studio import EVIL, SLOW, write_people

pytestmark = [pytest.mark.xdist_group("studio"), pytest.mark.thorough]

BAD_FILES = [
    ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "holds NUL bytes"),
    ("nothing.csv", b"", "is empty"),
    ("ragged.csv", b"a,b\n1,2\n1,2,3\n", "has too many fields"),
    ("notes.txt", b"dear diary", "is not a regular CSV table"),
    ("torn.parquet", b"PAR1 and no more", "is not a readable Parquet file"),
]


@pytest.mark.parametrize(("name", "content", "said"), BAD_FILES)
def test_a_bad_file_is_explained_and_the_old_one_stays(tab, tmp_path, name, content, said) -> None:
    tab.go("data")
    (tmp_path / name).write_bytes(content)

    tab.upload(tmp_path / name)

    tab.see(f"'{name}' {said}")
    assert tab.page.locator("#opened h2").inner_text() == "people.csv"


def test_a_file_beyond_the_limit_is_refused_before_it_is_sent(tab, tmp_path) -> None:
    tab.go("data")
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(501 * 2**20)
    asked: list = []
    tab.page.on("request", lambda request: asked.append(request.url))

    tab.upload(huge)

    tab.see("The file is larger than 500 MB")
    tab.see("covey publish FILE --engine stream")
    assert not [url for url in asked if "/upload/" in url]
    assert tab.page.locator("#opened h2").inner_text() == "people.csv"


def test_parquet_and_a_taxonomy_are_published(visit, tmp_path) -> None:
    rows = range(2000)
    towns = ("Ahof", "Bdorf", "Cstadt", "Dburg")
    table = {
        "age": [(i * 37) % 90 for i in rows],
        "pay": [i * 7919 % 10_007 / 7 for i in rows],
        "town": [towns[i * i % 4] for i in rows],
    }
    pl.DataFrame(table).write_parquet(tmp_path / "people.parquet")
    (tmp_path / "bad.csv").write_text("nothing of the kind\n")
    (tmp_path / "towns.csv").write_text(
        "child,parent\nall,\nnorth,all\nsouth,all\nAhof,north\nBdorf,north\nCstadt,south\n"
        "Dburg,south\n"
    )
    visit.describe(tmp_path / "people.parquet")
    visit.page.get_by_text("Load or save a description").click()

    visit.upload(tmp_path / "bad.csv", "taxonomy-file")
    visit.page.locator("#message-taxonomy").wait_for(timeout=SLOW)
    visit.upload(tmp_path / "towns.csv", "taxonomy-file")
    visit.see("Here so far: towns.csv")
    assert visit.page.locator("#message-taxonomy").count() == 0
    visit.column(2)
    visit.page.locator("#taxonomy-2").select_option("towns.csv")
    visit.click("Say what it is for")
    visit.choose("exponential")
    visit.see("it covers town")
    visit.publish()

    report = visit.report()
    report.get_by_text("data.parquet").first.wait_for(timeout=SLOW)


def test_bad_settings_are_explained_in_place_and_nothing_is_lost(tab) -> None:
    tab.go("choose")
    tab.choose("private-tree")
    forward = tab.page.get_by_role("button", name="Go on to publish")

    tab.type("set-epsilon", "0")
    tab.see("Epsilon = 0.0 is not a positive finite number")
    assert tab.page.locator("#set-epsilon").get_attribute("aria-invalid") == "true"
    assert forward.is_disabled()
    tab.type("set-epsilon", "2")
    tab.see_promise()

    tab.choose("rank-blocks")
    tab.type("set-k", "50000")
    tab.see("k = 50000 is larger")
    assert forward.is_disabled()
    tab.type("set-k", "5")
    tab.see_promise()

    assert tab.page.locator("#set-epsilon").input_value() == "2"
    assert forward.is_enabled()


def test_a_column_without_bounds_is_explained_and_can_be_given_them(tab) -> None:
    tab.go("describe")
    tab.column(1)
    tab.type("low-1", "")
    tab.see("are not two numbers yet")
    tab.type("high-1", "")
    tab.see("it has no public range")
    tab.click("Say what it is for")
    tab.choose("rank-blocks")

    tab.see("'income' has no public bounds")
    tab.go("describe")
    tab.type("low-1", "0")
    tab.type("high-1", "100000")
    tab.page.locator("#public-1:checked").wait_for(timeout=SLOW)


def test_bounds_from_the_data_take_the_promise_away_until_confirmed(tab) -> None:
    tab.go("describe")
    tab.column(0)
    tab.page.locator("#public-0").uncheck()
    tab.see("1 to confirm")
    tab.click("Say what it is for")
    tab.choose("rank-blocks")

    tab.see("No guarantee yet")
    tab.go("describe")
    tab.confirm()
    tab.click("Say what it is for")
    tab.see("Pure differential privacy with epsilon")


def test_a_script_in_a_column_name_is_shown_and_never_run(visit, tmp_path) -> None:
    visit.describe(write_people(tmp_path / "evil.csv", salt=3))
    visit.click("Say what it is for")
    visit.choose("private-tree")
    visit.see_promise()
    visit.publish()
    visit.compare()
    visit.page.locator("#columns").get_by_text(EVIL).wait_for(timeout=SLOW)
    visit.report().get_by_text(EVIL).first.wait_for(timeout=SLOW)
    visit.click("Comparison")
    report = visit.page.frame_locator("iframe.report")
    report.get_by_text("Curator's edition").first.wait_for(timeout=SLOW)

    assert visit.page.title() == "Covey Studio"
    assert visit.page.locator("main script").count() == 0


def test_whoever_has_seen_the_comparison_chooses_on_the_data(visit, tmp_path) -> None:
    visit.describe(write_people(tmp_path / "seen.csv", salt=5))
    visit.click("Say what it is for")
    visit.choose("rank-blocks")
    visit.see_promise()
    visit.publish()
    assert visit.page.locator("#verdict").count() == 0
    visit.compare()
    visit.click("Make another release")
    visit.see("A release of these data has been compared")
    visit.see("Pure differential privacy")
    visit.type("set-epsilon", "2")

    visit.see("The system or its parameters were chosen by looking at these data")
    visit.publish()

    visit.page.locator(".promise .badge", has_text="no guarantee").wait_for(timeout=SLOW)


def test_tabs_do_not_disturb_each_other_and_share_the_ledger(tab, visit, tmp_path) -> None:
    tab.go("choose")
    tab.choose("private-tree")
    tab.type("set-epsilon", "1")
    visit.describe(write_people(tmp_path / "renamed.csv"))
    visit.click("Say what it is for")
    visit.choose("laplace")
    visit.type("set-epsilon", "0.25")
    visit.see_promise()
    visit.publish()
    left = visit.page.locator("#sofar").get_by_text(" left").inner_text()

    tab.go("publish")

    tab.page.locator("#sofar").get_by_text(left, exact=True).wait_for(timeout=SLOW)
    assert tab.page.locator("#sofar").inner_text().startswith("people.csv")
    assert "private-tree, epsilon 1" in tab.page.locator("#sofar").inner_text()

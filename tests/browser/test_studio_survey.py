"""A household survey of 61 columns, as Excel writes it in Germany, goes the whole way."""

from __future__ import annotations

import pytest

from tests.browser.made_up import write_survey
from tests.browser.running_studio import SLOW

pytestmark = [pytest.mark.xdist_group("studio"), pytest.mark.thorough]

SCREENS = 2
COLUMNS = 56
"""So many of the 61 name nobody and can vary."""


def test_a_survey_of_sixty_columns_is_read_described_and_published_whole(visit, tmp_path) -> None:
    visit.page.get_by_label("A table").check()
    visit.upload(write_survey(tmp_path / "haushalte.csv", n=1500))
    assert "Say below what wrote it" in visit.message()
    visit.page.locator("#reading-encoding").select_option("cp1252")
    visit.page.locator("#opened h2", has_text="haushalte.csv").wait_for(timeout=SLOW)
    visit.click("Describe the columns")
    visit.page.locator("svg.sketch").nth(5).wait_for(timeout=SLOW)

    height = visit.page.evaluate("document.documentElement.scrollHeight")
    assert height <= SCREENS * visit.page.viewport_size["height"]
    visit.column(8)
    visit.column(13)
    # What belonged to the column before is gone: its drawing and its words.
    assert visit.page.locator("#editor").get_by_text("different values").count() == 1
    visit.page.locator("#open-21").click()
    visit.page.get_by_role("heading", name="20 columns together").wait_for(timeout=SLOW)
    visit.page.locator("#scale-marked").select_option("ordinal")
    visit.page.locator("#column-find").fill("einkommen")
    visit.page.locator("#column-find").blur()
    visit.see("1 of 61 columns")
    visit.column(13)
    visit.type("low-13", "0")
    visit.type("high-13", "20000")
    visit.page.locator("#column-find").fill("")
    visit.page.locator("#column-find").blur()
    visit.see("61 of 61 columns")
    visit.confirm()
    visit.click("Say what it is for")
    visit.choose_purpose("researchers")
    visit.see(f"{COLUMNS} of 61 columns are published")
    visit.click("Go on to publish")
    visit.see("All 1,500 records count; none is left out.")
    visit.click("Publish now")
    visit.see_title("Release ")
    visit.compare()

    visit.see(f"Of {COLUMNS} columns")
    released = visit.page.locator("#rows table").first.locator("thead th")
    assert released.count() == COLUMNS

"""The page can be read, reached and used by everybody, on every step, and going back is free."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.running_studio import SLOW, TITLES, write_people

pytestmark = [pytest.mark.xdist_group("studio"), pytest.mark.thorough]

CHECKS = Path(__file__).with_name("test_studio_page.js").read_text(encoding="utf-8")


def show_everything(page) -> None:
    """Open all that is folded away."""
    page.evaluate("document.querySelectorAll('main details').forEach((each) => each.open = true)")


@pytest.fixture
def complete(visit, tmp_path):
    """Give a tab with a release, a flag, and messages, so that everything can be seen."""
    visit.describe(write_people(tmp_path / "complete.csv", salt=9))
    visit.click("Say what it is for")
    visit.choose("private-tree")
    visit.see_promise()
    visit.publish()
    visit.page.locator("main .still").wait_for(state="detached", timeout=SLOW)
    visit.compare()
    visit.go("describe")
    visit.column(0)
    visit.page.locator("#public-0").uncheck()
    visit.see("1 to confirm")
    visit.column(1)
    visit.type("low-1", "a lot")
    visit.see("are not two numbers yet")
    visit.go("choose")
    visit.page.locator("#expected").wait_for(timeout=SLOW)
    yield visit
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    visit.page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def test_every_step_can_be_read_and_reached_on_every_screen(complete) -> None:
    page = complete.page
    wrong: list[str] = []
    sizes: set[str] = set()
    looked = 0
    # Colours that are on their way say nothing.
    page.emulate_media(reduced_motion="reduce")

    for step in TITLES:
        complete.go(step)
        shown = [step, "map"] if step == "inspect" else [step]
        for part in shown:
            if part == "map":
                complete.click("All runs")
                page.locator("figure svg").wait_for(timeout=SLOW)
            show_everything(page)
            looked += check_everything(page, part, wrong, sizes)

    assert not wrong, "\n".join(sorted(set(wrong)))
    assert looked > 500
    # One type scale: small, text, and three steps of titles.
    assert len(sizes) <= 5, sizes


def check_everything(page, step: str, wrong: list[str], sizes: set[str]) -> int:
    """Look at what is shown at both widths and in both schemes; return how much that was."""
    looked = 0
    wrong += [f"{step}: {each}" for each in page.evaluate(f"{CHECKS}.unnamed()")]
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{step}: wider than {width}")
        sizes |= set(page.evaluate(f"{CHECKS}.sizes()"))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            seen = page.evaluate(f"{CHECKS}.faint()")
            looked += seen["looked"]
            wrong += [f"{step}, {width}, {scheme}: {each}" for each in seen["found"]]
    return looked


def test_research_systems_are_behind_a_door_with_the_reason(tab) -> None:
    tab.go("choose")
    tab.choose("private-tree")
    door = tab.page.get_by_text("Research systems")
    if tab.page.locator("#system-mdav-dp").is_visible():
        door.click()
    assert not tab.page.locator("#system-mdav-dp").is_visible()

    door.click()

    assert "clusters are chosen" in tab.page.locator("#system-mdav-dp").inner_text()
    door.click()


def test_a_slider_moves_the_number_its_words_and_the_promise(tab) -> None:
    tab.go("choose")
    tab.choose("private-tree")
    tab.type("set-epsilon", "1")
    tab.see("mean ±")

    tab.page.locator("#slide-epsilon").focus()
    for _ in range(6):
        tab.page.keyboard.press("ArrowRight")

    tab.see("Pure differential privacy with epsilon = 2 ")
    tab.see("mean ±")
    assert tab.page.locator("#set-epsilon").input_value() == "2"
    assert "7.4 times" in tab.page.locator("#set-epsilon-hint").inner_text()


def test_reload_back_and_undo_lose_nothing(tab) -> None:
    tab.go("choose")
    tab.choose("private-tree")
    tab.type("set-epsilon", "0.9")
    tab.type("set-epsilon", "0.7")
    tab.page.locator("#set-epsilon[value='0.7']").wait_for(timeout=SLOW)

    tab.page.reload()
    tab.see_title(TITLES["choose"])
    assert tab.page.locator("#set-epsilon").input_value() == "0.7"
    tab.click("Back")
    tab.see_title(TITLES["describe"])
    tab.page.go_back()
    tab.see_title(TITLES["choose"])
    tab.click("Undo")
    tab.page.locator("#set-epsilon[value='0.9']").wait_for(timeout=SLOW)
    # Even other data, chosen by mistake, are taken back with all that was decided.
    tab.go("data")
    tab.click("Use the example")
    tab.page.locator("#opened h2", has_text="rand_health").wait_for(timeout=SLOW)
    tab.click("Undo")

    tab.page.locator("#opened h2", has_text="people.csv").wait_for(timeout=SLOW)
    tab.go("choose")
    assert tab.page.locator("#set-epsilon").input_value() == "0.9"
    assert tab.page.locator("#system-private-tree").get_attribute("aria-pressed") == "true"

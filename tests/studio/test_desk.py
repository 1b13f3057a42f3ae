"""A tab keeps its files to itself, and all tabs share the ledger of the same data."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from covey.studio.ahead import plan_key
from covey.studio.desk import Desk, safe_name
from covey.studio.found import Rehearsal
from covey.studio.state import State, Step


@pytest.fixture
def tab(tmp_path, chosen):
    (tmp_path / "tab").mkdir()
    tab = Desk(folder=tmp_path / "tab", ledgers=tmp_path / "ledgers")
    tab.state = replace(chosen, step=Step.PUBLISH)
    yield tab
    tab.close()


def rehearsed(tab: Desk, epsilon: int | None = 1) -> None:
    key = plan_key(tab.state) or ""
    tab.state = replace(
        tab.state, rehearsal=Rehearsal(key=key, sentence="…", kind="pure-dp", epsilon=epsilon)
    )


def with_source(state: State, **changes: object) -> State:
    source = replace(state.source, **changes)
    return replace(state, decisions=replace(state.decisions, source=source))


def until(tab: Desk, reached, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not reached(tab.state):
        assert time.monotonic() < end, tab.state
        tab.tick()
        time.sleep(0.02)


def test_nothing_is_published_before_it_was_rehearsed(tab) -> None:
    tab.act({"do": "publish"})

    assert tab.state.working is None
    assert not tab.ledgers.exists()


def test_nothing_is_published_if_the_plan_has_changed_since(tab) -> None:
    rehearsed(tab)
    tab.act({"do": "setting", "key": "epsilon", "value": "2"})

    tab.act({"do": "publish"})

    assert tab.state.working is None


def test_a_senseless_limit_is_refused_in_place_and_no_ledger_is_made(tab) -> None:
    rehearsed(tab)
    tab.act({"do": "limit", "value": "0"})

    tab.act({"do": "publish"})

    assert "epsilon = 0" in tab.state.problems["limit"].message
    assert not list(tab.ledgers.glob("*.json"))


def test_the_ledger_is_named_after_the_content(tab) -> None:
    other = Desk(folder=tab.folder, ledgers=tab.ledgers)
    other.state = with_source(tab.state, name="renamed.csv", path="elsewhere.csv")

    assert tab.ledger_path == other.ledger_path


def test_the_ledger_of_the_example_ends_with_the_studio(tab) -> None:
    tab.state = with_source(tab.state, example=True)

    assert tab.ledger_path is not None
    assert tab.ledger_path.is_relative_to(tab.folder.parent)


def test_a_bad_file_leaves_what_was_there_and_is_called_by_its_name(tab) -> None:
    before = tab.state
    path = tab.new_upload("my <b>file</b>.csv")
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")

    tab.open_file(path)
    until(tab, lambda state: "data" in state.problems)

    assert tab.state.source == before.source
    assert tab.state.decisions == before.decisions
    assert "not UTF-8" in tab.state.problems["data"].message
    assert str(tab.folder) not in tab.state.problems["data"].message


def test_stopping_says_so_and_frees_the_page(tab) -> None:
    path = tab.new_upload("people.csv")
    path.write_text("a,b\n" + "1,2\n" * 200_000)
    tab.open_file(path)

    tab.act({"do": "cancel"})

    assert tab.state.working is None
    assert "stopped" in tab.state.problems["data"].message


def test_uploads_of_the_same_name_do_not_touch_each_other(tab) -> None:
    assert tab.new_upload("a.csv") != tab.new_upload("a.csv")


def test_upload_folders_are_private(tab) -> None:
    assert tab.new_upload("a.csv").parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("what", "place"), [("data", "data"), ("taxonomy", "taxonomy")])
def test_a_file_that_is_too_large_is_explained_in_place(tab, what, place) -> None:
    before = tab.state

    tab.act({"do": "too-large", "key": what})

    assert "larger than 500 MB" in tab.state.problems[place].message
    assert tab.state.decisions == before.decisions


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("census.CSV.GZ", "census.csv.gz"),
        ("a'b\"c.csv", "a_b_c.csv"),
        (".csv", "data.csv"),
    ],
)
def test_names_of_uploads_are_harmless(given, kept) -> None:
    assert safe_name(given) == kept


def test_a_taxonomy_is_checked_before_it_is_offered(tab) -> None:
    good, bad = tab.new_upload("towns.csv"), tab.new_upload("bad.csv")
    good.write_text("child,parent\nall,\nAhof,all\nBdorf,all\nCstadt,all\n")
    bad.write_text("nothing of the kind\n")

    tab.add_taxonomy(bad)
    assert tab.state.problems["taxonomy"].message
    tab.add_taxonomy(good)

    assert tab.state.taxonomies == ("towns.csv",)
    assert "taxonomy" not in tab.state.problems

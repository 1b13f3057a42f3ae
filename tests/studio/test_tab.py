"""A tab keeps its files to itself, and all tabs share the ledger of the same data."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import covey
from covey.ledger import Entry, create_ledger, load_ledger, reserve, spend
from covey.studio.prefetch import expectation_of, plan_key
from covey.studio.results import Rehearsal
from covey.studio.settings import make_plan
from covey.studio.state import AwaitedJob, State, Step
from covey.studio.tab import Tab, safe_name
from covey.studio.worker import JobEvent


@pytest.fixture
def tab(tmp_path, chosen):
    (tmp_path / "tab").mkdir()
    tab = Tab(folder=tmp_path / "tab", ledgers=tmp_path / "ledgers")
    tab.state = replace(chosen, step=Step.PUBLISH)
    yield tab
    tab.close()


def rehearse(tab: Tab, epsilon: int | None = 1) -> None:
    key = plan_key(tab.state) or ""
    tab.state = replace(
        tab.state, rehearsal=Rehearsal(key=key, sentence="…", kind="pure-dp", epsilon=epsilon)
    )


def with_file(state: State, **changes: object) -> State:
    file = replace(state.file, **changes)
    return replace(state, decisions=replace(state.decisions, file=file))


def until(tab: Tab, reached, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not reached(tab.state):
        assert time.monotonic() < end, tab.state
        tab.tick()
        time.sleep(0.02)


def test_nothing_is_published_before_it_was_rehearsed(tab) -> None:
    tab.act({"do": "publish"})

    assert tab.state.awaited is None
    assert not tab.ledgers.exists()


def test_nothing_is_published_if_the_plan_has_changed_since(tab) -> None:
    rehearse(tab)
    tab.act({"do": "setting", "key": "epsilon", "value": "2"})

    tab.act({"do": "publish"})

    assert tab.state.awaited is None


def test_a_senseless_limit_is_refused_in_place_and_no_ledger_is_made(tab) -> None:
    rehearse(tab)
    tab.act({"do": "limit", "value": "0"})

    tab.act({"do": "publish"})

    assert "epsilon = 0" in tab.state.problems["limit"].message
    assert not tab.ledgers.exists()


def test_a_limit_that_nothing_was_charged_to_yet_can_still_be_corrected(tab, tmp_path) -> None:
    """A typo in the limit locked the data set, although nothing had been released."""
    create_ledger(tab.ledgers / "people.json", Fraction(1, 2))
    tab.state = with_file(tab.state, path=str(tmp_path / "nothing.csv"))
    rehearse(tab)
    tab.act({"do": "limit", "value": "5"})

    tab.act({"do": "publish"})

    assert load_ledger(tab.ledgers / "people.json").limit == 5


def test_a_limit_that_was_charged_is_raised_with_name_and_reason(tab) -> None:
    create_ledger(tab.ledgers / "people.json", Fraction(1))
    expense = {"system": "x", "epsilon": Fraction(1), "unit": "replace-record", "plan": "0f"}
    columns = tab.state.file.columns
    spend(tab.ledgers / "people.json", Entry.now(**expense, kind="pure-dp", columns=columns))
    tab.act({"do": "raising", "key": "limit", "value": "5"})
    tab.act({"do": "raise"})
    assert "Say who raises the limit, and why" in tab.state.problems["raise"].message

    tab.act({"do": "raising", "key": "by", "value": "A. Curator"})
    tab.act({"do": "raising", "key": "reason", "value": "second wave"})
    tab.act({"do": "raise"})

    ledger = load_ledger(tab.ledgers / "people.json")
    assert (ledger.limit, ledger.changes[0].by) == (5, "A. Curator")
    assert tab.state.ledger == ledger
    assert tab.state.raising == {}
    assert "raise" not in tab.state.problems


@pytest.mark.parametrize(("spent", "unit", "left"), [("2.5", "", "0.5"), ("1", "add-remove", "1")])
def test_what_is_left_can_be_used_up(tab, spent, unit, left) -> None:
    create_ledger(tab.ledgers / "people.json", Fraction(3))
    expense = {"system": "x", "epsilon": Fraction(spent), "unit": "replace-record", "plan": "0f"}
    columns = tab.state.file.columns
    spend(tab.ledgers / "people.json", Entry.now(**expense, kind="pure-dp", columns=columns))
    tab.act({"do": "setting", "key": "epsilon", "value": "2.75"})
    tab.act({"do": "setting", "key": "unit", "value": unit})
    tab.refresh_ledger()
    key = plan_key(tab.state) or ""
    named = "add-remove-record" if unit else "replace-record"
    promise = Rehearsal(key=key, sentence="…", kind="pure-dp", unit=named, epsilon=Fraction("2.75"))
    tab.state = replace(tab.state, rehearsal=promise)

    tab.act({"do": "use-left"})

    assert tab.state.decisions.settings["epsilon"] == left


def test_the_ledger_is_named_by_the_steward(tab) -> None:
    tab.act({"do": "data-name", "value": "patients/2024"})

    assert tab.ledger_path == tab.ledgers / "patients_2024.json"


def test_the_ledger_of_the_example_ends_with_the_studio(tab) -> None:
    tab.state = with_file(tab.state, example=True)
    tab.refresh_ledger()

    assert tab.ledger_path is not None
    assert tab.ledger_path.is_relative_to(tab.folder.parent)


def test_a_bad_file_leaves_what_was_there_and_is_called_by_its_name(tab) -> None:
    before = tab.state
    path = tab.new_upload("my <b>file</b>.csv")
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")

    tab.open_file(path)
    until(tab, lambda state: "data" in state.problems)

    assert tab.state.file == before.file
    assert tab.state.decisions == before.decisions
    assert "not UTF-8" in tab.state.problems["data"].message
    assert str(tab.folder) not in tab.state.problems["data"].message


def test_stopping_says_so_and_frees_the_page(tab) -> None:
    path = tab.new_upload("people.csv")
    path.write_text("a,b\n" + "1,2\n" * 200_000)
    tab.open_file(path)

    tab.act({"do": "cancel"})

    assert tab.state.awaited is None
    assert "stopped" in tab.state.problems["data"].message


@pytest.fixture
def publishing(tab, terminal, people, people_schema):
    """Give a tab whose worker has come some way with a publication, and was not heard since."""
    ledger = tab.ledgers / "people.json"
    create_ledger(ledger, Fraction(3))
    folder = tab.folder / "release-1-rank-blocks"
    tab.state = replace(
        with_file(tab.state, path=str(terminal.folder / "people.csv")),
        awaited=AwaitedJob(name="publish"),
    )
    tab._publishing = {
        "file": tab.state.file,
        "ledger": str(ledger),
        "folder": str(folder),
        "number": 1,
    }
    tab.worker.key = "publish:1"

    def come(how_far: str) -> Path:
        settings = {"epsilon": 1.0, "columns": ("age",), "schema": people_schema}
        if how_far == "reserved":
            cost = {"system": "x", "epsilon": Fraction(1), "unit": "edge", "plan": "0f"}
            reserve(ledger, Entry.now(**cost, kind="edge-dp", folder=str(folder)))
        elif how_far != "nothing":
            covey.publish_to(folder, people, "rank-blocks", ledger=ledger, **settings)
        if how_far == "written":
            text = ledger.read_text("utf-8").replace('"state": "paid"', '"state": "open"')
            ledger.write_text(text, encoding="utf-8")
        return ledger

    return come


@pytest.mark.parametrize("how_far", ["nothing", "reserved", "written"])
def test_a_publication_that_is_stopped_costs_nothing_and_the_page_says_so(
    tab, publishing, how_far
) -> None:
    ledger = publishing(how_far)

    tab.act({"do": "cancel"})

    assert tab.state.problems["publish"].message == (
        "You stopped it. Nothing was released, and nothing was spent."
    )
    assert load_ledger(ledger).left == 3
    assert load_ledger(ledger).open == ()
    assert tab.state.runs == ()
    assert not (tab.folder / "release-1-rank-blocks").exists()


def test_a_publication_that_was_charged_before_it_could_be_stopped_is_shown(
    tab, publishing
) -> None:
    ledger = publishing("charged")

    tab.act({"do": "cancel"})

    assert "The release itself is complete" in tab.state.problems["inspect"].message
    assert load_ledger(ledger).left == 2
    assert [(run.number, run.kind, run.left) for run in tab.state.runs] == [(1, "pure-dp", 2.0)]


def test_a_worker_that_ends_by_itself_leaves_no_open_reservation(tab, publishing) -> None:
    ledger = publishing("written")

    tab._fail(JobEvent(job="publish", key="publish:1", kind="ended"))

    assert "has ended" in tab.state.problems["publish"].message
    assert load_ledger(ledger).left == 3
    assert load_ledger(ledger).open == ()


@pytest.mark.parametrize("action", ["close", "other data"])
def test_leaving_a_publication_gives_back_what_it_kept(tab, publishing, action) -> None:
    ledger = publishing("reserved")
    tab.worker.job = "publish"

    if action == "close":
        tab.close()
    else:
        tab.open_example()

    assert load_ledger(ledger).left == 3


def test_a_ledger_that_cannot_be_told_is_not_kept_quiet(tab, publishing) -> None:
    ledger = publishing("reserved")
    ledger.write_text("{", encoding="utf-8")

    tab.act({"do": "cancel"})

    said = tab.state.problems["publish"].message
    assert said.startswith("You stopped it. Nothing was released. But the ledger could not be told")


def test_a_release_is_charged_to_the_ledger_of_the_page_whatever_it_promises(tab, terminal) -> None:
    tab.state = with_file(tab.state, path=str(terminal.folder / "people.csv"), rows=24)
    for number, (system, left) in enumerate([("mdav", 3), ("rank-blocks", 2)], start=1):
        tab.act({"do": "choose", "key": system})
        tab.act({"do": "go", "key": "publish"})
        until(tab, lambda state: state.rehearsal and state.rehearsal.key == plan_key(state))
        tab.act({"do": "publish"})
        until(tab, lambda state, made=number: len(state.runs) == made and not state.awaited)

        assert load_ledger(tab.ledgers / "people.json").left == left

    assert [each.kind for each in load_ledger(tab.ledgers / "people.json").entries] == [
        "k-anonymity",
        "pure-dp",
    ]


def test_all_tabs_know_of_which_data_a_comparison_was_seen(tab, tmp_path) -> None:
    tab.state = replace(tab.state, compared=frozenset({tab.state.file.digest}))
    tab.share_compared()
    other = Tab(folder=tmp_path / "other", ledgers=tab.ledgers, state=replace(tab.state))
    other.state = replace(other.state, compared=frozenset())

    other.share_compared()

    assert other.state.is_compared


def test_a_code_book_describes_the_columns_and_can_be_taken_back(tab) -> None:
    before = tab.state.schema
    book = tab.new_upload("book.csv")
    book.write_text("name,min,max,label\nage,0,115,Age in years\n")

    tab.add_book(book)

    assert tab.state.schema["age"].bounds == (0, 115)
    assert "1 of 6 columns are described" in tab.state.told[0]
    tab.act({"do": "undo"})
    assert tab.state.schema == before


def test_a_plan_that_was_saved_is_taken_up_again(tab) -> None:
    tab.act({"do": "setting", "key": "epsilon", "value": "0.25"})
    saved = make_plan(tab.state)
    tab.act({"do": "choose", "key": "rank-blocks"})
    tab.act({"do": "setting", "key": "epsilon", "value": "9"})
    place = tab.new_upload("plan.toml")
    place.write_text(saved.to_toml(), encoding="utf-8")

    tab.add_book(place)

    assert make_plan(tab.state).fingerprint == saved.fingerprint


def test_a_plan_is_tried_on_public_data_beside_made_up_ones(tab) -> None:
    lines = [f"{18 + i % 60},{i % 40 * 1000},Ahof,none,flu" for i in range(300)]
    public = tab.new_upload("public.csv")
    public.write_text("age,income,town,pain,illness\n" + "\n".join(lines) + "\n")
    for name in ("town", "pain", "illness"):
        index = tab.state.schema.names.index(name)
        tab.act({"do": "column", "key": str(index - 1), "value": "false"})
    tab.state = replace(tab.state, step=Step.CHOOSE)

    tab.try_on(public)
    until(tab, lambda state: expectation_of(state, state.public_file) is not None)

    known = expectation_of(tab.state, tab.state.public_file)
    assert known.pilot is not None, known.problem
    assert known.pilot.public
    assert [each.name for each in known.pilot.columns] == ["age", "income"]


def test_nodes_are_counted_from_a_list_with_one_on_each_line(tab) -> None:
    listed = tab.new_upload("nodes.txt")
    listed.write_text("Ann\nBob\n\nAnn\nCleo Dan\n")
    tab.count_nodes(listed)
    assert tab.state.decisions.nodes == "3"

    listed.write_bytes(b"\xff\xfe\xfa")
    tab.count_nodes(listed)
    assert "not UTF-8 text" in tab.state.problems["nodes"].message
    assert tab.state.decisions.nodes == "3"


def test_a_file_that_describes_nothing_is_explained_in_place(tab) -> None:
    book = tab.new_upload("book.csv")
    book.write_text("a,b\n1,2\n")

    tab.add_book(book)

    assert "no code book" in tab.state.problems["book"].message


def test_a_file_is_read_again_as_somebody_says_that_it_is_written(tab) -> None:
    path = tab.new_upload("leute.csv")
    path.write_bytes("Straße;Höhe\nAhof;1,5\nBdorf;2,5\n".encode("cp1252"))
    tab.open_file(path)
    until(tab, lambda state: "data" in state.problems)
    assert "Say below what wrote it" in tab.state.problems["data"].message

    tab.act({"do": "reading", "key": "encoding", "value": "cp1252"})
    until(tab, lambda state: state.file.name == "leute.csv")

    assert tab.state.file.columns == ("Straße", "Höhe")
    assert "data" not in tab.state.problems
    assert make_reading(tab) == ("cp1252", ",")


def make_reading(tab: Tab) -> tuple[str | None, str | None]:
    reading = tab.state.schema.reading
    return reading.encoding, reading.decimal


def test_columns_that_were_described_before_are_described_so_again(tab) -> None:
    text = "age,town\n" + "30,Ahof\n70,Bdorf\n" * 20
    for attempt in range(2):
        path = tab.new_upload("people.csv")
        path.write_text(text + "44,Ahof\n" * attempt)
        tab.open_file(path)
        wanted = str(path)
        until(tab, lambda state, wanted=wanted: state.file.path == wanted and not state.awaited)
        if attempt == 0:
            tab.act({"do": "go", "key": "describe"})
            tab.act({"do": "edit", "key": "0:high", "value": "115"})
            tab.act({"do": "confirm", "key": "0,1", "value": "true"})
            tab.act({"do": "go", "key": "choose"})

    assert tab.state.schema["age"].bounds[1] == 115
    assert not tab.state.schema.relies_on_data
    assert "described as they were then" in tab.state.told[0]


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

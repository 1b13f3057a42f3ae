"""Files come in piece by piece, go out complete, and none that is too large or broken off stays."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest

from covey.studio import app as module
from covey.studio.app import Studio, make_application
from covey.studio.results import TabRun
from covey.studio.settings import make_plan
from tests.studio.loops import finish


@pytest.fixture
def studio(tmp_path):
    studio = Studio(folder=tmp_path / "private", ledgers=tmp_path / "ledgers")
    studio.folder.mkdir()
    yield studio
    studio.close()


def ask(studio: Studio, method: str, path: str, pieces: tuple[bytes | None, ...] = ()) -> tuple:
    """Send a request in pieces, None breaking it off, and return status and body."""
    served, _ = make_application(studio)
    parts = [
        {"type": "http.disconnect"}
        if piece is None
        else {"type": "http.request", "body": piece, "more_body": True}
        for piece in pieces
    ]
    waiting = iter([*parts, {"type": "http.request", "body": b"", "more_body": False}])
    sent: list = []

    async def receive() -> dict:
        return next(waiting, {"type": "http.disconnect"})

    async def send(message: dict) -> None:
        sent.append(message)

    place, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": method,
        "path": place,
        "root_path": "",
        "query_string": query.encode(),
        "headers": [],
    }
    finish(served(scope, receive, send))
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])


def uploads(studio: Studio) -> list[bytes]:
    return [path.read_bytes() for path in studio.folder.rglob("*.csv")]


def test_an_upload_is_written_as_it_comes(studio) -> None:
    name = studio.attach("new")

    status, _ = ask(studio, "POST", f"/upload/{name}/data?name=a.csv", (b"x\n1", b"2\n", b"3\n"))

    assert status == 200
    assert uploads(studio) == [b"x\n12\n3\n"]
    assert studio.tabs[name].state.awaited.name == "read"


def test_a_file_is_read_as_what_the_page_says(studio) -> None:
    name = studio.attach("new")
    tab = studio.tabs[name]

    ask(studio, "POST", f"/upload/{name}/data?name=a.txt&kind=graph", (b"1 2\n2 3\n",))
    while tab.state.awaited is not None:
        tab.tick()

    assert tab.state.file.kind == "graph"


def test_an_upload_that_is_too_large_is_refused_and_removed(studio, monkeypatch) -> None:
    monkeypatch.setattr(module, "LARGEST_UPLOAD", 10)
    name = studio.attach("new")

    status, _ = ask(studio, "POST", f"/upload/{name}/data?name=a.csv", (b"x\n", b"1\n" * 9))

    assert status == 413
    assert uploads(studio) == []
    assert "larger than 500 MB" in studio.tabs[name].state.problems["data"].message


def test_an_upload_that_is_broken_off_leaves_nothing(studio) -> None:
    name = studio.attach("new")
    before = studio.tabs[name].state

    ask(studio, "POST", f"/upload/{name}/data?name=a.csv", (b"x\n1", None))

    assert uploads(studio) == []
    assert studio.tabs[name].state == before


@pytest.mark.parametrize(
    "path", ["/upload/nobody/data", "/take/nobody/plan-1.toml", "/take/{tab}/plan-1.toml"]
)
def test_what_does_not_exist_is_not_found(studio, path) -> None:
    name = studio.attach("new")

    method = "POST" if "upload" in path else "GET"

    assert ask(studio, method, path.format(tab=name))[0] == 404


def test_a_reloaded_tab_is_the_same_and_a_second_one_is_another(studio) -> None:
    first = studio.attach("new")

    assert studio.attach(first) != first
    studio.detach(first)
    assert studio.attach(first) == first


def test_the_packed_release_holds_every_file_of_the_folder(chosen, tmp_path) -> None:
    folder = tmp_path / "release-1"
    (folder / "more").mkdir(parents=True)
    (folder / "data.csv").write_text("x\n1\n")
    (folder / "more" / "notes.txt").write_text("notes")
    run = TabRun(
        number=1,
        folder=str(folder),
        file=chosen.file,
        plan=make_plan(chosen),
        kind="none",
        sentence="",
        epsilon=None,
        ledger=None,
        left=None,
    )

    packed = module._zip(run).path

    with zipfile.ZipFile(packed) as archive:
        files = {name for name in archive.namelist() if not name.endswith("/")}
    assert files == {"release/data.csv", "release/more/notes.txt"}


def test_a_file_that_was_named_at_the_start_is_open_in_the_first_tab_alone(
    studio, tmp_path
) -> None:
    (tmp_path / "people.csv").write_text("age,town\n30,Ahof\n40,Bdorf\n")
    studio.opening = tmp_path / "people.csv"

    first, second = studio.tabs[studio.attach("new")], studio.tabs[studio.attach("new")]
    while first.state.awaited is not None:
        first.tick()

    assert first.state.file.name == "people.csv"
    assert second.state.awaited is None
    first.close()


def test_every_part_of_a_release_can_be_taken_alone(studio, chosen, tmp_path) -> None:
    folder = tmp_path / "release-1"
    folder.mkdir()
    (folder / "data.csv").write_text("x\n1\n")
    (folder / "edges.csv").write_text("source,target\n1,2\n")
    name = studio.attach("new")
    run = TabRun(
        number=1,
        folder=str(folder),
        file=chosen.file,
        plan=make_plan(chosen),
        kind="none",
        sentence="",
        epsilon=None,
        ledger=None,
        left=None,
    )
    studio.tabs[name].state = replace(chosen, runs=(run,))

    taken = {
        file: ask(studio, "GET", f"/take/{name}/{file}")
        for file in ("released-1", "graph-1.gml", "graph-1.graphml", "schema-1.toml", "schema.toml")
    }

    assert {status for status, _ in taken.values()} == {200}
    assert b"[[attribute]]" in taken["schema-1.toml"][1]
    assert b"target 1" in taken["graph-1.gml"][1]

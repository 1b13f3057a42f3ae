"""Whatever a killed process left, the next command finishes it or undoes it, and says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import covey
from covey.engines.shared.in_use import hold_folder, is_in_use
from covey.errors import RecoveryWarning
from covey.ledger import Entry, EntryState, create_ledger, load_ledger, reserve
from covey.release.paid import is_paid_by
from covey.release.recovery import recover_folder, recover_ledger
from covey.release.staged import StagedFolder, StagedState, adopt_staged, stage_folder

NOISE = {"epsilon": 1.0, "columns": ("age",)}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks of this kind are POSIX's")


def entry(**places: Path) -> Entry:
    return Entry(
        when="2026-01-01T00:00:00",
        system="rank-blocks",
        epsilon="1",
        unit="replace-record",
        plan="0f",
        kind="pure-dp",
        **{name: str(place) for name, place in places.items()},
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    create_ledger(tmp_path / "people.ledger", Fraction(3))
    return tmp_path / "people.ledger"


@pytest.fixture
def left_by(people, people_schema, tmp_path: Path, ledger: Path, monkeypatch):
    """Return a function that leaves what a process leaves that is killed in a state."""

    def leave(state: StagedState, *, force: bool = False) -> Path:
        with stage_folder(tmp_path / "out", force=force, ledger=ledger) as staged:
            identity = reserve(ledger, entry(folder=tmp_path / "out", staged=staged.place))
            bill = load_ledger(ledger).bill(identity)
            release = covey.publish(people, "rank-blocks", schema=people_schema, **NOISE)
            if state is StagedState.WRITING:
                (staged.content / "data.csv").write_text("age\n4")
            else:
                with monkeypatch.context() as patched:
                    if state is StagedState.SEALED:
                        patched.setattr(StagedFolder, "take_place", lambda _: None)
                    replace(release, ledger=bill).save_staged(staged)
            staged.keep = True
        return staged.place

    return leave


def clean(folder: Path) -> bool:
    return not [each for each in folder.iterdir() if each.name.startswith(".")]


def test_a_release_that_was_sealed_is_finished_and_charged(left_by, tmp_path, ledger) -> None:
    left_by(StagedState.SEALED)

    with pytest.warns(RecoveryWarning, match=r"out' was interrupted when it was complete.*finish"):
        recover_folder(tmp_path / "out")

    found = load_ledger(ledger)
    assert (found.left, found.open) == (2, ())
    assert is_paid_by(tmp_path / "out", found.entries[-1].id)
    assert clean(tmp_path)


def test_a_release_that_was_not_sealed_is_undone_and_not_charged(left_by, tmp_path, ledger) -> None:
    left_by(StagedState.WRITING)

    with pytest.warns(RecoveryWarning, match=r"before anyone could see it.*undone.*not charged"):
        recover_ledger(ledger)

    assert load_ledger(ledger).left == 3
    assert not (tmp_path / "out").exists()
    assert clean(tmp_path)


def test_a_release_that_has_appeared_counts_even_if_it_was_carried_away(
    left_by, tmp_path, ledger
) -> None:
    left_by(StagedState.APPEARED)
    (tmp_path / "out").rename(tmp_path / "web-server")

    with pytest.warns(RecoveryWarning, match=r"after it had appeared.*is charged for it"):
        recover_ledger(ledger)

    assert [each.state for each in load_ledger(ledger).entries] == [EntryState.PAID]
    assert clean(tmp_path)


def test_a_release_whose_place_was_taken_meanwhile_is_undone(left_by, tmp_path, ledger) -> None:
    left_by(StagedState.SEALED)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")

    with pytest.warns(RecoveryWarning, match="something else has taken its place"):
        recover_folder(tmp_path / "out")

    assert load_ledger(ledger).left == 3
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["thesis.tex"]
    assert clean(tmp_path)


def test_a_release_that_was_to_replace_another_does(left_by, tmp_path, ledger, people) -> None:
    covey.publish(people, "mdav", schema=covey.Schema.draft(people), k=3).save(tmp_path / "out")
    left_by(StagedState.SEALED, force=True)

    with pytest.warns(RecoveryWarning, match="finished"):
        recover_folder(tmp_path / "out")

    assert is_paid_by(tmp_path / "out", load_ledger(ledger).entries[-1].id)
    assert clean(tmp_path)


def test_nothing_is_said_or_done_where_nothing_was_interrupted(tmp_path, ledger) -> None:
    before = ledger.read_bytes()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recover_folder(tmp_path / "out")
        recover_ledger(ledger)
        recover_ledger(tmp_path / "no.ledger")
        recover_folder("/nowhere/at/all")

    assert ledger.read_bytes() == before


def test_a_release_that_is_being_written_is_left_alone(tmp_path, ledger) -> None:
    with stage_folder(tmp_path / "out", force=False, ledger=ledger) as staged:
        reserve(ledger, entry(staged=staged.place))

        recover_folder(tmp_path / "out")
        recover_ledger(ledger)

        assert is_in_use(staged.place)
        assert staged.state is StagedState.WRITING
        assert len(load_ledger(ledger).open) == 1


def test_a_ledger_says_that_a_reservation_is_being_written(terminal) -> None:
    file = terminal.folder / "people.ledger"
    create_ledger(file, Fraction(3))
    with stage_folder(terminal.folder / "out", force=False, ledger=file) as staged:
        reserve(file, entry(staged=staged.place))

        ran = terminal.run("ledger", "people.ledger")

    assert "It is being written now." in ran.out


def test_what_cannot_be_judged_stays_and_counts(left_by, tmp_path, ledger) -> None:
    place = left_by(StagedState.SEALED)
    (mark,) = place.glob("in-use-on-*")
    mark.write_text("another boot")
    mark.rename(place / "in-use-on-another-machine")

    recover_folder(tmp_path / "out")
    recover_ledger(ledger)

    assert place.is_dir()
    assert load_ledger(ledger).left == 2


def test_a_container_of_this_machine_is_this_machine(left_by, tmp_path, ledger) -> None:
    place = left_by(StagedState.WRITING)
    (mark,) = place.glob("in-use-on-*")
    mark.rename(place / "in-use-on-3f2a9c")

    with pytest.warns(RecoveryWarning, match="undone"):
        recover_folder(tmp_path / "out")

    assert load_ledger(ledger).left == 3


def test_a_private_folder_that_is_gone_tells_nothing_so_the_reservation_counts(
    left_by, ledger, terminal
) -> None:
    shutil.rmtree(left_by(StagedState.WRITING))

    ran = terminal.run("ledger", str(ledger))

    assert load_ledger(ledger).left == 2
    assert "Whether anyone has seen it cannot be told from here" in ran.out
    assert "--cancel" in ran.out


def test_a_ledger_that_cannot_be_reached_leaves_everything_for_later(
    left_by, tmp_path, ledger
) -> None:
    place = left_by(StagedState.WRITING)
    ledger.rename(tmp_path / "away")

    with pytest.warns(RecoveryWarning, match="cannot be settled now: the ledger"):
        recover_folder(tmp_path / "out")
    assert place.is_dir()

    (tmp_path / "away").rename(ledger)
    with pytest.warns(RecoveryWarning, match="undone"):
        recover_folder(tmp_path / "out")
    assert clean(tmp_path)


def test_a_note_cannot_lead_a_release_out_of_its_folder(tmp_path) -> None:
    with stage_folder(tmp_path / "here" / "out", force=True) as staged:
        note = json.loads((staged.place / "note.json").read_text())
        note["folder"] = "../../etc"
        (staged.place / "note.json").write_text(json.dumps(note))
        staged.keep = True

    found = adopt_staged(staged.place)

    assert found.folder == tmp_path / "here" / "etc"
    found.clear()


@pytest.mark.parametrize("note", [None, "", "{", "[]", '{"folder": "out"}'])
def test_a_folder_without_a_note_was_left_before_anything_was_reserved(tmp_path, note) -> None:
    with stage_folder(tmp_path / "out", force=False) as staged:
        (staged.place / "note.json").unlink()
        if note is not None:
            (staged.place / "note.json").write_text(note)
        staged.keep = True

    recover_folder(tmp_path / "out")

    assert clean(tmp_path)


def test_a_folder_that_was_killed_before_its_mark_goes(tmp_path) -> None:
    (tmp_path / ".covey-release-abc").mkdir()
    (tmp_path / ".covey-release-full").mkdir()
    (tmp_path / ".covey-release-full" / "something").touch()

    recover_folder(tmp_path / "out")

    assert [each.name for each in tmp_path.iterdir()] == [".covey-release-full"]


def test_folders_around_a_release_that_failed_are_not_left(people, people_schema, tmp_path) -> None:
    with pytest.raises(covey.CoveyError, match="nobody"):
        covey.publish_to(
            tmp_path / "new" / "deep" / "out",
            people,
            "rank-blocks",
            schema=people_schema,
            epsilon=1.0,
            columns=("nobody",),
        )

    assert not (tmp_path / "new").exists()


def test_leftovers_of_a_ledger_go_and_nothing_else(ledger, tmp_path) -> None:
    (tmp_path / ".people.ledger-abcd12_3").write_text("{")
    kept = {tmp_path / ".people.ledger-mine.txt", tmp_path / ".other.ledger-abcd12_3"}
    for path in kept:
        path.touch()

    recover_ledger(ledger)

    assert not (tmp_path / ".people.ledger-abcd12_3").exists()
    assert all(path.exists() for path in kept)


def test_a_mark_that_is_held_cannot_be_held_again(tmp_path) -> None:
    held = hold_folder(tmp_path)
    assert held is not None

    assert is_in_use(tmp_path)
    os.close(held)
    assert not is_in_use(tmp_path)


def test_the_command_line_tells_what_it_finished(left_by, terminal, ledger) -> None:
    """The same command again: the release that was asked for is there."""
    left_by(StagedState.SEALED)

    ran = terminal.run(
        *("publish", "people.csv", "-s", "people.toml", "-o", "out", "--system", "rank-blocks"),
        *("--epsilon", "1", "--columns", "age", "--ledger", str(ledger)),
    )

    assert ran.code == 2
    assert "warning: a release into" in ran.err
    assert "it has been finished" in ran.err
    assert "exists already" in ran.err
    assert load_ledger(ledger).left == 2


def killed(
    folder: Path, engine: str, first: int, stride: int, force: str
) -> list[tuple[Path, int]]:
    """Publish in processes that die at rising steps; return their folders and which ended."""
    command = [sys.executable, "-m", "tests.release.killing", str(folder), engine]
    ran = subprocess.run(
        [*command, str(first), str(stride), force], capture_output=True, text=True, check=True
    )
    lines = [line.split() for line in ran.stdout.splitlines()]
    return [(Path(name), int(ended)) for name, ended in lines]


def check_after_kill(place: Path, *, before: int) -> str:
    """Apply the rule, and check that what is seen is paid for and what is not is not."""
    ledger, out = place / "people.ledger", place / "out"
    seen = (out / "guarantee.json").exists()
    assert seen == out.exists(), "a half of a folder can be seen"

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        recover_ledger(ledger)
        recover_folder(out)

    found = load_ledger(ledger)
    assert sorted(each.name for each in place.iterdir() if each.suffix != ".lock") == [
        *(["out"] if out.exists() else []),
        *("people.csv", "people.ledger"),
    ]
    assert found.open == ()
    if out.exists():
        covey.release.open_release(out)
        assert found.find(load_ledger(out / "ledger.json").entries[-1].id).state == "paid"
    paid = sum(each.state == "paid" for each in found.entries)
    new = out.exists() and is_paid_by(out, found.entries[-1].id)
    assert paid == before + (
        new and found.entries[-1].state == "paid" and len(found.entries) > before
    )
    assert {each.category for each in told} <= {RecoveryWarning}
    return " ".join(str(each.message) for each in told)


def check_all(ran: list[tuple[Path, int]], *, before: int) -> None:
    said = {place: check_after_kill(place, before=before) for place, _ in ran}

    assert [ended for _, ended in ran] == [0] * (len(ran) - 1) + [1]
    assert any("has been undone" in words for words in said.values())
    assert any("charged for it" in words for words in said.values())


def test_a_process_may_be_killed_at_any_step(tmp_path) -> None:
    check_all(killed(tmp_path, "memory", 1, 2, "no"), before=0)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("force", ["no", "force"])
def test_a_process_may_be_killed_at_every_step_on_engines_that_fork(tmp_path, engine, force):
    check_all(killed(tmp_path, engine, 0, 1, force), before=int(force == "force"))

"""A release folder says which entry of which ledger paid for it, and a ledger can check that."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

import covey
from covey.ledger import create_ledger, load_ledger, reserve
from covey.ledger import file as ledger_file
from covey.release.paid import charged_entry, check_folders, same_plan
from covey.release.saved import open_release

NOISE = {"epsilon": 1.0, "columns": ("age",)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_ledger(tmp_path / "people.ledger", Fraction(3))
    return tmp_path / "people.ledger"


@pytest.fixture
def publish(people, people_schema, tmp_path: Path):
    def published(name: str, ledger: Path | None, system: str = "rank-blocks", **settings) -> Path:
        folder = tmp_path / name
        covey.publish_to(
            folder, people, system, schema=people_schema, ledger=ledger, **settings or NOISE
        )
        return folder

    return published


def verdicts(ledger: Path, *folders: Path) -> list[str]:
    return [str(each.payment) for each in check_folders(load_ledger(ledger), folders)]


def test_a_folder_is_paid_by_its_own_entry(publish, path) -> None:
    folders = [publish("a", path), publish("b", path), publish("c", path, "mdav", k=3)]

    checked = check_folders(load_ledger(path), folders)

    assert [each.payment for each in checked] == ["paid"] * 3
    assert [each.entry for each in checked] == [each.id for each in load_ledger(path).entries]


def test_a_folder_of_another_ledger_or_of_none_is_not_in_this_one(publish, path, tmp_path) -> None:
    create_ledger(tmp_path / "other.ledger", Fraction(3))
    folders = (publish("a", None), publish("b", tmp_path / "other.ledger"))

    assert verdicts(path, *folders) == ["not in this ledger"] * 2


@pytest.mark.parametrize("name", ["cp", "hard link"])
def test_a_copy_of_the_ledger_that_paid_is_noticed(publish, path, tmp_path, name) -> None:
    """A hard link parts from the ledger like a copy, if something else replaces the file."""
    copy = tmp_path / "copy.ledger"
    if name == "cp":
        shutil.copy(path, copy)
    else:
        copy.hardlink_to(path)
        replaced = tmp_path / "replaced"
        replaced.write_bytes(path.read_bytes())
        replaced.replace(path)
    here, there = publish("a", path), publish("b", copy)

    assert verdicts(path, here, there) == ["paid", "entry of another copy"]
    assert verdicts(copy, here, there) == ["entry of another copy", "paid"]
    words = check_folders(load_ledger(path), [there])[0].words
    assert "what both have spent must be added up" in words


def test_a_backup_that_is_older_than_the_folder_is_noticed(publish, path) -> None:
    backup = path.read_bytes()
    folder = publish("a", path)
    path.write_bytes(backup)

    words = check_folders(load_ledger(path), [folder])[0].words

    assert verdicts(path, folder) == ["entry of another copy"]
    assert "in generation 2, and this one is in generation 1" in words


def test_a_folder_that_promises_more_than_was_paid_for_is_noticed(publish, path) -> None:
    folder = publish("a", path)
    file = folder / "guarantee.json"
    content = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(content | {"epsilon": 0.1}), encoding="utf-8")

    assert verdicts(path, folder) == ["differs from its entry"]


def test_one_entry_does_not_pay_for_two_folders_without_a_word(publish, path, tmp_path) -> None:
    folder = publish("a", path)
    shutil.copytree(folder, tmp_path / "b")

    first, second = check_folders(load_ledger(path), [folder, tmp_path / "b"])

    assert "copy of the other" not in first.words
    assert f"It paid for {folder}, too: one of them must be a copy" in second.words


def test_a_folder_whose_reservation_is_open_or_cancelled_is_not_called_paid(
    publish, path, monkeypatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("covey.charge.commit", lambda *_: None)
        folder = publish("a", path)
    assert verdicts(path, folder) == ["reserved"]

    ledger_file.cancel(path, load_ledger(path).open[0].id)

    assert verdicts(path, folder) == ["cancelled"]


def test_a_folder_of_an_old_version_is_found_by_its_moment_and_plan(publish, path) -> None:
    folder = publish("a", path)
    entry = load_ledger(path).entries[0]
    names = ("when", "system", "epsilon", "unit", "plan")
    old = {"version": 1, "limit": "3", "entries": [{name: getattr(entry, name) for name in names}]}
    path.write_text(json.dumps(old), encoding="utf-8")
    (folder / "ledger.json").write_text(json.dumps(old), encoding="utf-8")

    assert verdicts(path, folder) == ["paid"]

    old["entries"][0]["when"] = "another day"
    path.write_text(json.dumps(old), encoding="utf-8")
    assert verdicts(path, folder) == ["not in this ledger"]


def test_a_folder_of_clusters_by_an_old_version_has_no_entry_of_its_own(publish, path) -> None:
    folder = publish("a", path, "mdav", k=3)
    content = json.loads((folder / "ledger.json").read_text("utf-8"))
    other = {"when": "", "system": "laplace", "epsilon": "1", "unit": "x", "plan": "0f"}
    (folder / "ledger.json").write_text(
        json.dumps(content | {"version": 1, "entries": [other]}), encoding="utf-8"
    )

    assert charged_entry(open_release(folder)) is None
    assert verdicts(path, folder) == ["not in this ledger"]


def test_releases_of_the_same_plan_are_found_beside_a_folder(publish, tmp_path) -> None:
    first, second = publish("a", None), publish("b", None)
    publish("c", None, epsilon=2.0, columns=("age",))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "ledger.json").write_text("{", encoding="utf-8")
    fingerprint = load_ledger(first / "ledger.json").entries[-1].plan

    assert same_plan(second, fingerprint) == ["a"]
    assert same_plan(tmp_path / "new", fingerprint) == ["a", "b"]


def test_reservations_of_others_do_not_take_the_place_of_a_folders_own_entry(
    publish, path, monkeypatch
) -> None:
    """Another process may write between a reservation and the folder that it pays for."""
    from covey import charge

    own = charge.reserve

    def with_company(ledger, entry):
        identity = own(ledger, entry)
        reserve(ledger, entry)
        return identity

    monkeypatch.setattr(charge, "reserve", with_company)

    folder = publish("a", path)

    assert verdicts(path, folder) == ["paid"]
    assert len(load_ledger(folder / "ledger.json").entries) == 1

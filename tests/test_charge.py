"""A release costs what it costs exactly if somebody can see it, whatever goes wrong on the way."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.errors import BudgetError, LedgerError, RecoveryWarning, ReleaseError
from covey.ledger import EntryState, create_ledger, load_ledger
from covey.ledger import file as ledger_file
from covey.release.recovery import recover_ledger

NOISE = {"epsilon": 1.0, "columns": ("age", "income")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_ledger(tmp_path / "people.ledger", Fraction(3))
    return tmp_path / "people.ledger"


@pytest.fixture
def to_folder(people, people_schema, tmp_path: Path, path: Path):
    def publish(system: str = "rank-blocks", **settings):
        given = settings or NOISE
        return covey.publish_to(
            tmp_path / "out", people, system, schema=people_schema, ledger=path, **given
        )

    return publish


def no_space(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_folder_is_paid_for_and_says_by_which_entry(to_folder, tmp_path, path) -> None:
    release = to_folder()

    ledger, bill = load_ledger(path), load_ledger(tmp_path / "out" / "ledger.json")
    assert ledger.left == 2
    assert ledger.open == ()
    assert bill == release.ledger
    assert bill.id == ledger.id
    assert bill.entries[-1].id == ledger.entries[-1].id
    assert bill.entries[-1].generation == bill.generation == 2
    assert str(tmp_path) not in (tmp_path / "out" / "ledger.json").read_text("utf-8")


def test_an_entry_says_what_it_covers_and_which_columns_the_data_have(to_folder, path) -> None:
    to_folder()

    entry = load_ledger(path).entries[0]
    assert entry.covers == ("age", "income")
    assert entry.columns == ("name", "age", "income", "town", "pain", "illness")
    assert (entry.kind, entry.unit) == ("pure-dp", "replace-record")


def test_a_folder_that_cannot_be_written_costs_nothing_and_the_message_says_so(
    to_folder, path, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(pl.DataFrame, "write_csv", no_space)

    with pytest.raises(
        ReleaseError, match=r"cannot be written \(No space.*The ledger was not charged\.$"
    ):
        to_folder()

    assert not (tmp_path / "out").exists()
    assert load_ledger(path).left == 3
    assert [each.state for each in load_ledger(path).entries] == [EntryState.CANCELLED]


def test_a_message_tells_of_a_reservation_that_could_not_be_given_back(
    to_folder, path, monkeypatch
) -> None:
    """The disk that has no room for the release may have none for the ledger."""

    def fail(*_: object, **__: object) -> None:
        monkeypatch.setattr(ledger_file.json, "dump", no_space)
        no_space()

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)

    with pytest.raises(ReleaseError, match=r"stays open in the ledger.*next command on it will c"):
        to_folder()

    assert load_ledger(path).left == 2
    assert len(load_ledger(path).open) == 1
    monkeypatch.undo()
    with pytest.warns(RecoveryWarning, match="not charged"):
        recover_ledger(path)
    assert load_ledger(path).left == 3


def test_a_release_that_is_written_counts_even_if_the_ledger_cannot_be_told(
    to_folder, path, tmp_path, monkeypatch
) -> None:
    def save(release: covey.Release, *arguments: object, **options: object) -> None:
        saved(release, *arguments, **options)
        monkeypatch.setattr(ledger_file.json, "dump", no_space)

    saved = covey.Release.save_staged
    monkeypatch.setattr(covey.Release, "save_staged", save)

    with pytest.warns(UserWarning, match=r"written and counts.*next command on it will close it"):
        to_folder()

    assert (tmp_path / "out" / "data.csv").is_file()
    assert load_ledger(path).left == 2
    assert len(load_ledger(path).open) == 1
    monkeypatch.undo()
    with pytest.warns(RecoveryWarning, match="is charged for it"):
        recover_ledger(path)
    assert load_ledger(path).open == ()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_ctrl_c_costs_exactly_what_can_be_seen(
    to_folder, path, tmp_path, monkeypatch, moment
) -> None:
    def save(release: covey.Release, *arguments: object, **options: object) -> None:
        if moment == "after":
            saved(release, *arguments, **options)
        raise KeyboardInterrupt

    saved = covey.Release.save_staged
    monkeypatch.setattr(covey.Release, "save_staged", save)

    with pytest.raises(KeyboardInterrupt):
        to_folder()

    assert (tmp_path / "out").exists() == (moment == "after")
    assert load_ledger(path).left == (2 if moment == "after" else 3)
    assert load_ledger(path).open == ()


def test_a_failure_before_the_rows_are_complete_touches_no_ledger(to_folder, path) -> None:
    before = path.read_bytes()

    with pytest.raises(covey.CoveyError, match="nobody") as refused:
        to_folder("rank-blocks", epsilon=1.0, columns=("nobody",))

    assert "ledger" not in str(refused.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("system", ["rank-blocks", "mdav"])
def test_an_existing_folder_is_refused_before_anything_else(
    to_folder, path, tmp_path, system
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    before = path.read_bytes()

    with pytest.raises(ReleaseError, match="exists already"):
        to_folder(system)

    assert path.read_bytes() == before


@pytest.mark.parametrize("system", ["rank-blocks", "mdav"])
def test_a_ledger_that_is_not_there_is_refused_before_the_work_begins(
    people, people_schema, tmp_path, system
) -> None:
    seen: list = []
    settings = {"k": 3} if system == "mdav" else NOISE

    with pytest.raises(LedgerError, match="cannot be read"):
        covey.publish(
            people,
            system,
            schema=people_schema,
            ledger=tmp_path / "no.ledger",
            progress=lambda *what: seen.append(what),
            **settings,
        )

    assert seen == []


@pytest.mark.parametrize(
    ("weak", "settings"),
    [
        ("drafted bounds", {}),
        ("a seed", {"random_state": 1}),
        ("a choice on the data", {"chosen_on_data": True}),
    ],
)
def test_a_sound_release_after_a_weak_one_is_not_refused_for_want_of_budget(
    people, people_schema, tmp_path, weak, settings
) -> None:
    path = tmp_path / "small.ledger"
    create_ledger(path, Fraction(1))
    schema = covey.Schema.draft(people) if weak == "drafted bounds" else people_schema

    for _ in range(2):
        covey.publish(people, "rank-blocks", schema=schema, ledger=path, **NOISE, **settings)
    covey.publish(people, "rank-blocks", schema=people_schema, ledger=path, **NOISE)

    ledger = load_ledger(path)
    assert ledger.left == 0
    assert [each.kind for each in ledger.unbounded] == ["none", "none"]
    assert ledger.total("replace-record") is None
    # Nor does a weak one need a budget that is spent.
    covey.publish(people, "rank-blocks", schema=schema, ledger=path, **NOISE, **settings)
    with pytest.raises(BudgetError, match="0 left of 1"):
        covey.publish(people, "rank-blocks", schema=people_schema, ledger=path, **NOISE)


@pytest.mark.parametrize(
    ("system", "kind"), [("mdav", "k-anonymity"), ("mdav-dp", "partition-conditional")]
)
def test_a_release_without_a_differential_promise_is_entered_without_a_bound(
    people, people_schema, path, system, kind
) -> None:
    settings = {"k": 3} if system == "mdav" else {"k": 3, "epsilon": 1.0, "columns": ("age",)}

    release = covey.publish(people, system, schema=people_schema, ledger=path, **settings)

    ledger = load_ledger(path)
    assert release.ledger == ledger
    assert [(each.system, each.kind, each.bound) for each in ledger.entries] == [
        (system, kind, None)
    ]
    assert ledger.left == 3


def test_units_are_counted_in_one_another(people, people_schema, path) -> None:
    add_remove = {"unit": "add-remove", "epsilon": 1.0, "columns": ("age",)}

    covey.publish(people, "private-tree", schema=people_schema, ledger=path, **add_remove)
    assert load_ledger(path).left == 2
    covey.publish(people, "rank-blocks", schema=people_schema, ledger=path, **NOISE)
    assert load_ledger(path).left == 0


def test_python_is_charged_at_once_because_the_caller_has_the_rows(
    people, people_schema, path, tmp_path, monkeypatch
) -> None:
    release = covey.publish(people, "rank-blocks", schema=people_schema, ledger=path, **NOISE)
    monkeypatch.setattr(pl.DataFrame, "write_csv", no_space)

    with pytest.raises(ReleaseError, match="so there is none"):
        release.save(tmp_path / "out")

    assert load_ledger(path).left == 2
    monkeypatch.undo()
    release.save(tmp_path / "elsewhere")
    assert json.loads((tmp_path / "elsewhere" / "ledger.json").read_text())["left"] == "2"


def test_a_plan_runs_into_a_folder(people, people_schema, path, tmp_path) -> None:
    plan = covey.Plan(system="rank-blocks", parameters=NOISE, schema=people_schema)

    release, trace = covey.run(plan, people, folder=tmp_path / "out", ledger=path, trace=True)

    assert load_ledger(path).left == 2
    assert release.n == 24
    assert isinstance(trace, covey.Trace)
    assert (tmp_path / "out" / "data.csv").is_file()

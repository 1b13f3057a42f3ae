"""covey ledger: what was spent, for which releases, and what is open."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction

import pytest

from covey.ledger import Entry, create_ledger, load_ledger, reserve

NOISE = ("--system", "laplace", "--columns", "age", "--epsilon")


def test_a_ledger_is_started_with_a_limit(terminal) -> None:
    ran = terminal.run("ledger", "people.ledger", "--create", "0.3")

    assert ran.code == 0
    assert "No release has been charged yet." in ran.out
    assert "Spent epsilon = 0 of 0.3; 0.3 left." in ran.out
    assert load_ledger(terminal.folder / "people.ledger").limit == Fraction(3, 10)


@pytest.fixture
def charged(terminal):
    create_ledger(terminal.folder / "people.ledger", Fraction(5))
    terminal.publish(
        "--system", "laplace", "--columns", "age", "--epsilon", "2", "--ledger", "people.ledger"
    )
    return terminal


def test_a_ledger_shows_each_release_and_what_is_left(charged) -> None:
    ran = charged.run("ledger", "people.ledger")

    assert ran.code == 0
    assert "laplace" in ran.out
    assert "replace-record" in ran.out
    assert "Spent epsilon = 2 of 5; 3 left." in ran.out
    assert "…" not in ran.out, "nothing is cut off at 80 columns"


def test_the_bill_of_a_release_can_be_looked_at(terminal) -> None:
    terminal.publish("--system", "laplace", "--columns", "age", "--epsilon", "2")

    ran = terminal.run("ledger", "out/ledger.json")

    assert ran.code == 0
    assert "Spent epsilon = 2; there is no limit." in ran.out


def test_a_ledger_is_given_to_machines(charged) -> None:
    ran = charged.run("ledger", "people.ledger", "--json")

    assert json.loads(ran.out) == json.loads((charged.folder / "people.ledger").read_text())


def publish(terminal, folder: str, *arguments: str, ledger: str = "people.ledger"):
    return terminal.run(
        "publish", "people.csv", "-s", "people.toml", "-o", folder, "--ledger", ledger, *arguments
    )


def test_a_release_without_a_bound_is_shown_and_the_total_has_none(charged) -> None:
    shown = publish(charged, "clusters", "--system", "mdav", "-k", "3")

    ran = charged.run("ledger", "people.ledger")

    words = " ".join(ran.out.split())
    assert "Ledger: epsilon = 3 left." in shown.out
    assert "so all together have none" in shown.out
    assert "mdav no bound none k-anonymity" in words
    assert "Spent epsilon = 2 of 5; 3 left." in words
    assert "One release has no bound (mdav), so all releases together have none" in words
    assert "…" not in ran.out, "nothing is cut off at 80 columns"


def test_the_unit_and_its_conversion_are_stated(charged) -> None:
    tree = ("--system", "private-tree", "--columns", "age", "--unit", "add-remove", "--epsilon")

    assert publish(charged, "tree", *tree, "1").code == 0
    refused = publish(charged, "more", *tree, "1")
    words = " ".join(charged.run("ledger", "people.ledger").out.split())

    assert "Spent epsilon = 4 of 5; 1 left. The next release may have a pure epsilon of 1" in words
    assert "Counted for one record replaced by another." in words
    assert "one record added or removed counts 2 times for one record replaced" in words
    assert "For one record added or removed there is no bound" in words
    assert refused.code == 3
    assert "1 left of 5 and this release needs 2" in refused.err


def test_a_limit_is_changed_and_the_change_is_shown(charged) -> None:
    assert charged.run("ledger", "people.ledger", "--limit", "7").code == 0

    ran = charged.run("ledger", "people.ledger")

    assert "Spent epsilon = 2 of 7; 5 left." in ran.out
    assert "from 5 to 7." in ran.out


def test_a_limit_is_raised_with_name_and_reason(charged) -> None:
    raising = ("ledger", "people.ledger", "--raise", "7", "--by", "A. Curator")

    said = charged.refused(*raising)
    ran = charged.run(*raising, "--reason", "second wave")

    assert "nobody answers for the higher limit" in said
    assert "from 5 to 7 by A. Curator: second wave." in ran.out


def test_a_limit_below_what_was_spent_must_be_said_clearly(charged) -> None:
    said = charged.refused("ledger", "people.ledger", "--limit", "1", code=3)
    lowered = charged.run("ledger", "people.ledger", "--limit", "1", "--below-spent")

    assert "epsilon = 2 is spent already" in said
    assert lowered.code == 0
    assert "Spent epsilon = 2 of 1: 1 beyond the limit." in lowered.out


def test_two_things_to_do_are_one_too_many(charged) -> None:
    said = charged.refused("ledger", "people.ledger", "--limit", "7", "--create", "7")

    assert "--create and --limit are two things to do" in said


def test_folders_are_checked_and_the_exit_code_says_whether_all_are_paid(charged) -> None:
    shutil.copy(charged.folder / "people.ledger", charged.folder / "copy.ledger")
    publish(charged, "other", *NOISE, "1", ledger="copy.ledger")
    charged.run("publish", "people.csv", "-s", "people.toml", "-o", "free", *NOISE, "1")

    paid = charged.run("ledger", "people.ledger", "out")
    mixed = charged.run("ledger", "people.ledger", "out", "other", "free")
    machine = charged.run("ledger", "people.ledger", "out", "other", "free", "--json")

    assert paid.code == 0
    assert mixed.code == machine.code == 2
    assert "entry of another copy" in mixed.out
    assert [each["payment"] for each in json.loads(machine.out)] == [
        "paid",
        "entry of another copy",
        "not in this ledger",
    ]


def test_a_folder_that_is_no_release_is_not_checked(charged) -> None:
    assert "cannot be read" in charged.refused("ledger", "people.ledger", ".")


@pytest.fixture
def reserved(terminal):
    create_ledger(terminal.folder / "people.ledger", Fraction(5))
    entry = Entry.now(
        system="laplace",
        epsilon=Fraction(1),
        unit="replace-record",
        plan="0f",
        kind="local-dp",
        folder=str(terminal.folder / "lost"),
    )
    return reserve(terminal.folder / "people.ledger", entry)


@pytest.mark.parametrize(("option", "left"), [("--commit", 4), ("--cancel", 5)])
def test_an_open_reservation_is_settled_by_hand(terminal, reserved, option, left) -> None:
    shown = terminal.run("ledger", "people.ledger")

    ran = terminal.run("ledger", "people.ledger", option, reserved)

    assert f"Open: reservation {reserved}" in shown.out
    assert f"for {terminal.folder / 'lost'}. It counts" in shown.out
    assert ran.code == 0
    assert "Open" not in ran.out
    assert load_ledger(terminal.folder / "people.ledger").left == left


def test_a_reservation_whose_release_is_complete_is_not_cancelled(charged, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("covey.charge.commit", lambda *_: None)
        publish(charged, "second", *NOISE, "1")
    identity = load_ledger(charged.folder / "people.ledger").open[0].id

    ran = charged.run("ledger", "people.ledger", "--cancel", identity)

    assert ran.code == 2
    assert f"is complete in '{charged.folder / 'second'}', so it counts" in ran.err
    assert load_ledger(charged.folder / "people.ledger").open == ()


def test_a_reservation_that_is_not_there_is_refused(charged) -> None:
    said = charged.refused("ledger", "people.ledger", "--commit", "abc")

    assert "the reservation 'abc' is not in this ledger" in said


def test_entries_of_an_old_version_are_shown_as_they_were_written(terminal) -> None:
    entry = {"when": "2025-01-01T00:00:00", "system": "opt-dp", "epsilon": "1", "plan": "0f"}
    old = {"version": 1, "limit": "3", "entries": [entry | {"unit": "same-partition"}]}
    (terminal.folder / "old.ledger").write_text(json.dumps(old))

    words = " ".join(terminal.run("ledger", "old.ledger").out.split())

    assert "opt-dp 1 same-partition unknown" in words
    assert "Spent epsilon = 1 of 3; 2 left." in words
    assert "entered by an older covey, which did not note the kind" in words


def test_a_plan_is_tried_and_nothing_is_spent(terminal) -> None:
    terminal.run("ledger", "a.ledger", "--create", "1", "--renews", "year")
    asked = ("--system", "tables", "-p", "tables=town", "--epsilon", "0.75")
    assert terminal.publish(*asked).code == 0
    before = (terminal.folder / "a.ledger").read_bytes()

    ran = terminal.run("ledger", "a.ledger", "--plan", "out/plan.toml")

    assert ran.code == 0, ran.err
    assert "would cost epsilon = 0.75, and 0.25 would be left. Nothing was spent." in ran.out
    assert (terminal.folder / "a.ledger").read_bytes() == before
    told = terminal.run("ledger", "a.ledger", "--plan", "out/plan.toml", "--json")
    assert json.loads(told.out)["cost"] == "3/4"


def test_a_plan_that_the_ledger_would_refuse_is_refused_now(terminal) -> None:
    terminal.run("ledger", "a.ledger", "--create", "1/2")
    asked = ("--system", "tables", "-p", "tables=town", "--epsilon", "0.75")
    assert terminal.publish(*asked).code == 0

    said = terminal.refused("ledger", "a.ledger", "--plan", "out/plan.toml", code=3)

    assert "this release needs 0.75" in said

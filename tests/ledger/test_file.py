"""A ledger never lets more be spent than its limit, by however many processes."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from filelock import FileLock

from covey.core import Budget
from covey.errors import BudgetError
from covey.ledger import (
    Entry,
    EntryState,
    Ledger,
    cancel,
    change_limit,
    commit,
    create_ledger,
    load_ledger,
    raise_limit,
    reserve,
    spend,
)


def entry(epsilon: str | Fraction = "1") -> Entry:
    exact = Budget.of(epsilon).epsilon
    return Entry.now(
        system="rank-blocks", epsilon=exact, unit="replace-record", plan="0f", kind="pure-dp"
    )


def test_three_tenths_pay_for_one_tenth_and_two_tenths(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Budget.of(0.3).epsilon)

    spend(path, entry("0.1"))
    left = spend(path, entry("0.2")).left

    assert left == 0


def test_nothing_more_can_be_spent_when_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    spend(path, entry("1"))
    before = path.read_bytes()

    with pytest.raises(BudgetError, match=r"epsilon = 0 left of 1 and this release needs 1e-09"):
        spend(path, entry("1e-9"))

    assert path.read_bytes() == before


def test_amounts_stay_exact_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))

    spend(path, entry(Fraction(1, 3)))

    assert json.loads(path.read_text("utf-8"))["left"] == "2/3"
    assert load_ledger(path).left == Fraction(2, 3)


def test_a_ledger_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(3))

    written = spend(path, entry("0.5"))

    assert load_ledger(path) == written


def test_a_ledger_is_not_replaced_by_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    spend(path, entry("1"))

    with pytest.raises(BudgetError, match=r"exists already.*forget what was spent.*another name"):
        create_ledger(path, Fraction(5))

    assert load_ledger(path).left == 0


SPENDER = """
import sys, time
from pathlib import Path
from covey.errors import BudgetError
from covey.ledger import Entry, file as ledger

read = ledger.load_ledger

def read_and_dawdle(path):
    found = read(path)
    time.sleep(0.01)
    return found

ledger.load_ledger = read_and_dawdle
path, paid = Path(sys.argv[1]), 0
print("ready", flush=True)
sys.stdin.readline()
for _ in range(6):
    try:
        ledger.spend(path, Entry(when="", system="", epsilon="1/8", unit="", plan=""))
        paid += 1
    except BudgetError:
        pass
print(paid)
"""


def test_processes_cannot_together_spend_more_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    link = tmp_path / "link.ledger"
    link.symlink_to(path)
    spenders = [
        subprocess.Popen(
            [sys.executable, "-c", SPENDER, str(name)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in (path, link, path)
    ]

    for spender in spenders:
        assert spender.stdout is not None
        assert spender.stdout.readline() == "ready\n"
    for spender in spenders:
        assert spender.stdin is not None
        spender.stdin.write("go\n")
        spender.stdin.flush()
    paid = [int(spender.communicate(timeout=60)[0]) for spender in spenders]

    assert sum(paid) == 8
    assert load_ledger(path).left == 0
    assert len(load_ledger(path).entries) == 8


def test_a_ledger_in_use_is_waited_for_and_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    monkeypatch.setattr("covey.ledger.file.LOCK_SECONDS", 0.1)

    with (
        FileLock(f"{path}.lock"),
        pytest.raises(BudgetError, match=r"in use by another process.*Try again"),
    ):
        spend(path, entry("1"))

    assert load_ledger(path).left == 1


@pytest.mark.parametrize("step", ["os.fsync", "json.dump", "pathlib.Path.replace"])
def test_an_error_while_writing_leaves_the_old_ledger_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(step, fail)
    with pytest.raises(
        BudgetError, match=r"cannot be written \(No space left.*nothing was charged"
    ):
        spend(path, entry("1"))

    assert path.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} <= {"people.ledger", "people.ledger.lock"}


def test_a_process_that_dies_while_writing_leaves_the_old_ledger_in_working_order(
    tmp_path: Path,
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    dying = (
        "import os; from pathlib import Path; from covey.ledger import Entry, spend\n"
        "os.fsync = lambda _: os._exit(9)\n"
        f"spend(Path({str(path)!r}), Entry(when='', system='', epsilon='1', unit='', plan=''))"
    )

    ended = subprocess.run([sys.executable, "-c", dying], check=False)

    assert ended.returncode == 9
    assert load_ledger(path).left == 1
    assert spend(path, entry("1")).left == 0


def test_a_ledger_that_others_may_write_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    path.chmod(0o664)

    spend(path, entry("1"))

    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def damaged(**changes: object) -> str:
    content = {**Ledger(limit=Fraction(1)).charged(entry("0.5")).to_dict(), **changes}
    return json.dumps(content)


DAMAGES = {
    "nothing": "",
    "half of it": damaged()[:60],
    "no ledger": "[]",
    "no version": "{}",
    "no limit": damaged().replace('"limit": "1", ', ""),
    "a limit that is no number": damaged(limit="much"),
    "a limit below zero": damaged(limit="-1"),
    "a division by zero": damaged(limit="1/0"),
    "an infinite limit": damaged().replace('"limit": "1"', '"limit": Infinity'),
    "an entry without an amount": damaged(entries=[{"when": "today"}]),
    "an entry that gives back": damaged().replace('"epsilon": "1/2"', '"epsilon": "-1/2"'),
    "an entry that is no amount": damaged().replace('"epsilon": "1/2"', '"epsilon": "half"'),
    "a version that is no number": damaged(version="one"),
    "a kind that nobody knows": damaged().replace('"kind": "pure-dp"', '"kind": "perfect"'),
    "a promise without an amount": damaged().replace('"epsilon": "1/2"', '"epsilon": null'),
    "a state that nobody knows": damaged().replace('"state": "paid"', '"state": "lent"'),
    "entries that are no list": damaged(entries="none"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_ledger_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(DAMAGES[damage], encoding="utf-8")

    with pytest.raises(BudgetError, match=r"people\.ledger' is damaged.*Restore it from a backup"):
        load_ledger(path)


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(damaged(version=4), encoding="utf-8")

    with pytest.raises(BudgetError, match=r"written by a newer covey.*Update covey"):
        load_ledger(path)


def test_what_would_be_lost_when_the_ledger_is_written_again_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(damaged(colour="green"), encoding="utf-8")

    with pytest.raises(BudgetError, match=r"key 'colour' that means nothing here.*update covey"):
        load_ledger(path)


def test_a_ledger_of_the_first_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    old = {name: f"{name}" for name in ("when", "system", "unit", "plan")} | {"epsilon": "1/2"}
    content = {"version": 1, "limit": "1", "spent": "1/2", "left": "1/2", "entries": [old]}
    path.write_text(json.dumps(content), encoding="utf-8")

    assert load_ledger(path).left == Fraction(1, 2)


def test_a_ledger_that_is_not_there_is_refused_with_the_command_that_starts_one(
    tmp_path: Path,
) -> None:
    with pytest.raises(
        BudgetError, match=r"cannot be read \(No such file.*covey ledger .*--create"
    ):
        load_ledger(tmp_path / "people.ledger")


@pytest.mark.usefixtures("permissions_matter")
def test_a_ledger_in_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    Path(f"{path}.lock").unlink(missing_ok=True)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BudgetError, match=r"Permission denied.*Put it where you may write"):
            spend(path, entry("1"))
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("through", ["file", "folder", "chain"])
def test_a_symbolic_link_spends_from_the_ledger_behind_it(tmp_path: Path, through: str) -> None:
    """A limit of 1 paid for one release under each name, because each became a ledger."""
    path = tmp_path / "real" / "people.ledger"
    create_ledger(path, Fraction(1))
    link = tmp_path / "link.ledger"
    if through == "file":
        link.symlink_to(path)
    elif through == "folder":
        (tmp_path / "folder").symlink_to(path.parent)
        link = tmp_path / "folder" / "people.ledger"
    else:
        (tmp_path / "middle.ledger").symlink_to(path)
        link.symlink_to("middle.ledger")

    spend(link, entry("1"))

    assert link.resolve() == path
    for name in (path, link):
        with pytest.raises(BudgetError, match="0 left of 1"):
            spend(name, entry("0.1"))


def test_a_link_and_its_file_share_one_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "people.ledger", tmp_path / "link.ledger"
    create_ledger(path, Fraction(1))
    link.symlink_to(path)
    monkeypatch.setattr("covey.ledger.file.LOCK_SECONDS", 0.1)

    with FileLock(f"{path}.lock"), pytest.raises(BudgetError, match="in use by another process"):
        spend(link, entry("1"))


def test_a_ledger_is_started_behind_a_link_to_nothing(tmp_path: Path) -> None:
    link = tmp_path / "link.ledger"
    link.symlink_to(tmp_path / "people.ledger")

    create_ledger(link, Fraction(1))

    assert link.is_symlink()
    assert load_ledger(tmp_path / "people.ledger").limit == 1


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.ledger"
    link.symlink_to(link)

    with pytest.raises(BudgetError, match="nothing was published"):
        spend(link, entry("1"))


def test_a_ledger_with_a_second_name_is_refused_before_the_names_part(tmp_path: Path) -> None:
    path, other = tmp_path / "people.ledger", tmp_path / "other.ledger"
    create_ledger(path, Fraction(1))
    other.hardlink_to(path)
    before = path.read_bytes()

    for name in (path, other):
        with pytest.raises(BudgetError, match=r"other names \(hard links\).*nothing was charged"):
            spend(name, entry("1"))
    assert path.read_bytes() == before

    other.unlink()
    assert spend(path, entry("1")).left == 0


def test_the_bill_in_a_release_folder_pays_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    create_ledger(path, Fraction(1))
    (tmp_path / "guarantee.json").write_text("{}")
    before = path.read_bytes()

    for spending in (lambda: spend(path, entry("1")), lambda: change_limit(path, Fraction(9))):
        with pytest.raises(BudgetError, match="Give the ledger itself"):
            spending()

    assert path.read_bytes() == before


def test_every_write_is_a_new_generation_of_the_same_ledger(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    first = create_ledger(path, Fraction(3))

    second = spend(path, entry("1"))
    identity = reserve(path, entry("1"))
    last = cancel(path, identity)

    assert first.id
    assert {second.id, last.id} == {first.id}
    assert [first.generation, second.generation, last.generation] == [1, 2, 4]
    assert [each.generation for each in last.entries] == [2, 3]
    assert len({each.id for each in last.entries}) == 2


def test_two_ledgers_have_different_ids(tmp_path: Path) -> None:
    ids = {create_ledger(tmp_path / name, Fraction(1)).id for name in ("a", "b")}

    assert len(ids) == 2


def test_a_reservation_counts_while_it_is_open_and_when_it_is_paid(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))

    identity = reserve(path, entry("0.75"))
    with pytest.raises(BudgetError, match=r"0\.25 left of 1"):
        spend(path, entry("0.5"))

    assert [each.id for each in load_ledger(path).open] == [identity]
    assert commit(path, identity).left == Fraction(1, 4)
    assert load_ledger(path).open == ()


def test_a_cancelled_reservation_gives_back_what_it_kept(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    identity = reserve(path, entry("1"))

    assert cancel(path, identity).left == 1
    assert load_ledger(path).entries[0].state is EntryState.CANCELLED


def test_what_was_published_cannot_be_cancelled_nor_what_was_cancelled_published(
    tmp_path: Path,
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(3))
    paid, gone = reserve(path, entry("1")), reserve(path, entry("1"))
    commit(path, paid)
    cancel(path, gone)

    with pytest.raises(BudgetError, match="is paid already"):
        cancel(path, paid)
    with pytest.raises(BudgetError, match="is cancelled already"):
        commit(path, gone)
    with pytest.raises(BudgetError, match="is not in this ledger"):
        commit(path, "")

    assert load_ledger(path).spent == 1


def test_a_process_that_dies_with_a_reservation_leaves_it_open(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    dying = (
        "import os; from covey.ledger import Entry, reserve\n"
        "entry = Entry(when='', system='', epsilon='1', unit='', plan='', folder='/there')\n"
        f"reserve({str(path)!r}, entry)\n"
        "os._exit(9)"
    )

    ended = subprocess.run([sys.executable, "-c", dying], check=False)

    assert ended.returncode == 9
    assert [each.folder for each in load_ledger(path).open] == ["/there"]
    assert load_ledger(path).left == 0


def test_a_limit_can_be_raised_and_the_old_one_stays_on_record(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1, 2))

    ledger = change_limit(path, Fraction(5))

    assert load_ledger(path) == ledger
    assert ledger.limit == 5
    assert [(change.old, change.new) for change in ledger.changes] == [("1/2", "5")]


def test_whoever_raises_a_limit_says_who_and_why_and_no_release_tells(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(1))
    identity = reserve(path, entry("1"))

    with pytest.raises(BudgetError, match=r"nobody answers.*--by NAME --reason TEXT"):
        raise_limit(path, Fraction(2), by="A. Curator", reason=" ")
    with pytest.raises(BudgetError, match="a limit of 1, which 1 would not raise"):
        raise_limit(path, Fraction(1), by="A. Curator", reason="second wave")
    raise_limit(path, Fraction(2), by="A. Curator", reason="second wave")

    ledger = load_ledger(path)
    told = [(each.old, each.new, each.by, each.reason) for each in ledger.changes]
    assert told == [("1", "2", "A. Curator", "second wave")]
    assert "Curator" not in str(ledger.bill(identity).to_dict())


def test_a_limit_below_what_was_spent_must_be_meant(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Fraction(3))
    spend(path, entry("2"))

    with pytest.raises(BudgetError, match=r"2 is spent already.*the limit stays.*--below-spent"):
        change_limit(path, Fraction(1))
    assert load_ledger(path).limit == 3

    assert change_limit(path, Fraction(2)).left == 0
    assert change_limit(path, Fraction(1), below_spent=True).left == -1
    with pytest.raises(BudgetError, match="0 left of 1"):
        spend(path, entry("0.1"))


VERSION_ONE = """{
  "version": 1, "limit": "3", "spent": "2", "left": "1",
  "entries": [
    {"when": "2025-01-01T00:00:00+00:00", "system": "rank-blocks", "epsilon": "1",
     "unit": "replace-record", "plan": "0f"},
    {"when": "2025-01-02T00:00:00+00:00", "system": "mdav-dp", "epsilon": "1",
     "unit": "same-partition", "plan": "1f"}
  ]
}"""


def test_a_ledger_of_version_one_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(VERSION_ONE, encoding="utf-8")

    before = load_ledger(path)
    after = spend(path, entry("0.5"))

    assert before.spent == 2
    assert [each.kind for each in before.entries] == ["unknown", "unknown"]
    assert after.spent == Fraction(5, 2)
    assert after.id
    assert load_ledger(path).entries[:2] == before.entries
    with pytest.raises(BudgetError, match=r"0\.5 left of 3"):
        spend(path, entry("1"))

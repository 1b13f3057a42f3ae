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
from hypothesis import given
from hypothesis import strategies as st

from covey.errors import BudgetError
from covey.privacy import Budget, Entry, Ledger, create_ledger, load_ledger, spend

fractions = st.fractions(min_value=Fraction(1, 1000), max_value=5, max_denominator=1000)


def entry(epsilon: str | Fraction = "1") -> Entry:
    exact = Budget.of(epsilon).epsilon
    return Entry.now(system="rank-blocks", epsilon=exact, unit="replace-record", plan="0f")


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


def test_the_limit_is_kept_to_the_last_digit() -> None:
    ledger = Ledger(limit=Fraction(1))

    ledger.require(Fraction(1))
    with pytest.raises(BudgetError):
        ledger.require(1 + Fraction(1, 10**30))


def test_a_refusal_says_what_is_left_and_what_to_do() -> None:
    ledger = Ledger(limit=Fraction(1)).charged(entry("0.75"))

    with pytest.raises(BudgetError, match=r"0\.25 left of 1.*needs 0\.5.*smaller epsilon, or let"):
        ledger.require(Fraction(1, 2))


@given(limit=fractions, expenses=st.lists(fractions, max_size=12))
def test_what_is_spent_never_exceeds_the_limit(limit: Fraction, expenses: list[Fraction]) -> None:
    ledger = Ledger(limit=limit)
    paid = Fraction(0)

    for epsilon in expenses:
        try:
            ledger = ledger.charged(entry(epsilon))
            paid += epsilon
        except BudgetError:
            assert paid + epsilon > limit

    assert ledger.spent == paid <= limit
    assert ledger.left == limit - paid


def test_a_ledger_without_a_limit_only_counts() -> None:
    ledger = Ledger().charged(entry("100")).charged(entry("0.5"))

    assert ledger.spent == Fraction(201, 2)
    assert ledger.left is None


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
from covey.privacy import Entry, ledger

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
    spenders = [
        subprocess.Popen(
            [sys.executable, "-c", SPENDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
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
    monkeypatch.setattr("covey.privacy.ledger.LOCK_SECONDS", 0.1)

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
        "import os; from pathlib import Path; from covey.privacy import Entry, spend\n"
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
    "no limit": damaged()[:-1].replace('"limit"', '"limits"') + "}",
    "a limit that is no number": damaged(limit="much"),
    "a limit below zero": damaged(limit="-1"),
    "a division by zero": damaged(limit="1/0"),
    "an infinite limit": damaged().replace('"limit": "1"', '"limit": Infinity'),
    "an entry without an amount": damaged(entries=[{"when": "today"}]),
    "an entry that gives back": damaged().replace('"epsilon": "1/2"', '"epsilon": "-1/2"'),
    "an entry that is no amount": damaged().replace('"epsilon": "1/2"', '"epsilon": "half"'),
    "a version that is no number": damaged(version="one"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_ledger_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(DAMAGES[damage], encoding="utf-8")

    with pytest.raises(BudgetError, match=r"people\.ledger' is damaged.*Restore it from a backup"):
        load_ledger(path)


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(damaged(version=2), encoding="utf-8")

    with pytest.raises(BudgetError, match=r"written by a newer covey.*Update covey"):
        load_ledger(path)


def test_what_a_later_version_may_add_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    path.write_text(damaged(colour="green"), encoding="utf-8")

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

"""Small files that people write are read, or refused at once: no pipe is waited for."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from covey.errors import LedgerError, PlanError, SchemaError
from covey.ledger import create_ledger, load_ledger
from covey.plan import Plan
from covey.table import Schema
from covey.written import parse_json, parse_toml, read_written, unknown_key

READERS = {"schema": Schema.load, "plan": Plan.load, "ledger": load_ledger}
REFUSALS = (SchemaError, PlanError, LedgerError)
AGE = '[[attribute]]\nname = "age"\nbounds = [0, 120]\n'
PLAN = 'version = 1\nsystem = "laplace"\n[parameters]\nepsilon = 1\n'


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(reader: str, tmp_path: Path) -> None:
    pipe = tmp_path / "file"
    os.mkfifo(pipe)

    with pytest.raises(REFUSALS, match="it is a pipe or a device and no file"):
        READERS[reader](pipe)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_link_to_a_device_that_never_ends(reader: str, tmp_path: Path) -> None:
    link = tmp_path / "file"
    link.symlink_to("/dev/zero")

    with pytest.raises(REFUSALS, match="it is a pipe or a device and no file"):
        READERS[reader](link)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(2**29)  # a hole: no disk is used

    with pytest.raises(OSError, match="far too large"):
        read_written(path)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "content", ["a = " + "[" * 50_000, "[" * 50_000, "a" + ".a" * 50_000], ids=range(3)
)
def test_what_is_nested_fifty_thousand_deep(reader: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(content)

    with pytest.raises(REFUSALS) as refused:
        READERS[reader](path)

    assert len(str(refused.value)) < 600


def test_parsers_say_that_it_is_too_deep() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="nested too deeply"):
        parse_toml("a = " + "[" * 50_000 + "]" * 50_000)
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 500_000 + "]" * 500_000)


@pytest.mark.parametrize(
    ("reader", "content", "told"),
    [
        ("schema", AGE + "[raeding]\nmissing = []\n", "'raeding' that means nothing here"),
        ("schema", AGE + "[raeding]\nmissing = []\n", "Did you mean 'reading'?"),
        ("schema", AGE.replace("bounds", "bonds"), "Did you mean 'bounds'?"),
        ("plan", "parametres = 3\n" + PLAN, "Did you mean 'parameters'?"),
        ("plan", PLAN + "[zzz]\n" + AGE, "'zzz' that means nothing here"),
    ],
)
def test_a_misspelt_key_is_named_with_the_nearest(
    reader: str, content: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.toml"
    path.write_text(content)

    with pytest.raises(REFUSALS, match=told.replace("?", r"\?")):
        READERS[reader](path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"limt": "3"}, "'limt' that means nothing here. Did you mean 'limit'"),
        ({"limit": "1e999999999"}, "is damaged"),
        ({"limit": True}, "is damaged"),
        ({"entries": [{"epsilom": "1"}]}, "Did you mean 'epsilon'"),
        ({"entries": 3}, "is damaged"),
        ({"version": "two"}, "is damaged"),
    ],
)
def test_a_ledger_that_was_edited_by_hand(change: dict, told: str, tmp_path: Path) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, 3)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))

    with pytest.raises(LedgerError, match=told):
        load_ledger(path)


def test_keys_that_are_known_pass() -> None:
    assert unknown_key({"a": 1}, ("a", "b")) is None


@pytest.mark.parametrize("bounds", ["[true, 5]", '["0", "5"]', '"05"', "[0, 1, 2]", "[[0], 5]"])
def test_bounds_that_are_no_numbers(bounds: str, tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    path.write_text(AGE.replace("[0, 120]", bounds))

    with pytest.raises(SchemaError, match="bounds of attribute 'age' are not two numbers"):
        Schema.load(path)


def test_bounds_of_hundreds_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    path.write_text(AGE.replace("120", "1" + "0" * 400))

    with pytest.raises(SchemaError, match="bounds of attribute 'age' are not finite"):
        Schema.load(path)

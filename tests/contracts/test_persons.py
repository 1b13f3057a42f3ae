"""A person with several records: all that holds for one record holds for all of hers.

With blind noise, inputs that share nothing but the schema and who has how many records give the
same release; and where it is hidden who is there, they need not even share that.
"""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

import covey
from covey.core import PrivacyUnit
from covey.errors import CoveyError
from covey.ledger import create_ledger, load_ledger
from covey.report.card import card_schema
from covey.run import foresee
from covey.systems import SYSTEMS, SoundSystem
from covey.table import Role, read_table
from tests.contracts.blind import two_tables
from tests.contracts.test_non_interference import (
    OTHER_SIZES,
    SCHEMA,
    TABLES,
    assert_alike,
    folder_of,
    standing_clock,  # noqa: F401 — a fixture that is used by all tests
)

MOST = 3
OWN_BOUNDS = ("personalised",)
CASES = {name: case for name, case in TABLES.items() if case[0] not in OWN_BOUNDS}
HIDDEN = {name: case for name, case in OTHER_SIZES.items() if case[0] not in OWN_BOUNDS}
PERSONS = SCHEMA.updated("person", role=Role.PERSON, scale="nominal", contributions=MOST)


def loud(parameters):
    """Let each record cost as much as in the cases of single records, so that as much is asked."""
    squares = {"rho": MOST**2, "epsilon": MOST}
    return {k: v * squares.get(k, 1) if k in squares else v for k, v in parameters.items()}


def owned(frame: pl.DataFrame, seed: int, name: str) -> pl.DataFrame:
    """Give the records to persons, some of whom have more than the bound."""
    owners = np.sort(np.random.default_rng(seed).integers(0, frame.height // 3, frame.height))
    return frame.with_columns(pl.Series("person", [f"{name}{i}" for i in owners]))


def test_every_sound_table_system_counts_persons_or_says_why_not() -> None:
    tried = {system for system, _ in CASES.values()} | set(OWN_BOUNDS)
    sound = {n for n, s in SYSTEMS.items() if isinstance(s, SoundSystem) and s.data == "table"}

    assert tried == sound


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("case", CASES)
def test_only_who_has_how_many_records_reaches_a_release(
    case, engine, tmp_path, monkeypatch
) -> None:
    system, parameters = CASES[case]
    folders = []
    for name, frame in zip("ab", two_tables(), strict=True):
        data = owned(frame, 5, "p")
        plan = {"system": system, **loud(parameters)}
        if engine == "memory":
            data = read_table(data, PERSONS)
        else:
            path = tmp_path / f"{name}.parquet"
            data.write_parquet(path)
            data, plan = path, {**plan, "schema": PERSONS, "engine": "stream"}
        folders.append(folder_of(data, tmp_path / name, monkeypatch, **plan))

    assert_alike(*folders)


@pytest.mark.parametrize("case", HIDDEN)
def test_where_persons_come_and_go_not_even_that_does(case, tmp_path, monkeypatch) -> None:
    system, parameters = HIDDEN[case]
    plan = {**loud(parameters), "unit": "add-remove-person"}

    first, second = (
        folder_of(
            read_table(owned(frame, seed, name), PERSONS),
            tmp_path / name,
            monkeypatch,
            system=system,
            **plan,
        )
        for seed, name, frame in zip((5, 6), "ab", two_tables(400, 90), strict=True)
    )

    assert_alike(first, second)


@pytest.mark.parametrize("case", CASES)
def test_a_promise_about_persons_says_so_and_costs_what_was_asked(case) -> None:
    system, parameters = CASES[case]
    table = read_table(owned(two_tables()[0], 5, "p"), PERSONS)

    release, trace = covey.publish(table, system, trace=True, **loud(parameters))

    said = release.guarantee
    assert said.unit is PrivacyUnit.PERSON
    assert (said.person, said.contributions) == ("person", MOST)
    assert f"at most {MOST} records of each are used" in str(said)
    assert "for each person" in str(said)
    assert "person" not in release.frame.columns
    wanted = loud(parameters)
    if "rho" in wanted:
        assert said.rho <= wanted["rho"]
    else:
        assert said.epsilon <= wanted["epsilon"]
    steps = MOST if said.rho is None else MOST**2
    amount = "epsilon" if said.rho is None else "rho"
    asked = sum(pl.Series([float(covey_fraction(q[amount])) for q in said.questions]))
    assert asked * steps == pytest.approx(float(said.epsilon if said.rho is None else said.rho))
    assert trace.contributed.records_cut > 0
    assert trace.aligned is None


def covey_fraction(text: str) -> float:
    top, _, bottom = text.partition("/")
    return int(top) / int(bottom or 1)


def test_plan_guarantee_and_card_of_a_saved_release_say_who_is_protected(tmp_path) -> None:
    frame = owned(two_tables()[0], 5, "p")
    plan = {"tables": ["age"], "epsilon": 1.0, "unit": "add-remove-person"}
    covey.publish(frame, "tables", schema=PERSONS, **plan).save(tmp_path / "out")

    card = json.loads((tmp_path / "out" / "card.json").read_text())
    told = json.loads((tmp_path / "out" / "guarantee.json").read_text())
    assert not list(Draft202012Validator(card_schema()).iter_errors(card))
    assert card["persons"] == {"named_by": "person", "contributions": MOST}
    assert card["unit_of_privacy"] == told["unit"] == "add-remove-person"
    assert (told["person"], told["contributions"]) == ("person", MOST)
    assert covey.Plan.load(tmp_path / "out" / "plan.toml").parameters["contributions"] == MOST


def test_running_the_plan_again_protects_persons_again(tmp_path) -> None:
    frame = owned(two_tables()[0], 5, "p")
    release = covey.publish(
        frame, "laplace", schema=SCHEMA, person="person", contributions=2, epsilon=1.0,
        columns=("age",),
    )  # fmt: skip
    release.save(tmp_path / "out")

    again = covey.run(covey.Plan.load(tmp_path / "out" / "plan.toml"), frame)

    assert again.guarantee == release.guarantee
    assert again.guarantee.kind == "pure-dp"  # somebody has seen all records of a person
    assert again.frame.equals(again.frame.sort("age"))


@pytest.mark.parametrize(
    ("system", "given", "why"),
    [
        ("personalised", {"preferences": "allowed"}, "a bound of its own"),
        ("mdav", {"k": 5}, "all k records"),
        ("rank-blocks", {"epsilon": 1.0, "unit": "add-remove-person"}, "public number"),
        ("insensitive", {"epsilon": 1.0, "paper": True}, "as its paper prints"),
        ("private-tree", {"epsilon": 1.0, "unit": "replace"}, "would mean nothing"),
        ("private-tree", {"epsilon": 1.0, "columns": ("person", "age")}, "no column 'person'"),
        ("private-tree", {"epsilon": 1.0, "contributions": 0}, "contributions = 0"),
        ("private-tree", {"epsilon": 1.0, "person": "persons"}, "Did you mean"),
    ],
)
def test_what_promises_nothing_about_persons_is_refused_and_costs_nothing(
    system, given, why, tmp_path
) -> None:
    frame = owned(two_tables()[0], 5, "p")
    create_ledger(tmp_path / "a.ledger", 10)

    with pytest.raises(CoveyError, match=why):
        covey.publish(
            frame,
            system,
            schema=SCHEMA,
            ledger=tmp_path / "a.ledger",
            **{"person": "person", "contributions": 2, **given},
        )

    assert not load_ledger(tmp_path / "a.ledger").entries


@pytest.mark.parametrize(("unit", "then"), [("replace", "person"), ("add-remove", None)])
def test_a_schema_that_names_persons_protects_them_whatever_a_plan_calls_its_records(
    unit, then
) -> None:
    frame = owned(two_tables()[0], 5, "p")
    plan = covey.Plan(
        system="private-tree", parameters={"epsilon": 9.0, "unit": unit}, schema=PERSONS
    )

    assert covey.run(plan, frame).guarantee.unit == (then or "add-remove-person")
    assert foresee(plan, 400).unit == (then or "add-remove-person")


def test_a_schema_that_names_persons_is_refused_by_what_cannot_count_them() -> None:
    frame = owned(two_tables()[0], 5, "p")

    with pytest.raises(CoveyError, match="call the column of persons an identifier"):
        covey.publish(frame, "personalised", schema=PERSONS, preferences="allowed")
    release = covey.publish(frame, "mdav", schema=PERSONS, k=5)
    assert release.guarantee.kind == "k-anonymity"
    assert "person" not in release.frame.columns

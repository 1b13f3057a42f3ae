"""The privacy card says what the release says, in a published format."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

import covey
from covey.engines.memory.rows import HeldRows
from covey.kinds import KINDS
from covey.ledger import create_ledger
from covey.report import card, card_schema

VALIDATOR = Draft202012Validator(card_schema())


def test_the_schema_of_cards_is_one() -> None:
    Draft202012Validator.check_schema(card_schema())


def test_a_card_of_every_kind_of_guarantee_is_valid(release) -> None:
    described = card(release)

    VALIDATOR.validate(described)
    assert json.loads(json.dumps(described)) == described


def test_a_card_of_a_graph_is_valid(graph_release) -> None:
    described = card(graph_release)

    VALIDATOR.validate(described)
    assert described["product"]["data"] == "graph"
    assert described["unit_of_privacy"] == "edge"


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (("guarantee", "kind"), "perfect"),
        (("guarantee", "differential_privacy"), False),
        (("parameters", "epsilon"), -1.0),
        (("accounting", "spent"), "0.5 or so"),
        (("unit_of_privacy",), "people"),
        (("surprise",), 1),
    ],
)
def test_a_card_that_says_something_else_is_not_valid(private, place, wrong) -> None:
    described = card(private)
    inner = described
    for key in place[:-1]:
        inner = inner[key]

    inner[place[-1]] = wrong

    assert not VALIDATOR.is_valid(described)


def test_a_card_must_not_lack_a_field(private) -> None:
    for field in card(private):
        described = card(private)
        del described[field]

        assert not VALIDATOR.is_valid(described)


def test_the_schema_knows_every_kind_and_every_unit() -> None:
    properties = card_schema()["properties"]

    kinds = properties["guarantee"]["properties"]["kind"]["enum"]
    assert kinds == [str(kind) for kind in KINDS]
    assert properties["unit_of_privacy"]["enum"] == [str(unit) for unit in covey.PrivacyUnit]


def test_the_schema_calls_those_kinds_differential_that_earn_it() -> None:
    earned = card_schema()["properties"]["guarantee"]["if"]["properties"]["kind"]["enum"]

    assert earned == [str(kind) for kind, known in KINDS.items() if known.differential]


def test_the_bill_is_exact(table, tmp_path) -> None:
    create_ledger(tmp_path / "a.ledger", Fraction(1))
    settings = {"epsilon": "0.1", "columns": ("age",), "ledger": tmp_path / "a.ledger"}
    covey.publish(table, "rank-blocks", **settings)

    bill = card(covey.publish(table, "rank-blocks", **settings))["accounting"]

    assert (bill["this_release"], bill["spent"], bill["left"]) == ("1/10", "1/5", "4/5")
    assert bill["releases"] == 2


def test_a_card_names_a_curator_only_if_there_is_one(private) -> None:
    assert card(private)["curator"] is None
    assert card(private, curator="Office")["curator"] == "Office"


def test_a_card_does_not_depend_on_any_record(private) -> None:
    emptied = replace(private, rows=HeldRows(private.frame.clear()), extras={})

    assert card(emptied) == card(private)


def test_the_card_in_the_release_folder_is_that_of_the_release(private, tmp_path) -> None:
    folder = private.save(tmp_path / "out")

    assert json.loads((folder / "card.json").read_text("utf-8")) == card(private)

"""What the columns look like is found out once for each description of a column."""

from __future__ import annotations

from dataclasses import replace

import pytest

import covey
from covey.studio import looking
from covey.studio.looking import count_losses, profile_data
from covey.studio.results import DataFile
from covey.table import Attribute, Schema

TEXT = "age,town\n30,Ahof\n,Bdorf\n150,Ahof\n"


@pytest.fixture
def described(tmp_path, file) -> tuple[DataFile, Schema]:
    (tmp_path / "people.csv").write_text(TEXT)
    age = Attribute("age", bounds=(0, 120), missing="drop", integer=True)
    town = Attribute("town", scale="nominal", categories=("Ahof", "Bdorf"))
    return replace(file, path=str(tmp_path / "people.csv")), Schema((age, town))


def silent(*_: object) -> None:
    """Say nothing."""


def test_gaps_values_outside_and_the_spread_are_found(described) -> None:
    file, schema = described

    found = profile_data(silent, silent, key="k", file=file, schema=schema)

    assert (found.columns["age"].gaps, found.columns["age"].distinct) == (1, 2)
    assert found.misfits["age"].outside == 1
    assert found.columns["town"].frequent == (("Ahof", 2), ("Bdorf", 1))


def test_what_does_not_change_how_records_fit_is_not_looked_at_again(
    described, monkeypatch
) -> None:
    file, schema = described
    first = profile_data(silent, silent, key="k", file=file, schema=schema)
    monkeypatch.setattr(looking, "find_misfit", None)
    confirmed = schema.updated("age", confirmed=("bounds",), confirmed_by="A. Curator")

    again = profile_data(silent, silent, key="k", file=file, schema=confirmed)

    assert again == first


def test_losses_are_those_of_the_published_columns(described) -> None:
    file, schema = described
    plan = covey.Plan(system="exponential", parameters={"columns": ("town",)}, schema=schema)

    alone = count_losses(silent, silent, key="k", file=file, plan=plan)
    both = count_losses(silent, silent, key="k", file=file, plan=replace(plan, parameters={}))

    assert (alone.left_out, alone.outside) == (0, {})
    assert (both.left_out, both.outside) == (1, {"age": 1})

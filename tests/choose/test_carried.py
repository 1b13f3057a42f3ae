"""Advice tells how many columns are carried, and releases bear it out."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import covey
from covey.choose.carried import MOST_CARRIED, carried_columns, carried_note
from covey.cli.app import app
from covey.errors import PlanError
from covey.table import Attribute, Scale, Schema

COUNT = 9
TOWNS = Attribute("town", scale=Scale.NOMINAL, categories=tuple("abcd"))
WIDE = Schema((*(Attribute(f"x{j}", bounds=(0, 99), integer=True) for j in range(8)), TOWNS))
RANKING = ("town", *(f"x{j}" for j in (5, 2, 7, 0, 1, 3, 4, 6)))


def records(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    numbers = {f"x{j}": rng.integers(0, 100, n) for j in range(8)}
    return pl.DataFrame({**numbers, "town": rng.choice(list("abcd"), n)})


def independent(n: int, epsilon: float, count: int) -> bool:
    release = covey.publish(
        records(n), "column-model", schema=WIDE, epsilon=epsilon, columns=RANKING[:count]
    )
    return any("independent of each other" in line for line in release.guarantee.assumes)


def test_pairs_are_measured_up_to_the_number_that_is_told_and_no_further() -> None:
    found = carried_columns(WIDE, RANKING, n=1000, epsilon=1.0)

    assert 2 < found.pairs < COUNT < found.alone
    assert not independent(1000, 1.0, found.pairs)
    assert independent(1000, 1.0, found.pairs + 1)


def test_columns_are_published_up_to_the_number_that_is_told_and_no_further() -> None:
    found = carried_columns(WIDE, RANKING, n=300, epsilon=0.2)

    assert found.pairs == 0 < found.alone < COUNT
    assert independent(300, 0.2, found.alone)
    with pytest.raises(PlanError, match="too small for this many records"):
        independent(300, 0.2, found.alone + 1)


def test_what_is_left_out_first_is_the_last_of_the_ranking() -> None:
    kept = carried_columns(WIDE, RANKING, n=1000, epsilon=1.0).pairs

    ranked = carried_note(WIDE, RANKING, n=1000, epsilon=1.0, ranked=True)
    other = carried_note(WIDE, WIDE.names, n=1000, epsilon=1.0, ranked=False)

    assert f"pairs of up to {kept} columns" in ranked
    assert f"leave out first {', '.join(RANKING[: kept - 1 : -1])}." in ranked
    assert "x0" not in other
    assert "List --columns, what matters most first" in other


def test_enough_records_carry_all_and_too_few_none() -> None:
    many = carried_note(WIDE, RANKING, n=10**6, epsilon=1.0, ranked=True)
    none = carried_note(WIDE, RANKING, n=10, epsilon=0.01, ranked=True)

    assert many.count(f"{MOST_CARRIED} or more") == 2
    assert "leave out" not in many
    assert "carry none of these columns" in none


def test_the_note_is_in_the_advice_where_a_column_model_was_tried(tmp_path) -> None:
    path = tmp_path / "wide.toml"
    WIDE.save(path)
    columns = ",".join(RANKING[:6])
    shown = CliRunner().invoke(
        app, ["advise", "-s", str(path), "--n", "400", "--columns", columns, "--json"]
    )

    notes = json.loads(shown.stdout)["notes"]
    expected = carried_note(WIDE, RANKING[:6], n=400, epsilon=1.0, ranked=True)
    assert expected in notes
    assert "leave out first x1" in expected
    few = covey.advise(WIDE, n=400, columns=RANKING[:2])
    assert not any("With column-model" in note for note in few.notes)

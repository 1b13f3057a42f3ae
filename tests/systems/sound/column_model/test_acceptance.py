"""How useful is a column model beside a private tree, at the same guarantee?"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import covey
from covey.datasets import load_rand_health
from covey.table import Attribute, Missing, Scale, Schema, read_table
from tests.systems.sound.column_model.scores import errors, ranking, wide_table

RUNS = 5
WIDE = Path(os.environ["COVEY_DATA"]) / "wide"
needs_data = pytest.mark.skipif(not WIDE.is_dir(), reason="COVEY_DATA has no folder `wide`")


def made(frame: pl.DataFrame, schema: Schema, system: str, seed: int, **more) -> pl.DataFrame:
    table = read_table(frame.select(schema.names), schema)
    asked = {"epsilon": 1.0, "unit": "add-remove", "random_state": seed}
    return covey.publish(table, system, **asked | more).frame


@cache
def ratios(name: str) -> dict[str, float]:
    """Return the errors of a column model as multiples of a private tree's."""
    schema, real, _, _ = wide_table(WIDE, name)
    scores = {
        system: [errors(schema, real, made(real, schema, system, seed)) for seed in range(RUNS)]
        for system in ("column-model", "private-tree")
    }
    mean = {
        system: {key: np.mean([run[key] for run in runs]) for key in runs[0]}
        for system, runs in scores.items()
    }
    return {
        key: mean["column-model"][key] / mean["private-tree"][key] for key in mean["private-tree"]
    }


@cache
def share_of_ranking(name: str, *, turned: bool = False) -> float:
    """Return the AUC of models of releases with the target named, as a share of the real one."""
    schema, real, held_out, target = wide_table(WIDE, name)
    if turned:
        schema = Schema(tuple(schema)[::-1])
    found = [
        ranking(
            schema,
            target,
            made(real, schema, "column-model", seed, target=(target[0],)),
            held_out,
        )
        for seed in range(RUNS)
    ]
    return float(np.mean(found) / ranking(schema, target, real, held_out))


@needs_data
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "error", "most"),
    [
        ("churn", "two", 0.70),
        ("churn", "w1", 0.75),
        ("churn", "cramer", 0.60),
        ("adult", "two", 0.62),
        ("adult", "three", 0.65),
        ("california", "two", 0.92),
        ("california", "spearman", 1.0),
        ("california", "w1", 1.4),
        ("california", "ks", 1.3),
    ],
)
def test_errors_are_below_those_of_a_private_tree(name, error, most) -> None:
    assert ratios(name)[error] <= most


@needs_data
@pytest.mark.thorough
@pytest.mark.parametrize(("name", "least"), [("churn", 0.92), ("adult", 0.94)])
def test_models_of_a_named_target_keep_their_worth(name, least) -> None:
    assert share_of_ranking(name) >= least


@needs_data
@pytest.mark.thorough
def test_models_of_a_named_target_do_not_depend_on_the_order_of_columns() -> None:
    assert share_of_ranking("churn", turned=True) == pytest.approx(
        share_of_ranking("churn"), abs=0.03
    )


def test_the_embedded_table_is_kept_about_as_well_as_by_a_private_tree() -> None:
    table = load_rand_health()
    frame = table.frame.select(table.schema.names)

    mine, tree = (
        errors(table.schema, frame, made(frame, table.schema, system, 1))
        for system in ("column-model", "private-tree")
    )

    # Six columns, two of which are fractions with few distinct values.
    assert mine["two"] < 1.4 * tree["two"]
    assert mine["two"] < 0.1


def test_wide_categories_are_nearer_than_with_a_private_tree() -> None:
    rng, columns = np.random.default_rng(1), {}
    code = rng.integers(0, 3, 4000)
    for name in "abcdefghijkl":
        code = np.where(rng.random(4000) < 0.7, code, rng.integers(0, 3, 4000))
        columns[name] = np.array(["x", "y", "z"])[code]
    frame = pl.DataFrame(columns)
    listed = {"scale": Scale.NOMINAL, "categories": ("x", "y", "z"), "missing": Missing.REFUSE}
    schema = Schema(tuple(Attribute(name, **listed) for name in columns))

    mine, tree = (
        errors(schema, frame, made(frame, schema, system, 1))
        for system in ("column-model", "private-tree")
    )

    assert mine["two"] < 0.6 * tree["two"]
    assert mine["three"] < 0.6 * tree["three"]
    assert mine["cramer"] < 0.5 * tree["cramer"]

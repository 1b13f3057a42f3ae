"""The soak draws the same plan from the same seed, finds faults, and found these (now mended)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import covey
from benchmarks.soak import judge
from benchmarks.soak.judge import Fault, run_case
from benchmarks.soak.plans import draw_case
from covey.systems import graph_counts
from covey.table import Attribute, Missing, Role, Scale, Schema
from covey.table.value_shapes import private_text
from tests.contracts.graphs import friends


@pytest.mark.parametrize("seed", range(40, 46))
def test_a_plan_follows_from_its_seed_and_runs(tmp_path, seed: int) -> None:
    cases = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        cases.append(draw_case(seed, tmp_path / name))
    first, second = cases

    assert str(first) == str(second)
    assert first.frame is None or first.frame.equals(second.frame, null_equal=True)
    assert run_case(first, tmp_path / "first").startswith(("released", "refused", "not evaluated"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda frame: frame.head(1), "rows of"),
        (lambda frame: frame.with_columns(a=pl.lit(7.0)), "out of bounds"),
        (lambda frame: frame.with_columns(a=pl.lit(0.3)), "no step"),
        (lambda frame: frame.with_columns(a=pl.lit(None, pl.Float64)), "gaps"),
        (lambda frame: frame.with_columns(b=pl.lit("z")), "not on the list"),
    ],
)
def test_a_wrong_release_is_a_fault(tmp_path, monkeypatch, change, fault: str) -> None:
    seed = next(
        seed for seed in range(1_000) if draw_case(seed, tmp_path, ["laplace"]).engine == "memory"
    )
    schema = Schema(
        (
            Attribute("a", bounds=(0, 5), step=0.5),
            Attribute("b", scale=Scale.NOMINAL, categories=("x", "y")),
        )
    )
    frame = pl.DataFrame({"a": [1.0, 2.5] * 20, "b": ["x", "y"] * 20})
    case = replace(
        draw_case(seed, tmp_path, ["laplace"]),
        data=frame,
        frame=frame,
        schema=schema,
        settings={"epsilon": 1.0},
        saved=False,
        measured=False,
    )
    assert run_case(case, tmp_path) == "released"

    made = covey.publish

    def tampered(*data, **settings):
        release, trace = made(*data, **settings)
        return replace(release, rows=replace(release.rows, frame=change(release.frame))), trace

    monkeypatch.setattr(judge.covey, "publish", tampered)
    with pytest.raises(Fault, match=fault):
        run_case(case, tmp_path)


def test_a_graph_that_noise_makes_too_large_is_left_out_and_the_plan_says_so(monkeypatch) -> None:
    monkeypatch.setattr(graph_counts, "MOST_EDGES", 3)

    for system, more in (
        ("degree-histogram", {}),
        ("joint-degree-boxes", {}),
        ("mdav-dk", {"k": 3, "regenerate": True}),
    ):
        release = covey.publish(friends(), system, epsilon=1.0, random_state=1, **more)
        assert "edges" not in release.extras
        assert release.plan.parameters["regenerate"] is False


def test_centroids_are_values_that_somebody_can_have() -> None:
    values = np.where(np.arange(400) % 3 == 0, -9.0, 1_000.0 + np.arange(400))
    schema = Schema((Attribute("pay", bounds=(1_000, 11_000), step=0.5, special=(-9,)),))

    release = covey.publish(
        covey.read_table(pl.DataFrame({"pay": values}), schema),
        "private-tree",
        epsilon=0.5,
        output="centroids",
        random_state=3,
    )

    released = release.frame["pay"].to_numpy()
    assert np.all((released == -9) | ((released >= 1_000) & (released <= 11_000)))


def test_the_mean_of_nobody_is_a_gap_and_no_nan() -> None:
    schema = Schema(
        (
            Attribute("age", bounds=(0, 100)),
            Attribute("town", scale=Scale.NOMINAL, categories=("x", "y", "nobody's")),
        )
    )
    frame = pl.DataFrame({"age": [10.0, 90.0] * 50, "town": ["x", "y"] * 50})

    release = covey.publish(
        frame, "tables", schema=schema, tables="town*age", epsilon=1_000.0, random_state=1
    )

    means = release.mean("age", by="town")
    assert not means["mean"].is_nan().any()
    assert means.filter(pl.col("town") == "nobody's")["mean"].to_list() == [None]


def test_weighted_scores_leave_out_a_column_of_nothing_but_gaps() -> None:
    schema = Schema(
        (
            Attribute("w", role=Role.WEIGHT, bounds=(0, 5)),
            Attribute("gone", bounds=(0, 5), missing=Missing.CATEGORY),
            Attribute("kept", bounds=(0, 5)),
        )
    )
    gaps = pl.Series([None] * 200, dtype=pl.Float64)
    frame = pl.DataFrame({"w": [1.0, 2.0] * 100, "gone": gaps, "kept": [1.0, 4.0] * 100})
    table = covey.read_table(frame, schema)

    scores = covey.evaluate(
        table, covey.publish(table, "column-model", epsilon=1_000.0, random_state=1)
    )

    assert np.isfinite(scores["weighted_mean_error"])


def test_a_page_without_a_blank_is_looked_at_in_time_that_grows_with_its_length() -> None:
    assert private_text(["y" * 1_000_000, "b"], 2) is None

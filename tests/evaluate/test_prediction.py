"""Models learn from a release what they learn from the originals, or the scores say so."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError
from covey.table import Attribute, Scale, Schema
from tests.contracts.identity import release_of

pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install 'covey[sklearn]'")

N = 600
SCHEMA = Schema(
    (
        Attribute("x", bounds=(-5, 5)),
        Attribute("town", scale=Scale.NOMINAL, categories=("A", "B", "C")),
        Attribute("grade", scale=Scale.ORDINAL, categories=("low", "mid", "high")),
        Attribute("ill", scale=Scale.NOMINAL, categories=("no", "yes")),
    )
)
NAMES = tuple(SCHEMA.names)


def patients() -> covey.Table:
    rng = np.random.default_rng(4)
    x = rng.normal(size=N)
    town = rng.choice(["A", "B", "C"], N)
    risk = 2 * x + 2 * (town == "C") + rng.normal(size=N)
    frame = pl.DataFrame(
        {
            "x": x,
            "town": town,
            "grade": np.array(["low", "mid", "high"])[np.digitize(risk, [-1, 2])],
            "ill": np.where(risk > 0.5, "yes", "no"),
        }
    )
    return covey.read_table(frame, SCHEMA)


def scores(frame: pl.DataFrame, target: str) -> covey.Evaluation:
    table = patients()
    return covey.evaluate(table, *release_of(table, frame, NAMES), target=target)


@pytest.mark.parametrize("target", ["ill", "grade", "x"])
def test_the_originals_teach_what_the_originals_teach(target) -> None:
    found = scores(patients().frame, target)

    for model in ("logistic", "boosted"):
        assert found[f"auc_{model}"] > 0.8
        assert found[f"auc_{model}_original"] > 0.75
        assert found[f"auc_{model}"] >= found[f"auc_{model}_original"] - 0.02
        assert found[f"accuracy_{model}"] > 0.6
    assert found.notes[0].startswith(f"{'Whether x is above' if target == 'x' else target}")
    assert "AUC" in found.notes[0]


def test_a_release_that_says_the_opposite_teaches_the_opposite() -> None:
    wrong = patients().frame.with_columns(
        ill=pl.col("ill").replace({"yes": "no", "no": "yes"}),
        grade=pl.col("grade").shuffle(seed=2),
    )

    found = scores(wrong, "ill")

    for model in ("logistic", "boosted"):
        assert found[f"auc_{model}"] < 0.3
        assert found[f"auc_{model}_original"] > 0.8
        assert found[f"accuracy_{model}"] < 0.3


def test_a_release_that_knows_one_class_alone_is_as_good_as_guessing() -> None:
    found = scores(patients().frame.with_columns(ill=pl.lit("no")), "ill")

    assert found["auc_logistic"] == found["auc_boosted"] == 0.5
    share = (patients().frame["ill"] == "no").mean()
    assert found["accuracy_logistic"] == pytest.approx(share)


def test_the_same_release_gets_the_same_scores_again() -> None:
    frame = patients().frame.reverse()

    assert dict(scores(frame, "ill")) == dict(scores(frame, "ill"))


def test_without_a_target_no_model_is_trained() -> None:
    table = patients()

    found = covey.evaluate(table, *release_of(table, table.frame, NAMES))

    assert not any(name.startswith(("auc", "accuracy")) for name in found)


def test_a_target_that_is_not_published_or_alone_is_refused() -> None:
    table = patients()
    with pytest.raises(PlanError, match="'il' is not among the published columns"):
        scores(table.frame, "il")
    with pytest.raises(PlanError, match="only published column"):
        covey.evaluate(table, *release_of(table, table.frame.select("x"), ("x",)), target="x")
    edges = np.array([(1, 2), (2, 3)])
    asked = {"epsilon": 1.0, "unit": "edge", "regenerate": False, "random_state": 1}
    degrees = covey.publish(edges, "degree-histogram", **asked)
    with pytest.raises(PlanError, match="no column 'x' to predict"):
        covey.evaluate(edges, degrees, target="x")


def test_a_missing_scikit_learn_is_explained(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)

    with pytest.raises(PlanError, match=r"pip install 'covey\[sklearn\]'"):
        scores(patients().frame, "ill")

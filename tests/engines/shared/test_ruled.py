"""Released rows obey public rules, whatever the system and engine; contradictions are refused."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import covey
from covey import Attribute, Scale, Schema
from covey.errors import SchemaError

RULES = (
    "start <= end",
    'age < 16 -> marital = "single"',
    "bmi = weight / height ** 2",
    "`cigarettes a day` = 0 if smoker == 'no'",
)
SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 100), integer=True),
        Attribute("start", bounds=(0, 10), step=0.1),
        Attribute("end", bounds=(0, 10), step=0.1),
        Attribute(
            "marital", scale=Scale.NOMINAL, categories=("single", "married"), missing="refuse"
        ),
        Attribute("weight", bounds=(3, 150), step=0.1),
        Attribute("height", bounds=(0.5, 2.2), step=0.01),
        Attribute("bmi", bounds=(5, 60), step=0.1),
        Attribute("smoker", scale=Scale.NOMINAL, categories=("no", "yes"), missing="refuse"),
        Attribute("cigarettes a day", bounds=(0, 60), integer=True),
    ),
    rules=RULES,
)


def patients(n: int = 3_000) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    age = rng.integers(0, 90, n)
    start = rng.uniform(0, 9, n)
    smoker = rng.random(n) < 0.3
    height = np.round(rng.normal(1.7, 0.1, n), 2)
    weight = np.round(rng.normal(70, 10, n), 1)
    return pl.DataFrame(
        {
            "age": age,
            "start": start,
            "end": np.minimum(start + rng.exponential(1, n), 10),
            "marital": np.where((age < 16) | (rng.random(n) < 0.4), "single", "married"),
            "weight": weight,
            "height": height,
            "bmi": weight / height**2,
            "smoker": np.where(smoker, "yes", "no"),
            "cigarettes a day": np.where(smoker, rng.integers(1, 40, n), 0),
        }
    )


def broken(frame: pl.DataFrame) -> list[int]:
    """Count the rows that break each rule, by hand."""
    bmi = (frame["weight"] / frame["height"] ** 2).clip(5, 60)
    return [
        int((frame["start"] > frame["end"]).sum()),
        int(((frame["age"] < 16) & (frame["marital"] != "single")).sum()),
        int(((frame["bmi"] - bmi).abs() > 0.0501).sum()),
        int(((frame["smoker"] == "no") & (frame["cigarettes a day"] != 0)).sum()),
    ]


@pytest.mark.parametrize(
    ("system", "parameters"),
    [("private-tree", {"epsilon": 2.0}), ("column-model", {"epsilon": 2.0})],
)
@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_rows_obey_the_rules(system, parameters, engine, tmp_path) -> None:
    data = patients()
    if engine == "stream":
        data.write_parquet(tmp_path / "patients.parquet")
        data = tmp_path / "patients.parquet"

    release = covey.publish(data, system, schema=SCHEMA, engine=engine, **parameters)

    rows = release.scan().collect()
    assert broken(rows) == [0, 0, 0, 0]
    assert rows.columns == list(SCHEMA.names)


def test_a_computed_column_is_covered_and_not_paid_for() -> None:
    release = covey.publish(patients(), "private-tree", schema=SCHEMA, epsilon=2.0)

    guarantee = release.guarantee
    assert guarantee.columns[-1] == "bmi"
    assert "bmi" not in guarantee.dropped
    assert "The rule start <= end holds for every possible record." in guarantee.assumes
    assert "bmi" not in release.accuracy["column"].to_list()
    assert release.plan.schema.rules == RULES


def test_rules_about_columns_that_are_not_published_are_left_alone() -> None:
    release = covey.publish(
        patients(), "private-tree", schema=SCHEMA, epsilon=2.0, columns=("age", "start", "weight")
    )

    assert release.frame.columns == ["age", "start", "weight"]
    assert release.plan.schema.rules == ()


@pytest.mark.parametrize(
    "rules",
    [
        ("start <= end", "end + 1 <= start"),
        ("age <= -5",),
        ('age < 16 -> marital = "single"', 'age < 16 -> marital = "married"'),
        ('age >= 0 -> marital = "divorced"',),
        ("marital <= age",),
    ],
)
def test_rules_that_cannot_be_obeyed_are_refused_before_anything_is_spent(rules, tmp_path) -> None:
    covey.ledger.create_ledger(tmp_path / "l.json", 3)
    schema = Schema(SCHEMA.attributes, rules=rules)

    with pytest.raises(SchemaError, match="so nothing was published"):
        covey.publish(
            patients(), "private-tree", schema=schema, epsilon=1.0, ledger=tmp_path / "l.json"
        )

    assert covey.ledger.load_ledger(tmp_path / "l.json").entries == ()


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (("bmi = weight", "bmi = height"), "both set 'bmi' for every record"),
        (("bmi = weight / (height - height)",), "no finite number for any possible row"),
        (('age < 16 -> marital = "sigle"',), "'sigle', which is none of its categories"),
    ],
)
def test_a_rule_that_means_nothing_is_told_in_words(rules, why) -> None:
    with pytest.raises(SchemaError, match=why):
        covey.publish(
            patients(100), "private-tree", schema=Schema(SCHEMA.attributes, rules=rules), epsilon=1
        )


def test_groups_stay_alike_and_the_guarantee_says_that_rules_may_be_broken() -> None:
    """What a rule would make of a grouped value depends on a column that is published as it was."""
    schema = SCHEMA.updated("end", role="confidential").updated("marital", role="confidential")
    quasi = ["age", "start"]
    kept = tuple(schema[name] for name in (*quasi, "end", "marital"))
    data = patients(300).select(*quasi, "end", "marital")

    release = covey.publish(data, "mdav", schema=Schema(kept, rules=RULES[:2]), k=5)

    assert release.frame.group_by(quasi).len()["len"].min() >= 5
    assert any("may break the rules" in line for line in release.guarantee.conditions)
    assert not any("holds for every" in line for line in release.guarantee.assumes)


def test_tables_without_rows_claim_no_column_that_a_rule_would_compute() -> None:
    release = covey.publish(
        patients(), "tables", schema=SCHEMA, epsilon=2.0, tables=["weight*height"]
    )

    assert "bmi" not in release.guarantee.columns


def test_single_records_obey_the_rules_too() -> None:
    chosen = ("start", "end")
    release = covey.publish(patients(), "laplace", schema=SCHEMA, epsilon=2.0, columns=chosen)

    assert (release.frame["start"] <= release.frame["end"]).all()

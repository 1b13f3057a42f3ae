"""A pilot sees public facts alone, and says in each column's unit what a release then does."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest

import covey
from covey.choose import pilot as module
from covey.choose.pilot import ExpectedColumn, run_pilot, twin_of
from covey.choose.purposes import propose
from covey.choose.synthetic import synthetic
from covey.report.pilot_words import column_light, expectation, pilot_sentence, usable_pairs

SCHEMA = covey.Schema(
    (
        covey.Attribute("age", bounds=(0, 100), unit="years", integer=True),
        covey.Attribute("income", bounds=(0, 5000), missing="category"),
        covey.Attribute("sex", scale="nominal", categories=("f", "m")),
        covey.Attribute("seen", kind="date", bounds=(dt.date(2020, 1, 1), dt.date(2022, 1, 1))),
        covey.Attribute("pain", scale="ordinal", categories=("none", "some", "much")),
    )
)


def test_every_published_column_has_an_error_in_its_own_unit() -> None:
    found = run_pilot(propose("public", SCHEMA), 4000)

    words = {each.name: expectation(each) for each in found.columns}
    assert list(words) == list(SCHEMA.names)
    assert words["age"].startswith("mean ± ")
    assert words["age"].endswith(" years")
    assert words["seen"].endswith(" days")
    assert words["pain"].endswith(" steps")
    assert words["sex"].startswith("shares ± ")
    assert len(found.pairs) == 10
    assert usable_pairs(found)[1] == 10
    assert found.before.columns == found.after.columns == list(SCHEMA.names)


def test_more_epsilon_promises_smaller_errors() -> None:
    few, many = (
        run_pilot(propose("public", SCHEMA, epsilon=epsilon), 2000) for epsilon in (0.3, 30.0)
    )

    assert sum(each.gap for each in many.columns) < 0.5 * sum(each.gap for each in few.columns)


def test_the_errors_are_those_that_a_release_of_such_records_then_has() -> None:
    """Means of twenty releases of a table that the pilot has not seen."""
    plan = propose("public", SCHEMA)
    table = covey.read_table(synthetic(SCHEMA, 4000, "normal", 77).frame, SCHEMA)

    expected = {each.name: each.error for each in run_pilot(plan, 4000).columns}
    moves = []
    for seed in range(20):
        looks = covey.evaluate(table, covey.run(replace(plan, random_state=seed), table)).looks
        moves.append(next(abs(row[2] - row[1]) for row in looks[0].rows if row[0] == "mean"))
    found = float(np.sqrt(np.mean(np.square(moves))))
    assert expected["age"] / 4 < found < 4 * expected["age"]


def test_a_large_table_is_tried_with_fewer_records_and_more_epsilon(monkeypatch) -> None:
    used = []
    whole = module.run
    monkeypatch.setattr(
        module,
        "run",
        lambda plan, twin, **how: (
            used.append((twin.n, plan.parameters["epsilon"])) or whole(plan, twin, **how)
        ),
    )

    found = run_pilot(propose("public", SCHEMA), 50_000)

    assert set(used) == {(module.MADE_UP, 5.0)}
    assert (found.n, found.made_up) == (50_000, module.MADE_UP)
    assert found.plan.parameters["epsilon"] == 1.0


def test_counts_of_tables_are_off_by_as_much_whatever_their_number() -> None:
    plan = propose("figures", SCHEMA)

    few, many = (run_pilot(plan, n).scores["count_error"] for n in (5000, 50_000))

    assert few / 3 < many < 3 * few


def test_public_data_may_stand_for_the_twin() -> None:
    public = twin_of(SCHEMA, 500, "skewed", 3).frame

    found = run_pilot(propose("public", SCHEMA), 4000, data=public)

    assert found.public
    assert found.made_up == 500
    assert found.before.rows() == public.head(module.ROWS_KEPT).rows()


def test_systems_that_compare_records_are_tried_with_fewer() -> None:
    numbers = covey.Schema(SCHEMA.attributes[:1])
    plan = covey.Plan(system="mdav", parameters={"k": 5}, schema=numbers)

    assert run_pilot(plan, 9000).made_up == module.MADE_UP_PLAIN


@pytest.mark.parametrize(("nodes", "degree"), [(300, 5.0), (300, 400.0)])
def test_graphs_are_made_up_from_two_public_guesses(nodes, degree) -> None:
    if degree > nodes:
        with pytest.raises(covey.CoveyError, match="make no graph"):
            run_pilot(propose("graph"), nodes, degree=degree)
        return
    assert "off by up to" in pilot_sentence(run_pilot(propose("graph"), nodes, degree=degree))


def test_what_the_plan_refuses_the_pilot_refuses() -> None:
    with pytest.raises(covey.CoveyError, match="too small for this many records"):
        run_pilot(propose("public", SCHEMA), 10)
    with pytest.raises(covey.CoveyError, match="not a whole number"):
        run_pilot(propose("public", SCHEMA), 0)


def test_lights_have_the_thresholds_of_the_reports() -> None:
    near = ExpectedColumn(name="x", unit="", measure="mean", error=1.0, gap=0.05)

    assert column_light(near).colour == "green"
    assert column_light(replace(near, gap=0.051)).colour == "amber"
    assert column_light(replace(near, measure="share", gap=0.16)).colour == "red"


def test_a_sentence_says_how_many_columns_and_pairs() -> None:
    found = run_pilot(propose("public", SCHEMA), 4000)

    usable, pairs = usable_pairs(found)
    assert f"{usable} of {pairs} pairs of columns usable" in pilot_sentence(found)
    one = run_pilot(propose("public", SCHEMA, columns=["age"]), 4000)
    assert pilot_sentence(one) == "1 of 1 columns will be near the originals."

"""What every metric promises, checked for each name in the registry."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import isinf, isnan

import pytest

import covey
from covey.engines.memory.rows import HeldRows
from covey.evaluate import METRICS, Metric
from tests.contracts.identity import identity_release
from tests.contracts.people import people

NAMES = list(METRICS)
QUASI = ("age", "income", "region")
ORDERED = ("age", "income", "visits", "health")
RELEASES = (
    *("mdav", "coarse", "individual-ranking", "laplace", "rank-blocks", "cross-moment"),
    "identity",
)


def mixed_people() -> covey.Table:
    """Return the people, of whom intruders know a category beside the numbers."""
    table = people()
    schema = table.schema.updated("region", role=covey.Role.QUASI_IDENTIFIER)
    return replace(table, schema=schema)


@cache
def releases() -> dict[str, tuple[covey.Release, covey.Trace]]:
    """Publish the people in several ways, repeatably."""
    table = mixed_people()
    noise = {"epsilon": 1.0, "columns": ORDERED, "random_state": 1, "trace": True}
    return {
        "mdav": covey.publish(table, "mdav", k=3, trace=True),
        "coarse": covey.publish(table, "mdav", k=30, trace=True),
        "individual-ranking": covey.publish(people(), "individual-ranking", k=5, trace=True),
        "laplace": covey.publish(table, "laplace", **noise),
        "rank-blocks": covey.publish(table, "rank-blocks", **noise),
        "cross-moment": covey.publish(table, "cross-moment", m=1, k=20, **noise),
        "identity": identity_release(table, QUASI),
    }


@cache
def scores() -> dict[str, covey.Evaluation]:
    """Score every release against the coarse one, which has the most to lose."""
    table, made = mixed_people(), releases()
    return {
        name: covey.evaluate(table, *release, baseline=made["coarse"], target="age")
        for name, release in made.items()
    }


def base(score: str) -> str:
    """Return the metric of a score; that of one column is called like ks[age]."""
    return score.partition("[")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_declares_all_that_a_report_needs(name) -> None:
    metric = METRICS[name]

    assert isinstance(metric, Metric)
    assert metric.name == name
    assert metric.title
    assert metric.explanation.endswith(".")
    assert metric.better in ("lower", "higher", "neither")
    assert metric.kind in ("utility", "risk")
    assert metric.low < metric.high
    assert isinstance(metric.aligned, bool)


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_is_computed_for_some_release(name) -> None:
    assert any(name in evaluation for evaluation in scores().values())


@pytest.mark.parametrize("release", RELEASES)
def test_every_score_belongs_to_a_metric_and_lies_in_its_range(release) -> None:
    evaluation = scores()[release]

    assert len(evaluation) > 0
    for score, value in evaluation.items():
        metric = METRICS[base(score)]
        assert not isnan(value)
        assert metric.low <= value <= metric.high


@pytest.mark.parametrize("release", RELEASES)
def test_scores_of_one_column_name_a_column_of_the_data(release) -> None:
    table = people()

    columns = [score.partition("[")[2][:-1] for score in scores()[release] if "[" in score]

    assert columns
    assert set(columns) <= set(table.schema.names)


# Models that are trained on the data themselves are not perfect, and may be beaten by luck.
LOSSES = [name for name in NAMES if METRICS[name].kind == "utility" and not METRICS[name].target]


@pytest.mark.parametrize("name", LOSSES)
def test_the_data_themselves_have_the_best_score_of_utility(name) -> None:
    metric = METRICS[name]

    score = scores()["identity"][name]

    if metric.better == "lower":
        assert score == metric.low == 0.0
    else:
        assert score == metric.high
        assert isinf(score)


@pytest.mark.parametrize("name", LOSSES)
def test_no_other_release_beats_the_data_themselves_in_utility(name) -> None:
    best = scores()["identity"][name]

    others = [evaluation[name] for evaluation in scores().values() if name in evaluation]

    sign = 1 if METRICS[name].better == "lower" else -1
    assert all(sign * other >= sign * best for other in others)
    assert any(other != best for other in others)


def test_the_data_themselves_have_the_worst_score_of_risk() -> None:
    identity, mdav = scores()["identity"], scores()["mdav"]

    assert identity["rl"] == METRICS["rl"].high == 100.0
    assert identity["k_achieved"] == METRICS["k_achieved"].low == 1
    assert identity["l_diversity"] == METRICS["l_diversity"].low == 1
    assert identity["rl"] > mdav["rl"]
    assert identity["k_achieved"] < mdav["k_achieved"]
    assert identity["t_closeness"] > mdav["t_closeness"]
    assert identity["rl_f"] < mdav["rl_f"]


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS[name].aligned])
def test_a_metric_of_records_is_left_out_where_rows_do_not_correspond(name) -> None:
    apart, _ = releases()["mdav"]

    evaluation = covey.evaluate(mixed_people(), apart, baseline=releases()["coarse"])

    assert name not in evaluation
    assert any("record with record" in note for note in evaluation.notes)


@pytest.mark.parametrize("name", [name for name in NAMES if not METRICS[name].aligned])
def test_a_metric_of_tables_does_not_listen_to_the_order_of_rows(name) -> None:
    release, trace = releases()["mdav"]
    reversed_rows = replace(release, rows=HeldRows(release.frame.reverse()))

    asked = {"target": "age"} if METRICS[name].target else {}

    here, there = (
        covey.evaluate(mixed_people(), made, trace, **asked) for made in (release, reversed_rows)
    )

    # Models add up the same records in another order.
    near = {"abs": 0.02} if METRICS[name].target else {"rel": 1e-9, "abs": 1e-12}
    assert there[name] == pytest.approx(here[name], **near)


@pytest.mark.parametrize("scaling", ["standard", "raw", "bounds"])
def test_scores_stay_in_their_range_under_every_scaling(scaling) -> None:
    evaluation = covey.evaluate(mixed_people(), *releases()["mdav"], scaling=scaling)

    assert all(
        METRICS[base(score)].low <= value <= METRICS[base(score)].high
        for score, value in evaluation.items()
    )


def test_a_release_of_categories_alone_has_every_score_that_is_not_of_numbers() -> None:
    table = people()
    release, trace = covey.publish(
        table, "exponential", epsilon=1.0, columns=("region",), random_state=1, trace=True
    )

    evaluation = covey.evaluate(table, release, trace)

    assert {"sse", "il_percent", "il1s", "rl", "tv_1way"} <= set(evaluation)
    assert all(METRICS[base(score)].columns == "all" for score in evaluation)
    wrong = table.frame["region"].ne_missing(trace.aligned["region"]).sum()
    assert evaluation["sse"] == wrong > 0


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS[name].columns == "numbers"])
def test_a_metric_of_numbers_alone_names_the_categories_that_it_does_not_see(name) -> None:
    evaluation = scores()["mdav"]

    assert any(name in note and "not at region" in note for note in evaluation.notes)


def test_no_metric_of_risk_is_one_of_numbers_alone() -> None:
    assert {m.columns for m in METRICS.values() if m.kind == "risk"} == {"all"}

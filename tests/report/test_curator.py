"""The curator's edition shows what was lost, and says on every page that it stays at home."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.engines.memory.rows import HeldRows
from covey.evaluate import METRICS
from covey.evaluate.network import NETWORK_METRICS
from covey.report import curator_report
from covey.report.comparison import BY_RANK, BY_RECORD, NO_SPLIT, _split, split_errors, statistics
from covey.report.curator import MARK
from covey.report.lights import THRESHOLDS, light
from tests.report.test_public import Reader, words


def edition(table, release, trace) -> str:
    return curator_report(table, release, covey.evaluate(table, release, trace), trace)


def test_the_curators_edition_compares_every_column(table, traced) -> None:
    release, trace = traced

    page = edition(table, release, trace)

    assert page.count("Original and released values of") == 2 * len(release.frame.columns)
    for name in release.frame.columns:
        assert name in page


def test_it_is_marked_where_it_begins_and_where_it_ends(table, traced) -> None:
    page = words(edition(table, *traced)).lower()

    assert page.count(MARK) >= 3


def test_scores_stand_with_their_sentence_their_light_and_its_thresholds(
    table, traced_private
) -> None:
    release, trace = traced_private
    scores = covey.evaluate(table, release, trace)

    page = words(curator_report(table, release, scores, trace))

    for name in scores:
        if name in METRICS:
            assert METRICS[name].explanation in page
            assert light(METRICS[name], scores[name]).thresholds in page
    assert "rl" in scores
    assert "Record linkage: someone who holds" in page
    assert "guessing at random" in page


def test_values_outside_the_bounds_are_told(table, traced_private) -> None:
    assert "income 1." in words(edition(table, *traced_private))


def test_a_graph_is_compared_by_its_degrees(friends, graph_release) -> None:
    scores = covey.evaluate(friends, graph_release)

    page = words(curator_report(friends, graph_release, scores))

    assert "Nodes by degree" in page
    assert ("ends, original" in page) == (graph_release.frame.width == 3)
    for name in scores:
        if name in NETWORK_METRICS:
            assert NETWORK_METRICS[name].explanation in page


def test_hostile_names_do_no_harm(hostile) -> None:
    seen = Reader(edition(hostile, *covey.publish(hostile, "mdav", k=2, trace=True)))

    assert not {"script", "b"} & set(seen.tags)
    assert not [name for name in seen.attributes if name.startswith("on")]


def test_statistics_are_those_of_the_columns(table, private) -> None:
    (first, *_) = statistics(table, private)

    original, released = (values for _, values in first.rows)
    ages, after = table.values("age"), private.frame["age"].to_numpy()
    assert first.name == "age"
    assert original[:3] == pytest.approx((24, ages.mean(), ages.std()))
    assert released[:3] == pytest.approx((24, after.mean(), after.std()))
    assert original[5] == np.median(ages)


values = st.lists(st.tuples(st.floats(-100, 100), st.integers(-3, 3)), min_size=2, max_size=30)


@given(pairs=values)
def test_the_parts_of_an_error_add_up_to_it(pairs) -> None:
    original, released = (np.array(column, dtype=np.float64) for column in zip(*pairs, strict=True))

    split = _split("x", original, released)

    assert split.aggregation + split.noise == pytest.approx(split.total, rel=1e-6, abs=1e-6)
    if original.var() > 1e-6:
        sse = np.square(original - released).sum()
        assert split.total == pytest.approx(100 * sse / (original.size * original.var()), rel=1e-6)


def test_clusters_without_noise_have_no_noise(table) -> None:
    release, trace = covey.publish(table, "mdav", k=3, trace=True)

    splits, how = split_errors(table, release, trace.aligned)

    income = next(split for split in splits if split.name == "income")
    assert how == BY_RECORD
    assert income.noise == pytest.approx(0.0, abs=1e-9)
    assert income.aggregation > 0


def test_values_perturbed_one_by_one_have_no_aggregation(table) -> None:
    release, trace = covey.publish(table, "laplace", epsilon=2.0, columns=("income",), trace=True)
    spread = trace.aligned.with_columns(income=np.arange(24, dtype=np.float64))

    (income,), _ = split_errors(table, release, spread)

    assert income.aggregation == 0.0
    assert income.noise == income.total


def test_a_saved_release_is_split_rank_by_rank(table, private) -> None:
    splits, how = split_errors(table, private)

    assert how == BY_RANK
    assert {split.name for split in splits} == {"age", "income"}


def test_an_error_that_cannot_be_split_is_not(table, private) -> None:
    shorter = replace(private, rows=HeldRows(private.frame.head(5)))

    assert split_errors(table, shorter) == ([], NO_SPLIT)


def test_every_metric_of_a_bounded_size_has_a_light() -> None:
    sized = {"sse", "sse_ranked", "il1s_sum", "sae"}
    sized |= {"l1_1k", "euclidean_1k", "l1_2k", "euclidean_2k"}
    known = METRICS | NETWORK_METRICS

    judged = {name for name, metric in known.items() if metric.better != "neither"}

    assert set(THRESHOLDS) == judged - sized


@pytest.mark.parametrize("name", THRESHOLDS)
def test_lights_turn_at_their_thresholds(name) -> None:
    metric = (METRICS | NETWORK_METRICS)[name]
    good, fair = THRESHOLDS[name]
    worse = 1 if metric.better == "lower" else -1

    colours = [light(metric, x).colour for x in (good, good + worse * 1e-9, fair, fair + worse * 9)]

    assert colours == ["green", "amber", "amber", "red"]
    assert f"{good:g}" in light(metric, good).thresholds

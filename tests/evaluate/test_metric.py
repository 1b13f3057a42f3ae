"""Every metric declares what a report needs to know of it."""

from dataclasses import FrozenInstanceError
from math import isnan

import numpy as np
import pytest

from covey.errors import DataError
from covey.evaluate.metric import by_name, require_comparable
from covey.evaluate.queries import QUERY_METRICS
from covey.evaluate.risk import RISK_METRICS
from covey.evaluate.utility import UTILITY_METRICS

REGISTRIES = (UTILITY_METRICS, QUERY_METRICS, RISK_METRICS)
METRICS = [metric for registry in REGISTRIES for metric in registry.values()]
NAMES = [metric.name for metric in METRICS]


def test_the_names_are_those_that_scripts_rely_on() -> None:
    assert set(NAMES) == {
        *("sse", "sse_ranked", "il_percent", "il1s", "il1s_sum", "rl", "sse_f", "rl_f", "score"),
        *("mean_error", "variance_error", "sd_error", "correlation_error", "ks", "wasserstein"),
        *("range_query_error", "k_achieved", "l_diversity", "t_closeness"),
    }


def test_the_metrics_that_compare_records_need_aligned_rows() -> None:
    aligned = {metric.name for metric in METRICS if metric.aligned}

    assert aligned == {
        *("sse", "sse_ranked", "il_percent", "il1s", "il1s_sum", "rl"),
        *("sse_f", "rl_f", "score"),
    }


def test_the_metrics_that_improve_upwards_say_so() -> None:
    upwards = {metric.name for metric in METRICS if metric.better == "higher"}

    assert upwards == {"sse_f", "rl_f", "score", "k_achieved", "l_diversity"}


def test_the_metrics_of_disclosure_are_marked_as_risk() -> None:
    risky = {metric.name for metric in METRICS if metric.kind == "risk"}

    assert risky == set(RISK_METRICS)


def test_the_metrics_that_look_at_many_records_at_once_say_so() -> None:
    together = {metric.name for metric in METRICS if metric.memory_only}

    assert together == {"range_query_error", "score", "sse_ranked", *RISK_METRICS}


@pytest.mark.parametrize("metric", METRICS, ids=NAMES)
def test_a_metric_is_registered_under_its_name_with_a_range(metric) -> None:
    assert [registry[metric.name] for registry in REGISTRIES if metric.name in registry] == [metric]
    assert metric.low < metric.high
    assert not isnan(metric.high)


@pytest.mark.parametrize("metric", METRICS, ids=NAMES)
def test_an_explanation_is_one_plain_sentence(metric) -> None:
    assert metric.explanation[0].isupper()
    assert metric.explanation.endswith(".")
    assert ". " not in metric.explanation
    assert len(metric.title) <= 40


def test_a_metric_cannot_be_changed() -> None:
    metric = UTILITY_METRICS["ks"]

    with pytest.raises(FrozenInstanceError):
        metric.high = 2.0


def test_by_name_keeps_the_order() -> None:
    ks, sse = UTILITY_METRICS["ks"], UTILITY_METRICS["sse"]

    assert list(by_name(ks, sse)) == ["ks", "sse"]


@pytest.mark.parametrize(
    ("original", "released"),
    [
        (np.zeros((3, 2)), np.zeros((3, 1))),
        (np.zeros(3), np.zeros(3)),
    ],
    ids=["other columns", "one dimension"],
)
def test_tables_with_other_attributes_are_not_compared(original, released) -> None:
    with pytest.raises(DataError, match="do not have the same attributes"):
        require_comparable(original, released)


@pytest.mark.parametrize("shape", [(0, 2), (3, 0)])
def test_an_empty_table_is_not_compared(shape) -> None:
    with pytest.raises(DataError, match="empty"):
        require_comparable(np.zeros(shape), np.zeros(shape))


def test_tables_of_different_length_may_be_compared_as_wholes() -> None:
    require_comparable(np.zeros((3, 2)), np.zeros((1, 2)))

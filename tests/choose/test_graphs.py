"""Advice about graphs, from two public guesses."""

from __future__ import annotations

import pytest

import covey
from covey.errors import PlanError
from tests.contracts.graphs import friends


def test_advice_about_a_graph_can_be_published() -> None:
    advice = covey.advise(task="graph", n=300, degree=6.0, epsilon=2.0)

    assert advice.system == "joint-degree-boxes"
    assert advice.parameters["unit"] == "edge"
    assert covey.run(advice.plan, friends()).guarantee.epsilon == 2


def test_the_error_falls_with_epsilon() -> None:
    errors = covey.advise(task="graph", n=400, epsilon=1.0).by_epsilon

    assert list(errors) == [0.25, 0.5, 1.0, 2.0, 4.0]
    assert errors[4.0] < errors[0.25]


def test_nodes_cost_more_than_edges() -> None:
    edge, node = (
        covey.advise(task="graph", n=400, unit=unit).by_epsilon[1.0] for unit in ("edge", "node")
    )

    assert edge < node


@pytest.mark.parametrize(
    ("wrong", "explanation"),
    [
        ({}, "number of nodes is unknown"),
        ({"n": 1}, "make no graph"),
        ({"n": 10, "degree": 10.0}, "make no graph"),
        ({"n": 100, "unit": "family"}, "Choose edge or node"),
        ({"n": 100, "epsilon": 0}, "not a positive finite number"),
    ],
)
def test_a_senseless_question_is_refused(wrong, explanation) -> None:
    with pytest.raises(PlanError, match=explanation):
        covey.advise(task="graph", **wrong)


def test_a_table_needs_its_schema() -> None:
    with pytest.raises(PlanError, match="there is no schema"):
        covey.advise(n=100)

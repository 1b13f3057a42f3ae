"""Charts of plans: colours stay with their systems, and no value is left out or doubled."""

from __future__ import annotations

import altair as alt
import pytest

from covey.report.plan_charts import plan_curves, plan_map, release_map
from covey.report.vega import PALETTE, steep

PLANS = [
    {"plan": "a", "system": "b-system", "sound": True, "frontier": True, "loss": 0.2, "risk": 3.0},
    {"plan": "c", "system": "a-system", "sound": False, "frontier": True, "loss": 0.1, "risk": 5.0},
    {"plan": "d", "system": "a-system", "sound": False, "frontier": False, "loss": 1.0, "risk": 0},
]
SCORED = [{"plan": "a", "system": "b-system", "x": x, "y": 1.0 / x} for x in (1, 10)]


def test_charts_that_a_browser_draws_are_valid_vega_lite() -> None:
    for spec in (plan_map(PLANS, "risk (%)", {"plan": "Plan"}), plan_curves(SCORED, "k", PLANS)):
        alt.LayerChart.from_dict(spec)


def test_rings_and_dots_tell_the_sound_plans_apart_and_a_line_joins_the_best() -> None:
    frontier, rings, dots = plan_map(PLANS, "risk (%)", {"plan": "Plan"})["layer"]

    assert [plan["plan"] for plan in frontier["data"]["values"]] == ["c", "a"]
    assert [plan["plan"] for plan in rings["data"]["values"]] == ["c", "d"]
    assert [plan["plan"] for plan in dots["data"]["values"]] == ["a"]
    assert (rings["mark"]["filled"], dots["mark"]["filled"]) == (False, True)


def test_a_plan_without_a_risk_has_no_place_on_the_map() -> None:
    plans = [PLANS[0], PLANS[1] | {"risk": None}]

    *_, rings, dots = plan_map(plans, "epsilon", {})["layer"]

    assert rings["data"]["values"] == []
    assert dots["data"]["values"] == [PLANS[0]]


def test_a_system_has_the_same_colour_on_the_map_and_in_the_curves() -> None:
    scales = [
        plan_map(PLANS, "risk (%)", {})["layer"][1]["encoding"]["color"]["scale"],
        plan_curves(SCORED, "k", PLANS)["encoding"]["color"]["scale"],
    ]

    assert scales[0] == scales[1]
    assert scales[0] == {"domain": ["a-system", "b-system"], "range": list(PALETTE[:2])}


@pytest.mark.parametrize(("values", "kind"), [([1.0, 9.0], "log"), ([0.0, 9.0], "symlog")])
def test_an_axis_is_logarithmic_unless_a_value_is_0(values, kind) -> None:
    assert steep([{"y": value} for value in values], "y", None)["scale"]["type"] == kind


def test_releases_have_the_colours_of_their_guarantees() -> None:
    drawn = release_map(
        [
            {"x": 0.1, "y": 0.2, "number": "1", "colour": "green"},
            {"x": 0.3, "y": 0.1, "number": "2", "colour": "red"},
        ],
        "gap",
        "error",
    )

    assert drawn.count('fill="var(--green)"') == drawn.count('fill="var(--red)"') == 1
    assert "Map of 2 runs: gap across, error upward." in drawn

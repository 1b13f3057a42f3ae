"""Each node with its own bound, soundly."""

from __future__ import annotations

import math

import numpy as np
import pytest

import covey
from covey.errors import DataError, PlanError
from covey.graph import from_edges
from covey.systems.sound.personalised_dk import PERSONALISED_DK
from tests.contracts.graphs import friends


def preferences(tmp_path, graph, values) -> str:
    lines = [f"{name},{value}\n" for name, value in zip(graph.ids, values, strict=True)]
    path = tmp_path / "preferences.csv"
    path.write_text("node,epsilon\n" + "".join(lines), encoding="utf-8")
    return str(path)


def ring(n: int):
    numbers = np.arange(n)
    return from_edges(np.column_stack([numbers, (numbers + 1) % n]), ids=n)


def test_edges_are_kept_as_often_as_the_more_careful_end_allows(tmp_path) -> None:
    graph = ring(6000)
    # Every second node is careful, so each edge has a careful end.
    given = preferences(tmp_path, graph, [0.5, 2.0] * 3000)

    release = covey.publish(graph, "personalised-dk", preferences=given, threshold=2.0, order=1)

    kept = math.expm1(0.5) / math.expm1(2.0)
    degrees = release.frame["degree"] @ release.frame["nodes"]
    assert abs(degrees / 12000 - kept) < 0.02  # sd of the share 0.004, of the noise 0.001


def test_nodes_that_allow_less_than_the_threshold_are_left_out(tmp_path) -> None:
    graph = ring(6000)
    given = preferences(tmp_path, graph, [0.5] * 3000 + [2.0] * 3000)

    release = covey.publish(
        graph,
        "personalised-dk",
        preferences=given,
        threshold=2.0,
        otherwise="leave-out",
        unit="node",
        theta=4,
        order=1,
    )

    assert abs(release.frame["nodes"].sum() - 3000) < 60  # noise of scale 2.5


def test_everybody_at_the_threshold_means_the_inner_system_itself(tmp_path) -> None:
    graph = friends()
    given = preferences(tmp_path, graph, [1.0] * graph.n_nodes)

    personal = covey.publish(graph, "personalised-dk", preferences=given, random_state=4)
    plain = covey.publish(graph, "joint-degree-boxes", epsilon=1.0, random_state=4)

    # The coins are tossed from the same seed first, so only the laws agree, not the draws.
    assert personal.extras["degrees"]["noise_scale"].equals(plain.extras["degrees"]["noise_scale"])
    assert personal.guarantee.epsilon == plain.guarantee.epsilon


def test_the_guarantee_says_whose_preference_bounds_the_loss(tmp_path) -> None:
    graph = friends()
    given = preferences(tmp_path, graph, np.linspace(0.1, 1.0, graph.n_nodes))

    guarantee = covey.publish(graph, "personalised-dk", preferences=given).guarantee

    assert guarantee.kind is covey.GuaranteeKind.PERSONALISED
    assert guarantee.epsilon == 1
    text = " ".join([*guarantee.assumes, *guarantee.conditions])
    assert "preferences of all nodes are public" in text
    assert "smaller preference of its two ends" in text
    assert "Definition 31" in text


def test_the_largest_preference_is_no_threshold_where_nodes_are_protected(tmp_path) -> None:
    graph = friends()
    given = preferences(tmp_path, graph, [1.0] * graph.n_nodes)

    with pytest.raises(PlanError, match="would tell who is there"):
        covey.publish(graph, "personalised-dk", preferences=given, unit="node")


def test_preferences_that_depend_on_the_number_of_nodes_protect_no_node() -> None:
    with pytest.raises(PlanError, match="one more node would change everybody's"):
        covey.publish(friends(), "personalised-dk", preferences="paper", unit="node", threshold=1.0)


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        ("nobody,1", "not in the graph"),
        ("person-000,0", "not a number above 0"),
        ("person-000,-1", "not a number above 0"),
        ("person-000,much", "not a number above 0"),
    ],
)
def test_senseless_preferences_are_refused(tmp_path, line, explanation) -> None:
    path = tmp_path / "preferences.csv"
    path.write_text(f"node,epsilon\n{line}\n", encoding="utf-8")

    with pytest.raises(DataError, match=explanation):
        covey.publish(friends(), "personalised-dk", preferences=str(path))


def test_preferences_must_be_there() -> None:
    with pytest.raises(PlanError, match="needs 'preferences'"):
        covey.publish(friends(), PERSONALISED_DK.name)
    with pytest.raises(DataError, match="no file"):
        covey.publish(friends(), PERSONALISED_DK.name, preferences="missing.csv")


def test_the_folder_of_the_preferences_is_not_published(tmp_path) -> None:
    given = preferences(tmp_path, friends(), [1.0] * friends().n_nodes)

    release = covey.publish(friends(), "personalised-dk", preferences=given)
    folder = release.save(tmp_path / "out")

    assert release.plan.parameters["preferences"] == given, "it can be run again here"
    assert covey.Plan.load(folder / "plan.toml").parameters["preferences"] == "preferences.csv"
    for path in folder.iterdir():
        assert str(tmp_path) not in path.read_text("utf-8")

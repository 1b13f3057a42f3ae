"""What every system for graphs owes its users."""

from __future__ import annotations

import json

import numpy as np
import pytest

import covey
from covey.errors import BudgetError, CoveyError, PlanError
from covey.graph import from_edges
from covey.ledger import create_ledger, load_ledger
from covey.systems import SYSTEMS
from tests.contracts.graphs import NAMES, SOUND, friends, publish, required
from tests.contracts.people import people

SENSELESS = [
    (name, parameter.name, value)
    for name in NAMES
    for parameter in SYSTEMS[name].parameters
    for wrong, value in {"epsilon": 0, "theta": 0, "unit": "family", "tau": -1, "k": 0}.items()
    if parameter.name == wrong
]
PAPERS = [name for name in NAMES if name not in SOUND]


@pytest.mark.parametrize("name", NAMES)
def test_a_release_counts_whole_nodes_or_edges_by_degree(name) -> None:
    frame = publish(name).frame

    assert frame.columns in (["degree", "nodes"], ["degree_1", "degree_2", "edges"])
    assert (frame.to_numpy() >= 0).all()
    assert all(dtype.is_integer() for dtype in frame.dtypes)
    if frame.width == 3:
        assert (frame["degree_1"] <= frame["degree_2"]).all()


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_system_promises_what_it_was_asked_for(name) -> None:
    # The paper's preferences are none where nodes are protected.
    for unit in ("edge",) if name == "personalised-dk" else ("edge", "node"):
        guarantee = publish(name, unit=unit).guarantee

        assert guarantee.kind.is_differential_privacy
        assert str(guarantee.unit) == unit
        assert guarantee.epsilon == 1
        assert guarantee.claim


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_system_promises_nothing_and_says_why(name) -> None:
    guarantee = publish(name).guarantee

    assert guarantee.kind is covey.GuaranteeKind.NONE
    assert guarantee.reasons
    assert "differential privacy" not in str(guarantee).lower()


@pytest.mark.parametrize("name", NAMES)
def test_no_file_of_a_release_names_a_node(name, tmp_path) -> None:
    folder = publish(name).save(tmp_path / "out")

    texts = [path.read_text(encoding="utf-8") for path in folder.iterdir()]

    assert len(texts) >= 4
    assert not any("person-" in text for text in texts)


@pytest.mark.parametrize("name", NAMES)
def test_the_plan_of_a_release_runs_again(name, tmp_path) -> None:
    first = publish(name, random_state=3)
    first.save(tmp_path / "out")

    again = covey.run(covey.Plan.load(tmp_path / "out" / "plan.toml"), friends())

    assert again.frame.equals(first.frame) or "theta" in first.plan.parameters
    assert again.guarantee == first.guarantee


@pytest.mark.parametrize("name", NAMES)
def test_a_seeded_release_is_repeatable_and_not_for_publication(name) -> None:
    here, there = (publish(name, random_state=5) for _ in range(2))

    assert here.frame.equals(there.frame)
    assert all(here.extras[key].equals(there.extras[key]) for key in here.extras)
    assert here.guarantee.kind is covey.GuaranteeKind.NONE


@pytest.mark.parametrize("name", SOUND)
def test_a_release_is_charged_to_its_ledger_and_refused_when_it_is_spent(name, tmp_path) -> None:
    ledger = tmp_path / "a.ledger"
    create_ledger(ledger, 1)

    publish(name, ledger=ledger)

    assert load_ledger(ledger).spent == 1
    with pytest.raises(BudgetError):
        publish(name, ledger=ledger)
    assert load_ledger(ledger).spent == 1


@pytest.mark.parametrize(("name", "parameter", "value"), SENSELESS)
def test_a_senseless_parameter_is_refused_and_nothing_is_spent(
    name, parameter, value, tmp_path
) -> None:
    ledger = tmp_path / "a.ledger"
    create_ledger(ledger, 10)

    with pytest.raises(CoveyError):
        publish(name, ledger=ledger, **{parameter: value})

    assert load_ledger(ledger).spent == 0


@pytest.mark.parametrize("name", SOUND)
def test_a_graph_without_edges_is_published_like_any_other(name) -> None:
    lonely = from_edges(np.empty((0, 2), dtype=np.int64), ids=50)

    assert publish(name, lonely).guarantee.epsilon == 1


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_system_refuses_a_graph_without_edges(name) -> None:
    lonely = from_edges(np.empty((0, 2), dtype=np.int64), ids=50)

    with pytest.raises(CoveyError, match="no edges"):
        publish(name, lonely)


def test_a_table_is_refused_by_graph_systems_and_a_graph_by_table_systems() -> None:
    with pytest.raises(PlanError, match="publishes graphs, and a table was given"):
        covey.publish(people(), "degree-histogram", epsilon=1)
    with pytest.raises(PlanError, match="publishes tables, and a graph was given"):
        covey.publish(friends(), "mdav", k=3)


@pytest.mark.parametrize("name", SOUND)
def test_a_written_guarantee_is_the_one_of_the_release(name, tmp_path) -> None:
    release = publish(name)

    folder = release.save(tmp_path / "out")

    content = json.loads((folder / "guarantee.json").read_text(encoding="utf-8"))
    assert covey.Guarantee.from_dict(content) == release.guarantee
    assert required(name).keys() <= covey.Plan.load(folder / "plan.toml").parameters.keys()

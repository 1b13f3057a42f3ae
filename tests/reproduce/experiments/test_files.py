"""Every experiment of the papers runs at a reduced size, on data that no paper has seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from covey.reproduce.experiments import (
    Experiment,
    check_claims,
    load_experiments,
    own_data,
    run_experiments,
)
from covey.reproduce.experiments.pictures import pictures
from covey.reproduce.experiments.sets import is_graph
from tests.reproduce.experiments.made_up import small_graph, small_table

EXPERIMENTS = {each.name: each for each in load_experiments()}
LARGEST = {"table": 120, "graph": 16}
"""No cluster is larger, so that the small table and the small graph have some."""


def reduced(experiment: Experiment) -> Experiment:
    """Take the smallest and the largest value of each axis, and two runs."""
    kind = "graph" if is_graph(experiment) else "table"
    grid = {
        axis: tuple(dict.fromkeys((values[0], _capped(values, LARGEST[kind]))))
        for axis, values in experiment.grid.items()
    }
    records = (120, 240) if experiment.records else ()
    return replace(experiment, grid=grid, runs=min(experiment.runs, 2), records=records)


def _capped(values: tuple, largest: int) -> object:
    fitting = [value for value in values if not isinstance(value, int) or value <= largest]
    return fitting[-1] if fitting else values[0]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_of_the_papers_runs_on_other_data(name) -> None:
    experiment = reduced(EXPERIMENTS[name])
    data = small_graph() if is_graph(experiment) else small_table()

    (findings,) = run_experiments([(experiment, own_data(experiment, "mine", data))], own=True)

    assert not findings.refused
    assert {cell.line for cell in findings.cells} == {line.name for line in experiment.lines}
    lines = [panel for panel in experiment.panels if not panel.along]
    assert len(pictures(findings)) >= len(lines)
    assert len(check_claims(findings)) == len(experiment.claims)


def test_every_claim_can_be_checked_on_the_grid_of_its_experiment() -> None:
    """A claim about points that are never run would stay unseen."""
    for experiment in EXPERIMENTS.values():
        axes = {**experiment.grid, "data": experiment.data, "n": experiment.records}
        for claim in experiment.claims:
            for axis, wanted in claim.where.items():
                values = wanted if isinstance(wanted, list) else [wanted]
                for value in values:
                    if not isinstance(value, str):
                        assert value in axes[axis], f"{experiment.name}: {claim.text}"


def test_figures_have_a_number_and_no_two_files_draw_the_same() -> None:
    drawn = [(each.paper, number) for each in EXPERIMENTS.values() for number in each.numbers]

    assert len(drawn) == len(set(drawn))

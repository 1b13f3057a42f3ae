"""An experiment is read as it is written, or the wrong key is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from covey.errors import DataError, PlanError
from covey.reproduce.experiments import (
    check_claims,
    figure_section,
    load_experiments,
    open_experiment,
    own_data,
    read_experiment,
    run_experiments,
)
from covey.reproduce.experiments.experiment import few
from tests.reproduce.experiments.made_up import small_graph, small_table

PAGE = Path(__file__).parents[3] / "docs" / "experiments.md"
EXAMPLE = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]


def test_the_example_of_the_documents_runs_and_is_drawn(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(EXAMPLE, encoding="utf-8")
    experiment = open_experiment(file).quick()

    (findings,) = run_experiments([(experiment, own_data(experiment, "mine", small_table()))])

    assert not findings.refused
    section = figure_section(findings)
    assert [title for title, _ in section.panels] == ["ε = 0.1", "ε = 1", "ε = 10"]
    assert [name for name, *_ in section.legend] == [
        *("stable, α = 2", "stable, α = 8"),  # noqa: RUF001
        *("every record by itself", "no noise"),
    ]
    assert section.claims[0].word == check_claims(findings)[0].word != "not run"


def test_what_is_kept_is_not_computed_again_and_gives_the_same_page(tmp_path) -> None:
    experiment = read_experiment(EXAMPLE, "mine").quick()
    sets = own_data(experiment, "mine", small_table())
    seen: list[int] = []

    def stop(_what: str, done: int, _total: int) -> None:
        seen.append(done)
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiments([(experiment, sets)], cache=tmp_path, progress=stop)
    seen.clear()
    first = run_experiments(
        [(experiment, sets)], cache=tmp_path, progress=lambda _w, done, _t: seen.append(done)
    )
    assert seen[0] == 5
    seen.clear()
    again = run_experiments(
        [(experiment, sets)], cache=tmp_path, progress=lambda _w, done, _t: seen.append(done)
    )

    assert seen == []
    assert again == first


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("runs = 5", "run = 5", "runs"),
        ("title", "titel", "titel"),
        ('measures = ["il1s", "rl"]', 'measures = ["il1"]', "il1s"),
        ('system = "laplace"', 'sistem = "laplace"', "needs a name and one of"),
        ('y = "il1s"', "", "needs an x and a y"),
        ('than = "every record by itself"', 'than = "nobody"', "nobody"),
        ('by = ["epsilon"]', 'by = ["eps"]', "epsilon"),
        ('less = "stable"', "", "needs its text and one of"),
        ("k = [3, 10, 30]", "k = { from = 3 }", "neither a list nor from, to and step"),
        ("runs = 5", "runs = = 5", "not valid TOML"),
        ('scale = "log"', 'colour = "red"', "colour"),
    ],
)
def test_what_is_wrong_is_named(old, new, said) -> None:
    assert old in EXAMPLE

    with pytest.raises(PlanError, match=re.escape(said)):
        read_experiment(EXAMPLE.replace(old, new, 1), "mine")


def test_a_system_that_does_not_exist_is_refused_with_the_nearest_name() -> None:
    experiment = read_experiment(EXAMPLE.replace('"laplace"', '"laplac"'), "mine")

    with pytest.raises(PlanError, match="laplace"):
        run_experiments([(experiment, own_data(experiment, "mine", small_table()))])


def test_a_graph_is_no_table() -> None:
    experiment = read_experiment(EXAMPLE, "mine")

    with pytest.raises(DataError, match="one on a table"):
        own_data(experiment, "mine", small_graph())


def test_a_figure_is_found_by_its_number_and_another_one_is_suggested() -> None:
    assert [each.figure for each in load_experiments("002", "Figure 5.9")] == [
        "Figures 5.8 and 5.9"
    ]
    with pytest.raises(PlanError, match="there is no experiment for figure"):
        load_experiments("002", "9.9")


def test_a_quick_run_takes_the_ends_of_an_axis_and_what_lies_between() -> None:
    assert few(range(2, 101)) == (2, 51, 100)
    assert few([1, 2]) == (1, 2)


def test_a_file_that_is_not_there_is_explained(tmp_path) -> None:
    with pytest.raises(PlanError, match="cannot be read"):
        open_experiment(tmp_path / "nowhere.toml")

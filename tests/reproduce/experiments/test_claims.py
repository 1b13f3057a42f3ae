"""A claim holds, fails or stays open by the numbers alone, and says which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from covey.errors import PlanError
from covey.reproduce.experiments import Findings, check_claims, read_experiment
from covey.reproduce.experiments.claims import matches
from covey.reproduce.experiments.points import Cell, margin

HEAD = """
title = "t"
measures = ["sse"]
[grid]
k = [1, 2, 3]
[[line]]
name = "a"
partition = "mdav"
[[line]]
name = "b"
partition = "mdav"
[[panel]]
x = "k"
y = "sse"
[[claim]]
text = "said"
"""


def verdict(claim: str, a: list, b: list, *, own: bool = False) -> tuple[str, str]:
    """Check one claim where two lines have these values of all runs at k = 1, 2, 3."""
    experiment = read_experiment(HEAD + claim, "test")
    cells = [
        Cell(line=line, at={"data": "D", "k": k}, values={"sse": tuple(values)})
        for line, rows in (("a", a), ("b", b))
        for k, values in zip((1, 2, 3), rows, strict=True)
    ]
    findings = Findings(experiment=experiment, cells=tuple(cells), refused={}, own=own)
    (found,) = check_claims(findings)
    return found.word, found.numbers


LOW, HIGH, NOISY = [[1.0]] * 3, [[2.0]] * 3, [[0.0, 3.2]] * 3


@pytest.mark.parametrize(
    ("a", "b", "word", "said"),
    [
        (LOW, HIGH, "holds", "in all 3 places; closest at D, k = 1: 1 against 2"),
        (HIGH, LOW, "fails", "holds in 0 of 3; fails in 3, most at D, k = 1: 2 against 1"),
        ([[1.0], [1.0], [5.0]], HIGH, "fails", "fails in 1, most at D, k = 3: 5 against 2"),
        (NOISY, HIGH, "open", "too close to tell in 3"),
        (LOW, LOW, "open", "too close to tell in 3"),
    ],
)
def test_one_line_is_below_another_at_each_place_or_the_places_are_counted(
    a, b, word, said
) -> None:
    found = verdict('less = "a"\nthan = "b"', a, b)

    assert found[0] == word
    assert said in found[1]


def test_a_number_a_list_a_place_and_slack_can_be_compared_with() -> None:
    assert verdict('less = "a"\nthan = 1.5', LOW, HIGH)[0] == "holds"
    assert verdict('less = 1.5\nthan = "a"', LOW, HIGH)[0] == "fails"
    assert verdict('less = ["a", "b"]\nthan = 1.5', LOW, HIGH)[0] == "fails"
    assert verdict('less = "b"\nthan = "a"\nslack = 1.1', LOW, HIGH)[0] == "holds"
    falling = [[3.0], [2.0], [1.0]]
    at = 'less = { line = "a", k = 3 }\nthan = { line = "a", k = 1 }'
    assert verdict(at, falling, HIGH)[0] == "holds"
    assert verdict('less = { line = "a", best = "k" }\nthan = 1.5', falling, HIGH)[0] == "holds"
    assert verdict('less = "a"\nthan = 2.5\nwhere = { k = ">=2" }', falling, HIGH)[0] == "holds"


def test_a_line_falls_unless_a_step_is_up() -> None:
    falls = 'falls = "a"\nx = "k"'

    assert verdict(falls, [[3.0], [2.0], [1.0]], HIGH)[0] == "holds"
    word, numbers = verdict(falls, [[3.0], [1.0], [2.0]], HIGH)
    assert (word, numbers) == ("fails", "rises in 1 of 2 steps, such as D, k = 3: 1 to 2")


def test_the_lowest_place_is_compared_with_what_is_printed() -> None:
    lowest = 'lowest = "a"\nx = "k"\nprints = { D = %s }'
    valley = [[3.0], [1.0], [2.0]]

    assert verdict(lowest % 2, valley, HIGH)[0] == "holds"
    assert verdict(lowest % 3, valley, HIGH)[0] == "fails"
    assert verdict(lowest % 3, valley, HIGH, own=True) == ("open", "D: k = 2")
    flat = [[3.0, 3.1], [1.0, 2.0], [1.1, 2.2]]
    word, numbers = verdict(lowest % 3, flat, HIGH)
    assert word == "holds"
    assert "no worse from 1 to 3" in numbers or "no worse from 2 to 3" in numbers


def test_a_crossing_is_where_one_line_gets_below_another_for_good() -> None:
    crossing = 'crossing = "a"\nthan = "b"\nx = "k"\nprints = { D = 2.5 }'

    word, numbers = verdict(crossing, [[3.0], [3.0], [1.0]], HIGH)
    assert word == "holds"
    assert "from k = 2.5 (printed 2.5)" in numbers
    word, numbers = verdict(crossing, HIGH, LOW)
    assert (word, "not up to k = 3" in numbers) == ("fails", True)


def test_a_claim_about_points_that_were_not_run_is_not_run() -> None:
    assert verdict('less = "a"\nthan = "b"\nwhere = { k = 9 }', LOW, HIGH)[0] == "not run"
    assert verdict('falls = "a"\nx = "k"\nwhere = { k = 9 }', LOW, HIGH)[0] == "not run"


def test_two_runs_prove_less_than_ten_with_the_same_spread() -> None:
    assert margin([1.0]) == 0
    assert margin([1.0, 2.0]) > 10 * margin([1.0, 2.0] * 5)


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        ({"k": ">=3"}, True),
        ({"k": ">3"}, False),
        ({"k": "<4"}, True),
        ({"k": [1, 3]}, True),
        ({"k": 4}, False),
        ({"theta": 9}, True),
    ],
)
def test_a_place_fits_or_has_no_such_axis(where, fits) -> None:
    assert matches({"k": 3}, where) is fits


def test_a_comparison_with_a_word_is_refused() -> None:
    with pytest.raises(PlanError, match="is no number"):
        matches({"k": 3}, {"k": ">=many"})


def test_a_pair_of_runs_with_the_same_noise_is_told_apart() -> None:
    first = Cell(line="a", at={}, values={"sse": (1.0, 5.0, 9.0)})
    second = replace(first, values={"sse": (1.1, 5.1, 9.1)})

    assert second.margin_of_gap(first, "sse") == pytest.approx(0.0, abs=1e-9)
    assert second.margin("sse") > 1.0

"""The benchmark writes what it found, and what it found the time before."""

from pathlib import Path

import pytest

from benchmarks.measure import Results, exponent


def written(folder: Path, seconds: float) -> str:
    results = Results()
    results.add("publish mdav", "covey", 1_000, seconds)
    results.at_most("publish mdav, seconds", seconds, 3.0)
    results.write(folder, folder / "speed.md", quick=True, seconds=1.0)
    return (folder / "speed.md").read_text(encoding="utf-8")


def test_the_page_shows_the_time_before_beside_the_time_now(tmp_path: Path) -> None:
    first, second = written(tmp_path, 2.5), written(tmp_path, 4.25)

    assert "| publish mdav | covey | 1,000 | 2.5 |  |" in first
    assert "| publish mdav | covey | 1,000 | 4.25 | 2.5 |" in second


def test_a_goal_that_is_missed_is_said_to_be(tmp_path: Path) -> None:
    assert "| publish mdav, seconds | 2.5 | 3 | pass |" in written(tmp_path, 2.5)
    assert "| publish mdav, seconds | 4.25 | 3 | MISS |" in written(tmp_path, 4.25)


def test_growth_is_the_slope_of_logarithms() -> None:
    assert exponent({1_000: 0.1, 10_000: 10.0}) == pytest.approx(2.0)

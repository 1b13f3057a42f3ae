"""Bad systems, parameters and plans end in words that suggest better ones.

`terminal.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

import pytest

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon")
CLUSTERS = ("--system", "mdav", "-k")


def test_a_column_to_publish_that_is_not_there(terminal) -> None:
    said = terminal.refused_to_publish(
        "--system", "rank-blocks", "--columns", "age,incone", "--epsilon", "1"
    )

    assert "no column 'incone' to publish" in said
    assert "Did you mean 'income'?" in said


def test_an_identifier_cannot_be_published_by_asking_for_it(terminal) -> None:
    said = terminal.refused_to_publish("--system", "laplace", "--columns", "name", "--epsilon", "1")

    assert "no column 'name' to publish" in said


def test_an_unknown_system(terminal) -> None:
    said = terminal.refused_to_publish("--system", "rankblocks", "--epsilon", "1")

    assert "there is no system 'rankblocks', so nothing was published" in said
    assert "Did you mean 'rank-blocks'" in said


def test_a_system_like_no_other_gets_the_whole_list(terminal) -> None:
    said = terminal.refused_to_publish("--system", "xyz")

    assert "Known: " in said
    assert "mdav" in said


def test_no_system_at_all(terminal) -> None:
    said = terminal.refused_to_publish()

    assert "no system was chosen, so nothing was published" in said
    assert "--system NAME" in said


@pytest.mark.parametrize("system", ["md", "mdav", "v-mdav", "rank-blocks"])
@pytest.mark.parametrize("k", ["1", "0", "-3"])
def test_k_below_two(terminal, system: str, k: str) -> None:
    epsilon = ("--epsilon", "1", "--columns", "age") if system == "rank-blocks" else ()

    said = terminal.refused_to_publish("--system", system, "-k", k, *epsilon)

    assert f"k = {k} is too small" in said
    assert "hides nobody" in said
    assert "at least 2" in said


def test_k_above_the_number_of_records(terminal) -> None:
    said = terminal.refused_to_publish(*CLUSTERS, "25")

    assert "k = 25 is larger than the number of records" in said
    assert "Give a smaller k" in said


def test_fewer_than_2k_records(terminal) -> None:
    said = terminal.refused_to_publish(*CLUSTERS, "13")

    assert "k = 13 leaves fewer than 2k records" in said
    assert "one cluster" in said
    assert "at most half the number of records" in said


def test_k_that_is_no_number(terminal) -> None:
    said = terminal.refused_to_publish("--system", "mdav", "--param", "k=many")

    assert "parameter 'k' of system 'mdav' must be a whole number" in said
    assert "'many' was given" in said


def test_no_k_where_one_is_needed(terminal) -> None:
    said = terminal.refused_to_publish("--system", "mdav")

    assert "system 'mdav' needs 'k'" in said
    assert "--k" in said


@pytest.mark.parametrize("epsilon", ["0", "-1", "-0.5", "1e-400"])
def test_epsilon_of_zero_or_less(terminal, epsilon: str) -> None:
    said = terminal.refused_to_publish(*NOISE, epsilon)

    assert "is not a positive finite number, so it bounds nothing" in said
    assert "Give a number above 0" in said


@pytest.mark.parametrize("epsilon", ["nan", "inf", "-inf", "1e400", "one", "1/3", ""])
def test_epsilon_that_is_no_finite_number(terminal, epsilon: str) -> None:
    said = terminal.refused_to_publish(*NOISE, epsilon)

    assert "parameter 'epsilon' of system 'rank-blocks' must be a finite number" in said
    assert f"{epsilon!r} was given" in said
    assert "smaller protects more" in said


def test_no_epsilon_where_one_is_needed(terminal) -> None:
    said = terminal.refused_to_publish("--system", "rank-blocks")

    assert "system 'rank-blocks' needs 'epsilon'" in said
    assert "--epsilon" in said


def test_a_plan_beside_other_settings(terminal) -> None:
    assert terminal.publish(*CLUSTERS, "3").code == 0

    said = terminal.refused(
        "publish", "people.csv", "--plan", "out/plan.toml", "-k", "4", "-o", "again"
    )

    assert "a plan describes the whole release" in said
    assert "leave --plan out" in said


def test_a_plan_that_is_none(terminal) -> None:
    said = terminal.refused("publish", "people.csv", "--plan", "people.toml", "-o", "again")

    assert "'people.toml' is not a plan that this covey understands" in said


def test_a_parameter_without_a_value(terminal) -> None:
    said = terminal.refused_to_publish("--system", "v-mdav", "-k", "3", "--param", "gamma")

    assert "--param 'gamma' has no value" in said
    assert "name=value" in said


def test_an_unknown_parameter(terminal) -> None:
    said = terminal.refused_to_publish("--system", "v-mdav", "-k", "3", "--param", "gama=1")

    assert "system 'v-mdav' has no parameter 'gama'" in said
    assert "Did you mean 'gamma'?" in said


def test_an_unknown_format(terminal) -> None:
    said = terminal.refused_to_publish(*CLUSTERS, "3", "--format", "xlsx")

    assert "the format 'xlsx' is unknown" in said
    assert "csv or parquet" in said


def test_a_seed_below_zero(terminal) -> None:
    assert "random_state = -5" in terminal.refused_to_publish(*NOISE, "1", "--seed", "-5")

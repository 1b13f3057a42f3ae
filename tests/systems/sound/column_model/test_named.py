"""Tables that the plan names are measured for sure, paid from the same epsilon, and used."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError
from covey.systems.sound.column_model.named import joined_pairs
from tests.systems.sound.column_model.test_system import mixed, noise_table, publish, told

TRIANGLE = ("age*old", "region*age", "old*region")
ALL = tuple(map("*".join, combinations(("region", "age", "income", "old", "luck"), 2)))


def measured(release: covey.Release) -> list[str]:
    """Return the pairs in the published tables, names in order."""
    pairs = release.extras["tables"].filter(pl.col("column_2") != "")
    return sorted(map("*".join, pairs.select("column_1", "column_2").unique().iter_rows()))


def ordered(tables) -> set[str]:
    return {"*".join(sorted(table.split("*"))) for table in tables}


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize(
    ("parameters", "model", "base"),
    [
        ({"epsilon": 0.07}, "by the tables that the plan names alone", 0),
        ({"epsilon": 0.4}, "depends on one other", 4),
        ({"epsilon": 9.0}, "depends on two others", 7),
        ({"epsilon": 9.0, "target": "old"}, "depends on the target", 7),
    ],
)
@pytest.mark.parametrize("tables", [("luck*income",), TRIANGLE, ALL])
def test_named_tables_are_measured_once_and_epsilon_is_spent_exactly(
    unit, parameters, model, base, tables
) -> None:
    release = publish(mixed(), unit=unit, tables=tables, random_state=None, **parameters)

    found = measured(release)
    assert release.guarantee.epsilon == Fraction(str(parameters["epsilon"]))
    assert ordered(tables) <= set(found)
    assert len(found) == len(set(found))
    # Where n is not public, noise on it has a say in which model it is.
    if tables != ALL and unit == "replace":
        assert model in told(release)
        # A triangle has one pair too many for a tree, and none too many for two parents.
        beyond = int(tables == TRIANGLE and "one other" in model)
        assert len(found) == (base + beyond if base else len(tables))


def test_a_weak_pair_is_measured_if_it_is_named_where_choices_find_stronger_ones() -> None:
    rng = np.random.default_rng(4)
    table = noise_table(4000, 3)
    base = table.frame["x0"].to_numpy()
    kept = {
        name: np.where(rng.random(4000) < 0.6, base, table.frame[name].to_numpy())
        for name in ("x1", "x2")
    }
    related = covey.table.read_table(table.frame.with_columns(**kept), table.schema)

    chosen = publish(related, epsilon=0.4)
    named = publish(related, epsilon=0.4, tables="x2*x1")

    assert measured(chosen) == ["x0*x1", "x0*x2"]
    assert "x1*x2" in measured(named)
    assert len(measured(named)) == 2
    assert np.corrcoef(named.frame["x1"], named.frame["x2"])[0, 1] == pytest.approx(0.36, abs=0.15)


def test_with_few_records_the_named_pair_alone_joins_columns() -> None:
    release = publish(mixed(), epsilon=0.07, tables=["age*old"], random_state=2)

    made = release.frame
    assert measured(release) == ["age*old"]
    gap = made.group_by("old").agg(pl.col("age").mean()).sort("old")["age"]
    assert gap[1] - gap[0] > 10
    assert "correlations" not in release.extras


def test_what_rows_do_not_follow_is_said() -> None:
    release = publish(mixed(), epsilon=0.4, tables=TRIANGLE, random_state=None)

    assert any(
        "not made to follow" in line and "old*region" in line for line in release.guarantee.assumes
    )
    release = publish(mixed(), epsilon=9.0, tables=TRIANGLE, random_state=None)
    assert not any("not made to follow" in line for line in release.guarantee.assumes)


def test_neither_the_order_of_columns_nor_of_names_in_a_pair_matters() -> None:
    table = mixed(3000)
    names = list(table.frame.columns)
    schema = covey.Schema(tuple(table.schema[name] for name in names[::-1]))
    other = covey.table.read_table(table.frame.select(names[::-1]), schema)

    first = publish(table, tables=["age*old", "luck*region"])
    second = publish(other, tables="old * age, region * luck")

    assert first.frame.sort(names).equals(second.frame.select(names).sort(names))
    assert first.extras["tables"].equals(second.extras["tables"])


@pytest.mark.parametrize("two", [False, True])
def test_every_column_finds_its_named_parents_wherever_one_begins(two) -> None:
    rng = np.random.default_rng(8)
    for _ in range(200):
        count = int(rng.integers(2, 8))
        every = list(combinations(range(count), 2))
        size = int(rng.integers(1, len(every) + 1))
        pairs = [every[at] for at in rng.permutation(len(every))[:size]]

        named = joined_pairs(pairs, two=two)

        thirds = [pair for each in named.thirds.values() for pair in each]
        assert sorted([*named.edges, *thirds, *named.apart]) == sorted(pairs)
        for start in range(count):
            placed: list[int] = []
            used = []
            for child, parent in named.along(start, None):
                assert child not in placed
                if parent is not None:
                    assert parent in placed
                    assert (min(child, parent), max(child, parent)) in named.edges
                    second = named.second(child, parent, placed)
                    used += [] if second is None else [tuple(sorted((child, second)))]
                placed.append(child)
            assert sorted(used) == sorted(pair for pair in thirds if pair[0] in placed)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (["age*olt"], "names 'olt', which is none of the published columns.*'old'"),
        (["age"], "holds one column"),
        (["age*age"], "holds one column"),
        (["age*old", "old*age"], "listed twice"),
        (["age*"], "product"),
    ],
)
def test_what_is_no_pair_is_refused(tables, words) -> None:
    with pytest.raises(PlanError, match=words):
        publish(mixed(500), tables=tables)


def test_named_tables_that_would_be_noise_are_refused_with_what_would_do() -> None:
    with pytest.raises(PlanError, match="10 tables that the plan names") as no:
        publish(mixed(500), epsilon=0.4, tables=ALL)

    enough = float(str(no.value).split("epsilon of at least ")[1].rstrip("."))
    assert publish(mixed(500), epsilon=enough, tables=ALL).frame.height == 500

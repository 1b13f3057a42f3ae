"""Tables of three columns that the plan names are measured once, and rows follow them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import PlanError
from covey.release.saved import open_release
from covey.systems.sound.column_model.named import NamedTables, joined_pairs, read_named
from covey.table import Attribute, Missing, Scale, Schema, Table, read_table
from tests.systems.sound.column_model.test_system import mixed, publish, told

NAMES = ("region", "age", "income", "old", "luck")


def odd(n: int = 6000, seed: int = 1, columns: int = 6) -> Table:
    """Make columns of 0 and 1 of which any two are independent, and a, b, c are not: c = a xor b.

    Likewise d = a xor e; all other columns are noise.
    """
    rng = np.random.default_rng(seed)
    a, b, e = rng.integers(0, 2, (3, n))
    kept = {"a": a, "b": b, "c": a ^ b, "d": a ^ e, "e": e}
    kept |= {f"z{j}": rng.integers(0, 2, n) for j in range(columns - 5)}
    frame = pl.DataFrame({name: values.astype(str) for name, values in kept.items()})
    category = {"scale": Scale.NOMINAL, "categories": ("0", "1"), "missing": Missing.REFUSE}
    return read_table(frame, Schema(tuple(Attribute(name, **category) for name in kept)))


def agrees(release: covey.Release, *names: str) -> float:
    """Return in which share of the rows the third of three columns is the other two's xor."""
    a, b, c = (release.frame[name].cast(pl.Int64) for name in names)
    return float(((a ^ b) == c).mean())


@pytest.mark.parametrize(
    ("parameters", "model"),
    [
        ({"epsilon": 0.1}, "by the tables that the plan names alone"),
        ({"epsilon": 0.3}, "depends on one other"),
        ({"epsilon": 9.0}, "depends on two others"),
        ({"epsilon": 9.0, "target": "b"}, "depends on the target"),
    ],
)
def test_rows_follow_a_named_triple_whose_pairs_say_nothing(parameters, model) -> None:
    # Of a seeded release the guarantee says nothing else, so the model is told by another one.
    named = publish(odd(), tables=["c*a*b"], **parameters)

    assert model in told(publish(odd(), tables=["c*a*b"], random_state=None, **parameters))
    assert agrees(named, "a", "b", "c") > 0.8
    if "alone" not in model:
        assert agrees(publish(odd(), **parameters), "a", "b", "c") < 0.6


@pytest.mark.parametrize("epsilon", [0.3, 9.0])
def test_triples_that_share_a_column_or_a_pair_are_both_followed(epsilon) -> None:
    parameters = {"epsilon": epsilon, "random_state": None}
    release = publish(odd(), tables=["a*b*c", "a*d*e"], **parameters)

    assert agrees(release, "a", "b", "c") > 0.8
    assert agrees(release, "a", "e", "d") > 0.8
    release = publish(odd(), tables=["c*b*z0", "b*a*c"], **parameters)
    assert agrees(release, "a", "b", "c") > 0.8
    assert not any("not made to follow" in line for line in release.guarantee.assumes)


def test_a_triple_without_the_target_stands_beside_the_rows_and_that_is_said() -> None:
    release = publish(odd(), epsilon=9.0, target="e", tables=["a*b*c"], random_state=None)

    assert any("not made to follow" in x and "a*b*c" in x for x in release.guarantee.assumes)
    published = release.table("a", "b", "c")
    assert published.filter(a="1", b="1", c="1")["count"].item() < 100


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize("target", [None, "old", "luck"])
@pytest.mark.parametrize("epsilon", [0.1, 0.4, 9.0])
def test_epsilon_is_spent_exactly_and_every_table_is_published_once(unit, target, epsilon) -> None:
    tables = ["age*old*region", "region*income"]
    release = publish(
        mixed(), unit=unit, target=target, epsilon=epsilon, tables=tables, random_state=None
    )

    assert release.guarantee.epsilon == Fraction(str(epsilon))
    cells = release.extras["tables"].select(pl.col("^(column|cell)_.$"))
    assert cells.is_unique().all()
    names = {
        tuple(name for name in row if name)
        for row in cells.select(pl.col("^column_.$")).unique().iter_rows()
    }
    assert {("age", "old", "region"), ("income", "region"), ("age", "old")} <= names


def test_a_published_triple_is_read_again_from_the_folder(tmp_path) -> None:
    release = publish(odd(), tables=["a*b*c"])
    release.save(tmp_path / "out")

    again = open_release(tmp_path / "out").table("c", "a", "b")

    assert again.columns[:3] == ["c", "a", "b"]
    assert again.height == 8
    assert again["count"].sum() == pytest.approx(6000, abs=1)
    assert open_release(tmp_path / "out").table("a", "b").height == 4
    assert open_release(tmp_path / "out").table("a").height == 2


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    table = mixed(3000)
    inside = []
    for seed in range(40):
        release = publish(table, tables=["luck*old*region"], random_state=seed, epsilon=1.0)
        found = release.table("old", "region")
        truth = table.frame.group_by("old", "region").len()
        beside = found.join(truth, on=["old", "region"], how="left").fill_null(0)
        inside += (
            (beside["lower"] <= beside["len"]) & (beside["len"] <= beside["upper"])
        ).to_list()

    assert np.mean(inside) > 0.93


def test_tables_agree_with_each_other() -> None:
    release = publish(mixed(), tables=["age*old*region"], epsilon=1.0)

    whole = release.table("age", "old", "region")
    for pair in combinations(("age", "old", "region"), 2):
        margin = whole.group_by(pair, maintain_order=True).agg(pl.col("count").sum().alias("sum"))
        beside = release.table(*pair).join(margin, on=pair)
        assert beside.height == release.table(*pair).height
        assert beside["count"].to_numpy() == pytest.approx(beside["sum"].to_numpy(), abs=6.0)


def test_without_a_triple_tables_have_two_columns() -> None:
    assert "column_3" not in publish(mixed(1000), tables=["age*old"]).extras["tables"].columns


def test_any_selection_of_tables_finds_its_place() -> None:
    rng = np.random.default_rng(5)
    triples = ["*".join(names) for names in combinations(NAMES, 3)]
    pairs = ["*".join(names) for names in combinations(NAMES, 2)]
    table = mixed(1500)
    for _ in range(25):
        chosen = rng.permutation(triples)[: rng.integers(1, 4)].tolist()
        lone = [p for p in pairs if not any(set(p.split("*")) <= set(t.split("*")) for t in chosen)]
        tables = [*chosen, *rng.permutation(lone)[: rng.integers(0, 3)].tolist()]
        target = (None, *NAMES)[rng.integers(0, 6)]
        epsilon = float(rng.choice([0.8, 2.0, 20.0]))

        release = publish(table, tables=tables, target=target, epsilon=epsilon, random_state=None)

        assert release.frame.height == 1500
        assert release.guarantee.epsilon == Fraction(str(epsilon))
        for each in tables:
            assert release.table(*each.split("*")).height > 0


def test_a_tree_has_second_parents_for_named_triples_alone() -> None:
    named = NamedTables(pairs=((0, 3),), triples=((0, 1, 2), (1, 2, 3)))

    joined = joined_pairs(named.all_pairs, two=False, triples=named.triples)

    assert named.all_pairs[0] == (1, 2)
    assert set(joined.edges) == {(1, 2), (0, 1), (1, 3)}
    assert joined.thirds == {1: [(0, 2), (2, 3)]}
    assert joined.apart == ((0, 3),)
    assert named.around(0) == ((1, 2), (1, 3), (2, 3))


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        (["age*old*region*luck"], "more than three columns"),
        (["age*old*age"], "names a column twice"),
        (["age*old*region", "region*old"], "'old\\*region' is a margin of 'age\\*old\\*region'"),
        (["age*old*region", "region*old*age"], "listed twice"),
    ],
)
def test_what_is_no_table_is_refused(tables, words) -> None:
    with pytest.raises(PlanError, match=words):
        publish(mixed(500), tables=tables)


def test_a_triple_of_too_many_cells_is_refused_from_public_facts() -> None:
    many = tuple(f"c{j:03d}" for j in range(300))
    attributes = [
        Attribute(name, scale=Scale.NOMINAL, categories=many, missing=Missing.REFUSE)
        for name in ("a", "b", "c")
    ]
    frame = pl.DataFrame(dict.fromkeys("abc", ["c000"] * 500))
    table = read_table(frame, Schema(tuple(attributes)))

    with pytest.raises(PlanError, match="27,000,000 cells"):
        publish(table, tables=["a*b*c"])


def test_products_are_read_as_numbers_of_columns() -> None:
    read = read_named(["c*a", "b*d*a"], ["a", "b", "c", "d"])

    assert read == NamedTables(pairs=((0, 2),), triples=((0, 1, 3),))
    assert len(read) == 2
    assert not read_named([], ["a"])

"""Nothing about a person leaves but through the meter: with blind noise all releases are alike.

Noise that replaces its input lets nothing through.  So two inputs that have nothing in common but
the schema and public facts must give the same release folder, byte for byte, on every engine:
rows, extras, accuracy, guarantee, plan, ledger, card, report, names, types, order.
"""

from __future__ import annotations

import importlib
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.core import PrivacyUnit
from covey.ledger import Entry
from covey.systems import SYSTEMS, SoundSystem
from covey.table import About, Attribute, Missing, Role, Scale, Schema, read_table
from covey.table.calendar import Moment
from tests.contracts.blind import BlindNoise, two_graphs, two_tables

TODAY = date(2026, 1, 1)
SCHEMA = Schema(
    (
        Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
        Attribute("age", bounds=(0, 120), integer=True, description="Age in full years"),
        Attribute("income", bounds=(0, 100_000)),
        Attribute("visits", bounds=(0, 50), integer=True, special=(0.0,)),
        Attribute("health", scale=Scale.ORDINAL, categories=("poor", "fair", "good", "excellent")),
        Attribute("region", scale=Scale.NOMINAL, categories=("north", "south", "west")),
        Attribute("allowed", role=Role.IDENTIFIER),
    ),
    about=About(title="People", publisher="Office", licence="CC0", not_for="Anything in earnest."),
)
NUMBERS = ("age", "income", "visits")
TABLES = {
    "column-model, rho": ("column-model", {"rho": 0.5}),
    "column-model, pairs by epsilon and delta": ("column-model", {"epsilon": 40.0, "delta": 1e-6}),
    "tables, rho": ("tables", {"rho": 0.5, "tables": ["region*health", "age", "health*visits"]}),
    "tables, epsilon and delta": ("tables", {"epsilon": 3.0, "delta": 1e-6, "tables": ["age"]}),
    "private-tree": ("private-tree", {"epsilon": 1.0}),
    "private-tree, few columns": ("private-tree", {"epsilon": 1.0, "columns": ("age", "region")}),
    # So that boxes stand out from their noise: all of them count, and share n.
    "private-tree, little noise": ("private-tree", {"epsilon": 20.0}),
    "private-tree, centroids": ("private-tree", {"epsilon": 1.0, "output": "centroids"}),
    "column-model": ("column-model", {"epsilon": 1.0}),
    "column-model, pairs": ("column-model", {"epsilon": 40.0}),
    "column-model, target": ("column-model", {"epsilon": 90.0, "target": ("region",)}),
    "column-model, named tables": (
        "column-model",
        {"epsilon": 40.0, "tables": ("age*region", "region*visits", "age*visits")},
    ),
    "rank-blocks": ("rank-blocks", {"epsilon": 1.0, "columns": NUMBERS}),
    "rank-blocks, rho": ("rank-blocks", {"rho": 0.5, "columns": NUMBERS}),
    "rank-blocks, epsilon and delta": (
        "rank-blocks",
        {"epsilon": 2.0, "delta": 1e-6, "columns": NUMBERS},
    ),
    "rank-blocks, one column": ("rank-blocks", {"epsilon": 1.0, "columns": ("income",)}),
    "insensitive": ("insensitive", {"epsilon": 1.0}),
    "insensitive, single": ("insensitive", {"epsilon": 1.0, "order": "single"}),
    "insensitive, hilbert": (
        "insensitive",
        {"epsilon": 1.0, "order": "hilbert", "columns": NUMBERS},
    ),
    "laplace": ("laplace", {"epsilon": 1.0, "columns": NUMBERS}),
    "laplace, mixed": ("laplace", {"epsilon": 1.0, "columns": (*NUMBERS, "region")}),
    "exponential": ("exponential", {"epsilon": 1.0, "columns": ("region",)}),
    "tables": ("tables", {"epsilon": 1.0, "tables": ["region*health", "age", "health*visits"]}),
    "tables, one column": ("tables", {"epsilon": 1.0, "tables": ["income"]}),
    "personalised": ("personalised", {"preferences": "allowed"}),
    "personalised, rank-blocks": (
        "personalised",
        {"preferences": "allowed", "inner": "rank-blocks", "columns": NUMBERS},
    ),
}
OTHER_SIZES = {
    "tables, rho": ("tables", {"rho": 0.5, "unit": "add-remove", "tables": ["region*health"]}),
    "column-model, rho": ("column-model", {"rho": 9.0, "unit": "add-remove"}),
    "tables": (
        "tables",
        {"epsilon": 1.0, "unit": "add-remove", "tables": ["region*health", "age"]},
    ),
    "private-tree": ("private-tree", {"epsilon": 1.0, "unit": "add-remove"}),
    "private-tree, little noise": ("private-tree", {"epsilon": 20.0, "unit": "add-remove"}),
    "column-model": ("column-model", {"epsilon": 9.0, "unit": "add-remove"}),
    "column-model, target": (
        "column-model",
        {"epsilon": 900.0, "unit": "add-remove", "target": ("region",)},
    ),
    "personalised": (
        "personalised",
        {"preferences": "allowed", "otherwise": "drop", "threshold": 1.0},
    ),
}
GRAPHS = {
    "degree-histogram": ("degree-histogram", {"epsilon": 1.0}),
    "degree-histogram, cumulative": ("degree-histogram", {"epsilon": 1.0, "form": "cumulative"}),
    "degree-histogram, histogram": ("degree-histogram", {"epsilon": 1.0, "form": "histogram"}),
    "joint-degree-boxes": ("joint-degree-boxes", {"epsilon": 1.0}),
    "joint-degree-boxes, geometric": (
        "joint-degree-boxes",
        {"epsilon": 1.0, "boxes": "geometric"},
    ),
    "personalised-dk": ("personalised-dk", {"preferences": "paper"}),
}
OTHER_GRAPHS = {
    "degree-histogram": ("degree-histogram", {"epsilon": 1.0, "unit": "node"}),
    "joint-degree-boxes": ("joint-degree-boxes", {"epsilon": 1.0, "unit": "node"}),
}


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch) -> None:
    """Let time stand still: the only other thing in which two runs may differ."""

    def now(*, system, epsilon, unit, plan, **more):
        when = "2026-01-01T00:00:00+00:00"
        return Entry(when=when, system=system, epsilon=str(epsilon), unit=unit, plan=plan, **more)

    monkeypatch.setattr(Entry, "now", now)


def folder_of(data, place: Path, monkeypatch, **plan) -> dict[str, bytes]:
    """Publish with blind noise, and read every file of the release folder."""
    publishing = importlib.import_module("covey.publish")
    monkeypatch.setattr(publishing, "noise_source", lambda _: BlindNoise())
    covey.publish(data, **plan).save(place)
    files = sorted(path for path in place.rglob("*") if path.is_file())
    return {str(path.relative_to(place)): path.read_bytes() for path in files}


def assert_alike(first: dict[str, bytes], second: dict[str, bytes]) -> None:
    assert list(first) == list(second)
    for name, content in first.items():
        assert content == second[name], f"{name} tells about the records"


def test_every_sound_system_is_held_against_the_rule() -> None:
    tried = {system for case in (TABLES, OTHER_SIZES, GRAPHS) for system, _ in case.values()}

    assert tried == {name for name, each in SYSTEMS.items() if isinstance(each, SoundSystem)}


@pytest.mark.parametrize("case", TABLES)
def test_two_tables_give_the_same_release(case, tmp_path, monkeypatch) -> None:
    system, parameters = TABLES[case]

    first, second = (
        folder_of(
            read_table(frame, SCHEMA), tmp_path / name, monkeypatch, system=system, **parameters
        )
        for name, frame in zip("ab", two_tables(), strict=True)
    )

    assert_alike(first, second)


GAPS = Schema(
    (
        Attribute("age", bounds=(0, 120), integer=True, missing=Missing.CATEGORY),
        Attribute("price", bounds=(0, 100), step=0.01, missing=Missing.CATEGORY),
        Attribute(
            "seen",
            kind=Moment.DATE,
            step="week",
            bounds=(date(2019, 1, 1), date(2021, 1, 1)),
            missing=Missing.CATEGORY,
        ),
        Attribute("text", kind=Moment.DATE, format="%d.%m.%Y", bounds=(date(2000, 1, 1), TODAY)),
        Attribute(
            "health",
            scale=Scale.ORDINAL,
            categories=("poor", "fair", "good"),
            missing=Missing.CATEGORY,
        ),
    )
)


def gaps_and_none() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make a table full of gaps, and one without a gap or a value of the other."""
    here, there = (
        pl.DataFrame(
            {
                "age": [age] * 300,
                "price": [price] * 300,
                "seen": pl.Series([day] * 300, dtype=pl.Date),
                "text": [text] * 300,
                "health": [health] * 300,
            }
        )
        for age, price, day, text, health in (
            (20, 0.5, date(2019, 5, 1), "01.02.2003", "poor"),
            (100, 99.75, date(2020, 12, 1), "04.05.2006", "good"),
        )
    )
    kept = pl.Series([True, False, False] * 100)
    gaps = ("age", "price", "seen", "health")
    return here.with_columns(pl.when(kept).then(pl.col(name)).alias(name) for name in gaps), there


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow", "stream"])
@pytest.mark.parametrize("columns", [None, ("age", "seen")])
@pytest.mark.parametrize("system", ["column-model", "private-tree"])
def test_neither_gaps_nor_dates_nor_steps_show_but_through_the_meter(
    kind, columns, system, tmp_path, monkeypatch
) -> None:
    folders, types = [], []
    for name, frame in zip("ab", gaps_and_none(), strict=True):
        plan = {"system": system, "epsilon": 1.0, "columns": columns, "schema": GAPS}
        data = frame
        if kind == "stream":
            (tmp_path / f"{name} data").mkdir()
            data = tmp_path / f"{name} data" / "data.parquet"
            frame.write_parquet(data)
            plan["engine"] = "stream"
        elif kind != "polars":
            data = frame.to_pandas() if kind == "pandas" else frame.to_arrow()
        folders.append(folder_of(data, tmp_path / name, monkeypatch, **plan))
        release = covey.publish(data, **plan)
        native = {"pandas": "dtypes", "pyarrow": "schema"}.get(kind)
        types.append(str(release.frame.schema if native is None else getattr(release.data, native)))

    assert_alike(*folders)
    assert types[0] == types[1]


@pytest.mark.parametrize("case", OTHER_SIZES)
def test_two_tables_of_different_sizes_give_the_same_release(case, tmp_path, monkeypatch) -> None:
    system, parameters = OTHER_SIZES[case]

    first, second = (
        folder_of(
            read_table(frame, SCHEMA), tmp_path / name, monkeypatch, system=system, **parameters
        )
        for name, frame in zip("ab", two_tables(400, 90), strict=True)
    )

    assert_alike(first, second)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("case", "sizes"),
    [(case, (400, 400)) for case in TABLES.values()]
    + [(case, (400, 90)) for case in OTHER_SIZES.values()],
    ids=[*TABLES, *(f"{case}, other sizes" for case in OTHER_SIZES)],
)
def test_two_files_give_the_same_streamed_release(case, sizes, kind, tmp_path, monkeypatch) -> None:
    system, parameters = case
    releases = []
    for name, frame in zip("ab", two_tables(*sizes), strict=True):
        file = tmp_path / f"{name}.{kind}"
        frame.write_csv(file) if kind == "csv" else frame.write_parquet(file)
        plan = {"schema": SCHEMA, "engine": "stream", "system": system, **parameters}
        releases.append(folder_of(file, tmp_path / name, monkeypatch, **plan))

    assert_alike(*releases)


@pytest.mark.parametrize("case", GRAPHS)
def test_two_graphs_of_the_same_nodes_give_the_same_release(case, tmp_path, monkeypatch) -> None:
    system, parameters = GRAPHS[case]

    first, second = (
        folder_of(graph, tmp_path / name, monkeypatch, system=system, **parameters)
        for name, graph in zip("ab", two_graphs(), strict=True)
    )

    assert_alike(first, second)


@pytest.mark.parametrize("case", OTHER_GRAPHS)
def test_two_graphs_of_different_sizes_give_the_same_release(case, tmp_path, monkeypatch) -> None:
    system, parameters = OTHER_GRAPHS[case]

    first, second = (
        folder_of(graph, tmp_path / name, monkeypatch, system=system, **parameters)
        for name, graph in zip("ab", two_graphs(60, 45), strict=True)
    )

    assert_alike(first, second)


def test_the_rule_would_see_a_true_count(tmp_path, monkeypatch) -> None:
    """The number of records reaches a release where it is public, and shows if it differs."""
    first, second = (
        folder_of(
            read_table(frame, SCHEMA),
            tmp_path / name,
            monkeypatch,
            system="rank-blocks",
            epsilon=1.0,
            columns=("age",),
        )
        for name, frame in zip("ab", two_tables(400, 90), strict=True)
    )

    with pytest.raises(AssertionError):
        assert_alike(first, second)


def test_units_where_n_is_not_public_are_tried_with_different_sizes() -> None:
    units = {
        SYSTEMS[system].unit_of(SYSTEMS[system].settings(parameters))
        for system, parameters in (*OTHER_SIZES.values(), *OTHER_GRAPHS.values())
    }

    assert units == {PrivacyUnit.ADD_REMOVE_RECORD, PrivacyUnit.NODE}

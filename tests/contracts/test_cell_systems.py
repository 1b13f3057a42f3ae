"""What every system that releases cells promises, checked for each name in the registry."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.errors import CoveyError, PlanError
from covey.systems import CELL_SYSTEMS, SYSTEMS, TABLE_SYSTEMS
from covey.systems.base import REQUIRED
from tests.contracts.people import SCHEMA, people, people_frame

NAMES = list(CELL_SYSTEMS)
ASKED = {"tables": {"tables": ["region*health", "visits"], "bins": {"visits": 3}}}
COLUMNS = ("visits", "health", "region")
FACTS = [
    *(("visits", fact) for fact in ("bounds", "integer", "missing", "role", "scale")),
    *(("region", fact) for fact in ("categories", "missing", "role", "scale")),
    *(("health", fact) for fact in ("categories", "missing", "role", "scale")),
]


def publish(name: str, data=None, **changes) -> covey.Release:
    asked = {"epsilon": 2.0, **ASKED[name], **changes}
    return covey.publish(people() if data is None else data, name, **asked)


def test_no_system_releases_both_rows_and_cells() -> None:
    assert {system.releases for system in CELL_SYSTEMS.values()} == {"cells"}
    assert {system.releases for system in TABLE_SYSTEMS.values()} == {"rows"}
    assert set(NAMES) == {name for name, system in SYSTEMS.items() if system.releases == "cells"}


@pytest.mark.parametrize("name", NAMES)
def test_a_system_explains_itself_and_its_parameters(name) -> None:
    system = SYSTEMS[name]

    assert system.name == name
    assert system.summary.endswith(".")
    for parameter in system.parameters:
        assert parameter.meaning
        assert not parameter.meaning.endswith(".")
        if parameter.default not in (REQUIRED, None):
            assert parameter.checked(parameter.default, name) == parameter.default


@pytest.mark.parametrize("name", NAMES)
def test_a_release_carries_the_declared_guarantee_and_tells_every_column(name) -> None:
    guarantee = publish(name).guarantee

    assert guarantee.kind is SYSTEMS[name].kind
    assert guarantee.unit is SYSTEMS[name].unit
    assert guarantee.epsilon == 2
    assert guarantee.columns == COLUMNS
    assert sorted([*guarantee.columns, *guarantee.dropped]) == sorted(SCHEMA.names)
    assert guarantee.arithmetic.startswith("exact")
    assert guarantee.conditions
    for column in guarantee.columns:
        assert any(column in fact for fact in guarantee.assumes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("column", "fact"), FACTS)
def test_each_fact_from_the_data_voids_the_guarantee(name, column, fact) -> None:
    table = covey.read_table(people_frame(), SCHEMA.updated(column, drafted=(fact,)))

    guarantee = publish(name, table).guarantee

    assert guarantee.kind is covey.GuaranteeKind.NONE
    assert f"{column} ({fact})" in str(guarantee)


@pytest.mark.parametrize("name", NAMES)
def test_a_fact_about_a_column_that_is_not_tabulated_voids_nothing(name) -> None:
    table = covey.read_table(people_frame(), SCHEMA.updated("age", drafted=("bounds",)))

    assert publish(name, table).guarantee.kind is SYSTEMS[name].kind


@pytest.mark.parametrize("name", NAMES)
def test_noise_is_fresh_and_a_seed_voids_the_guarantee(name) -> None:
    first, second = publish(name, random_state=3), publish(name, random_state=3)

    assert not publish(name).frame.equals(publish(name).frame)
    assert first.frame.equals(second.frame)
    assert first.guarantee.kind is covey.GuaranteeKind.NONE


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_cells_and_their_types_come_from_public_facts(name) -> None:
    first, second = (publish(name, epsilon=e).frame for e in (1.0, 90.0))
    labels = pl.exclude("count", "lower", "upper")

    assert first.select(labels).equals(second.select(labels))
    assert first.schema == second.schema


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_left_alone_and_progress_is_told(name) -> None:
    table, heard = people(), []
    before = table.frame.clone()

    publish(name, table, progress=lambda *report: heard.append(report))

    assert table.frame.equals(before)
    assert heard
    for what, done, total in heard:
        assert name in what
        assert 0 <= done <= total


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), "much"])
def test_an_epsilon_that_bounds_nothing_is_refused(name, epsilon) -> None:
    with pytest.raises(PlanError, match="epsilon"):
        publish(name, epsilon=epsilon)


@pytest.mark.parametrize("name", NAMES)
def test_identifiers_are_never_tabulated(name) -> None:
    with pytest.raises(CoveyError, match="'person'"):
        publish(name, tables=["person"], bins=None)

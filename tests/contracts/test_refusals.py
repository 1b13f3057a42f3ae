"""What every system refuses, and that it says why, for each name in the registry."""

from __future__ import annotations

import pytest

import covey
from covey.errors import CoveyError, PlanError
from covey.partition.base import REQUIRED
from covey.systems import TABLE_SYSTEMS as SYSTEMS
from covey.table import Role, Scale, Schema
from tests.contracts.people import SCHEMA, N, people, people_frame
from tests.contracts.publishing import (
    NAMES,
    NUMERIC,
    PRIVATE,
    chosen,
    publish,
    required,
    takes,
    with_epsilon,
)


@pytest.mark.parametrize("name", [name for name in PRIVATE if name in NUMERIC])
def test_a_column_without_bounds_is_refused_with_what_to_write(name) -> None:
    schema = SCHEMA.updated("income", bounds=None)

    with pytest.raises(CoveyError, match=r"'income' has no public bounds.*bounds = \[low, high\]"):
        publish(name, covey.read_table(people_frame(), schema))


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_without_a_default_is_enforced(name) -> None:
    table = people()
    given = required(name, table) | chosen(name)
    for parameter in SYSTEMS[name].parameters:
        if parameter.default is not REQUIRED:
            continue
        others = {key: value for key, value in given.items() if key != parameter.name}
        with pytest.raises(PlanError, match=f"system '{name}' needs '{parameter.name}'"):
            covey.publish(table, name, **others)


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_parameter_is_refused(name) -> None:
    with pytest.raises(PlanError, match=f"system '{name}' has no parameter 'epsilonn'"):
        publish(name, epsilonn=1)


@pytest.mark.parametrize("name", PRIVATE)
@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf"), "much"])
def test_an_epsilon_that_bounds_nothing_is_refused(name, epsilon) -> None:
    with pytest.raises(PlanError, match=r"epsilon|threshold"):
        publish(name, **with_epsilon(name, epsilon))


@pytest.mark.parametrize("name", [name for name in NAMES if takes(name, "k")])
@pytest.mark.parametrize("k", [1, 0, -2, N, N // 2 + 1, 2.5, "three"])
def test_a_k_that_forms_no_clusters_is_refused(name, k) -> None:
    with pytest.raises(CoveyError, match=r"\bk\b"):
        publish(name, k=k)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_of_identifiers_alone_leaves_nothing_to_publish(name) -> None:
    schema = Schema(
        tuple(
            covey.Attribute(column, role=Role.IDENTIFIER, scale=Scale.NOMINAL)
            for column in SCHEMA.names
        )
    )

    table = covey.read_table(people_frame(), schema)

    with pytest.raises(CoveyError, match="nothing"):
        covey.publish(table, name, **required(name, table))

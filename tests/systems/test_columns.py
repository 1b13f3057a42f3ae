"""A private system publishes the columns asked for, on grids that are public."""

import pytest

from covey.errors import BoundsError, PlanError, SchemaError
from covey.systems.columns import assumptions, choose_columns, dropped, on_grids
from covey.table import Attribute
from covey.table.grid import FINEST
from tests.contracts.people import SCHEMA

AGE, INCOME, HEALTH = SCHEMA["age"], SCHEMA["income"], SCHEMA["health"]


def names(attributes) -> list[str]:
    return [attribute.name for attribute in attributes]


def test_all_columns_but_identifiers_are_published_unless_some_are_named() -> None:
    assert names(choose_columns(SCHEMA, None)) == ["age", "income", "visits", "health", "region"]


def test_columns_that_separate_blocks_are_published_as_they_are() -> None:
    assert names(choose_columns(SCHEMA, ("age", "region"), ("region",))) == ["age"]


def test_named_columns_stay_in_the_order_of_the_table() -> None:
    assert names(choose_columns(SCHEMA, ("health", "age"))) == ["age", "health"]


@pytest.mark.parametrize("wrong", ["agee", "person"])
def test_a_column_that_cannot_be_published_is_refused_by_name(wrong) -> None:
    with pytest.raises(PlanError, match=f"no column '{wrong}' to publish"):
        choose_columns(SCHEMA, ("age", wrong))


def test_grids_follow_the_schema_alone() -> None:
    grids = on_grids((AGE, INCOME, HEALTH), "laplace")

    assert {name: grid.steps for name, grid in grids.items()} == {
        "age": 120,
        "income": FINEST,
        "health": 3,
    }
    assert (grids["income"].low, grids["income"].high) == (0.0, 100_000.0)


def test_an_attribute_without_an_order_has_no_grid() -> None:
    with pytest.raises(
        SchemaError, match="'region' is nominal and 'laplace' adds noise to numbers"
    ):
        on_grids((AGE, SCHEMA["region"]), "laplace")


def test_an_attribute_without_bounds_has_no_grid() -> None:
    with pytest.raises(BoundsError, match="'weight' has no public bounds"):
        on_grids((AGE, Attribute("weight")), "laplace")


def test_no_attributes_have_no_grids() -> None:
    with pytest.raises(SchemaError, match="nothing to publish"):
        on_grids((), "laplace")


def test_what_is_not_published_is_named() -> None:
    assert dropped(SCHEMA, (AGE, HEALTH)) == (*("person", "income", "visits", "region", "allowed"),)


def test_the_public_facts_name_n_the_one_record_and_every_bound_with_its_unit() -> None:
    facts = assumptions((AGE, INCOME), on_grids((AGE, INCOME), "laplace"))

    assert facts[:2] == ("The number of records is public.", "Each person owns one record.")
    assert facts[2].startswith("The bounds of age, 0 to 120 years, are known without these data")
    assert facts[3].startswith("The bounds of income, 0 to 100000, are known")

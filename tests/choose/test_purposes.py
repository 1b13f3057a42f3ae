"""A purpose leads to one plan, from public facts alone."""

from __future__ import annotations

import pytest

import covey
from covey.choose.purposes import PURPOSES, propose
from covey.kinds import KINDS
from covey.run import foresee

WIDE = covey.Schema(
    (
        covey.Attribute("id", role="identifier", scale="nominal"),
        *(covey.Attribute(f"x{j}", bounds=(0, 10)) for j in range(4)),
        covey.Attribute("sex", scale="nominal", categories=("f", "m")),
    )
)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_purpose_leads_to_a_plan_that_may_be_published(purpose) -> None:
    plan = propose(purpose, WIDE)

    system = covey.SYSTEMS[plan.system]
    assert not KINDS[system.kind].caution
    assert plan.parameters["epsilon"] == PURPOSES[purpose].epsilon
    assert not plan.chosen_on_data
    if system.data == "table":
        assert foresee(plan, 5000).kind == "pure-dp"


@pytest.mark.parametrize(
    ("columns", "system"),
    [
        (("x0",), "rank-blocks"),
        (("sex",), "column-model"),
        (("x0", "sex"), "private-tree"),
        (("x0", "x1", "x2"), "private-tree"),
        (("x0", "x1", "x2", "sex"), "column-model"),
    ],
)
def test_the_columns_decide_what_makes_the_rows(columns, system) -> None:
    plan = propose("public", WIDE, columns=columns)

    assert plan.system == system
    assert plan.parameters["columns"] == columns


def test_a_column_whose_gaps_are_kept_goes_where_there_is_a_place_for_them() -> None:
    gaps = WIDE.updated("x0", missing="category")

    assert foresee(propose("public", gaps, columns=["x0"]), 5000).kind == "pure-dp"


def test_figures_are_every_column_by_itself_unless_tables_are_named() -> None:
    assert propose("figures", WIDE).parameters["tables"] == ("x0", "x1", "x2", "x3", "sex")
    assert propose("figures", WIDE, tables=["x0*sex"]).parameters["tables"] == ("x0*sex",)


def test_what_cannot_be_proposed_is_explained() -> None:
    with pytest.raises(covey.CoveyError, match="Did you mean 'public'"):
        propose("publik", WIDE)
    with pytest.raises(covey.CoveyError, match="there is no schema"):
        propose("public")
    with pytest.raises(covey.CoveyError, match="no column 'id' to publish"):
        propose("public", WIDE, columns=["id"])
    with pytest.raises(covey.CoveyError, match="all attributes are identifiers"):
        propose("public", covey.Schema(WIDE.attributes[:1]))

"""Records and graphs that are made up keep to what is public."""

from __future__ import annotations

import numpy as np
import pytest

from covey.choose.synthetic import GRAPH_SHAPES, SHAPES, synthetic_graph, synthetic_tables
from covey.table import Attribute, Scale, Schema, Table

MIXED = Schema(
    (
        Attribute("age", bounds=(0, 120), integer=True),
        Attribute("town", scale=Scale.NOMINAL, categories=("a", "b", "c")),
        Attribute("pain", scale=Scale.ORDINAL, categories=("none", "mild", "strong")),
    )
)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return synthetic_tables(MIXED, 2000)


@pytest.mark.parametrize("shape", SHAPES)
def test_made_up_records_keep_to_the_public_facts_and_go_together(tables, shape) -> None:
    table = tables[shape]

    ages = table.values("age")
    assert ages.min() >= 0
    assert ages.max() <= 120
    assert (ages == np.rint(ages)).all()
    assert set(table.texts("town")) == {"a", "b", "c"}
    assert set(table.texts("pain")) <= {"none", "mild", "strong"}
    assert np.corrcoef(ages, table.codes("pain"))[0, 1] > 0.2


def test_shapes_differ_where_they_should(tables) -> None:
    means = {shape: tables[shape].values("age").mean() for shape in SHAPES}
    spreads = {shape: tables[shape].values("age").std() for shape in SHAPES}

    assert means["skewed"] < 30
    assert 55 < means["normal"] < 65
    assert spreads["normal"] < 0.6 * spreads["uniform"]


def test_columns_go_together_by_one_thing_in_common_or_each_with_one_other() -> None:
    names = [f"x{j}" for j in range(16)]
    made = synthetic_tables(Schema(tuple(Attribute(each, bounds=(0, 1)) for each in names)), 3000)

    pairs = np.triu_indices(16, 1)
    known = {shape: np.corrcoef(made[shape].matrix(names).T)[pairs] for shape in SHAPES}
    assert known["normal"] == pytest.approx(0.5, abs=0.1)
    for shape in ("uniform", "skewed"):
        assert np.median(known[shape]) < 0.4
        assert np.sort(known[shape])[-15:].mean() > 0.55


@pytest.mark.parametrize("shape", GRAPH_SHAPES)
def test_made_up_graphs_have_the_degree_that_was_guessed(shape) -> None:
    graph = synthetic_graph(2000, 10.0, shape)

    assert 7 < graph.degrees.mean() <= 10
    assert (graph.degrees.max() > 100) == (shape == "heavy tail")

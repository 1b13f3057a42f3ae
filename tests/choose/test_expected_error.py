"""Errors are what their words say."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.choose.expected_error import expected_errors, table_errors
from covey.choose.synthetic import synthetic
from covey.table import Attribute, Scale, Schema, Table, read_table
from tests.contracts.graphs import friends

NUMBERS = Schema((Attribute("age", bounds=(0, 120)), Attribute("income", bounds=(0, 9))))
TOWN = Attribute("town", scale=Scale.NOMINAL, categories=("a", "b", "c"), missing="refuse")
MIXED = Schema((NUMBERS["age"], TOWN))


def made_up(schema: Schema) -> Table:
    return synthetic(schema, 200, "skewed", 1)


def test_a_release_of_the_records_themselves_has_no_error() -> None:
    table = made_up(MIXED)

    errors = table_errors(table, table)

    assert errors == {"mean": 0.0, "distribution": 0.0, "pairs": 0.0}


def test_where_evaluate_has_a_metric_it_is_taken() -> None:
    numbers = made_up(NUMBERS)
    asked = {"epsilon": 1.0, "random_state": 1, "trace": True}
    of_table = covey.publish(numbers, "private-tree", **asked)
    of_graph = covey.publish(friends(), "joint-degree-boxes", **asked)

    assert expected_errors(numbers, *of_table)["distribution"] == pytest.approx(
        covey.evaluate(numbers, *of_table)["ks"]
    )
    assert expected_errors(friends(), *of_graph) == {
        "joint degrees": covey.evaluate(friends(), *of_graph)["ks_2k"]
    }


def test_errors_are_those_that_their_words_say() -> None:
    schema = Schema(
        (
            Attribute("x", bounds=(0, 8)),
            Attribute("c", scale=Scale.NOMINAL, categories=("a", "b"), missing="refuse"),
        )
    )
    here, there = (
        read_table(pl.DataFrame({"x": x, "c": c}), schema)
        for x, c in (([0.5, 1.5, 2.5, 3.5], list("aabb")), ([0.5, 1.5, 2.5, 7.5], list("aaab")))
    )

    errors = table_errors(here, there)

    assert errors["mean"] == pytest.approx(1.0 / 8)
    # A quarter of x has moved; a quarter of c has changed; half of the pairs are others.
    assert errors["distribution"] == pytest.approx((0.25 + 0.25) / 2)
    assert errors["pairs"] == pytest.approx(0.5)

"""Draws on one piece: values anew, records that take part, and a public record for the others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from covey.core.meter import Draw
from covey.core.questions import RecordConcepts, RecordValues, Sample
from covey.engines.shared.draws import drawn_values, sampled_table
from covey.table import Attribute, Grid, Role, Scale, Schema, read_table


class Opposite:
    """Turns a number on its grid round, and chooses the farthest candidate."""

    secure = False

    def laplace(self, values, *, scale, l1, epsilon):
        """Count from the other end."""
        assert scale == l1 / epsilon
        return l1 - values

    def choices(self, losses, *, rate):
        """Take the worst."""
        assert rate == Fraction(1, 8)
        return np.argmax(losses, axis=1)


@pytest.fixture
def table():
    schema = Schema(
        (
            Attribute("age", bounds=(0, 100), integer=True),
            Attribute("pain", scale=Scale.ORDINAL, categories=("none", "mild", "strong")),
            Attribute("town", scale=Scale.NOMINAL, categories=("Ahof", "Bdorf")),
            Attribute("allowed", role=Role.IDENTIFIER),
        )
    )
    frame = pl.DataFrame(
        {
            "age": [10, 20, 30],
            "pain": ["mild", "none", "strong"],
            "town": ["Ahof", "Bdorf", "Ahof"],
            "allowed": [1.0, 2.0, 3.0],
        }
    )
    return read_table(frame, schema)


def test_numbers_are_drawn_in_steps_and_categories_among_candidates(table) -> None:
    grid = Grid(low=0.0, high=100.0, steps=10)
    concepts = table.taxonomy("town").concepts
    losses = np.full((len(concepts), 2), 9)
    losses[[concepts.index("Ahof"), concepts.index("Bdorf")]] = [[0, 4], [4, 0]]

    steps, ages = drawn_values(table, Draw(RecordValues("age", grid), 10, Fraction(1), Opposite()))
    question = RecordConcepts("town", ("Ahof", "Bdorf"), losses, 4)
    chosen, towns = drawn_values(table, Draw(question, 4, Fraction(1), Opposite()))

    assert (steps.tolist(), ages.tolist()) == ([9, 8, 7], [90.0, 80.0, 70.0])
    assert (chosen.tolist(), towns.tolist()) == ([1, 0, 1], ["Bdorf", "Ahof", "Bdorf"])


def test_a_public_record_stands_for_those_that_take_no_part(table) -> None:
    default = {"age": 50.0, "pain": "none", "town": "Bdorf"}
    question = Sample(
        "records", threshold=Fraction(1), column="allowed", columns=(*default,), default=default
    )

    left = sampled_table(table, question, np.array([True, False, False]))

    assert left.schema.names == ("age", "pain", "town")
    assert left.frame.rows() == [(10, "mild", "Ahof"), (50, "none", "Bdorf"), (50, "none", "Bdorf")]
    assert left.frame.schema == table.frame.drop("allowed").schema


def test_or_nothing_does(table) -> None:
    question = Sample("records", threshold=Fraction(1), column="allowed", columns=("town", "age"))

    left = sampled_table(table, question, np.array([False, True, True]))

    assert left.frame.rows() == [("Bdorf", 20), ("Ahof", 30)]

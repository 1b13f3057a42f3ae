"""Cells of an attribute are public, complete, and called what they hold."""

from __future__ import annotations

from datetime import date, time

import numpy as np
import pytest

from covey.errors import CoveyError
from covey.partition.bins import bins_of
from covey.table import Attribute, Head, Scale, Schema
from covey.table.attribute import MISSING_CATEGORY

AGE = Attribute("age", bounds=(0, 120), integer=True)
WAGE = Attribute("wage", bounds=(0, 1000), special=(-1.0,))


def head(*attributes: Attribute) -> Head:
    return Head(schema=Schema(attributes), n=100, kind="polars")


def cells(attribute: Attribute, wanted=None):
    return bins_of(head(attribute), attribute, wanted)


def test_numbers_get_bins_of_a_round_width_and_no_lonely_last_one() -> None:
    found = cells(AGE)

    assert found.labels[:3] == ("0-9", "10-19", "20-29")
    assert found.labels[-1] == "110-120"
    assert found.cuts == tuple(range(10, 120, 10))


def test_every_value_falls_into_the_bin_that_is_called_so() -> None:
    found = cells(AGE, [18.0, 65.0])

    assert found.labels == ("0-17", "18-64", "65-120")
    assert [found.labels[found.of[age]] for age in (0, 17, 18, 64, 65, 120)] == [
        *("0-17", "0-17", "18-64", "18-64", "65-120", "65-120")
    ]
    assert [f"{low:g}" for low in found.low] == ["0", "18", "65"]
    assert found.high.tolist() == [17, 64, 120]


def test_bins_hold_their_lower_end_and_special_values_stand_apart() -> None:
    found = cells(WAGE, [250.0, 500.0])
    grid = found.axis.grid

    assert found.labels == ("-1", "0 to under 250", "250 to under 500", "500 to 1000")
    places = 1 + grid.integers([0.0, 249.0, 250.0, 500.0, 1000.0])
    assert found.of[0] == 0
    assert found.of[places].tolist() == [1, 1, 2, 3, 3]


@pytest.mark.parametrize("count", [1, 3, 7, 121])
def test_whole_numbers_are_cut_into_as_many_bins_as_asked(count) -> None:
    found = cells(AGE, count)

    assert found.size == count
    sizes = np.bincount(found.of, minlength=count)
    assert sizes.max() - sizes.min() <= 1


def test_fractions_are_cut_at_round_places() -> None:
    found = cells(Attribute("share", bounds=(0, 1)))

    assert found.cuts == pytest.approx([k / 10 for k in range(1, 10)], abs=0)
    assert found.labels[2] == "0.2 to under 0.3"


def test_categories_keep_the_order_of_the_schema_and_missing_is_one_of_them() -> None:
    region = Attribute("region", scale=Scale.NOMINAL, categories=("west", "east", "north"))

    found = cells(region)

    assert found.labels == ("west", "east", "north", MISSING_CATEGORY)
    assert [found.labels[at] for at in found.of] == list(found.axis.values)
    assert not found.numeric


def test_grades_are_cells_in_their_order() -> None:
    health = Attribute("health", scale=Scale.ORDINAL, categories=("poor", "fair", "good"))

    assert cells(health).labels == ("poor", "fair", "good")


@pytest.mark.parametrize(
    ("attribute", "wanted", "words"),
    [
        (AGE, 0, "between 1 and 121"),
        (AGE, 122, "between 1 and 121"),
        (AGE, [40.0, 20.0], "do not rise"),
        (AGE, [20.0, 130.0], "0 and 120"),
        (Attribute("free"), None, r"bounds = \[low, high\]"),
        (Attribute("town", scale=Scale.NOMINAL), None, "categories"),
        (Attribute("sex", scale=Scale.NOMINAL, categories=("f", "m")), 2, "no numbers"),
        (Attribute("x", bounds=(1, 2)), [1.5, 1.5 + 1e-14], "called the same"),
    ],
)
def test_what_is_missing_or_wrong_is_explained(attribute, wanted, words) -> None:
    with pytest.raises(CoveyError, match=words):
        cells(attribute, wanted)


def test_a_million_categories_are_refused_at_once() -> None:
    listed = tuple(map(str, range(2**20 + 1)))

    with pytest.raises(CoveyError, match="no table can show"):
        cells(Attribute("id", scale=Scale.NOMINAL, categories=listed))


BORN = Attribute("born", kind="date", bounds=(date(1950, 1, 1), date(2020, 12, 31)))


def test_dates_are_cut_where_the_calendar_does() -> None:
    found = cells(BORN)

    assert found.labels[:2] == ("1950-01-01 to 1954-12-31", "1955-01-01 to 1959-12-31")
    assert found.labels[-1] == "2020-01-01 to 2020-12-31"
    assert not found.numeric
    place = int(date(1955, 1, 1).toordinal() - date(1950, 1, 1).toordinal())
    assert found.of[place - 1 : place + 1].tolist() == [0, 1]


def test_dates_are_cut_where_they_are_told_to_be() -> None:
    found = cells(BORN, ["1980-01-01", "2000-01-01"])

    assert found.cuts == ("1980-01-01", "2000-01-01")
    assert found.labels[1] == "1980-01-01 to 1999-12-31"
    with pytest.raises(CoveyError, match="cannot be read as a date"):
        cells(BORN, ["soon"])
    with pytest.raises(CoveyError, match=r"bounds, 1950-01-01 and 2020-12-31"):
        cells(BORN, ["1900-01-01"])


def test_months_and_times_of_day_have_bins_of_their_own() -> None:
    month = Attribute(
        "seen", kind="date", step="month", bounds=(date(2024, 1, 1), date(2024, 12, 1))
    )
    hour = Attribute("at", kind="time", step="hour", bounds=(time(0), time(23)))

    assert cells(month).labels[0] == "2024-01-01"
    assert cells(month).size == 12
    assert cells(hour).labels[:2] == ("00:00:00 to 01:00:00", "02:00:00 to 03:00:00")


def test_prices_in_cents_are_cut_like_fractions() -> None:
    found = cells(Attribute("price", bounds=(0, 10), step=0.01), [2.5, 5.0])

    assert found.labels == ("0 to under 2.5", "2.5 to under 5", "5 to 10")
    assert found.of[[249, 250, 499, 500]].tolist() == [0, 1, 1, 2]


def test_numbers_are_not_cut_at_words() -> None:
    with pytest.raises(CoveyError, match="are no numbers"):
        cells(AGE, ["young"])

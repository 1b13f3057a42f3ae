"""Which records of a person are used?  Nothing about anybody else matters."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.core import Persons
from covey.engines.shared.persons import (
    STANDING,
    WHOSE,
    FirstOfEach,
    cut_table,
    placed_frames,
)
from covey.errors import DataError
from covey.table import Attribute, Role, Scale, Schema, read_table

SCHEMA = Schema(
    (
        Attribute("whose", role=Role.PERSON),
        Attribute("x", bounds=(0, 9)),
        Attribute("y", scale=Scale.NOMINAL, categories=("a", "b")),
    )
)
rows = st.lists(
    st.tuples(st.sampled_from("pqrst"), st.integers(0, 3), st.sampled_from("ab")),
    min_size=1,
    max_size=25,
)


def table_of(records, whose=None):
    names = [name for name, _, _ in records] if whose is None else whose
    columns = {"x": [float(x) for _, x, _ in records], "y": [y for _, _, y in records]}
    return read_table(pl.DataFrame({"whose": names, **columns}), SCHEMA)


def used(records, most, key=b"key") -> Counter:
    if not records:
        return Counter()
    return Counter(cut_table(table_of(records), Persons("whose", most), key)[0].frame.rows())


def size_of(difference: Counter) -> int:
    return sum(difference.values())


@settings(max_examples=50, deadline=None)
@given(records=rows, most=st.integers(1, 4), key=st.binary(max_size=8), order=st.randoms())
def test_so_many_of_each_person_are_used_in_whatever_order_they_come(
    records, most, key, order
) -> None:
    kept = used(records, most, key)

    having = Counter(name for name, _, _ in records)
    assert Counter(name for name, _, _ in kept.elements()) == {
        name: min(number, most) for name, number in having.items()
    }
    assert not kept - Counter((name, float(x), y) for name, x, y in records)
    order.shuffle(records)
    assert used(records, most, key) == kept


@settings(max_examples=80, deadline=None)
@given(records=rows, mine=rows, most=st.integers(1, 4), key=st.binary(max_size=8))
def test_no_person_who_comes_or_goes_changes_more_records_than_the_bound(
    records, mine, most, key
) -> None:
    others = [record for record in records if record[0] != "p"]
    without = used(others, most, key)
    with_her = used([*others, *(("p", x, y) for _, x, y in mine)], most, key)

    assert not without - with_her
    assert size_of(with_her - without) <= most


@settings(max_examples=80, deadline=None)
@given(records=rows, values=rows, most=st.integers(1, 4), key=st.binary(max_size=8))
def test_no_person_with_other_values_replaces_more_records_than_the_bound(
    records, values, most, key
) -> None:
    other = [
        ("p", *values[i % len(values)][1:]) if name == "p" else (name, x, y)
        for i, (name, x, y) in enumerate(records)
    ]
    here, there = used(records, most, key), used(other, most, key)

    assert size_of(here) == size_of(there)
    assert size_of(here - there) <= most


@settings(max_examples=40, deadline=None)
@given(records=rows, most=st.integers(1, 4), piece=st.integers(1, 9))
def test_sorted_pieces_keep_the_same_records(records, most, piece) -> None:
    key = b"the same"
    tables = [table_of(records[i : i + piece]) for i in range(0, len(records), piece)]
    placed = pl.concat(list(placed_frames(tables, key))).sort(WHOSE, STANDING)
    first = FirstOfEach(most)
    kept = pl.concat([first.kept(part) for part in placed.iter_slices(piece)])

    whole, told = cut_table(table_of(records), Persons("whose", most), key)
    assert Counter(kept.rows()) == Counter(whole.frame.drop("whose").rows())
    assert first.told == told


def test_another_key_keeps_others_and_each_record_about_as_often() -> None:
    records = [("p", x, "a") for x in range(4)]
    counts = Counter()
    for key in range(400):
        counts += used(records, 1, key.to_bytes(4))

    # Binomial(400, 1/4): six standard deviations on either side.
    assert all(abs(counts["p", float(x), "a"] - 100) < 52 for x in range(4))


def test_identifiers_are_the_same_whatever_type_holds_them() -> None:
    spellings = [
        ["7", "7", "8"],
        [7, 7, 8],
        [7.0, 7.0, 8.0],
        [" 7", "7 ", "8"],
        pl.Series(["7", "7", "8"], dtype=pl.Categorical),
        pl.Series([7, 7, 8], dtype=pl.UInt8),
    ]
    records = [("", 1, "a"), ("", 2, "b"), ("", 3, "a")]
    found = [
        cut_table(table_of(records, whose), Persons("whose", 1), b"k")[0].frame.drop("whose")
        for whose in spellings
    ]

    assert all(frame.equals(found[0]) for frame in found)
    assert found[0].height == 2


def test_composed_and_decomposed_accents_are_one_person() -> None:
    records = [("Andr\u00e9", 1, "a"), ("Andre\u0301", 2, "b"), ("Andre", 3, "a")]

    assert size_of(used(records, 1)) == 2


def test_codes_and_padded_numbers_stay_what_they_are() -> None:
    assert size_of(used([("07", 1, "a"), ("7", 1, "a"), ("7.0", 1, "a")], 1)) == 3


@pytest.mark.parametrize(
    "whose",
    [
        ["a", None, "b"],
        ["a", "", "b"],
        ["a", "  ", "b"],
        [1.0, np.nan, 2.0],
        [1, None, 2],
    ],
)
def test_records_without_a_person_are_refused_and_not_quoted(whose) -> None:
    with pytest.raises(DataError, match="missing values") as refused:
        cut_table(table_of([("", 1, "a")] * 3, whose), Persons("whose", 1), b"k")

    assert not any(character.isdigit() for character in str(refused.value))


@pytest.mark.parametrize("whose", [[1.5, 1.0], [2.0**53, 1.0], [float("inf"), 1.0]])
def test_floats_that_may_stand_for_two_persons_are_refused(whose) -> None:
    with pytest.raises(DataError, match="taken for one"):
        cut_table(table_of([("", 1, "a")] * 2, whose), Persons("whose", 1), b"k")


def test_lists_and_dates_name_nobody() -> None:
    whose = pl.Series([[1], [2]])
    with pytest.raises(DataError, match="cannot be compared"):
        cut_table(table_of([("", 1, "a")] * 2, whose), Persons("whose", 1), b"k")


def test_the_curator_is_told_how_many_were_left_out() -> None:
    records = [("p", x % 4, "a") for x in range(5)] + [("q", 1, "b")]
    _, told = cut_table(table_of(records), Persons("whose", 2), b"k")

    assert told.told(2) == (
        "3 of 6 records were left out, because 1 of 2 persons have more than 2; one has 5."
    )
    _, told = cut_table(table_of(records), Persons("whose", 9), b"k")
    assert "the largest number is 5" in told.told(9)

"""A table holds complete records only, and gives back what it was given."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import Attribute, Role, Schema, Table, Taxonomy
from covey.errors import CoveyError, DataError, InternalError, SchemaError, TaxonomyError
from covey.table import from_codes, from_texts, from_values

SENTINEL = "7777777"
PAIN = ("none", "mild", "strong")


def table_of(values: list | pl.Series, dtype: pl.DataType | None = None, **properties: object):
    """Make a table of one column, called x."""
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype, strict=False)})
    return covey.read_table(frame, Schema((Attribute("x", **properties),)))


def test_values_of_a_numeric_column_are_its_numbers() -> None:
    table = table_of([3, 1, 2], pl.Int16)

    assert table.n == 3
    assert table.values("x").tolist() == [3.0, 1.0, 2.0]


def test_values_of_an_ordinal_column_are_the_places_of_its_categories() -> None:
    table = table_of(["strong", "none", "mild"], scale="ordinal", categories=PAIN)

    assert table.values("x").tolist() == [2.0, 0.0, 1.0]


def test_values_of_an_ordinal_column_without_categories_are_its_numbers() -> None:
    assert table_of([5, 1], scale="ordinal").values("x").tolist() == [5.0, 1.0]


def test_codes_of_a_nominal_column_are_places_in_its_domain() -> None:
    table = table_of(["b", "a", "b"], scale="nominal", missing="refuse")

    assert table.domain("x") == ("a", "b")
    assert table.codes("x").tolist() == [1, 0, 1]


def test_the_domain_does_not_tell_whether_a_value_is_missing() -> None:
    complete = table_of(["a", "b"], scale="nominal", categories=("a", "b"))
    lacking = table_of(["a", None], scale="nominal", categories=("a", "b"))

    assert complete.domain("x") == lacking.domain("x")


def test_a_matrix_has_one_column_for_each_name() -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": ["mild", "none"]})
    schema = Schema((Attribute("a"), Attribute("b", scale="ordinal", categories=PAIN)))
    table = covey.read_table(frame, schema)

    assert table.matrix(["b", "a"]).tolist() == [[1.0, 1.0], [0.0, 2.0]]
    assert table.matrix([]).shape == (2, 0)


def test_columns_stay_in_the_order_of_the_data() -> None:
    schema = Schema((Attribute("a"), Attribute("b")))
    frame = pl.DataFrame({"b": [1, 2], "a": [3, 4]})

    table = covey.read_table(frame, schema)

    assert table.schema.names == ("b", "a")
    assert table.frame.columns == ["b", "a"]


def test_reading_a_table_leaves_the_input_as_it_was() -> None:
    frame = pl.DataFrame({"x": [1.0, None, math.nan]})
    before = frame.clone()

    covey.read_table(frame, Schema((Attribute("x", missing="impute", impute=0),)))

    assert frame.equals(before)


MISSING_NUMBERS = [[4.0, None, 6.0, 5.0], [4.0, math.nan, 6.0, 5.0]]


@pytest.mark.parametrize("values", MISSING_NUMBERS)
def test_a_record_without_a_number_is_dropped_and_counted_if_the_schema_says_so(
    values: list,
) -> None:
    table = table_of(values, missing="drop")

    assert table.values("x").tolist() == [4.0, 6.0, 5.0]
    assert table.dropped == 1


@pytest.mark.parametrize("values", MISSING_NUMBERS)
def test_a_missing_number_becomes_the_public_value_if_the_schema_says_so(values: list) -> None:
    table = table_of(values, missing="impute", impute=0)

    assert table.values("x").tolist() == [4.0, 0.0, 6.0, 5.0]
    assert table.dropped == 0


@pytest.mark.parametrize("values", MISSING_NUMBERS)
def test_a_missing_number_is_refused_unless_the_schema_says_what_to_do(values: list) -> None:
    with pytest.raises(DataError, match=r"'x' has missing values.*missing = \"drop\".*impute"):
        table_of(values)


@pytest.mark.parametrize(
    "values", [["a", None, "b"], pl.Series(["a", None, "b"], dtype=pl.Categorical)]
)
def test_a_missing_nominal_value_is_a_category_of_its_own(values: list | pl.Series) -> None:
    table = table_of(values, getattr(values, "dtype", None), scale="nominal")

    codes = table.codes("x")

    assert len(set(codes.tolist())) == 3
    assert from_codes(table, "x", codes).to_list() == ["a", None, "b"]


def test_a_nominal_number_that_is_nan_is_a_missing_one() -> None:
    table = table_of([1.0, math.nan, 2.0], scale="nominal")

    published = from_codes(table, "x", table.codes("x"))

    assert published.to_list() == [1.0, None, 2.0]
    assert not published.is_nan().any()


@pytest.mark.parametrize(
    ("dtype", "present", "public"),
    [
        (pl.String, "a", "b"),
        (pl.Categorical, "a", "b"),
        (pl.Enum(["a", "b"]), "a", "b"),
        (pl.Int8, 1, 7),
        (pl.Int8, 1, "7"),
        (pl.Boolean, True, "false"),
    ],
)
def test_a_missing_nominal_value_is_imputed_in_the_type_of_its_column(
    dtype: pl.DataType, present: object, public: object
) -> None:
    table = table_of([present, None], dtype, scale="nominal", missing="impute", impute=public)

    assert table.frame["x"].dtype == dtype
    assert table.texts("x")[1] == str(public)


@pytest.mark.parametrize(
    ("dtype", "properties"),
    [
        (pl.Int64, {"impute": 0.5}),
        (pl.Int8, {"impute": 300}),
        (pl.Int64, {"impute": "many", "scale": "nominal"}),
        (pl.Enum(["1", "2"]), {"impute": "3", "scale": "nominal"}),
    ],
)
def test_an_imputed_value_that_its_column_cannot_hold_is_refused_even_if_none_is_missing(
    dtype: pl.DataType, properties: dict
) -> None:
    column = pl.Series(["1", "2"]).cast(dtype)

    with pytest.raises(SchemaError, match=r"imputed value of attribute 'x' does not fit.*Write"):
        table_of(column, dtype, missing="impute", **properties)


def test_missing_values_of_identifiers_do_not_matter() -> None:
    frame = pl.DataFrame({"id": [1, None], "x": [1, 2]})
    schema = Schema((Attribute("id", role=Role.IDENTIFIER), Attribute("x")))

    assert covey.read_table(frame, schema).n == 2


def test_a_table_without_a_complete_record_is_refused() -> None:
    with pytest.raises(DataError, match=r"no complete record.*`missing` policies"):
        table_of([None, None], pl.Float64, missing="drop")


@pytest.mark.parametrize("properties", [{}, {"scale": "ordinal"}])
def test_infinite_numbers_are_refused(properties: dict) -> None:
    with pytest.raises(DataError, match=r"'x' holds infinite values.*Make them missing"):
        table_of([1.0, math.inf], **properties)


def test_texts_in_a_numeric_column_are_refused_without_a_quotation() -> None:
    with pytest.raises(DataError, match=r"'x' is described as numeric.*`scale`") as refusal:
        table_of([SENTINEL, "a"])

    assert SENTINEL not in str(refusal.value)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([19_000, 19_001]).cast(pl.Date),
        pl.Series([[1], [2]]),
        pl.Series([{"a": 1}, {"a": 2}]),
        pl.Series([b"\xff", b"\xfe"]),
    ],
)
def test_dates_lists_and_bytes_are_refused(column: pl.Series) -> None:
    with pytest.raises(DataError, match=r"'x' holds dates, lists or raw bytes.*identifier"):
        table_of(column, column.dtype, scale="nominal")


def test_texts_in_an_ordinal_column_need_categories() -> None:
    with pytest.raises(SchemaError, match=r"ordinal attribute 'x' lists no categories.*lowest"):
        table_of(["a", "b"], scale="ordinal")


def test_a_value_that_is_no_category_is_refused_without_a_quotation() -> None:
    with pytest.raises(SchemaError, match=r"'x' has a value that is missing in its list of") as no:
        table_of(["a", SENTINEL], scale="nominal", categories=("a", "b"))

    assert SENTINEL not in str(no.value)


def taxonomy_table(folder: Path, values: list[str]) -> Table:
    """Make a table of one column with the taxonomy * > (north > (a, b), c)."""
    (folder / "towns.csv").write_text("child,parent\n*,\nnorth,*\na,north\nb,north\nc,*\n")
    schema = Schema((Attribute("x", scale="nominal", taxonomy="towns.csv"),), folder)
    return covey.read_table(pl.DataFrame({"x": values}), schema)


def test_a_value_that_is_no_concept_of_the_taxonomy_is_refused_without_a_quotation(
    tmp_path: Path,
) -> None:
    with pytest.raises(SchemaError, match=r"'x' has a value that is missing in its taxonomy") as no:
        taxonomy_table(tmp_path, ["a", SENTINEL])

    assert SENTINEL not in str(no.value)


def test_a_taxonomy_file_that_is_not_there_is_refused() -> None:
    schema = Schema((Attribute("x", scale="nominal", taxonomy="nowhere.csv"),))

    with pytest.raises(TaxonomyError, match=r"nowhere\.csv' cannot be read \(No such file"):
        covey.read_table(pl.DataFrame({"x": ["a"]}), schema)


def test_concepts_of_a_taxonomy_turn_back_into_a_column(tmp_path: Path) -> None:
    table = taxonomy_table(tmp_path, ["a", "b", "c"])

    assert isinstance(table.taxonomy("x"), Taxonomy)
    assert from_texts(table, "x", ["north", "c"]).to_list() == ["north", "c"]


def test_concepts_that_the_type_of_the_column_cannot_hold_become_texts(tmp_path: Path) -> None:
    (tmp_path / "codes.csv").write_text("child,parent\nall,\n1,all\n2,all\n")
    schema = Schema((Attribute("x", scale="nominal", taxonomy="codes.csv"),), tmp_path)
    table = covey.read_table(pl.DataFrame({"x": [1, 2]}), schema)

    assert from_texts(table, "x", ["all", "1"]).to_list() == ["all", "1"]
    assert from_texts(table, "x", ["2", "1"]).dtype == pl.String


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["a", "b"]),
        pl.Series(["a", "b"], dtype=pl.Categorical),
        pl.Series(["b", "a"], dtype=pl.Enum(["b", "a", "c"])),
        pl.Series([True, False]),
        pl.Series([3, 4], dtype=pl.UInt8),
        pl.Series([3.5, 4.25]),
    ],
)
def test_codes_turn_back_into_values_of_the_same_type(column: pl.Series) -> None:
    table = table_of(column, column.dtype, scale="nominal")

    assert from_codes(table, "x", table.codes("x")).equals(table.frame["x"])


def test_codes_outside_the_domain_are_a_bug() -> None:
    table = table_of(["a", "b"], scale="nominal", missing="refuse")

    with pytest.raises(InternalError, match=r"'x' lie outside its domain"):
        from_codes(table, "x", np.array([2]))


def test_ordinal_values_turn_back_into_the_nearest_category() -> None:
    table = table_of(["none", "strong"], scale="ordinal", categories=PAIN)

    published = from_values(table, "x", np.array([-3.0, 0.4, 0.6, 9.0]))

    assert published.to_list() == ["none", "none", "mild", "strong"]


def test_values_of_an_integer_attribute_are_whole_even_if_its_column_is_of_floats() -> None:
    table = table_of([1.0, 2.0], integer=True)

    assert from_values(table, "x", np.array([1.4, 1.6])).to_list() == [1.0, 2.0]


NUMBER_TYPES = [
    pl.Int8,
    pl.Int16,
    pl.Int32,
    pl.Int64,
    pl.UInt8,
    pl.UInt16,
    pl.UInt32,
    pl.UInt64,
    pl.Float32,
    pl.Float64,
    pl.Decimal(4, 2),
]


@given(
    dtype=st.sampled_from(NUMBER_TYPES),
    values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9),
)
def test_every_number_finds_a_place_in_every_type_of_column(
    dtype: pl.DataType, values: list[float]
) -> None:
    table = table_of([1, 2], dtype)

    published = from_values(table, "x", np.array(values))

    assert published.dtype == dtype
    assert published.null_count() == 0
    assert np.isfinite(published.cast(pl.Float64).to_numpy()).all()


def test_values_outside_the_bounds_are_counted_for_the_curator() -> None:
    assert table_of([-1, 5, 11, 12], bounds=(0, 10)).outside_bounds() == {"x": 3}


def test_a_table_does_not_show_its_records() -> None:
    table = table_of([int(SENTINEL), 1])

    assert SENTINEL not in repr(table)


@given(
    values=st.lists(
        st.one_of(st.none(), st.floats(), st.integers(-5, 5).map(float)), min_size=1, max_size=8
    ),
    policy=st.sampled_from(["refuse", "drop", "impute"]),
)
def test_no_table_ever_holds_a_number_that_is_none(values: list, policy: str) -> None:
    public = {"impute": 0.0} if policy == "impute" else {}
    try:
        table = table_of(pl.Series(values, dtype=pl.Float64), missing=policy, **public)
    except CoveyError:
        return

    assert np.isfinite(table.values("x")).all()


def test_a_value_outside_the_categories_is_refused_although_the_taxonomy_knows_it(tmp_path) -> None:
    (tmp_path / "fruit.csv").write_text("child,parent\nfruit,\napple,fruit\npear,fruit\n")
    attribute = Attribute(
        "fruit", scale="nominal", taxonomy="fruit.csv", categories=("apple",), missing="refuse"
    )

    with pytest.raises(SchemaError, match="list of categories"):
        covey.read_table(pl.DataFrame({"fruit": ["apple", "pear"]}), Schema((attribute,), tmp_path))

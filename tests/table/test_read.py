"""Whatever kind a table comes as, its release is of that kind, with its columns and types."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import Attribute, Release, Role, Schema
from covey.errors import DataError, SchemaError

SENTINEL = "7777777"
N = 24
NUMBERS = [18 + (i * 37) % 61 for i in range(N)]
WORDS = [("a", "b", "c")[(i * 5) % 3] for i in range(N)]
TRUTHS = [i % 3 == 0 for i in range(N)]

# The last column is untouched by k-anonymity, and the numeric ones alone suit noise.
SCHEMA = Schema(
    (
        Attribute("number", bounds=(0, 120)),
        Attribute("other", bounds=(0, 120)),
        Attribute("word", scale="nominal", role=Role.QUASI_IDENTIFIER),
        Attribute("kept", scale="nominal", role=Role.CONFIDENTIAL),
    )
)


def k_anonymous(data: object, schema: Schema = SCHEMA) -> Release:
    return covey.publish(data, "mdav", schema=schema, k=3)


def noisy(data: object, schema: Schema = SCHEMA) -> Release:
    return covey.publish(
        data, "rank-blocks", schema=schema, epsilon=1.0, columns=("number", "other")
    )


PANDAS_NUMBERS = ["int8", "int32", "int64", "uint16", "Int64", "float32", "float64", "Float32"]
PANDAS_WORDS = {
    "object": (WORDS, object),
    "text": (WORDS, "str"),
    "string": (WORDS, "string"),
    "category": (WORDS, "category"),
    "ordered category": (WORDS, pd.CategoricalDtype(["c", "a", "b", "d"], ordered=True)),
    "category of numbers": (NUMBERS, "category"),
    "bool": (TRUTHS, "bool"),
    "boolean": (TRUTHS, "boolean"),
    "whole numbers": (NUMBERS, "int16"),
}


def pandas_frame(number: object, words: str) -> pd.DataFrame:
    values, dtype = PANDAS_WORDS[words]
    return pd.DataFrame(
        {
            "number": pd.Series(NUMBERS).astype(number),
            "other": pd.Series(NUMBERS[::-1], dtype="float64"),
            "word": pd.Series(values, dtype=dtype),
            "kept": pd.Series(values, dtype=dtype),
        }
    )


@pytest.mark.parametrize("dtype", PANDAS_NUMBERS)
def test_a_promise_covers_the_types_of_a_pandas_frame(dtype: str) -> None:
    released = noisy(pandas_frame(dtype, "text")).data

    assert isinstance(released, pd.DataFrame)
    assert set(map(str, released.dtypes)) == {"float64"}


@pytest.mark.parametrize("dtype", PANDAS_NUMBERS)
def test_numbers_of_a_pandas_frame_keep_their_type(dtype: str) -> None:
    frame = pandas_frame(dtype, "text")

    released = k_anonymous(frame).data

    assert isinstance(released, pd.DataFrame)
    assert dict(released.dtypes) == {name: frame.dtypes[name] for name in released.columns}
    assert not released.isna().to_numpy().any()


@pytest.mark.parametrize("words", PANDAS_WORDS)
def test_words_of_a_pandas_frame_keep_their_type_and_their_order(words: str) -> None:
    frame = pandas_frame("int64", words)

    released = k_anonymous(frame).data

    assert released.columns.tolist() == frame.columns.tolist()
    for name in ("word", "kept"):
        assert released[name].dtype == frame[name].dtype
        if hasattr(frame[name].dtype, "categories"):
            assert released[name].cat.categories.equals(frame[name].cat.categories)
    assert sorted(released["kept"].astype(str)) == sorted(frame["kept"].astype(str))
    assert not released.isna().to_numpy().any()


def test_labels_of_a_pandas_frame_that_are_no_texts_come_back() -> None:
    frame = pd.DataFrame({0: NUMBERS, 1: NUMBERS[::-1]}, dtype="int32")

    released = covey.publish(frame, "mdav", k=3).data

    assert released.columns.tolist() == [0, 1]
    assert set(released.dtypes) == {np.dtype("int32")}


POLARS_NUMBERS = [pl.Int16, pl.Int64, pl.UInt8, pl.Float32, pl.Float64, pl.Decimal(6, 2)]
POLARS_WORDS = [pl.String, pl.Categorical, pl.Enum(["c", "b", "a", "d"])]


def polars_frame(number: pl.DataType, word: pl.DataType = pl.String) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "number": pl.Series(NUMBERS).cast(number),
            "other": pl.Series(NUMBERS[::-1], dtype=pl.Float64),
            "word": pl.Series(WORDS).cast(word),
            "kept": pl.Series(TRUTHS),
        }
    )


@pytest.mark.parametrize("dtype", POLARS_NUMBERS)
def test_a_promise_covers_the_types_of_a_polars_frame(dtype: pl.DataType) -> None:
    released = noisy(polars_frame(dtype)).data

    assert isinstance(released, pl.DataFrame)
    assert set(released.dtypes) == {pl.Float64}


@pytest.mark.parametrize("dtype", POLARS_NUMBERS)
def test_numbers_of_a_polars_frame_keep_their_type(dtype: pl.DataType) -> None:
    frame = polars_frame(dtype)

    released = k_anonymous(frame).data

    assert isinstance(released, pl.DataFrame)
    assert released.schema == {name: frame.schema[name] for name in released.columns}
    assert released.height == N
    assert sum(released.null_count().row(0)) == 0


@pytest.mark.parametrize("dtype", POLARS_WORDS)
def test_words_of_a_polars_frame_keep_their_type(dtype: pl.DataType) -> None:
    frame = polars_frame(pl.Int64, dtype)

    released = k_anonymous(frame).data

    assert released.schema == frame.schema
    assert set(released["word"]) <= set(WORDS)


@pytest.mark.parametrize(
    ("publish", "types"),
    [
        (
            k_anonymous,
            ["int32", "float", "dictionary<values=string, indices=int8, ordered=0>", "string"],
        ),
        (noisy, ["double", "double"]),
    ],
)
def test_an_arrow_table_keeps_its_types_unless_a_promise_covers_them(publish, types) -> None:
    table = pa.table(
        {
            "number": pa.array(NUMBERS, pa.int32()),
            "other": pa.array(NUMBERS[::-1], pa.float32()),
            "word": pa.array(WORDS, pa.dictionary(pa.int8(), pa.string())),
            "kept": pa.array(WORDS, pa.string()),
        }
    )

    released = publish(table).data

    assert isinstance(released, pa.Table)
    assert [str(kind) for kind in released.schema.types] == types


@pytest.mark.parametrize("system", ["mdav", "rank-blocks"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_an_array_keeps_its_type_and_its_shape(system: str, dtype: str) -> None:
    array = np.column_stack([NUMBERS, NUMBERS[::-1]]).astype(dtype)
    schema = Schema((Attribute("a", bounds=(0, 120)), Attribute("b", bounds=(0, 120))))
    parameters = {"k": 3} if system == "mdav" else {"epsilon": 1.0}

    released = covey.publish(array, system, schema=schema, **parameters).data

    assert isinstance(released, np.ndarray)
    assert released.shape == array.shape
    # A promise covers types too.
    assert released.dtype == (array.dtype if system == "mdav" else np.float64)


def test_columns_of_an_array_without_a_schema_are_numbered() -> None:
    assert covey.read_table(np.ones((3, 2)) * [[1], [2], [3]]).schema.names == ("x0", "x1")


def test_an_array_that_has_not_the_columns_of_the_schema_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"as many attributes as the array has columns.*in order"):
        covey.read_table(np.ones((5, 3)), Schema((Attribute("a"),)))


@pytest.mark.parametrize(
    "array", [np.ones((2, 2, 2)), np.array([["a"], ["b"]]), np.ones((2, 2)) * 1j]
)
def test_an_array_that_is_no_table_of_numbers_is_refused(array: np.ndarray) -> None:
    with pytest.raises(DataError, match=r"not a table of numbers.*one row for each record"):
        covey.read_table(array)


@pytest.mark.parametrize("source", [[[1, 2]], {"a": [1]}, 5, None])
def test_what_is_no_table_is_refused_with_what_would_be_one(source: object) -> None:
    with pytest.raises(DataError, match=r"cannot be read from a .*Give a path, or a pandas"):
        covey.read_table(source)


def test_a_frame_whose_column_mixes_types_is_refused_without_a_quotation() -> None:
    frame = pd.DataFrame({"x": [1, SENTINEL, 2.5, ("a",)]}, dtype=object)

    with pytest.raises(DataError, match=r"mixes types.*one type") as refusal:
        covey.read_table(frame)

    assert SENTINEL not in str(refusal.value)
    assert refusal.value.__suppress_context__, "a traceback would show the backend's message"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
    ],
)
def test_a_frame_with_a_repeated_column_is_refused(frame: object) -> None:
    with pytest.raises(DataError, match=r"'a' occurs more than once.*Rename"):
        covey.read_table(frame)


FILE_FRAME = polars_frame(pl.Int64).with_columns(pl.col("kept").cast(pl.String))


def write(path: Path, frame: pl.DataFrame = FILE_FRAME) -> Path:
    if path.name.endswith(".parquet"):
        frame.write_parquet(path)
    elif path.name.endswith(".gz"):
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        frame.write_csv(path)
    return path


@pytest.mark.parametrize("name", ["people.csv", "people.csv.gz", "people.parquet", "P.2.CSV"])
def test_a_file_reads_as_the_table_that_was_written(tmp_path: Path, name: str) -> None:
    table = covey.read_table(write(tmp_path / name), SCHEMA)

    assert table.frame.equals(FILE_FRAME)
    assert table.kind == ("parquet" if name.endswith("parquet") else "csv")


def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    assert covey.read_table(str(write(tmp_path / "a.csv")), SCHEMA).n == N


def test_a_csv_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"\xef\xbb\xbfage\r\n5\r\n6\r\n")

    assert covey.read_table(path).frame["age"].to_list() == [5, 6]


def test_a_late_surprise_in_a_csv_column_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "5\n" * 2000 + "6.5\n")

    assert covey.read_table(path).frame["age"].dtype == pl.Float64


def test_codes_that_look_like_numbers_keep_their_leading_zeros(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("zip,level,age\n" + "01001,007,30\n" * 3 + "99999,010,50\n" * 3)
    schema = Schema(
        (
            Attribute("zip", scale="nominal"),
            Attribute("level", scale="ordinal", categories=("007", "010")),
            Attribute("age"),
        )
    )

    released = covey.publish(path, "mdav", schema=schema, k=3).data

    assert set(released["zip"]) == {"01001", "99999"}
    assert set(released["level"]) == {"007", "010"}
    assert released["age"].dtype == pl.Int64


def test_an_empty_field_is_a_missing_value(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,town\n5,a\n,b\n7,\n")
    schema = Schema((Attribute("age", missing="drop"), Attribute("town", scale="nominal")))

    table = covey.read_table(path, schema)

    assert table.frame.rows() == [(5, "a"), (7, None)]


FAULTS = {
    "no byte": (b"", r"is empty: it has no header line"),
    "a blank line": (b"\n\n", r"is empty: it has no header line"),
    "no UTF-8": (b"age\nsieben\xe4\n", r"not UTF-8.*--encoding cp1252"),
    "a repeated name": (b"a,b,a\n1,2,3\n", r"'a' occurs more than once"),
    "too many fields": (b"a,b\n1,2\n7777777,4,5\n", r"line 3 .*has too many fields"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_csv_file_is_refused_and_explained(tmp_path: Path, fault: str) -> None:
    content, explanation = FAULTS[fault]
    path = tmp_path / "people.csv"
    path.write_bytes(content)

    with pytest.raises(DataError, match=explanation) as refusal:
        covey.read_table(path)

    assert SENTINEL not in str(refusal.value)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.docx").touch()

    with pytest.raises(DataError, match=r"unknown kind.*\.csv, \.csv\.gz and \.parquet"):
        covey.read_table(tmp_path / "people.docx")


@pytest.mark.parametrize("name", ["people.csv", "people.csv.gz", "people.parquet"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=rf"no file .*{name}.*Check the path"):
        covey.read_table(tmp_path / name)


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "people.csv").mkdir()

    with pytest.raises(DataError, match=r"no file .*Check the path"):
        covey.read_table(tmp_path / "people.csv")


@pytest.mark.parametrize("name", ["people.csv.gz", "people.parquet"])
@pytest.mark.parametrize("keep", [0, 40])
def test_a_damaged_file_is_refused(tmp_path: Path, name: str, keep: int) -> None:
    path = write(tmp_path / name)
    path.write_bytes(path.read_bytes()[:keep])

    with pytest.raises(DataError, match=r"cannot be read|not a readable|is empty"):
        covey.read_table(path)


@pytest.mark.usefixtures("permissions_matter")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv")
    path.chmod(0)

    with pytest.raises(DataError, match=r"cannot be read \(Permission denied\).*may read it"):
        covey.read_table(path)


@pytest.mark.parametrize("kind", ["lazy", "duckdb", "reader"])
def test_what_is_not_held_yet_is_collected(kind: str) -> None:
    frame = pl.DataFrame({"age": [1.0, 2.0, 3.0]})
    arrow = frame.to_arrow()
    if kind == "duckdb":
        source = pytest.importorskip("duckdb").from_arrow(arrow)
    elif kind == "lazy":
        source = frame.lazy()
    else:
        source = pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches())

    table = covey.read_table(source, Schema((Attribute("age", bounds=(0, 9)),)))

    assert table.values("age").tolist() == [1.0, 2.0, 3.0]

"""How does Spark read files without guessing and without filling gaps in silence?"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from covey.engines.spark.frame import quoted
from covey.engines.spark.session import explained
from covey.errors import DataError
from covey.table import Schema
from covey.table.bounded import open_source
from covey.table.delimited import open_delimited
from covey.table.dialect import Dialect
from covey.table.numerals import number_pattern

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructType

_READERS = 8
_TEXTS = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_JAVA_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "ascii": "US-ASCII"}
_JAVA_NAMES |= {"iso8859-1": "ISO-8859-1"}
_TYPES = ("bigint", "double", "boolean")


def read(spark: SparkSession, path: str | Path, schema: Schema | None = None) -> DataFrame:
    """Read Parquet or CSV, after checking that all files have the same columns.

    Parameters
    ----------
    spark : SparkSession
        Reads.
    path : path
        A file or a folder: of this machine, or with a scheme that Spark knows (``hdfs://``, …).
    schema : Schema, optional
        Says which columns of a CSV file stay texts whatever they look like.
    """
    address, kind = _address(str(path))
    with explained():
        if kind == "csv":
            reading = _dialect(str(path), schema)
            return _typed(_csv(spark, address, reading), schema, reading)
        frame = spark.read.parquet(address)
        files = frame.inputFiles()
    _refuse_other_columns(spark, files, frame.schema)
    return frame


def _address(path: str) -> tuple[str, Literal["parquet", "csv"]]:
    if "://" in path:
        return path, "csv" if path.endswith(_TEXTS) else "parquet"
    local = Path(path)
    if not local.exists():
        raise DataError(
            f"there is no file {path!r}, and no folder of files of that name, so nothing was "
            f"read. Check the path."
        )
    names = [file.name for file in local.iterdir()] if local.is_dir() else [local.name]
    csv = any(name.endswith(_TEXTS) for name in names)
    parquet = any(name.endswith(".parquet") for name in names)
    if csv == parquet:
        raise DataError(
            f"{path!r} is not made of .parquet files alone or of .csv files alone, which is what "
            f"the engine 'spark' reads."
        )
    return local.resolve().as_uri(), "csv" if csv else "parquet"


def _refuse_other_columns(spark: SparkSession, files: list[str], first: StructType) -> None:
    """Read the end of every file: Spark itself takes one and fills the others with gaps."""

    def own(file: str) -> dict[str, str]:
        with explained():
            return dict(spark.read.parquet(file).dtypes)

    expected = {part.name: part.dataType.simpleString() for part in first}
    with ThreadPoolExecutor(_READERS) as pool:
        for file, found in zip(files, pool.map(own, files), strict=True):
            for name in (*expected, *found):
                if name not in found or name not in expected:
                    where = "missing in" if name not in found else "missing beside"
                    raise DataError(
                        f"column {name!r} is {where} {file!r}, so the files are not parts of one "
                        f"table. Nothing was published. Give files with the same columns."
                    )
                if found[name] != expected[name]:
                    raise DataError(
                        f"column {name!r} has the type {found[name]} in {file!r} and "
                        f"{expected[name]} elsewhere, so its values cannot be compared. Nothing "
                        f"was published. Write both with the same type."
                    )


def _dialect(path: str, schema: Schema | None) -> Dialect:
    """Detect the dialect of the first file of this machine; elsewhere the schema has to tell."""
    stated = Dialect() if schema is None else schema.reading
    names = () if schema is None else schema.names
    local = Path(path)
    if "://" in path:
        return Dialect(header=True).overridden(stated)
    parts = sorted(local.iterdir()) if local.is_dir() else [local]
    first = next(file for file in parts if file.name.endswith(_TEXTS))
    found = open_delimited(open_source(first), stated, names)
    if found.reading.skip:
        raise DataError(
            f"the file {str(first)!r} has lines before its table, which the engine 'spark' cannot "
            f"leave out. Nothing was published. Remove them, or use --engine stream."
        )
    return found.reading


def _csv(spark: SparkSession, address: str, reading: Dialect) -> DataFrame:
    quote = '"' if reading.quote is None else reading.quote
    read = (
        spark.read.option("header", str(reading.header is not False).lower())
        .option("enforceSchema", "false")
        .option("mode", "FAILFAST")
        .option("multiLine", "false")
        .option("sep", reading.separator or ",")
        .option("quote", quote)
        .option("escape", quote)
        .option("encoding", _java_name(reading.encoding or "utf-8"))
    )
    frame = read.csv(address)
    if reading.header is not False:
        return frame
    return frame.toDF(*(f"column_{place}" for place, _ in enumerate(frame.columns, start=1)))


def _java_name(encoding: str) -> str:
    """Return what Java calls an encoding that Spark can split into lines."""
    name = codecs.lookup(encoding).name
    if name not in _JAVA_NAMES:
        raise DataError(
            f"the engine 'spark' reads no {encoding} text, so nothing was published. Use "
            f"--engine stream, or convert the files to UTF-8."
        )
    return _JAVA_NAMES[name]


def _typed(texts: DataFrame, schema: Schema | None, reading: Dialect) -> DataFrame:
    """Give each column the first type that holds all its texts: a look at all lines, not a few."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    kept = {attribute.name for attribute in schema or () if attribute.is_named}
    open_names = [name for name in texts.columns if name not in kept]
    codes = {attribute.name: attribute.missing_codes for attribute in schema or ()}
    texts = texts.select(
        *(
            _bare(name, codes.get(name, ()), None if name in kept else reading).alias(name)
            for name in texts.columns
        )
    )
    fits = [
        _fits(name, kind).alias(f"{i} {kind}")
        for i, name in enumerate(open_names)
        for kind in _TYPES
    ]
    found = texts.agg(F.count(F.lit(1)).alias("n"), *fits).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    types = dict.fromkeys(texts.columns, "string")
    for i, name in enumerate(open_names):
        types[name] = next((kind for kind in _TYPES if found[f"{i} {kind}"]), "string")
    return texts.select(*(F.col(quoted(name)).cast(types[name]).alias(name) for name in types))


def _bare(name: str, codes: Sequence[str], reading: Dialect | None) -> Column:
    """Return texts without codes for missing; numbers as Spark writes them, if they are some."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    text = F.col(quoted(name))
    lacking = F.trim(text).isin(["", *codes])
    bare = F.when(~lacking, text)
    if reading is None or not (reading.thousands or reading.decimal == ","):
        return bare
    decimal, thousands = reading.decimal or ".", reading.thousands or ""
    written = F.trim(text).rlike(f"^{number_pattern(decimal, thousands)}$")
    plain = F.replace(F.trim(text), F.lit(thousands), F.lit("")) if thousands else F.trim(text)
    plain = F.replace(plain, F.lit(decimal), F.lit("."))
    return F.when(~lacking & written, plain).otherwise(bare)


def _fits(name: str, kind: str) -> Column:
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    text = F.col(quoted(name))
    return F.min(text.isNull() | text.try_cast(kind).isNotNull())

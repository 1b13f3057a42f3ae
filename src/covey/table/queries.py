"""How is a table asked from a database: DuckDB, SQLite, PostgreSQL?

``duckdb://FILE?SELECT …``, ``sqlite://FILE?SELECT …``, ``postgresql://HOST/DATABASE?SELECT …``.
All are opened read-only.  No message repeats an address: it may hold a password.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import polars as pl

from covey.errors import DataError
from covey.table.bounded import refuse_endless
from covey.table.dialect import Dialect
from covey.table.numerals import as_values

_PARAMETERS = re.compile(r"((?:[a-z_]+=[^?&]*&?)+)\?(.*)", re.DOTALL)
"""What a connection is told, such as ``sslmode=require``, before the query."""

_READ_ONLY = "options=-c%20default_transaction_read_only%3Don"


def read_query(address: str) -> pl.DataFrame:
    """Ask a database, and return what it answers."""
    place, mark, query = address.partition("?")
    scheme, _, rest = place.partition("://")
    scheme = scheme.lower()
    told = _PARAMETERS.fullmatch(query) if scheme.startswith("postgres") else None
    if told is not None:
        place, query = f"{place}?{told[1]}", told[2]
    query = unquote(query.removeprefix("query=").strip()) if "%" in query else query
    query = query.removeprefix("query=").strip()
    if not mark or not query:
        raise DataError(
            f"the address {scheme}://… says no query, so covey does not know which table is meant. "
            f"Write the query behind a question mark: {scheme}://DATABASE?QUERY"
        )
    if scheme in ("postgresql", "postgres"):
        return _postgresql(place, query)
    path = Path(rest)
    refuse_endless(path)
    return (_duckdb if scheme == "duckdb" else _sqlite)(path, query)


def _duckdb(path: Path, query: str) -> pl.DataFrame:
    from covey.table.sources import need

    duckdb = need("duckdb", "databases", "a DuckDB database")
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            answer: Any = connection.sql(query)
            if answer is None:
                raise _refused(str(path))
            return pl.DataFrame(pl.from_arrow(answer.to_arrow_table()))
    except duckdb.Error:
        raise _refused(str(path)) from None


def _sqlite(path: Path, query: str) -> pl.DataFrame:
    connection = None
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
        return pl.read_database(query, connection, infer_schema_length=None)
    except (sqlite3.Error, pl.exceptions.PolarsError, ValueError, TypeError):
        raise _refused(str(path)) from None
    finally:
        if connection is not None:
            connection.close()


def _postgresql(address: str, query: str) -> pl.DataFrame:
    from covey.table.sources import need

    need("adbc_driver_postgresql", "databases", "a PostgreSQL database")
    if "options=" not in address:
        address += ("&" if "?" in address else "?") + _READ_ONLY
    try:
        frame = pl.read_database_uri(query, address, engine="adbc")
    except Exception:  # noqa: BLE001 — a driver's message may hold the password
        raise _refused("of PostgreSQL") from None
    if not frame.columns:
        raise _refused("of PostgreSQL")
    # Its driver hands numbers of any length out as texts.
    texts = [each.ext.storage() for each in frame if _is_numeric(each.dtype)]
    return frame.with_columns(as_values(each, Dialect(decimal=".")) for each in texts)


def _is_numeric(dtype: pl.DataType) -> bool:
    told = dtype.ext_metadata() if isinstance(dtype, pl.BaseExtension) else None
    return told is not None and '"numeric"' in told


def _refused(name: str) -> DataError:
    called = name if name.startswith("of ") else repr(name)
    return DataError(
        f"the database {called} did not answer the query with a table, so nothing was read. Check "
        f"the query and the names in it, that nobody else has locked the database, and that you "
        f"may read it."
    )

"""How is a Parquet file read, however large its row groups are?

polars decodes row groups whole, several at a time, so what it needs would grow with their size
and with the number of cores.  Here it is given a few row groups at a time; those that are too
large for that are read page by page with pyarrow, which is slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from covey.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from covey.engines.files.limit import Memory

    Types = Mapping[str, pl.DataType]

_COPIES = 3
"""Bytes that a byte of decoded values costs while its row group is read, measured."""

_PAGE = 2**20
_TEXT = 16
"""Bytes of a text besides its letters."""

_TOGETHER = 7
"""So many row groups does polars decode at once if it is given a whole file, measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Row groups that follow each other, their rows, and their size once they are decoded."""

    groups: tuple[int, ...]
    start: int
    rows: int
    size: int


def parquet_frames(
    file: Path, types: Types, *, rows: int, memory: Memory
) -> Iterator[pl.DataFrame]:
    """Read some columns of a file, some rows at a time and in their order.

    Parameters
    ----------
    file : path
        A Parquet file.
    types : mapping
        From the names of the columns to their types.
    rows : int
        About how many rows a frame has.
    memory : Memory
        What may be used; a quarter of it is for this.
    """
    room = memory.free // 4 // _COPIES
    scan = pl.scan_parquet(file, glob=False, hive_partitioning=False).select(list(types))
    for span in _spans(file, types, room // 4):
        if span.size <= room:
            some = scan.slice(span.start, span.rows)
            yield from some.collect_batches(chunk_size=rows, engine="streaming", lazy=True)
        else:
            yield from _by_pages(file, types, span, rows)


def refuse_large_groups(file: Path, types: Types, memory: Memory) -> None:
    """Refuse a file whose row groups do not fit, where polars has to read it as a whole."""
    room = max(_PAGE, memory.free // 4 // _TOGETHER)
    if any(span.size > room for span in _spans(file, types, 0)):
        raise DataError(
            f"a row group of the file {str(file)!r} is larger than the memory that was allowed "
            f"can hold, so nothing was published. Allow more (--memory), or write the file again "
            f"with smaller ones: polars.scan_parquet(old).sink_parquet(new, row_group_size=100_000)"
        )


def _spans(file: Path, types: Types, together: int) -> list[Span]:
    """Return the row groups as the end of the file tells them, small ones together."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as opened:
        told = opened.metadata
    spans: list[Span] = []
    start = 0
    for number in range(told.num_row_groups):
        group = told.row_group(number)
        size = 0
        for place in range(group.num_columns):
            column = group.column(place)
            dtype = types.get(column.path_in_schema)
            if dtype is not None:
                size += _decoded(dtype, group.num_rows, column.total_uncompressed_size)
        last = spans[-1] if spans else None
        if last is not None and last.size + size <= together:
            rows = last.rows + group.num_rows
            groups = (*last.groups, number)
            spans[-1] = Span(groups=groups, start=last.start, rows=rows, size=last.size + size)
        else:
            spans.append(Span(groups=(number,), start=start, rows=group.num_rows, size=size))
        start += group.num_rows
    return spans


def _decoded(dtype: pl.DataType, rows: int, encoded: int) -> int:
    if dtype.is_numeric() or dtype.is_temporal() or dtype == pl.Boolean():
        return 8 * rows
    return _TEXT * rows + encoded


def _by_pages(file: Path, types: Types, span: Span, rows: int) -> Iterator[pl.DataFrame]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(file, buffer_size=_PAGE, pre_buffer=False) as opened:
        batches = opened.iter_batches(
            batch_size=rows, row_groups=list(span.groups), columns=list(types)
        )
        for batch in batches:
            yield pl.DataFrame(pl.from_arrow(batch)).select(list(types)).cast(pl.Schema(types))

"""How are degrees and joint degrees counted when the edges do not fit into memory?

The names of the nodes and their degrees must fit; the edges need not.  To find repeated edges,
they are read class by class: all copies of an edge have the same smaller end, and a class holds
the edges whose smaller end has one remainder of its hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.files.parquet import refuse_large_groups
from covey.engines.files.scan import batches
from covey.errors import DataError
from covey.graph.dk import DK, CountedGraph

if TYPE_CHECKING:
    from covey.engines.files.limit import Memory
    from covey.systems import Progress

_TEXTS = (".txt", ".csv", ".tsv", ".edges", ".edgelist")
_SEPARATORS = ("\t", ",", ";", " ")
_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
_EDGE = 200
"""Bytes that an edge costs while repeated ones of its class are found, measured."""

_NODE = 150
_ENDS = 2
U, V = pl.col("u"), pl.col("v")


def count_graph(source: str | Path, memory: Memory, progress: Progress | None) -> CountedGraph:
    """Read the edges of a simple undirected graph a few times, and count degrees.

    Self-loops and repetitions are dropped as `covey.read_graph` drops them.

    Parameters
    ----------
    source : path
        A ``.parquet`` file or a text with one edge on each line, not compressed.
    memory : Memory
        What may be used: some 150 bytes for each node, and the rest for edges.
    """
    report = progress or _silent
    report("reading edges", 0, 3)
    edges = _open(source, memory)
    ends = edges.scan
    names = pl.concat([ends.select(name="u"), ends.select(name="v")]).unique()
    degrees = edges.collect(names).with_columns(degree=pl.lit(0, dtype=pl.Int64))
    memory.require(_NODE * degrees.height, "the names of these nodes")
    report("counting degrees", 1, 3)
    for edge in edges.classes(memory):
        found = pl.concat([edge.select(name="u"), edge.select(name="v")])
        counted = found.group_by("name").len("degree").cast({"degree": pl.Int64})
        degrees = pl.concat([degrees, counted]).group_by("name").sum()
    report("counting joint degrees", 2, 3)
    cells = pl.DataFrame(schema={"low": pl.Int64, "high": pl.Int64, "edges": pl.Int64})
    for edge in edges.classes(memory):
        both = edge.join(degrees, left_on="u", right_on="name").join(
            degrees, left_on="v", right_on="name", suffix="_v"
        )
        pairs = both.select(
            low=pl.min_horizontal("degree", "degree_v"),
            high=pl.max_horizontal("degree", "degree_v"),
        )
        counted = pairs.group_by("low", "high").len("edges").cast({"edges": pl.Int64})
        cells = pl.concat([cells, counted]).group_by("low", "high").sum()
    cells = cells.sort("low", "high")
    joint = DK(
        order=2,
        keys=cells.select("low", "high").to_numpy().astype(np.int64),
        counts=cells["edges"].to_numpy().copy(),
    )
    kind = "parquet" if edges.path.suffix.lower() == ".parquet" else "csv"
    return CountedGraph(degrees=degrees["degree"].to_numpy(), joint=joint, kind=kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edges:
    """Where the edges are, as a scan of two columns of names."""

    path: Path
    scan: pl.LazyFrame = field(repr=False)
    lines: int

    def collect(self, scan: pl.LazyFrame) -> pl.DataFrame:
        frames = list(batches(scan, [self.path], rows=2**18))
        return pl.concat(frames) if frames else scan.clear().collect()

    def classes(self, memory: Memory) -> Iterator[pl.DataFrame]:
        """Yield the edges once each, smaller end first, as many at a time as there is room for."""
        number = 1 + 2 * _EDGE * self.lines // memory.free
        ordered = self.scan.filter(U != V).select(
            u=pl.when(U < V).then(U).otherwise(V), v=pl.when(U < V).then(V).otherwise(U)
        )
        for rest in range(number):
            mine = ordered.filter(U.hash() % number == rest) if number > 1 else ordered
            yield self.collect(mine.unique())


def _open(source: str | Path, memory: Memory) -> _Edges:
    if not isinstance(source, (str, Path)):
        raise DataError(
            f"engine = 'stream' reads files, and a {type(source).__name__} is in memory already. "
            f"Give a path, or use the engine 'memory'."
        )
    path = Path(source)
    if path.is_dir() or not path.exists():
        raise DataError(f"there is no file {str(path)!r}, so nothing was read. Check the path.")
    if path.suffix.lower() == ".parquet":
        return _from_parquet(path, memory)
    if path.suffix.lower() in _TEXTS:
        return _from_text(path, memory)
    raise DataError(
        f"the file {str(path)!r} is of an unknown kind. engine = 'stream' reads graphs from "
        f"{', '.join(_TEXTS)} and .parquet; decompress .gz files first."
    )


def _from_parquet(path: Path, memory: Memory) -> _Edges:
    try:
        types = pl.read_parquet_schema(path)
    except (pl.exceptions.PolarsError, OSError):
        raise DataError(
            f"the file {str(path)!r} is not a readable Parquet file. Check that it is complete."
        ) from None
    ends = list(types.items())[:_ENDS]
    small = all(dtype.is_integer() and dtype != pl.UInt64 for _, dtype in ends)
    named = all(
        dtype.is_integer() or dtype in (pl.String, pl.Categorical, pl.Enum) for _, dtype in ends
    )
    if len(ends) < _ENDS or not named:
        raise DataError(
            f"the first two columns of {str(path)!r} have neither integers nor texts, so they do "
            f"not name nodes. Put the two ends of each edge there."
        )
    refuse_large_groups(path, dict(ends), memory)
    kind = pl.Int64 if small else pl.String
    columns = {end: pl.col(name).cast(kind) for end, (name, _) in zip("uv", ends, strict=True)}
    scan = pl.scan_parquet(path, glob=False).select(**columns)
    lines = 0
    for frame in batches(scan, [path], rows=memory.rows(4)):
        _refuse_gaps(frame, path)
        lines += frame.height
    _refuse_no_edge(path, lines)
    return _Edges(path=path, scan=scan, lines=lines)


def _from_text(path: Path, memory: Memory) -> _Edges:
    line = pl.col("line").str.strip_chars(" \r\t")
    empty = line.str.len_bytes() == 0
    lines = pl.scan_lines(path, name="line").filter(~line.str.contains("^[#%]") & ~empty)
    first = next(batches(lines.head(1), [path], rows=1), None)
    if first is None or not first.height:
        raise DataError(
            f"the file {str(path)!r} has no line besides comments, so there is no graph in it. "
            f"Check the export."
        )
    words = str(first["line"][0]).strip()
    if '"' in words:
        raise DataError(
            f"the file {str(path)!r} has quoted names, which engine = 'stream' does not read. "
            f"Write it as Parquet, or use the engine 'memory'."
        )
    separator = next((s for s in _SEPARATORS if s in words), "\t")
    text = line.str.replace_all(" +", " ") if separator == " " else line
    parts = text.str.splitn(separator, _ENDS + 1)
    fields = [parts.struct.field(f"field_{i}").str.strip_chars() for i in range(_ENDS)]
    scan = lines.select(u=fields[0], v=fields[1])
    header = [field.strip() for field in re.split(" +" if separator == " " else separator, words)]
    count, integers = 0, True
    for number, frame in enumerate(batches(scan, [path], rows=memory.rows(8))):
        _refuse_gaps(frame, path)
        count += frame.height
        rest = frame[1:] if number == 0 else frame
        integers &= bool(rest.select(pl.all().str.contains(_INTEGER).all()).row(0) == (True, True))
    named = not any(re.fullmatch(_INTEGER, word) for word in header[:_ENDS])
    if integers and named and count > 1:
        scan, count = scan.slice(1), count - 1
    elif not all(re.fullmatch(_INTEGER, word) for word in header[:_ENDS]):
        integers = False
    if integers:
        scan = scan.select(U.cast(pl.Int64), V.cast(pl.Int64))
    _refuse_no_edge(path, count)
    return _Edges(path=path, scan=scan, lines=count)


def _refuse_gaps(frame: pl.DataFrame, path: Path) -> None:
    if any(column.null_count() for column in frame):
        raise DataError(
            f"a line of the file {str(path)!r} lacks the name of a node, so its edge is unknown. "
            f"Complete or remove it."
        )


def _refuse_no_edge(path: Path, lines: int) -> None:
    if not lines:
        raise DataError(f"the file {str(path)!r} has no edge. Check the export.")


def _silent(what: str, done: int, total: int) -> None:
    del what, done, total

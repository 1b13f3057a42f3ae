"""How does an edge list, or a graph of another library, become a graph?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.errors import DataError
from covey.graph.graph import Graph
from covey.graph.libraries import FROM_LIBRARY, library_of
from covey.graph.markup import MARKUP, read_markup
from covey.graph.pairs import Pairs, joined, names_of, pairs_of_columns, simple_graph
from covey.graph.text import holds_integers, is_header, read_columns

_TEXTS = (".txt", ".csv", ".tsv", ".edges", ".edgelist", ".gz")
_ENDS = 2
_FEWEST_OF_A_KIND = 5
_TWO_KINDS = (
    "no name stands in both columns, so there seem to be two kinds of nodes, such as people and "
    "events. They are taken for one graph: its degrees count both kinds, and a new graph may join "
    "two of a kind."
)
_HEADER_NOTE = ("the first line was read as the names of the columns.",)


def read_graph(
    source: Any, *, strict: bool = False, nodes: str | Path | int | Iterable[Any] | None = None
) -> Graph:
    """Read a simple undirected graph.

    Parameters
    ----------
    source : path, networkx or igraph graph, scipy sparse matrix, or integer array
        A path ends in ``.txt``, ``.csv``, ``.tsv``, ``.edges`` or ``.edgelist``, perhaps with
        ``.gz``, in ``.parquet``, ``.gml`` or ``.graphml``; the first two columns of a table are the
        ends of an edge.  In a text, lines that begin with # or % are comments, and a first line
        that names the columns is seen and noted.  A sparse matrix joins i and j where it is not 0.
        An array has shape (m, 2).
    strict : bool
        Refuse self-loops, repeated edges, directions and weights instead of dropping them.
    nodes : path, names or int, optional
        The nodes of the graph, or those of them that have no edge; a path is that of a text file
        with one on each line.  Or how many nodes there are in all.  A promise about edges or nodes
        needs one of these: nodes that are read off the edges tell about single edges.

    Returns
    -------
    Graph
        Ids are integers if all are, else texts, and nodes are numbered in their order.
        ``notes`` says what was dropped, with counts: it is for the curator, not for release.

    Raises
    ------
    DataError
        If the source cannot be read as a graph, or has what ``strict`` refuses.
    """
    pairs = _pairs(source)
    if isinstance(nodes, str) and nodes.isdigit():
        nodes = int(nodes)
    if nodes is not None:
        further = _others(pairs.names, nodes) if isinstance(nodes, int) else _further(nodes)
        pairs = replace(pairs, names=joined(pairs.names, further), complete=True)
    return simple_graph(pairs, strict=strict)


def _others(names: pl.Series, count: int) -> pl.Series:
    """Return names for the nodes without an edge, so that there are so many in all."""
    lacking = count - names.n_unique()
    if lacking < 0:
        raise DataError(
            f"the edges join more than {count} nodes, so that is not the number of all nodes. "
            f"Give their true number, or a list of them."
        )
    if names.dtype == pl.Int64:
        first = 1 + max(int(names.max() or 0), -1)  # type: ignore[arg-type]
        return pl.Series(range(first, first + lacking), dtype=pl.Int64)
    return pl.Series([f"(without an edge {number})" for number in range(lacking)], dtype=pl.String)


def _pairs(source: Any) -> Pairs:
    if isinstance(source, (str, Path)):
        return _from_path(Path(source))
    if isinstance(source, np.ndarray):
        return _from_array(source)
    library = library_of(source)
    if library is None:
        raise DataError(
            f"a graph cannot be read from a {type(source).__name__}. Give a path, a networkx or "
            f"igraph graph, a scipy sparse matrix, or an integer array of shape (m, 2)."
        )
    return FROM_LIBRARY[library](source)


def _from_path(path: Path) -> Pairs:
    _refuse_missing(path)
    if path.suffix.lower() == ".parquet":
        return _from_parquet(path)
    if path.suffix.lower() in _TEXTS:
        return _from_text(path)
    if path.suffix.lower() in MARKUP:
        return read_markup(path)
    raise DataError(
        f"the file {str(path)!r} is of an unknown kind. Covey reads graphs from "
        f"{', '.join((*_TEXTS, *MARKUP))} and .parquet."
    )


def _from_text(path: Path) -> Pairs:
    frame = read_columns(path)
    _refuse_single_column(frame, path)
    _refuse_gaps(frame[:, :_ENDS], path)
    header = is_header(frame[:, :_ENDS])
    ends = frame[int(header) :, :_ENDS]
    _refuse_header_alone(ends, path)
    pairs = pairs_of_columns(map(_parsed, ends), kind="csv", values=frame.width > _ENDS)
    notes = (_HEADER_NOTE if header else ()) + _two_kinds(ends)
    return replace(pairs, notes=notes) if notes else pairs


def _two_kinds(ends: pl.DataFrame) -> tuple[str, ...]:
    """Say so if no name stands in both columns: then there are two kinds of nodes."""
    first, second = (set(column.drop_nulls().unique().to_list()) for column in ends)
    if min(len(first), len(second)) < _FEWEST_OF_A_KIND or first & second:
        return ()
    return (_TWO_KINDS,)


def _from_parquet(path: Path) -> Pairs:
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError):
        raise DataError(
            f"the file {str(path)!r} is not a readable Parquet file. Check that it is complete "
            f"and that you may read it."
        ) from None
    _refuse_single_column(frame, path)
    ends = frame[:, :_ENDS]
    _refuse_header_alone(ends, path)
    _refuse_gaps(ends, path)
    return pairs_of_columns(map(_typed, ends), kind="parquet", values=frame.width > _ENDS)


def _from_array(array: NDArray[Any]) -> Pairs:
    if array.ndim != _ENDS or array.shape[1] != _ENDS or array.dtype.kind not in "iu":
        raise DataError(
            "the array is no list of edges. Give integers in the shape (m, 2): one row for each "
            "edge, with the numbers of its two nodes."
        )
    columns = (_typed(pl.Series(np.ascontiguousarray(column))) for column in array.T)
    return pairs_of_columns(columns, kind="arrays", values=False)


def _further(nodes: str | Path | Iterable[Any]) -> pl.Series:
    if not isinstance(nodes, (str, Path)):
        return names_of(nodes.tolist() if isinstance(nodes, np.ndarray) else nodes)
    path = Path(nodes)
    _refuse_missing(path)
    names = read_columns(path)[:, :1]
    _refuse_gaps(names, path)
    return _parsed(names[int(is_header(names)) :].to_series())


def _parsed(texts: pl.Series) -> pl.Series:
    return texts.cast(pl.Int64) if holds_integers(texts) else texts


def _typed(column: pl.Series) -> pl.Series:
    if column.dtype.is_integer():
        whole = column.cast(pl.Int64, strict=False)
        return whole if not whole.null_count() else column.cast(pl.String)
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return column.cast(pl.String)
    raise DataError(
        f"the column {column.name!r} has neither integers nor texts, so it does not name nodes. "
        f"Put the two ends of each edge into the first two columns."
    )


def _refuse_missing(path: Path) -> None:
    if path.is_dir() or not path.exists():
        raise DataError(f"there is no file {str(path)!r}, so nothing was read. Check the path.")


def _refuse_single_column(frame: pl.DataFrame, path: Path) -> None:
    if frame.width < _ENDS:
        raise DataError(
            f"the file {str(path)!r} has one column, but an edge has two ends. Separate them by "
            f"a blank, a tab or a comma."
        )


def _refuse_header_alone(frame: pl.DataFrame, path: Path) -> None:
    if not len(frame):
        raise DataError(
            f"the file {str(path)!r} has names of columns but no edge below them. Check the export."
        )


def _refuse_gaps(frame: pl.DataFrame, path: Path) -> None:
    if any(column.null_count() for column in frame):
        raise DataError(
            f"a line of the file {str(path)!r} lacks the name of a node, so its edge is unknown. "
            f"Complete or remove it."
        )

"""How do described rows become rows on disk?  Piece by piece, sorted by their released values.

They are made once and kept in a private folder until the release is forgotten: making them again
would draw their noise again, and whoever saw both could average it away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.engines.shared.pieces import released_order
from covey.engines.shared.spool import Spool
from covey.engines.shared.typed import typed_rows
from covey.errors import PlanError
from covey.postprocess.pairing import shuffled_rows
from covey.postprocess.rows import Counted, Paired, Perturbed, Repeated

if TYPE_CHECKING:
    from pathlib import Path

    from covey.engines.files.limit import Memory
    from covey.postprocess.rows import Placed, Rows
    from covey.table import Head

MOST_PAIRED = 10**9
"""NumPy draws hypergeometric counts of fewer records than this."""


@dataclass(frozen=True, slots=True)
class SpooledRows:
    """Released rows on disk, which go with the last reference to this.

    ``empty`` has their columns and types.
    """

    spool: Spool = field(repr=False)
    n: int
    empty: pl.DataFrame = field(repr=False)

    @property
    def parts(self) -> tuple[Path, ...]:
        """Return no files: a release is written as one."""
        return ()

    def scan(self) -> pl.LazyFrame:
        """Return the rows, to be looked at some at a time."""
        files = self.spool.parts
        return pl.scan_ipc(files, glob=False) if files else self.empty.lazy()


def spool_rows(
    rows: Rows,
    head: Head | None,
    rng: np.random.Generator,
    memory: Memory,
    *,
    ordered: bool,
    width: int = 1,
) -> SpooledRows:
    """Make the rows; none of their order comes from the records, unless they may keep theirs.

    Parameters
    ----------
    rows : Rows
        What they are.
    head : Head, optional
        The types of a table's columns.
    rng : numpy.random.Generator
        Places and pairs at random; no privacy rests on it.
    memory : Memory
        What may be used.
    ordered : bool
        Whether they may keep their order.
    width : int
        About how many columns they have.
    """
    if isinstance(rows, Perturbed):
        return rows.held.rows if ordered else _sorted(rows.held.rows)
    if isinstance(rows, Counted):
        return keep_rows([pl.DataFrame(dict(rows.columns))], memory, in_order=True)
    assert head is not None  # noqa: S101 — tables have one
    if isinstance(rows, Repeated):
        return keep_rows(_repeated(rows, head, memory), memory, in_order=True)
    if isinstance(rows, Paired):
        return keep_rows(_paired(rows, head, rng, memory), memory, in_order=True)
    some = memory.rows(8 * width)
    return keep_rows(_placed(rows, head, rng, some), memory, in_order=ordered)


def keep_rows(pieces: Iterable[pl.DataFrame], memory: Memory, *, in_order: bool) -> SpooledRows:
    """Write rows down as they come, and sort them by their values unless they come in order."""
    spool, n, empty = Spool(memory.spool), 0, pl.DataFrame()
    for frame in pieces:
        spool.write(frame)
        n, empty = n + frame.height, frame.clear()
    spool.flush()
    rows = SpooledRows(spool, n, empty)
    return rows if in_order else _sorted(rows)


def _sorted(rows: SpooledRows) -> SpooledRows:
    spool = Spool(rows.spool.memory)
    for frame in rows.spool.sorted_by(rows.empty.columns):
        spool.write(frame)
    spool.flush()
    return replace(rows, spool=spool)


def _repeated(rows: Repeated, head: Head, memory: Memory) -> Iterator[pl.DataFrame]:
    """Yield each distinct row as often as it counts, sorted by released values."""
    distinct = typed_rows(head, rows.columns)
    order = released_order(distinct)
    ends = np.cumsum(rows.counts[order])
    some, total = memory.rows(4 * distinct.width), int(ends[-1])
    for start in range(0, total, some):
        places = np.arange(start, min(start + some, total))
        yield distinct[order[np.searchsorted(ends, places, side="right")]]


def _paired(
    rows: Paired, head: Head, rng: np.random.Generator, memory: Memory
) -> Iterator[pl.DataFrame]:
    """Yield the rows of independently shuffled columns, whose values are sorted."""
    if len(rows.columns) > 1 and rows.n >= MOST_PAIRED:
        raise PlanError(
            "engine = 'stream' pairs the columns of fewer than a thousand million records. "
            "Publish one column at a time (--columns), with a part of epsilon each."
        )
    often = [counts for _, counts in rows.columns.values()]
    for places in shuffled_rows(often, rng, rows=memory.rows(2 * len(often))):
        columns = zip(rows.columns.items(), places, strict=True)
        yield typed_rows(head, {name: values[at] for (name, (values, _)), at in columns})


def _placed(
    rows: Placed, head: Head, rng: np.random.Generator, some: int
) -> Iterator[pl.DataFrame]:
    """Yield rows that are drawn from a published model, an even share of them at a time."""
    pieces = max(1, -(-rows.n // some))
    for piece in range(pieces):
        yield typed_rows(head, rows.place(piece, pieces, rng))

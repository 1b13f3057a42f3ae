"""How do described rows become a frame in memory?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.engines.shared.typed import typed_rows
from covey.postprocess.pairing import shuffled_rows
from covey.postprocess.rows import Counted, Paired, Perturbed, Repeated

if TYPE_CHECKING:
    from pathlib import Path

    from covey.postprocess.rows import Rows
    from covey.table import Head


@dataclass(frozen=True, slots=True)
class HeldRows:
    """Released rows in memory."""

    frame: pl.DataFrame = field(repr=False)

    @property
    def n(self) -> int:
        """Return how many there are."""
        return self.frame.height

    @property
    def parts(self) -> tuple[Path, ...]:
        """Return no files: the rows are in memory."""
        return ()

    def scan(self) -> pl.LazyFrame:
        """Return the rows, to be looked at some at a time."""
        return self.frame.lazy()


def made_rows(rows: Rows, head: Head | None, rng: np.random.Generator) -> pl.DataFrame:
    """Make the rows; none of their order comes from the records."""
    if isinstance(rows, Counted):
        return pl.DataFrame(dict(rows.columns))
    assert head is not None  # noqa: S101 — tables have one
    return typed_rows(head, _columns(rows, rng))


def _columns(rows: Any, rng: np.random.Generator) -> dict[str, Any]:
    if isinstance(rows, Repeated):
        return {name: np.repeat(values, rows.counts) for name, values in rows.columns.items()}
    if isinstance(rows, Paired):
        often = [counts for _, counts in rows.columns.values()]
        (places,) = shuffled_rows(often, rng, rows=rows.n)
        columns = zip(rows.columns.items(), places, strict=True)
        return {name: values[at] for (name, (values, _)), at in columns}
    if isinstance(rows, Perturbed):
        return dict(rows.held.columns)
    return dict(rows.place(0, 1, rng))

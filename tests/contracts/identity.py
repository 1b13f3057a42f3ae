"""Releases that no system makes: the data as they are, and whatever a test wants to score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import covey
from covey.engines.memory.rows import HeldRows
from covey.ledger import Ledger

if TYPE_CHECKING:
    import polars as pl

    from covey.table import Table


def release_of(
    table: Table, frame: pl.DataFrame, columns: tuple[str, ...], *, aligned: bool = True
) -> tuple[covey.Release, covey.Trace]:
    """Pretend that a frame, row by row made from the table's, is a k-anonymous release."""
    untouched = tuple(name for name in frame.columns if name not in columns)
    release = covey.Release(
        data=frame,
        guarantee=covey.Guarantee(
            kind=covey.GuaranteeKind.K_ANONYMITY, k=1, columns=columns, untouched=untouched
        ),
        plan=covey.Plan(system="mdav", schema=table.schema),
        ledger=Ledger(),
        rows=HeldRows(frame),
    )
    return release, covey.Trace(frame if aligned else None)


def identity_release(table: Table, columns: tuple[str, ...]) -> tuple[covey.Release, covey.Trace]:
    """Pretend that the data themselves were released, without the identifiers."""
    kept = [a.name for a in table.schema if a.role is not covey.Role.IDENTIFIER]
    release, trace = release_of(table, table.frame.select(kept), columns)
    numbers = [n for n in columns if table.schema[n].scale is covey.Scale.NUMERIC]
    one = np.zeros(table.n, dtype=np.int64)
    return release, replace(trace, clusters=dict.fromkeys(numbers, one))

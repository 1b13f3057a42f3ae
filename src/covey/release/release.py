"""What leaves the house?  Released values leave through here alone, or row by row beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.errors import InternalError
from covey.privacy import REPEATABLE, Guarantee, GuaranteeKind, Ledger
from covey.release.column import (
    Column,
    ConceptColumn,
    CountColumn,
    NoisyColumn,
    UntouchedColumn,
)
from covey.release.folder import (
    Format,
    Maker,
    checked_format,
    write_documents,
    write_folder,
    write_papers,
)
from covey.table import Table, from_texts, from_values, to_native

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from covey.plan import Plan

SEEDED = "Not for publication: seeded. Whoever knows the seed can subtract the noise."


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Data with a guarantee, the plan that made them, and the bill.

    Parameters
    ----------
    data : dataframe or array
        Of the same kind as the input, columns in the same order and of the same types.
    guarantee : Guarantee
        What the release promises.
    plan : Plan
        What was run.
    ledger : Ledger
        What it cost.
    frame : polars.DataFrame
        The data, whatever kind they are given back as.
    format : "csv" or "parquet"
        How `save` writes the data, unless told otherwise.
    aligned : polars.DataFrame, optional
        For the curator's evaluation only: what became of each original record.  It is
        never written.
    extras : mapping
        Further tables made from the same noisy values, each written as a CSV file.
    documents : mapping
        From file names to what makes their texts, which `save` writes beside the data.  They are
        made from what is published alone: ``aligned`` is withheld from them.
    """

    data: Any = field(repr=False)
    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    frame: pl.DataFrame = field(repr=False)
    format: Format = "csv"
    aligned: pl.DataFrame | None = field(default=None, repr=False)
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    documents: Mapping[str, Maker] = field(default_factory=dict, repr=False, compare=False)

    @property
    def accuracy(self) -> pl.DataFrame | None:
        """Return the interval of each published mean and count, or None if there is none."""
        return self.extras.get("accuracy")

    @property
    def n(self) -> int:
        """Return the number of released rows."""
        return self.frame.height

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time."""
        return self.frame.lazy()

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
    ) -> Path:
        """Write the release folder: data, guarantee, plan, ledger, and what people read about it.

        The folder appears complete or not at all.  Only if a document about the release cannot
        be made, the folder appears without it and a warning says so: the budget is spent, and a
        picture that cannot be drawn must not lose the release.

        Parameters
        ----------
        folder : path
            Must not exist, unless it is empty or ``force`` is given and it is a release.
        force : bool
            Replace an older release.
        format : "csv" or "parquet", optional
            Like the input unless given.
        """
        written_as = checked_format(format) or self.format

        def fill(staged: Path) -> None:
            if written_as == "parquet":
                self.frame.write_parquet(staged / "data.parquet")
            else:
                self.frame.write_csv(staged / "data.csv")
            plan = write_papers(self, staged)
            published = replace(self, plan=plan, format=written_as, aligned=None)
            write_documents(published, self.documents, staged)

        return write_folder(Path(folder), fill, force=force)


def assemble(
    table: Table,
    columns: Mapping[str, Column],
    *,
    guarantee: Guarantee,
    plan: Plan,
    ledger: Ledger,
    aligned: Mapping[str, NDArray[np.float64]] | None = None,
    extras: Mapping[str, pl.DataFrame] | None = None,
) -> Release:
    """Put released columns together, refusing what the guarantee does not cover.

    Rows are sorted by their released values, so that their order tells nothing about the
    order of the original records; only locally private releases may keep the order.
    """
    frame = released_rows(table, columns, guarantee)
    if not guarantee.kind.may_be_row_aligned:
        frame = frame.sort(frame.columns, nulls_last=True)
    return Release(
        data=to_native(frame, table),
        guarantee=guarantee,
        plan=plan,
        ledger=ledger,
        frame=frame,
        format="parquet" if table.kind == "parquet" else "csv",
        aligned=None if aligned is None else _aligned(table, aligned),
        extras=extras or {},
    )


def released_rows(
    table: Table, columns: Mapping[str, Column], guarantee: Guarantee
) -> pl.DataFrame:
    """Return released columns as rows of the table's types, refusing what is not covered."""
    _check_origin(columns, guarantee)
    order = [name for name in table.schema.names if name in columns]
    return pl.DataFrame([_series(table, name, columns[name]) for name in order])


def assemble_counts(
    columns: Mapping[str, Column],
    *,
    guarantee: Guarantee,
    plan: Plan,
    ledger: Ledger,
    format: Format = "csv",  # noqa: A002
    extras: Mapping[str, pl.DataFrame] | None = None,
) -> Release:
    """Make the release of a graph: a table of cells and how many nodes or edges they hold."""
    _check_origin(columns, guarantee)
    frame = pl.DataFrame([_counted(name, column) for name, column in columns.items()])
    return Release(
        data=frame,
        guarantee=guarantee,
        plan=plan,
        ledger=ledger,
        frame=frame,
        format=format,
        extras=extras or {},
    )


def as_table(table: Table, release: Release) -> Table:
    """Return the released records as a table with the original's schema, to compare the two."""
    return replace(table, frame=release.frame)


def seeded(guarantee: Guarantee) -> Guarantee:
    """Stamp the guarantee of a seeded experiment."""
    if guarantee.kind is GuaranteeKind.NONE and SEEDED in guarantee.reasons:
        return guarantee
    return replace(guarantee.downgraded(SEEDED), arithmetic=REPEATABLE)


def _aligned(table: Table, values: Mapping[str, NDArray[np.float64]]) -> pl.DataFrame:
    return pl.DataFrame([from_values(table, name, values[name]) for name in values])


def _check_origin(columns: Mapping[str, Column], guarantee: Guarantee) -> None:
    if not guarantee.kind.is_differential_privacy:
        return
    accounts = {}
    for name, column in columns.items():
        if not isinstance(column, NoisyColumn | ConceptColumn | CountColumn):
            raise InternalError(
                f"column {name!r} of a differentially private release has no noise."
            )
        account = column.origin
        if not account.secure or not account.claim or account.unit is not guarantee.unit:
            raise InternalError(f"the noise of column {name!r} does not carry the guarantee.")
        accounts[id(account)] = account.epsilon
    if guarantee.epsilon is None or sum(accounts.values(), Fraction(0)) > guarantee.epsilon:
        raise InternalError("the noise of this release costs more than its guarantee says.")


def _series(table: Table, name: str, column: Column) -> pl.Series:
    if isinstance(column, UntouchedColumn):
        return table.frame[name]
    if isinstance(column, ConceptColumn):
        return from_texts(table, name, column.concepts)
    if isinstance(column, CountColumn):
        raise InternalError(f"column {name!r} of a table holds counts of a graph.")
    return from_values(table, name, column.values)


def _counted(name: str, column: Column) -> pl.Series:
    if not isinstance(column, CountColumn):
        raise InternalError(f"column {name!r} of a graph's release holds no counts.")
    return pl.Series(name, column.values)

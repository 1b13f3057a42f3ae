"""What leaves the house, and how is it written?  The only writer of released values."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from covey.errors import InternalError, ReleaseError
from covey.privacy import REPEATABLE, Guarantee, GuaranteeKind, Ledger
from covey.release.column import Column, ConceptColumn, NoisyColumn, UntouchedColumn
from covey.table import Schema, Table, from_texts, from_values, to_native

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from covey.plan import Plan

Format = Literal["csv", "parquet"]
FORMATS: dict[str, Format] = {"csv": "csv", "parquet": "parquet"}
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
    """

    data: Any = field(repr=False)
    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    frame: pl.DataFrame = field(repr=False)
    format: Format = "csv"
    aligned: pl.DataFrame | None = field(default=None, repr=False)
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
    ) -> Path:
        """Write the release folder: data, guarantee.json, plan.toml and ledger.json.

        The folder appears complete or not at all.

        Parameters
        ----------
        folder : path
            Must not exist, unless it is empty or ``force`` is given and it is a release.
        force : bool
            Replace an older release.
        format : "csv" or "parquet", optional
            Like the input unless given.
        """
        folder, written_as = Path(folder), checked_format(format) or self.format
        refuse_existing(folder, force=force)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".covey-") as scratch:
                staged = Path(scratch) / "release"
                staged.mkdir()
                self._write_into(staged, written_as)
                _swap(staged, folder, Path(scratch) / "old")
        except OSError as error:
            raise ReleaseError(
                f"the release folder {str(folder)!r} cannot be written ({error.strerror}), so "
                f"nothing was published. Choose a place with room where you may write."
            ) from error
        return folder

    def _write_into(self, folder: Path, format: Format) -> None:  # noqa: A002
        if format == "parquet":
            self.frame.write_parquet(folder / "data.parquet")
        else:
            self.frame.write_csv(folder / "data.csv")
        for name, extra in self.extras.items():
            extra.write_csv(folder / f"{name}.csv")
        _write_json(folder / "guarantee.json", self.guarantee.to_dict())
        plan = replace(self.plan, schema=_with_taxonomies(self.plan.schema, folder))
        (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
        _write_json(folder / "ledger.json", self.ledger.to_dict())


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
    _check_origin(columns, guarantee)
    order = [name for name in table.schema.names if name in columns]
    frame = pl.DataFrame([_series(table, name, columns[name]) for name in order])
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


def as_table(table: Table, release: Release) -> Table:
    """Return the released records as a table with the original's schema, to compare the two."""
    return replace(table, frame=release.frame)


def _aligned(table: Table, values: Mapping[str, NDArray[np.float64]]) -> pl.DataFrame:
    return pl.DataFrame([from_values(table, name, values[name]) for name in values])


def _check_origin(columns: Mapping[str, Column], guarantee: Guarantee) -> None:
    if not guarantee.kind.is_differential_privacy:
        return
    accounts = {}
    for name, column in columns.items():
        if not isinstance(column, (NoisyColumn, ConceptColumn)):
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
    return from_values(table, name, column.values)


def _with_taxonomies(schema: Schema, folder: Path) -> Schema:
    """Put the public taxonomies beside the plan, so that it can be run elsewhere."""
    for number, attribute in enumerate(schema):
        if attribute.taxonomy is not None:
            name = f"taxonomy-{number}.csv"
            shutil.copyfile(schema.folder / attribute.taxonomy, folder / name)
            schema = schema.updated(attribute.name, taxonomy=name)
    return schema


def checked_format(name: str | None) -> Format | None:
    """Return the name of a format that a release can be written in, or refuse it."""
    if name is not None and name not in FORMATS:
        raise ReleaseError(
            f"the format {name!r} is unknown, so nothing was written. Choose csv or parquet."
        )
    return None if name is None else FORMATS[name]


def refuse_existing(folder: Path, *, force: bool) -> None:
    """Refuse a folder that a release must not replace."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        raise ReleaseError(
            f"the output {str(folder)!r} exists already, so nothing was written. Choose another "
            f"folder, or replace an old release with --force (force=True)."
        )
    if not (folder / "guarantee.json").is_file():
        raise ReleaseError(
            f"the output {str(folder)!r} is not a release folder, so it is not replaced even by "
            f"force. Choose another folder."
        )


def _swap(staged: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    try:
        staged.rename(folder)
    except BaseException:
        # Ctrl-C too must not take the old release away.
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def seeded(guarantee: Guarantee) -> Guarantee:
    """Stamp the guarantee of a seeded experiment."""
    if guarantee.kind is GuaranteeKind.NONE and SEEDED in guarantee.reasons:
        return guarantee
    return replace(guarantee.downgraded(SEEDED), arithmetic=REPEATABLE)

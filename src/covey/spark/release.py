"""What leaves the house when the rows are on Spark?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import polars as pl

from covey.release.streamed import StreamedRelease

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame

    from covey.plan import Plan
    from covey.privacy import Guarantee, Ledger
    from covey.release.folder import Format, Maker
    from covey.spark.frame import Compare
    from covey.spark.staging import Staging

ONE_FILE = 2**30
"""Up to so many bytes of Parquet are saved as one file; more stay in parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkRelease:
    """Rows that Spark has written down, with a guarantee, the plan that made them, and the bill.

    Parameters
    ----------
    data : pyspark.sql.DataFrame
        The rows, to be written wherever Spark writes; they live as long as this release.
    n : int
        How many there are.
    guarantee, plan, ledger, format, extras, documents
        As in `covey.Release`.
    staging : Staging
        Where the rows are.
    rows : path
        Their folder there.
    deviations : callable, optional
        For the curator's evaluation only: how far released values are from those of their
        records, added up.  It is never written.
    """

    data: DataFrame = field(repr=False)
    n: int
    guarantee: Guarantee
    plan: Plan
    ledger: Ledger = field(repr=False)
    staging: Staging = field(repr=False)
    rows: Path = field(repr=False)
    format: Format = "parquet"
    extras: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    documents: Mapping[str, Maker] = field(default_factory=dict, repr=False, compare=False)
    deviations: Compare | None = field(default=None, repr=False, compare=False)

    @property
    def accuracy(self) -> pl.DataFrame | None:
        """Return the interval of each published mean and count, or None if there is none."""
        return self.extras.get("accuracy")

    def streamed(self) -> StreamedRelease:
        """Return the same release as a lazy frame on this machine."""
        parts = self.staging.parts(self.rows)
        return StreamedRelease(
            data=pl.scan_parquet(parts, glob=False).select(self.data.columns),
            n=self.n,
            guarantee=self.guarantee,
            plan=self.plan,
            ledger=self.ledger,
            spool=self.staging,
            format=self.format,
            extras=self.extras,
            documents=self.documents,
        )

    def scan(self) -> pl.LazyFrame:
        """Return the released rows, to be looked at some at a time on this machine."""
        return self.streamed().data

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
        parts: bool | None = None,
    ) -> Path:
        """Write the release folder as `covey.Release.save` does.

        Parameters
        ----------
        folder, force, format
            As there.
        parts : bool, optional
            Whether Parquet data stay in the parts that Spark wrote: ``data.parquet`` is then a
            folder of files, which nobody had to write again.  Unless given, from `ONE_FILE` bytes
            on; below, this machine writes one file.
        """
        files = self.staging.parts(self.rows)
        if parts is None:
            parts = sum(file.stat().st_size for file in files) > ONE_FILE
        release = replace(self.streamed(), parts=tuple(files) if parts else ())
        return release.save(folder, force=force, format=format)

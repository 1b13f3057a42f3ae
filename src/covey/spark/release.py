"""What leaves the house when the rows are on Spark?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from covey.release.streamed import StreamedRelease
from covey.table.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame

    from covey.plan import Plan
    from covey.privacy import Guarantee, Ledger
    from covey.release.release import Format
    from covey.spark.staging import Staging


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkRelease:
    """Rows that Spark has written down, with a guarantee, the plan that made them, and the bill.

    Parameters
    ----------
    data : pyspark.sql.DataFrame
        The rows, to be written wherever Spark writes; they live as long as this release.
    n : int
        How many there are.
    guarantee, plan, ledger, format, extras
        As in `covey.Release`.
    staging : Staging
        Where the rows are.
    rows : path
        Their folder there.
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
            spool=Spool(0, self.staging.folder),
            format=self.format,
            extras=self.extras,
        )

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        format: Format | None = None,  # noqa: A002
    ) -> Path:
        """Write the release folder as `covey.Release.save` does, one file of data among it."""
        return self.streamed().save(folder, force=force, format=format)

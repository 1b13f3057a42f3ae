"""Where do records and rows wait while Spark works on them?

What is not written down, Spark computes again when a worker is lost: noise would be drawn again,
and ranks could fall differently.  So everything that matters is written to a private folder
before it is looked at, by Spark's own commit protocol: a task that is tried again leaves the
files of one attempt.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from covey.engines.shared.scratch import clear_abandoned, scratch_folder
from covey.engines.spark.session import explained
from covey.errors import PlanError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

PLACE = "(place)"
"""Spark's number of a row: its partition, and its place there in the lowest 33 bits."""

_BITS = 33
_SPLITS = "spark.sql.files.minPartitionNum"


class Staging:
    """A private folder, removed with the last reference to it.

    Parameters
    ----------
    spark : SparkSession
        Writes and reads.
    folder : str, optional
        An existing folder that all workers and the driver see; a new one is made inside.  Not
        needed where all of them are this machine.
    """

    def __init__(self, spark: SparkSession, folder: str | None = None) -> None:
        self.spark = spark
        if folder is None and not str(spark.sparkContext.master).startswith("local"):
            raise PlanError(
                "the workers of this Spark cluster need a folder that all of them and this machine "
                "see, to keep rows in before they are published. Give staging=…, a folder of a "
                "shared file system."
            )
        if folder is not None and not Path(folder).is_dir():
            raise PlanError(
                f"there is no folder {folder!r} to keep rows in, so nothing was published. Give "
                f"staging=…, an existing folder that all workers and this machine see."
            )
        parent = None if folder is None else Path(folder)
        clear_abandoned(parent)
        self.folder = scratch_folder(self, parent)
        self._number = 0

    def kept(self, frame: DataFrame) -> DataFrame:
        """Write rows down and return what was written."""
        return self.read(self.written(frame))

    def written(self, frame: DataFrame) -> Path:
        """Write rows down, in the order of their partitions."""
        path = self.folder / f"{self._number:03}"
        self._number += 1
        with explained():
            frame.write.parquet(path.as_uri())
        return path

    def read(self, path: Path) -> DataFrame:
        """Return rows that were written down."""
        with explained():
            return self.spark.read.parquet(path.as_uri())

    @contextmanager
    def cleared_on_failure(self) -> Iterator[None]:
        """Remove the folder at once if something fails, whatever still refers to it."""
        try:
            yield
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def forget(self, path: Path) -> None:
        """Remove rows that are not needed any more."""
        shutil.rmtree(path, ignore_errors=True)

    def parts(self, path: Path) -> list[Path]:
        """Return the files of rows that were written down, in their order."""
        # By number: the names of more than a hundred thousand parts are not in their order.
        return sorted(path.glob("part-*.parquet"), key=lambda file: (len(file.name), file.name))

    def ranked(self, frame: DataFrame, keys: list[str]) -> tuple[DataFrame, Ranks]:
        """Sort rows by ranges of keys, write them down, and say how places become ranks."""
        from pyspark.sql import functions as F  # noqa: N812 — its usual name

        with explained():
            ordered = frame.orderBy(*keys).withColumn(PLACE, F.monotonically_increasing_id())
            kept = self.kept(ordered)
            part = F.shiftright(F.col(PLACE), _BITS).alias("part")
            counts = kept.groupBy(part).count().toArrow()
        parts = counts["part"].to_numpy().astype(np.int64)
        sizes = np.zeros(int(parts.max(initial=-1)) + 1, dtype=np.int64)
        sizes[parts] = counts["count"].to_numpy()
        return kept, Ranks(starts=np.cumsum(sizes) - sizes)


@contextmanager
def fixed_splits(spark: SparkSession) -> Iterator[None]:
    """Let Spark divide the same files alike at every reading, however many workers there are."""
    given = spark.conf.get(_SPLITS, None)
    if given is not None:
        yield
        return
    spark.conf.set(_SPLITS, str(spark.sparkContext.defaultParallelism))
    try:
        yield
    finally:
        spark.conf.unset(_SPLITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """The rank at which each partition of sorted rows starts."""

    starts: NDArray[np.int64]

    def of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the ranks of rows from their places."""
        inside = places & np.int64((1 << _BITS) - 1)
        return np.asarray(self.starts[places >> _BITS] + inside)

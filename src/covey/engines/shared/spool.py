"""Where do rows wait that do not fit into memory, and how are they sorted there?

A spool is a private folder that is removed with the last reference to it.  It is sorted by
distribution: rows go to buckets between values taken from a sample, until a bucket fits into
memory.  Each row is written once for each round of buckets, and a round parts the rows into up to
`MOST_BUCKETS` buckets.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from covey.engines.shared.scratch import no_room, scratch_folder
from covey.engines.shared.typed import sorted_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_BUCKETS = 64
SAMPLE = 256
"""Rows of each part that splitters are chosen from."""


class Spool:
    """Rows on disk, in the order they were written.

    Parameters
    ----------
    memory : int
        How many bytes of rows may be held at a time.
    folder : path, optional
        Where the parts are; a new private folder unless given.
    """

    def __init__(self, memory: int, folder: Path | None = None) -> None:
        self.memory = memory
        self.bytes = 0
        self.parts: list[Path] = []
        self._samples: list[pl.DataFrame] = []
        self._waiting: list[pl.DataFrame] = []
        self.waiting = 0
        self._number = 0
        self.folder = scratch_folder(self) if folder is None else folder

    def write(self, frame: pl.DataFrame) -> None:
        """Append rows; small frames wait until a part is worth a file."""
        if frame.height == 0:
            return
        self._waiting.append(frame)
        self.waiting += int(frame.estimated_size())
        if self.waiting * 16 > self.memory:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        frame = pl.concat(self._waiting)
        self._samples.append(frame.gather_every(math.ceil(frame.height / SAMPLE)))
        path = self.folder / f"part-{self._number:06}.arrow"
        self._number += 1
        try:
            frame.write_ipc(path, compression="lz4")
        except (OSError, pl.exceptions.PolarsError) as error:
            raise no_room(self.folder.parent, error) from error
        self.parts.append(path)
        self.bytes += self.waiting
        self._waiting, self.waiting = [], 0

    def frames(self) -> Iterator[pl.DataFrame]:
        """Read the rows again, part by part."""
        self.flush()
        for path in self.parts:
            yield pl.read_ipc(path)

    def sorted_by(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Yield all rows sorted by some columns, missing values last, and empty the spool.

        Columns that are left out do not matter: rows that agree in all names keep no order.
        """
        self.flush()
        if self.bytes * 3 <= self.memory or not names:
            if self.parts:
                whole = pl.concat(list(self.frames()))
                self._clear()
                yield sorted_rows(whole, names) if names else whole
            return
        column = pl.col(names[0])
        tests, settled = self._tests(names[0])
        for number, bucket in enumerate(self._distributed(column, tests)):
            yield from bucket.sorted_by(names[1:] if number in settled else names)

    def _tests(self, key: str) -> tuple[list[pl.Expr], set[int]]:
        """Return rising conditions on a column; how many hold is the bucket of a row.

        And the buckets whose rows agree in the column, so that the next ones alone sort them:
        that of missing values, and that of a value which is most of the sample.
        """
        values = pl.concat(self._samples)[key].drop_nulls().sort()
        if not values.len():
            return [], {1}
        wanted = min(MOST_BUCKETS, 2 + self.bytes * 4 // self.memory)
        chosen = values.gather([values.len() * i // wanted for i in range(1, wanted)]).unique()
        # A splitter at the largest value would part nothing.
        splitters = [value for value in chosen.sort().to_list() if value != values[-1]]
        if len(splitters) > 1:
            return [pl.col(key) > pl.lit(value) for value in splitters], {len(splitters) + 1}
        common = pl.lit(values.mode().sort()[0])
        return [pl.col(key) >= common, pl.col(key) > common], {1, 3}

    def _distributed(self, column: pl.Expr, tests: Sequence[pl.Expr]) -> list[Spool]:
        place = pl.sum_horizontal([pl.lit(0), *(test.cast(pl.Int32) for test in tests)])
        bucket = pl.when(column.is_null()).then(len(tests) + 1).otherwise(place)
        found = []
        for _ in range(len(tests) + 2):
            folder = Path(tempfile.mkdtemp(dir=self.folder))
            found.append(Spool(self.memory, folder))
        # Together the buckets may hold back no more than a part of the memory.
        limit = self.memory // 4
        for path in self.parts:
            frame = pl.read_ipc(path).with_columns(bucket.alias("(bucket)"))
            for (number,), rows in frame.partition_by(
                "(bucket)", as_dict=True, include_key=False
            ).items():
                found[int(number)].write(rows)
            path.unlink()
            while sum(spool.waiting for spool in found) > limit:
                max(found, key=lambda spool: spool.waiting).flush()
        self._clear()
        return found

    def _clear(self) -> None:
        for path in self.parts:
            path.unlink(missing_ok=True)
        self.parts, self._samples, self.bytes = [], [], 0

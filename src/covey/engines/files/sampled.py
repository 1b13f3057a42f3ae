"""Where are the records that take part, after coins were tossed for each of them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.engines.files.limit import Memory
    from covey.engines.shared.spool import Spool
    from covey.table import Table


@dataclass(frozen=True, slots=True)
class SampledStream:
    """Records on disk, read piece by piece as a `Stream` is.

    Parameters
    ----------
    head : Table
        Their schema and types.
    memory : Memory
        What may be used.
    spool : Spool
        Where they are; coins are not tossed again.
    """

    head: Table = field(repr=False)
    memory: Memory
    spool: Spool = field(repr=False)

    def pieces(self, names: Sequence[str] | None = None, *, public: str = "") -> Iterator[Table]:
        """Read all records once; parts are small, so that all columns are read."""
        del names, public
        for frame in self.spool.frames():
            yield replace(self.head, frame=frame)

"""What became of each record?  For the curator alone, never part of a release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Trace:
    """What each original record became, row by row, where that can be told.

    Parameters
    ----------
    aligned : polars.DataFrame, optional
        Released values in the order of the original records.
    deviations : callable, optional
        The same on an engine that holds no rows: how far released values are from those of
        their records, added up.
    """

    aligned: pl.DataFrame | None = field(default=None, repr=False)
    deviations: Any = field(default=None, repr=False)

    def __reduce__(self) -> Any:
        """Refuse to be written or sent: it links released rows to records."""
        raise TypeError("a trace links released rows to records; it is not for files or processes.")

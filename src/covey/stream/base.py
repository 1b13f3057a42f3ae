"""What does a streamed system hand to the release step?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from covey.errors import DataError, PlanError

if TYPE_CHECKING:
    import polars as pl

    from covey.perturb import NoiseSource
    from covey.privacy import Guarantee
    from covey.release.streamed import Piece
    from covey.stream.scan import Stream
    from covey.systems import Progress
    from covey.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedOutcome:
    """Rows to be released, piece by piece, and what they promise.

    Parameters
    ----------
    pieces : iterable of Piece
        Goes through once: noise is drawn, or rows are placed, while they are asked for.
    guarantee : Guarantee
        What they are published under.
    in_order : bool
        Whether the pieces come sorted by their released values.
    resolved : mapping
        Parameters that the system chose from public numbers.
    extras : callable
        Returns further tables, once all pieces are drawn.
    """

    pieces: Iterable[Piece] = field(repr=False)
    guarantee: Guarantee
    in_order: bool = False
    resolved: Mapping[str, Any] = field(default_factory=dict)
    extras: Callable[[], Mapping[str, pl.DataFrame]] = field(default=dict, repr=False)


Run = Callable[["Stream", Mapping[str, Any], "NoiseSource", "Progress | None"], StreamedOutcome]
"""As `System.run`, with a stream in the place of a table."""


def told(
    pieces: Iterable[Table], progress: Progress | None, what: str, n: int | None = None
) -> Iterator[Table]:
    """Report how many records were read, and refuse files that changed since they were counted."""
    done = 0
    for table in pieces:
        if progress is not None:
            progress(what, done, max(n or 0, done + table.n))
        done += table.n
        yield table
    if n is not None and done != n:
        raise DataError(
            "the files changed while they were read, so their statistics do not belong together "
            "and nothing was published. Start again when nobody writes to them."
        )


def refuse_empty(n: int) -> None:
    """Refuse a table without records."""
    if n == 0:
        raise DataError(
            "the table holds no complete record, so there is nothing to publish. "
            "Check the file, and the `missing` policies in the schema."
        )


def refuse_other_orders(parameters: Mapping[str, Any], engine: Literal["stream", "spark"]) -> None:
    """Refuse insensitive clusters that take records from several sorted orders in turns."""
    if parameters["order"] != "single" or parameters["paper"]:
        raise PlanError(
            f"the engine {engine!r} forms insensitive clusters under one order only, so nothing "
            f"was published. Set order = \"single\" (-p order=single), or use the engine 'memory'."
        )

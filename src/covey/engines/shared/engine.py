"""What is an engine?  It holds records, answers questions, and makes rows; it knows no system."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import polars as pl

    from covey.core import NoiseSource, Persons, PrivacyUnit
    from covey.core.questions import Records
    from covey.engines.shared.persons import Contributed
    from covey.postprocess.rows import Link, Rows
    from covey.systems import PlainSystem, Progress
    from covey.systems.base import Outcome
    from covey.table import Schema


class Kept(Protocol):
    """Released rows, wherever they are kept."""

    @property
    def n(self) -> int:
        """Return how many there are."""
        ...

    @property
    def parts(self) -> tuple[Path, ...]:
        """Return Parquet files that hold the rows already, if they shall be saved as such."""
        ...

    def scan(self) -> pl.LazyFrame:
        """Return the rows, to be looked at some at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Made:
    """Rows that were made: as the kind of data that came in, and where they are kept."""

    data: Any = field(repr=False)
    rows: Kept = field(repr=False)


class Engine(Protocol):
    """What every engine can do."""

    name: str
    records: Records

    @property
    def schema(self) -> Schema | None:
        """Return what is known about the columns; a graph has none."""
        ...

    @property
    def format(self) -> str:
        """Return how a release of these data is written: csv or parquet."""
        ...

    def bound_persons(self, persons: Persons, key: bytes) -> Contributed:
        """Keep so many records of each person, before any question; tell the curator of it."""
        ...

    def head(self, unit: PrivacyUnit, public_column: str) -> Any:
        """Return what is public: a `Head` or a `GraphHead`."""
        ...

    def write(self, rows: Rows, head: Any, rng: np.random.Generator, *, ordered: bool) -> Made:
        """Make described rows, sorted by their released values unless they may keep their order."""
        ...

    def run(
        self, system: PlainSystem, settings: Any, source: NoiseSource, progress: Progress | None
    ) -> tuple[Outcome, Made]:
        """Run a system that sees the records, or say that this engine cannot."""
        ...

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return public facts about columns that equal what occurs.  For whoever publishes."""
        ...

    def became(self, rows: Rows, links: Sequence[Link]) -> Any:
        """Return what each record became, by itself or with its cluster.  For the curator."""
        ...

    def aligned(self, columns: Any) -> Any:
        """Return the same from what a plain system said.  For the curator."""
        ...

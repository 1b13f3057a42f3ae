"""How are data published that stay in files, because they do not fit into memory?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.core import GuaranteeKind, PrivacyUnit
from covey.engines.files.edges import count_graph
from covey.engines.files.limit import Memory
from covey.engines.files.plain import STREAMED
from covey.engines.files.records import StreamRecords
from covey.engines.files.rows import spool_rows
from covey.engines.files.scan import open_stream
from covey.engines.shared.engine import Made
from covey.engines.shared.graphs import GraphRecords, needs_whole_graph
from covey.engines.shared.scratch import clear_abandoned
from covey.errors import InternalError, PlanError
from covey.graph.dk import with_all_nodes
from covey.systems.base import PlainSystem

if TYPE_CHECKING:
    import numpy as np

    from covey.core import NoiseSource, Persons
    from covey.engines.files.scan import Stream
    from covey.engines.shared.persons import Contributed
    from covey.postprocess.rows import Link, Rows
    from covey.systems import Progress, System
    from covey.systems.base import Outcome
    from covey.table import Head, Schema


class FilesEngine:
    """A table in files.

    Parameters
    ----------
    stream : Stream
        Reads it.
    columns : sequence of str, optional
        Those that are to be published, if not all are.
    progress : callable, optional
        Told how many records were read.
    """

    name = "stream"

    def __init__(
        self, stream: Stream, columns: Sequence[str] | None, progress: Progress | None
    ) -> None:
        self._stream = stream
        self._width = len(columns or stream.schema.names)
        self.records: Any = StreamRecords(stream, columns, progress)

    @property
    def schema(self) -> Schema | None:
        """Return what is known about the columns."""
        return self._stream.schema

    @property
    def format(self) -> str:
        """Return how a release of these data is written: as they are."""
        return self._stream.kind

    def bound_persons(self, persons: Persons, key: bytes) -> Contributed:
        """Sort the records by person on disk, and keep so many of each."""
        told: Contributed
        self.records, told = self.records.of_persons(persons, key)
        return told

    def head(self, unit: PrivacyUnit, public_column: str) -> Any:
        """Read all records once, and return what is public."""
        known_n = unit is PrivacyUnit.REPLACE_RECORD
        head = self.records.head(known_n=known_n, public_column=public_column)
        return replace(head, schema=self._stream.schema)

    def write(
        self, rows: Rows, head: Head | None, rng: np.random.Generator, *, ordered: bool
    ) -> Made:
        """Make rows on disk, sorted by their released values unless they may keep their order."""
        memory = self._stream.memory
        made = spool_rows(rows, head, rng, memory, ordered=ordered, width=self._width)
        return Made(data=made.scan(), rows=made)

    def run(
        self, system: PlainSystem, settings: Any, source: NoiseSource, progress: Progress | None
    ) -> tuple[Outcome, Made]:
        """Run a system that sees the records, if it can see them piece by piece."""
        del source
        if system.name not in STREAMED:
            raise _without_streamed_form(system)
        outcome, made = STREAMED[system.name](self.records, settings, progress)
        return outcome, Made(data=made.scan(), rows=made)

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return public facts about columns that equal what occurs.  For whoever publishes."""
        return dict(self.records.occurring.equal_facts(names))

    def became(self, rows: Rows, links: Sequence[Link]) -> None:
        """Say nothing: what all records became would be as large as the files."""

    def aligned(self, columns: Any) -> None:
        """Say nothing, as `became`."""


class EdgesEngine:
    """A graph in a file, whose edges are counted when it is known what is protected."""

    name = "stream"
    schema = None

    def __init__(
        self, source: Any, memory: Memory, nodes: int | None, progress: Progress | None
    ) -> None:
        self._source, self._memory, self._progress = source, memory, progress
        self._nodes = nodes
        self.records: Any = None

    @property
    def format(self) -> str:
        """Return how a release of this graph is written."""
        return "parquet" if Path(self._source).suffix.lower() == ".parquet" else "csv"

    def bound_persons(self, persons: Persons, key: bytes) -> Contributed:
        """Refuse: an edge is not one person's."""
        del key
        raise InternalError(f"a graph has no records of {persons.column!r} to be bounded.")

    def head(self, unit: PrivacyUnit, public_column: str) -> Any:
        """Count degrees and joint degrees, and return what is public."""
        del public_column
        if unit is PrivacyUnit.NODE:
            raise needs_whole_graph(self.name, "the graph is cut down edge by edge")
        counted = count_graph(self._source, self._memory, self._progress)
        self.records = GraphRecords(with_all_nodes(counted, self._nodes), self.name)
        return self.records.head(unit)

    def write(self, rows: Rows, head: Any, rng: np.random.Generator, *, ordered: bool) -> Made:
        """Keep the counted cells."""
        made = spool_rows(rows, head, rng, self._memory, ordered=ordered)
        return Made(data=made.scan(), rows=made)

    def run(
        self, system: PlainSystem, settings: Any, source: NoiseSource, progress: Progress | None
    ) -> tuple[Outcome, Made]:
        """Refuse: what sees a graph sees all of it."""
        del settings, source, progress
        raise _without_streamed_form(system)

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Say nothing: a graph has no columns."""
        del names
        return {}

    def became(self, rows: Rows, links: Sequence[Link]) -> None:
        """Say nothing: no node becomes another."""

    def aligned(self, columns: Any) -> None:
        """Say nothing, as `became`."""


def open_files(
    data: Any,
    system: System,
    schema: Schema | None,
    *,
    memory: str | int = "1GB",
    columns: Sequence[str] | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> FilesEngine | EdgesEngine:
    """Find the files of a table or a graph, and refuse what cannot be read piece by piece.

    Parameters
    ----------
    data : path
        A file, or a folder of files.
    system : System
        What is going to be published.
    schema : Schema
        What is public about the columns of a table.
    memory : str or int
        What may be used, for instance "750MB".
    columns : sequence of str, optional
        The columns that are to be published, if not all are: others are checked, not counted.
    nodes : int, optional
        How many nodes a graph has, those without an edge included.
    progress : callable, optional
        Told how many records were read.
    """
    if isinstance(system, PlainSystem) and system.name not in STREAMED:
        raise _without_streamed_form(system)
    bound = Memory.of(memory)
    clear_abandoned()
    if system.data == "table":
        return FilesEngine(open_stream(data, schema, bound), columns, progress)
    if schema is not None:
        raise PlanError(
            "a schema describes the columns of a table, and this system publishes graphs, so "
            "nothing was published. Leave the schema out."
        )
    if system.kind is GuaranteeKind.PERSONALISED:
        raise needs_whole_graph("stream", "coins are tossed for edges or nodes")
    return EdgesEngine(data, bound, nodes, progress)


def _without_streamed_form(system: PlainSystem) -> PlanError:
    return PlanError(
        f"system {system.name!r} has no streamed form, so nothing was published. Use the engine "
        f"'memory', or one of the others: those with a differential promise, and "
        f"{', '.join(STREAMED)}."
    )

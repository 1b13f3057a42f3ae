"""How are data published that are held in memory?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from covey.core import PrivacyUnit
from covey.engines.memory.records import TableRecords
from covey.engines.memory.rows import HeldRows, made_rows
from covey.engines.shared.engine import Made
from covey.engines.shared.graphs import GraphRecords
from covey.engines.shared.persons import cut_table
from covey.engines.shared.typed import sorted_rows, typed_rows
from covey.errors import PlanError
from covey.graph import Graph, read_graph
from covey.postprocess.rows import Counted, Perturbed
from covey.table import Table, read_table, to_kind, to_native
from covey.table.occurring import Occurring

if TYPE_CHECKING:
    import numpy as np

    from covey.core import NoiseSource, Persons
    from covey.engines.shared.persons import Contributed
    from covey.postprocess.rows import Link, Rows
    from covey.systems import PlainSystem, Progress, System
    from covey.systems.base import Outcome
    from covey.table import Head, Schema


class MemoryEngine:
    """A table or a graph in memory."""

    name = "memory"

    def __init__(self, data: Table | Graph) -> None:
        self._data = data
        self.records: Any = GraphRecords(data) if isinstance(data, Graph) else TableRecords(data)

    @property
    def schema(self) -> Schema | None:
        """Return what is known about the columns; a graph has none."""
        return None if isinstance(self._data, Graph) else self._data.schema

    @property
    def format(self) -> str:
        """Return how a release of these data is written."""
        return "parquet" if self._data.kind == "parquet" else "csv"

    def bound_persons(self, persons: Persons, key: bytes) -> Contributed:
        """Keep so many records of each person."""
        assert isinstance(self._data, Table)  # noqa: S101 — graphs have no rows of a person
        self._data, told = cut_table(self._data, persons, key)
        self.records = TableRecords(self._data)
        return told

    def head(self, unit: PrivacyUnit, public_column: str) -> Any:
        """Return what is public."""
        if isinstance(self._data, Graph):
            return self.records.head(unit)
        known_n = unit is PrivacyUnit.REPLACE_RECORD
        return self.records.head(known_n=known_n, public_column=public_column)

    def write(
        self, rows: Rows, head: Head | None, rng: np.random.Generator, *, ordered: bool
    ) -> Made:
        """Make rows, sorted by their released values unless they may keep their order."""
        if isinstance(rows, Counted) and head is not None and not isinstance(self._data, Graph):
            # In an order of their own, and of texts: cells are not the values of a column.
            ordered, head = True, replace(head, categorical=frozenset())
        return self._made(made_rows(rows, head, rng), head, ordered=ordered)

    def run(
        self, system: PlainSystem, settings: Any, source: NoiseSource, progress: Progress | None
    ) -> tuple[Outcome, Made]:
        """Run a system that sees the records."""
        outcome = system.run(self._data, settings, source, progress)
        if isinstance(self._data, Graph):
            return outcome, self._made(pl.DataFrame(dict(outcome.columns)), None, ordered=True)
        return outcome, self._made(typed_rows(self._data, outcome.columns), None, ordered=False)

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Return public facts about columns that equal what occurs.  For whoever publishes."""
        if isinstance(self._data, Graph):
            return {}
        occurring = Occurring(self._data.schema)
        occurring.see(self._data)
        return occurring.equal_facts(names)

    def became(self, rows: Rows, links: Sequence[Link]) -> pl.DataFrame | None:
        """Return what each record became.  For the curator."""
        if isinstance(rows, Perturbed) and isinstance(self._data, Table):
            return typed_rows(self._data, rows.held.columns)
        columns: dict[str, Any] = {}
        for link in links:
            columns |= self.records.became(link)
        return self.aligned(columns) if columns else None

    def aligned(self, columns: Any) -> pl.DataFrame | None:
        """Return numbers or texts, one for each record, in the table's types.  For the curator."""
        if columns is None or isinstance(self._data, Graph):
            return None
        return typed_rows(self._data, columns)

    def _made(self, frame: pl.DataFrame, head: Head | None, *, ordered: bool) -> Made:
        if not ordered:
            frame = sorted_rows(frame, frame.columns)
        if isinstance(self._data, Graph):
            return Made(data=frame, rows=HeldRows(frame))
        # A promise covers types too; without one, columns are what they were.
        data = to_native(frame, self._data) if head is None else to_kind(frame, head)
        return Made(data=data, rows=HeldRows(frame))


def open_memory(
    data: Any, system: System, schema: Schema | None, *, nodes: Any = None
) -> MemoryEngine:
    """Take a table or a graph, or read one."""
    if system.data == "graph":
        if isinstance(data, Table):
            raise PlanError(
                f"system {system.name!r} publishes graphs, and a table was given, so nothing was "
                f"published. Give edges (covey.read_graph), or a system for tables."
            )
        return MemoryEngine(data if isinstance(data, Graph) else read_graph(data, nodes=nodes))
    if isinstance(data, Graph):
        raise PlanError(
            f"system {system.name!r} publishes tables, and a graph was given, so nothing was "
            f"published. Give a table (covey.read_table), or a system for graphs."
        )
    return MemoryEngine(data if isinstance(data, Table) else read_table(data, schema))

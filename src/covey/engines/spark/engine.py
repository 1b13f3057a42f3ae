"""How are data published that are on Spark?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.core import GuaranteeKind, PrivacyUnit
from covey.engines.shared.graphs import GraphRecords, needs_whole_graph
from covey.engines.shared.pieces import refuse_empty
from covey.engines.spark.deviations import RecordLinks
from covey.engines.spark.edges import count_graph
from covey.engines.spark.frame import SparkTable, as_spark_table
from covey.engines.spark.links import of_draws, of_links
from covey.engines.spark.persons import of_persons
from covey.engines.spark.plain import form_of
from covey.engines.spark.read import read
from covey.engines.spark.records import SparkRecords
from covey.engines.spark.rows import made_rows, written_rows
from covey.engines.spark.session import session
from covey.engines.spark.staging import Staging, fixed_splits
from covey.errors import DataError, PlanError
from covey.graph.dk import with_all_nodes
from covey.postprocess.rows import Perturbed
from covey.systems import PlainSystem
from covey.systems.base import Outcome

if TYPE_CHECKING:
    import numpy as np
    from pyspark.sql import DataFrame

    from covey.core import NoiseSource, Persons
    from covey.engines.shared.engine import Made
    from covey.engines.shared.persons import Contributed
    from covey.postprocess.rows import Link, Rows
    from covey.systems import Progress, System
    from covey.table import Schema


class SparkEngine:
    """A table or the edges of a graph in a Spark DataFrame.

    Rows are written down before the ledger is charged and before anyone sees them: a failure on
    the way spends nothing and leaves nothing, and a task that Spark tries again changes nothing.

    Parameters
    ----------
    data : SparkTable or DataFrame
        The records, or edges in the first two columns.
    staging : Staging
        Where rows wait.
    format : "csv" or "parquet"
        How a release is written.
    nodes : int, optional
        How many nodes a graph has, those without an edge included.
    progress : callable, optional
        Told about long work.
    """

    name = "spark"

    def __init__(
        self,
        data: SparkTable | DataFrame,
        staging: Staging,
        format: str = "parquet",  # noqa: A002
        nodes: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._data, self._staging, self.format, self._progress = data, staging, format, progress
        self._nodes = nodes
        self._public_column = ""
        self._used: SparkTable | None = None

    @cached_property
    def records(self) -> Any:
        """Look at the data for the first time: count degrees, or write checked records down."""
        if not isinstance(self._data, SparkTable):
            counted = count_graph(self._data, self._staging, self._progress)
            return GraphRecords(with_all_nodes(counted, self._nodes), "spark")
        if self._progress is not None:
            self._progress("writing records down", 0, 1)
        records = SparkRecords(self._used or self._data.written(self._public_column))
        refuse_empty(records.n)
        return records

    @property
    def schema(self) -> Schema | None:
        """Return what is known about the columns; a graph has none."""
        return self._data.schema if isinstance(self._data, SparkTable) else None

    def bound_persons(self, persons: Persons, key: bytes) -> Contributed:
        """Keep so many records of each person, written down."""
        assert isinstance(self._data, SparkTable)  # noqa: S101 — graphs have no rows of a person
        self._used, told = of_persons(self._data, persons, key)
        return told

    def head(self, unit: PrivacyUnit, public_column: str) -> Any:
        """Return what is public."""
        if not isinstance(self._data, SparkTable):
            if unit is PrivacyUnit.NODE:
                raise needs_whole_graph(self.name, "the graph is cut down edge by edge")
            return self.records.head(unit)
        self._public_column = public_column
        known_n = unit is PrivacyUnit.REPLACE_RECORD
        return self.records.head(known_n=known_n, public_column=public_column)

    def write(self, rows: Rows, head: Any, rng: np.random.Generator, *, ordered: bool) -> Made:
        """Make rows and write them down."""
        frame, in_order = made_rows(rows, head, rng, self._staging)
        return written_rows(frame, self._staging, ordered=ordered or in_order)

    def run(
        self, system: PlainSystem, settings: Any, source: NoiseSource, progress: Progress | None
    ) -> tuple[Outcome, Made]:
        """Run a system that sees the records, if it has a form for Spark."""
        form = form_of(system)
        assert isinstance(self._data, SparkTable)  # noqa: S101 — there is no form for graphs
        guarantee, rows, compare = form(self._data, settings, source, progress)
        aligned: Any = RecordLinks(compare)
        outcome = Outcome(columns={}, guarantee=guarantee, aligned=aligned)
        return outcome, written_rows(rows, self._staging, ordered=False)

    def equal_facts(self, names: Collection[str]) -> dict[str, list[str]]:
        """Say nothing: it would be one more reading of all records."""
        del names
        return {}

    def became(self, rows: Rows, links: Sequence[Link]) -> RecordLinks | None:
        """Return what records became, added up.  For the curator."""
        if not isinstance(self._data, SparkTable):
            return None
        perturbed = isinstance(rows, Perturbed)
        return of_draws(self.records) if perturbed else of_links(self.records, links)

    def aligned(self, columns: Any) -> Any:
        """Return the same of a plain system, which `run` has asked.  For the curator."""
        return columns

    @contextmanager
    def cleared_on_failure(self) -> Iterator[None]:
        """Leave nothing behind if something fails, and read the same files alike every time."""
        with fixed_splits(self._staging.spark), self._staging.cleared_on_failure():
            yield


def open_spark(
    data: Any,
    system: System,
    schema: Schema | None,
    *,
    master: str = "local[*]",
    staging: str | Path | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> SparkEngine:
    """Take a DataFrame, or let Spark read files, after a look at what it can do with them.

    Parameters
    ----------
    data : pyspark.sql.DataFrame or path
        The records, or edges in the first two columns if the system publishes graphs.
    system : System
        What is going to be published.
    schema : Schema, optional
        What is public about the columns of a table.
    master : str
        Where Spark runs, if ``data`` is a path.
    staging : path, optional
        An existing folder that all workers and this machine see, for rows on their way.  Needed
        on a cluster only.
    nodes : int, optional
        How many nodes a graph has, those without an edge included.
    progress : callable, optional
        Told about long work.
    """
    if isinstance(system, PlainSystem):
        form_of(system)
    graph = system.data == "graph"
    if graph and schema is not None:
        raise PlanError(
            "a schema describes the columns of a table, and this system publishes graphs, so "
            "nothing was published. Leave the schema out."
        )
    if graph and system.kind is GuaranteeKind.PERSONALISED:
        raise needs_whole_graph("spark", "coins are tossed for edges or nodes")
    path = str(data) if isinstance(data, (str, Path)) else None
    if path is not None:
        _refuse_other_edges(path, graph=graph)
        data = read(session(master), path, schema)
    elif not hasattr(data, "sparkSession"):
        raise DataError(
            f"the engine 'spark' publishes Spark DataFrames, and a {type(data).__name__} was "
            f"given. Read files with `covey.spark.read`, or use another engine."
        )
    room = Staging(data.sparkSession, None if staging is None else str(staging))
    with room.cleared_on_failure():
        table = data if graph else as_spark_table(data, schema, room)
    csv = path is not None and path.endswith((".csv", ".csv.gz"))
    return SparkEngine(table, room, "csv" if csv else "parquet", nodes, progress)


def _refuse_other_edges(path: str, *, graph: bool) -> None:
    if graph and not path.endswith(".parquet"):
        raise DataError(
            f"the engine 'spark' reads the edges of graphs from Parquet alone, and {path!r} is "
            f"something else. Write the edges as Parquet, or use another engine."
        )

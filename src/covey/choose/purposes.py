"""What is a release for, and which one plan follows from that?  From public facts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from covey.choose.candidates import MODEL_COLUMNS
from covey.errors import PlanError, SchemaError, suggest
from covey.plan import Plan
from covey.systems import SYSTEMS
from covey.systems.base import as_mapping
from covey.table import Scale, Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What a release is for.

    Parameters
    ----------
    title, words : str
        What it is called, and who gets it.
    why : str
        Why its epsilon is what it is.
    epsilon : float
        Where to start; the person responsible for the data decides.
    makes : "rows", "cells" or "graph"
        New records, the cells of tables, or a graph.
    """

    title: str
    words: str
    why: str
    epsilon: float
    makes: Literal["rows", "cells", "graph"]


PURPOSES: dict[str, Purpose] = {
    "public": Purpose(
        title="Anyone may have it",
        words="New records for everybody, without conditions.",
        why="Nobody can be asked to behave, so the promise must hold by itself.",
        epsilon=1.0,
        makes="rows",
    ),
    "researchers": Purpose(
        title="Researchers under contract",
        words="New records for people who have signed that they look for nobody.",
        why="A contract protects as well, so a larger bound and smaller errors can be defended.",
        epsilon=3.0,
        makes="rows",
    ),
    "teaching": Purpose(
        title="Teaching and testing software",
        words="New records that look right and need not be right.",
        why="Shape matters more than numbers, so little of the budget is enough.",
        epsilon=0.3,
        makes="rows",
    ),
    "figures": Purpose(
        title="A table of figures",
        words="Counts in cross tables, each with an interval; no records.",
        why="Everybody reads them, so the promise must hold by itself.",
        epsilon=1.0,
        makes="cells",
    ),
    "graph": Purpose(
        title="A graph",
        words="How many neighbours nodes have, and a new graph with such degrees.",
        why="Nobody can be asked to behave, so the promise must hold by itself.",
        epsilon=1.0,
        makes="graph",
    ),
}
"""What a release may be for."""

GRAPH_SYSTEM = "joint-degree-boxes"


def propose(
    purpose: str,
    schema: Schema | None = None,
    *,
    epsilon: float | None = None,
    columns: Sequence[str] | None = None,
    tables: Sequence[str] | None = None,
) -> Plan:
    """Propose one plan for a purpose.

    Parameters
    ----------
    purpose : str
        A name in `PURPOSES`.
    schema : Schema, optional
        What is public about the columns; a graph has none.
    epsilon : float, optional
        Instead of where the purpose starts.
    columns : sequence of str, optional
        The columns to publish; all but identifiers unless given.
    tables : sequence of str, optional
        The cross tables to publish, such as ``region*sex``; every column by itself unless given.

    Returns
    -------
    Plan
        What `covey.run` publishes; whether so many records carry it, `covey.run.foresee` tells.
    """
    known = find_purpose(purpose)
    given: dict[str, Any] = {"epsilon": known.epsilon if epsilon is None else epsilon}
    if known.makes == "graph":
        return _plan(GRAPH_SYSTEM, given)
    if schema is None:
        raise PlanError(
            "there is no schema, so nothing is known about the columns. Give one, or say that it "
            "is a graph (purpose = graph)."
        )
    names = publishable(schema, columns)
    if known.makes == "cells":
        return _plan("tables", {**given, "tables": list(tables or names)}, schema)
    return _plan(rows_system(schema, names), {**given, "columns": names}, schema)


def find_purpose(name: str) -> Purpose:
    """Return the purpose of that name, or suggest others."""
    if name not in PURPOSES:
        raise PlanError(f"there is no purpose {name!r}. {suggest(name, PURPOSES)}")
    return PURPOSES[name]


def publishable(schema: Schema, columns: Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns to publish, in the order of the schema."""
    known = [each.name for each in schema if not each.is_hidden]
    for name in columns or ():
        if name not in known:
            raise PlanError(f"there is no column {name!r} to publish. {suggest(name, known)}")
    found = tuple(name for name in known if columns is None or name in columns)
    if not found:
        raise SchemaError.nothing_to_publish()
    return found


def rows_system(schema: Schema, names: Sequence[str]) -> str:
    """Return the system that keeps most of so many columns, as `covey advise` finds it."""
    first = schema[names[0]]
    if len(names) == 1 and first.scale is not Scale.NOMINAL and not first.keeps_missing:
        return "rank-blocks"
    boxes = 1 < len(names) < MODEL_COLUMNS
    return "private-tree" if boxes else "column-model"


def _plan(system: str, given: Mapping[str, Any], schema: Schema | None = None) -> Plan:
    settings = as_mapping(SYSTEMS[system].settings(given))
    return Plan(system=system, parameters=settings, schema=schema)

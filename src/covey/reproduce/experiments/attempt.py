"""How is one point of a line computed?  A release, a partition, a projection or an expectation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.aggregate import cluster_means
from covey.choose.neighbours import with_random_neighbour
from covey.choose.trial import Trial
from covey.errors import CoveyError, PlanError
from covey.evaluate.mixed import MixedRecords
from covey.graph import DK, Graph, project
from covey.partition import partition
from covey.reproduce.experiments.measures import MEASURES, Compared, Degrees
from covey.run import run
from covey.systems.papers.p000.expected_sse import expected_sse
from covey.systems.papers.p003.methods import INDIVIDUAL_RANKING, METHODS
from covey.table import Scale

if TYPE_CHECKING:
    from covey.plan import Plan
    from covey.release import Release, Trace
    from covey.table import Table

SEPARATOR = "/"
"""Between the kind of a line and what it does, in plans that are no releases."""

ORDERED_BY_RUN = ("edge-addition",)
"""Projections that take a random order of edges, another one in each run."""


def attempt(plan: Plan, data: Table | Graph, measures: tuple[str, ...]) -> Trial:
    """Compute one point, and what it measures; a refusal is a result, too."""
    start = perf_counter()
    kind, _, name = plan.system.rpartition(SEPARATOR)
    try:
        scores = _DOES[kind or "system"](replace(plan, system=name), data, measures)
    except CoveyError as error:
        return Trial(plan=plan, refused=str(error))
    return Trial(plan=plan, scores=scores, seconds=perf_counter() - start)


def _published(plan: Plan, data: Any, measures: tuple[str, ...]) -> dict[str, float]:
    release, trace = run(with_random_neighbour(plan, data), data, trace=True)
    found = _degrees(data, release) if isinstance(data, Graph) else _records(plan, data, trace)
    return _measured(found, measures)


def _degrees(graph: Graph, release: Release) -> Degrees:
    *degrees, counts = (release.frame[name].to_numpy() for name in release.frame.columns)
    keys = np.column_stack(degrees).astype(np.int64)
    return Degrees(
        graph=graph, released=DK(order=len(degrees), keys=keys, counts=counts.astype(np.int64))
    )


def _records(plan: Plan, table: Table, trace: Trace) -> Compared:
    if trace.aligned is None:
        raise PlanError(
            f"system {plan.system!r} does not tell what became of each record, so nothing can be "
            f"measured record by record. Compare it with `covey compare`."
        )
    method = METHODS.get(str(plan.parameters.get("method")), {})
    return _compared(
        table,
        trace.aligned,
        k=plan.parameters.get("k"),
        alone=method.get("partition") == INDIVIDUAL_RANKING,
    )


def _compared(
    table: Table, released: pl.DataFrame, *, k: int | None = None, alone: bool = False
) -> Compared:
    names = [name for name in table.schema.names if name in released.columns]
    records = MixedRecords.of(table, replace(table, frame=released), names)
    numbers = [name for name in names if table.schema[name].scale is not Scale.NOMINAL]
    widths = np.array([table.schema[name].width for name in numbers])
    return Compared(table=table, records=records, widths=widths, k=k, alone=alone)


def _partitioned(plan: Plan, table: Any, measures: tuple[str, ...]) -> dict[str, float]:
    """Replace each record by the mean of its cluster, without noise."""
    settings = dict(plan.parameters)
    scale, each = settings.pop("scale", "bounds"), settings.pop("each", False)
    names = table.schema.names
    if any(attribute.scale is Scale.NOMINAL for attribute in table.schema):
        raise PlanError(
            "a partition replaces records by means, and categories have none, so this line was "
            'not run. Give numbers alone, or write a system such as "mdav" into the line.'
        )
    X = table.matrix(names)
    bounds = np.array([table.schema[name].public_bounds for name in names]).T
    scaled = X if scale == "standard" else (X - bounds[0]) / (bounds[1] - bounds[0])
    standardize = scale == "standard"
    columns = [column[:, None] for column in scaled.T] if each else [scaled]
    found = [partition(part, plan.system, standardize=standardize, **settings) for part in columns]
    released = [
        cluster_means(column, found[j % len(found)].labels, found[j % len(found)].sizes)[
            found[j % len(found)].labels
        ]
        for j, column in enumerate(X.T)
    ]
    frame = pl.DataFrame(dict(zip(names, released, strict=True)))
    return _measured(_compared(table, frame), measures)


def _projected(plan: Plan, graph: Any, measures: tuple[str, ...]) -> dict[str, float]:
    settings = dict(plan.parameters)
    if plan.system in ORDERED_BY_RUN:
        settings |= {"order": "hash", "key": str(plan.random_state)}
    found = Degrees(graph=graph, released=project(graph, plan.system, **settings))
    return _measured(found, measures)


def _expected(plan: Plan, table: Any, measures: tuple[str, ...]) -> dict[str, float]:
    total = expected_sse(table, plan.system, **plan.parameters)
    known = {"sse": total, "mse": total / table.n}
    return {name: known[name] for name in measures if name in known}


def _measured(found: Compared | Degrees, measures: tuple[str, ...]) -> dict[str, float]:
    """Return the measures that there are: degrees alone say nothing of joint degrees."""
    if isinstance(found, Degrees) and isinstance(found.released, DK):
        order = found.released.order
        measures = tuple(name for name in measures if name.endswith(f"_{order}k"))
    return {name: MEASURES[name].of(found) for name in measures}


def known_parameters(kind: str, name: str) -> tuple[str, ...]:
    """Return the parameters that a line can follow, or say that there is no such thing."""
    return tuple(_KNOWN[kind](name))


def _of_partitioner(name: str) -> list[str]:
    from covey.partition import PARTITIONERS

    return [*_found(name, PARTITIONERS, "partitioner").parameters, "scale", "each"]


def _of_system(name: str) -> list[str]:
    from covey.systems import SYSTEMS

    return [each.name for each in _found(name, SYSTEMS, "system").parameters]


def _of_projection(name: str) -> list[str]:
    from covey.graph.projection import PROJECTIONS

    _found(name, PROJECTIONS, "projection")
    return ["theta", "order", "key", "reading"]


def _found(name: str, known: Mapping[str, Any], what: str) -> Any:
    from covey.errors import suggest

    if name not in known:
        raise PlanError(f"there is no {what} {name!r}, so nothing was run. {suggest(name, known)}")
    return known[name]


_KNOWN: dict[str, Callable[[str], list[str]]] = {
    "system": _of_system,
    "partition": _of_partitioner,
    "projection": _of_projection,
    "expected": _of_system,
}
_DOES: dict[str, Callable[[Plan, Any, tuple[str, ...]], dict[str, float]]] = {
    "system": _published,
    "partition": _partitioned,
    "projection": _projected,
    "expected": _expected,
}

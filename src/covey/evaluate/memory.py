"""What was lost and what can still be found out, when all records are at hand?  For the curator.

Every value that occurs is counted by itself, so distances of distributions are exact, and scores
that look at many records at once can be computed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.aggregate.histogram import every_value
from covey.aggregate.summary import Summary, summarise, summarise_rows
from covey.core import GuaranteeKind
from covey.errors import PlanError
from covey.evaluate.evaluation import evaluate_pieces
from covey.evaluate.mixed import CategoryErrors, MixedRecords, category_errors
from covey.evaluate.network import evaluate_release
from covey.evaluate.prediction import predict
from covey.evaluate.queries import range_query_error
from covey.evaluate.ranked import ranked_sse
from covey.evaluate.result import NO_FACTORS, Evaluation
from covey.evaluate.risk import k_achieved, l_diversity, t_closeness
from covey.evaluate.tabulated import evaluate_tables, releases_cells
from covey.evaluate.utility import score_factors
from covey.evaluate.weighted import with_weights
from covey.graph import Graph, read_graph
from covey.release import Release, Trace, as_table
from covey.table import Role, Scale, Table, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.evaluate.utility import Floats, Scaling

QUERY_SEED = 20261115
"""Range queries are drawn from this seed, so that all releases answer the same ones."""


def evaluate(
    data: Any,
    release: Release,
    trace: Trace | None = None,
    *,
    scaling: Scaling = "standard",
    baseline: tuple[Release, Trace] | None = None,
    target: str | None = None,
) -> Evaluation:
    """Compare a release with the records, or the graph, it was made from.

    Parameters
    ----------
    data : Table, Graph, or what `covey.publish` takes
        The originals.  A dataframe, an array or a path is read with the schema of the release.
    release : Release
        What was published.
    trace : Trace, optional
        What became of each record (``covey.publish(…, trace=True)``).  Without it the scores that
        compare record by record are left out.
    scaling : {"standard", "raw", "bounds"}
        What values are divided by before squared errors and linkage distances are taken:
        the standard deviation (paper 001), nothing, or the public width (paper 004).
    baseline : (Release, Trace), optional
        Adds SSE_f, RL_f and Score of paper 004: the improvement over this release.
    target : str, optional
        A published column: adds how well models that are trained on the release predict it for
        the originals.  Needs scikit-learn.

    Returns
    -------
    Evaluation
        A mapping from metric names (`covey.METRICS`, `covey.NETWORK_METRICS`) to numbers.
    """
    if not isinstance(release, Release):
        raise PlanError(
            f"a {type(release).__name__} is not a release at hand, so it cannot be compared here. "
            f"Give release and trace as two arguments; read a folder with `covey.reopen`, or "
            f"compare it by `covey.stream.evaluate_stream` or `covey.spark.evaluate`."
        )
    originals = _originals(data, release)
    if isinstance(originals, Graph):
        if target is not None:
            raise PlanError(
                f"the release is one of a graph, which has no column {target!r} to predict. "
                f"Leave the target out."
            )
        return evaluate_release(originals, release)
    if releases_cells(release):
        return evaluate_tables(originals, release)
    given = [(release, trace or Trace()), *([] if baseline is None else [baseline])]
    found, *others = (_of_table(originals, each, link, scaling) for each, link in given)
    factors = _against(found, *others)
    notes = (*found.notes, NO_FACTORS) if others and not factors else found.notes
    if target is None:
        return replace(found, scores={**found, **factors}, notes=notes)
    learned = predict(originals, as_table(originals, release), release.frame.columns, target)
    return replace(
        found, scores={**found, **factors, **learned.scores}, notes=(learned.note, *notes)
    )


def _originals(data: Any, release: Release) -> Table | Graph:
    schema = release.plan.schema
    if isinstance(data, Graph if schema is not None else Table):
        given, other = ("graph", "table") if schema is not None else ("table", "graph")
        raise PlanError(
            f"the release is one of a {other}, and a {given} was given, so they cannot be "
            f"compared. Give the {other} that the release was made from."
        )
    if isinstance(data, Table) and schema is not None:
        return data.complete_in([each.name for each in schema if each.drops])
    if isinstance(data, Table | Graph):
        return data
    return read_graph(data) if schema is None else read_table(data, schema)


def _of_table(table: Table, release: Release, trace: Trace, scaling: Scaling) -> Evaluation:
    aligned, clusters = trace.aligned, trace.clusters or {}
    published, guarantee = as_table(table, release), release.guarantee
    linked = [] if aligned is None else [n for n in guarantee.columns if n in aligned.columns]
    records = (
        MixedRecords.of(table, replace(table, frame=aligned), linked)
        if aligned is not None and linked
        else None
    )

    def cells(names: Sequence[str]) -> list[Floats]:
        return [every_value(table.values(name), published.values(name)) for name in names]

    def deviations(records: MixedRecords, _names: Sequence[str]) -> Deviations:
        return Deviations.of(records.numbers, records.released_numbers)

    def categories(records: MixedRecords, before: Summary) -> list[CategoryErrors]:
        return category_errors(records, before.frequencies, scaling)

    def together(names: Sequence[str], scales: Floats) -> dict[str, float]:
        scores: dict[str, float] = {}
        if names:
            rng = np.random.default_rng(QUERY_SEED)
            original, answered = _filled(table.matrix(names)), _filled(published.matrix(names))
            scores["range_query_error"] = range_query_error(original, answered, rng)
        if records is not None:
            own = np.array([name in linked for name in names], dtype=np.bool_)
            scores["rl"] = records.linkage(scales[own], scaling)
        if aligned is not None and clusters:
            became = replace(table, frame=aligned)
            scores["sse_ranked"] = ranked_sse(
                {n: (table.values(n), became.values(n)) for n in clusters},
                clusters,
                dict(zip(names, scales.tolist(), strict=True)),
            )
        if guarantee.kind is GuaranteeKind.K_ANONYMITY:
            scores |= _disclosure(published, guarantee.columns)
        return scores

    found = evaluate_pieces(
        table,
        guarantee,
        partial(summarise, [table]),
        partial(summarise_rows, table, [release.frame]),
        scaling=scaling,
        deviations=None if records is None else partial(deviations, records),
        linked=linked,
        categories=None if records is None else partial(categories, records),
        cells=cells,
        pieces=(lambda _: [table], lambda _: [published]),
        together=together,
    )
    return with_weights(found, table, published, guarantee.columns)


def _filled(values: Floats) -> Floats:
    """Let a missing number be below all others, so that queries can ask for it."""
    return np.where(np.isnan(values), -np.inf, values)


def _against(found: Evaluation, other: Evaluation | None = None) -> dict[str, float]:
    if other is None or not {"sse", "rl"} <= found.keys() & other.keys():
        return {}
    return score_factors(other["sse"], found["sse"], other["rl"], found["rl"])


def _disclosure(published: Table, columns: Sequence[str]) -> dict[str, float]:
    quasi = np.column_stack([published.values(name) for name in columns])
    scores: dict[str, float] = {"k_achieved": k_achieved(quasi)}
    confidential = published.schema.with_role(Role.CONFIDENTIAL)
    for attribute in confidential:
        name = attribute.name
        values = published.values(name)
        ordered = attribute.scale is not Scale.NOMINAL
        scores[f"l_diversity[{name}]"] = l_diversity(quasi, values)
        scores[f"t_closeness[{name}]"] = t_closeness(quasi, values, ordered=ordered)
    if confidential:
        names = [attribute.name for attribute in confidential]
        scores["l_diversity"] = min(scores[f"l_diversity[{name}]"] for name in names)
        scores["t_closeness"] = max(scores[f"t_closeness[{name}]"] for name in names)
    return scores

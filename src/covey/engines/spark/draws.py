"""How are draws for single records made in the workers, once?

A task that Spark tries again draws again, but what its first try drew is never seen: nothing is
looked at before all of it is written down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.core.questions import RecordConcepts, RecordValues, Sample
from covey.engines.shared.draws import drawn_values, sampled_table
from covey.engines.shared.preferences import preferences_of
from covey.engines.shared.ruled import refuse_rules
from covey.engines.shared.typed import typed_rows
from covey.engines.spark.deviations import exact_of
from covey.engines.spark.frame import CODE, COUNT, added_up, counts_of, quoted, zeros
from covey.engines.spark.session import explained
from covey.seeded import SeededNoise
from covey.table import Scale, Table

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.core.meter import Draw
    from covey.engines.spark.frame import SparkTable

Toss = Callable[["NDArray[np.int64]"], "NDArray[np.bool_]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyFrame:
    """Records of which every value was drawn anew, as workers wrote them down.

    ``totals`` are sums of noisy steps, ``drawn`` how many records drew each candidate.
    """

    frame: DataFrame = field(repr=False)
    scales: Mapping[str, Fraction]
    totals: Mapping[str, int] = field(default_factory=dict, repr=False)
    drawn: Mapping[str, NDArray[np.int64]] = field(default_factory=dict, repr=False)


def drawn_anew(table: SparkTable, draws: Sequence[Draw]) -> tuple[DataFrame, NoisyFrame]:
    """Draw every value anew, and write it down.

    Returns
    -------
    DataFrame
        For the curator: original values beside the drawn ones, in files of their own.
    NoisyFrame
        What was drawn, and no more.
    """
    names = [draw.question.name for draw in draws]
    refuse_rules(table.head.schema, names)
    numbers = [draw.question.name for draw in draws if isinstance(draw.question, RecordValues)]
    types = typed_rows(table.head, {draw.question.name: _nothing(draw) for draw in draws})
    helping = zeros(
        **{_drawn_of(name): pl.Int64 for name in names},
        **{exact_of(name): pl.Float64 for name in numbers},
    )
    worker = partial(_drawn_rows, draws=draws, seed=_seed(draws[0].source))
    beside = table.staging.kept(table.mapped(worker, types.hstack(helping), names=names))
    noisy = NoisyFrame(
        frame=beside.select([quoted(name) for name in types.columns]),
        scales={draw.question.name: draw.scale for draw in draws},
        totals=_totals(beside, numbers),
        drawn={
            draw.question.name: _candidate_counts(beside, draw.question)
            for draw in draws
            if isinstance(draw.question, RecordConcepts)
        },
    )
    return beside, noisy


def tossed(table: SparkTable, question: Sample, toss: Toss | None) -> SparkTable:
    """Toss a coin for each record, and write down those that take part.

    For the curator, their original values stand beside them.
    """
    schema = replace(
        table.schema, attributes=tuple(table.schema[name] for name in question.columns)
    )
    numbers = [a.name for a in schema if a.scale is not Scale.NOMINAL]
    exact = zeros(**{exact_of(name): pl.Float64 for name in numbers})
    worker = partial(
        _taking_part,
        question=question,
        toss=toss,
        numbers=numbers,
        seed=_seed(getattr(toss, "__self__", None)),
    )
    own = table.head.frame.select(question.columns)
    names = [*question.columns, question.column]
    kept = table.staging.kept(table.mapped(worker, own.hstack(exact), names=names))
    return replace(table, frame=kept, head=replace(table.head, schema=schema, frame=own))


def _drawn_rows(
    tables: Iterator[Table], *, draws: Sequence[Draw], seed: int | None
) -> Iterator[pl.DataFrame]:
    draws = [replace(draw, source=_own(draw.source, seed)) for draw in draws]
    for table in tables:
        columns, drawn, exact = dict[str, Any](), dict[str, Any](), dict[str, Any]()
        for draw in draws:
            name = draw.question.name
            drawn[_drawn_of(name)], columns[name] = drawn_values(table, draw)
            if isinstance(draw.question, RecordValues):
                exact[exact_of(name)] = table.values(name)
        yield typed_rows(table, columns).hstack(pl.DataFrame({**drawn, **exact}))


def _taking_part(
    tables: Iterator[Table],
    *,
    question: Sample,
    toss: Toss | None,
    numbers: Sequence[str],
    seed: int | None,
) -> Iterator[pl.DataFrame]:
    if toss is not None and seed is not None:
        toss = _own(toss.__self__, seed).coins  # type: ignore[attr-defined]  # has a seed
    for table in tables:
        parts = question.parts(preferences_of(table, question.column))
        kept = parts > 0 if toss is None else toss(parts)
        there = kept if question.default is None else np.ones(table.n, dtype=np.bool_)
        exact = [pl.Series(exact_of(name), table.values(name)[there]) for name in numbers]
        yield sampled_table(table, question, kept).frame.with_columns(exact)


def _seed(source: Any) -> int | None:
    """Draw what partitions begin with, if the noise of an experiment is to be repeated."""
    if not isinstance(source, SeededNoise):
        return None
    return int(source.placement().integers(2**62))


def _own(source: Any, seed: int | None) -> Any:
    """Return a source of this partition alone: one seed must not draw the same in all of them."""
    from pyspark import TaskContext

    if seed is None:
        return source
    context = TaskContext.get()
    partition = 0 if context is None else context.partitionId()
    return SeededNoise(np.random.default_rng([seed, partition]))


def _nothing(draw: Draw) -> NDArray[Any]:
    return np.empty(0, dtype=float if isinstance(draw.question, RecordValues) else object)


def _totals(drawn: DataFrame, names: Sequence[str]) -> dict[str, int]:
    """Add up the noisy steps of columns, as they were written."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    if not names:
        return {}
    with explained():
        sums = [F.sum(quoted(_drawn_of(name))).alias(name) for name in names]
        found = drawn.agg(*sums).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    return {name: int(found[j]) for j, name in enumerate(names)}


def _candidate_counts(drawn: DataFrame, question: RecordConcepts) -> NDArray[np.int64]:
    """Count how many records drew each candidate."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    code = F.col(quoted(_drawn_of(question.name))).alias(CODE)
    found = added_up(drawn.select(code, F.lit(1).alias(COUNT)))
    return counts_of(found, len(question.candidates))


def _drawn_of(name: str) -> str:
    return f"(drawn of {name})"

"""Publish column by column on Spark: rank blocks, and noise on every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.evaluate.deviations import Deviations
from covey.evaluate.ranked import RankedMeans
from covey.partition import rank_block_sizes
from covey.perturb import SeededNoise
from covey.privacy import Budget
from covey.release import NoisyColumn
from covey.release.postprocess import rising_means
from covey.release.release import released_rows
from covey.spark.counts import count_types, in_chunks, summed
from covey.spark.deviations import (
    as_released,
    brought_together,
    deviation_types,
    in_a_row,
    neighbours,
    of_records,
)
from covey.spark.frame import SparkOutcome, quoted, zeros
from covey.spark.pairing import paired, pairing_keys
from covey.spark.session import explained
from covey.stream.base import refuse_empty
from covey.stream.pieces import grid_counts, mean_of, value_of
from covey.systems.columns import chosen, on_grids
from covey.systems.intervals import mean_table, total_table
from covey.systems.laplace import laplace_guarantee, noisy_values
from covey.systems.rank_blocks import block_size, noisy_blocks, rank_blocks_guarantee
from covey.table import from_values

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from covey.perturb import Grid, NoiseSource, Perturbed
    from covey.privacy import Guarantee
    from covey.spark.frame import SparkTable
    from covey.systems import Progress
    from covey.table import Attribute, Table

RECORDS = "(records)"


def rank_blocks(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Count grid values in the workers; what comes to the driver is as large as the grids."""
    attributes = chosen(table.head, parameters)
    grids = on_grids(attributes, "rank-blocks")
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    if progress is not None:
        progress("rank-blocks: counting values", 0, 2)
    worker = partial(_grid_counts, grids=grids)
    totals = summed(
        table.mapped(worker, count_types()), [grid.steps + 1 for grid in grids.values()]
    )
    n = int(totals[0].sum())
    refuse_empty(n)
    k = block_size(parameters["k"], n, shares[0])
    sizes = rank_block_sizes(n, k)
    counts = dict(zip(grids, totals, strict=True))
    noisy = noisy_blocks(dict(counts), sizes, grids=grids, shares=shares, source=source)
    rng = source.placement()
    blocks = {name: _blocks(table.head, name, origin, sizes, rng) for name, origin in noisy.items()}
    empty = {name: NoisyColumn(values=np.empty(0), origin=origin) for name, origin in noisy.items()}

    def rows(guarantee: Guarantee) -> DataFrame:
        types = released_rows(table.head, empty, guarantee)
        worker = partial(_block_rows, head=table.head, blocks=blocks, n=n, guarantee=guarantee)
        return table.generated(n, worker, types)

    def deviations(names: Sequence[str]) -> Deviations:
        ranked = {
            name: RankedMeans.of(
                counts[name], sizes, as_released(table.head, name, rising_means(noisy[name], sizes))
            )
            for name in names
        }
        worker = partial(_block_deviations, ranked=ranked, grids=grids)
        return brought_together(table.mapped(worker, deviation_types()), len(names))

    return SparkOutcome(
        rows=rows,
        guarantee=rank_blocks_guarantee(table.head, attributes, grids, whole, k=k),
        # By the first column, in which they are sorted; the others are paired with it at random,
        # whatever the records are, so that their order tells nothing either.
        in_order=True,
        resolved={"k": k},
        extras=lambda _: {"accuracy": mean_table(attributes, empty, n)},
        deviations=deviations,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """A published column: its values in released order, where each ends, and its pairing."""

    values: NDArray[np.float64] = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)
    keys: NDArray[np.uint64]
    origin: Perturbed = field(repr=False)


def _blocks(
    head: Table, name: str, origin: Perturbed, sizes: NDArray[np.int64], rng: np.random.Generator
) -> Blocks:
    means = rising_means(origin, sizes)
    # Categories are sorted by their names, not by their codes.
    order = from_values(head, name, means).to_frame("value").with_row_index("row")
    rows = order.sort("value", "row", nulls_last=True)["row"].to_numpy()
    return Blocks(
        values=means[rows], ends=np.cumsum(sizes[rows]), keys=pairing_keys(rng), origin=origin
    )


def _grid_counts(tables: Iterator[Table], *, grids: Mapping[str, Grid]) -> Iterator[pl.DataFrame]:
    yield from in_chunks(list(grid_counts(tables, grids).values()))


def _block_rows(
    frames: Iterator[pl.DataFrame],
    *,
    head: Table,
    blocks: Mapping[str, Blocks],
    n: int,
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    for frame in frames:
        rows = frame["id"].to_numpy()
        columns = {}
        for j, (name, column) in enumerate(blocks.items()):
            # The first column stays sorted; the others are shuffled against it.
            places = rows if j == 0 else paired(rows, n, column.keys)
            values = column.values[np.searchsorted(column.ends, places, side="right")]
            columns[name] = NoisyColumn(values=values, origin=column.origin)
        yield released_rows(head, columns, guarantee)


def _block_deviations(
    tables: Iterator[Table], *, ranked: Mapping[str, RankedMeans], grids: Mapping[str, Grid]
) -> Iterator[pl.DataFrame]:
    """Compare values with the means of their blocks; ties share theirs in proportion."""

    def compared(table: Table) -> Deviations:
        values = {name: table.values(name) for name in ranked}
        integers = {name: grids[name].integers(values[name]) for name in ranked}
        each = (ranked[name].deviations(values[name], integers[name]) for name in ranked)
        return Deviations.beside(each)

    yield from in_a_row(map(compared, tables), len(ranked))


def laplace(
    table: SparkTable, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> SparkOutcome:
    """Perturb in the workers: every record is protected by itself, so partitions compose freely.

    A task that is tried again draws again, but what its first try drew is never seen.
    """
    if progress is not None:
        progress("laplace: perturbing records", 0, 1)
    attributes = chosen(table.head, parameters)
    grids = on_grids(attributes, "laplace")
    whole = Budget.of(parameters["epsilon"])
    shares = dict(zip(grids, whole.split([1] * len(attributes)), strict=True))
    own = int(source.placement().integers(2**62)) if isinstance(source, SeededNoise) else None

    pairs: DataFrame | None = None

    def rows(guarantee: Guarantee) -> DataFrame:
        nonlocal pairs
        types = pl.DataFrame([from_values(table.head, name, np.empty(0)) for name in grids])
        types = types.hstack(zeros(**{_steps(name): pl.Int64 for name in grids}))
        exact = zeros(**{f(name): pl.Float64 for f in (value_of, mean_of) for name in grids})
        worker = partial(
            _noisy_rows,
            grids=grids,
            shares=shares,
            source=None if own is not None else source,
            seed=own,
            guarantee=guarantee,
        )
        # Original values stand beside the noisy ones for the curator, in files of their own: no
        # file of which a row may be released has a column of them.
        pairs = table.staging.kept(table.mapped(worker, types.hstack(exact)))
        return pairs.select([quoted(name) for name in types.columns])

    def deviations(names: Sequence[str]) -> Deviations:
        assert pairs is not None  # noqa: S101 — rows are made before they are compared
        return of_records(pairs, neighbours, table.head, names)

    return SparkOutcome(
        rows=rows,
        guarantee=laplace_guarantee(table.head, attributes, grids, whole),
        extras=partial(_record_means, attributes=attributes, grids=grids, shares=shares),
        deviations=deviations,
    )


def _noisy_rows(
    tables: Iterator[Table],
    *,
    grids: Mapping[str, Grid],
    shares: Mapping[str, Budget],
    source: NoiseSource | None,
    seed: int | None,
    guarantee: Guarantee,
) -> Iterator[pl.DataFrame]:
    from pyspark import TaskContext

    if source is None:
        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        source = SeededNoise(np.random.default_rng([seed or 0, partition]))
    for table in tables:
        exact = {name: table.values(name) for name in grids}
        noisy = {
            name: noisy_values(exact[name], grid=grid, budget=shares[name], source=source)
            for name, grid in grids.items()
        }
        columns = {name: NoisyColumn(values=v.means(), origin=v) for name, v in noisy.items()}
        helping = {
            **{_steps(name): v.steps for name, v in noisy.items()},
            **{value_of(name): values for name, values in exact.items()},
            **{mean_of(name): column.values for name, column in columns.items()},
        }
        yield released_rows(table, columns, guarantee).hstack(pl.DataFrame(helping))


def _record_means(
    rows: DataFrame,
    *,
    attributes: Sequence[Attribute],
    grids: Mapping[str, Grid],
    shares: Mapping[str, Budget],
) -> dict[str, pl.DataFrame]:
    """Say how accurate the mean of each noisy column is, from the rows as they were written."""
    from pyspark.sql import functions as F  # noqa: N812 — its usual name

    with explained():
        sums = [F.sum(quoted(_steps(name))).alias(name) for name in grids]
        found = rows.agg(F.count(F.lit(1)).alias(RECORDS), *sums).first()
    assert found is not None  # noqa: S101 — an aggregate has one row
    totals = {name: int(found[name]) for name in grids}
    scales = {name: _scale(grid, shares[name]) for name, grid in grids.items()}
    n = int(found[RECORDS])
    return {"accuracy": total_table(attributes, totals, n, grids=grids, scales=scales)}


def _scale(grid: Grid, share: Budget) -> Fraction:
    """Return the scale of the noise, as told by noise on no values at all."""
    none = noisy_values(np.empty(0), grid=grid, budget=share, source=SeededNoise.of(0))
    return none.scale


def _steps(name: str) -> str:
    return f"(steps of {name})"

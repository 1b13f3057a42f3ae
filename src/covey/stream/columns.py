"""Publish column by column from a stream: rank blocks, and noise on every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.errors import PlanError
from covey.partition import rank_block_sizes
from covey.privacy import Budget
from covey.release import NoisyColumn
from covey.release.accuracy import as_frame, total_interval
from covey.release.postprocess import rising_means
from covey.stream.base import StreamedOutcome, refuse_empty, told
from covey.stream.ranks import grid_counts, shuffled_rows, sums_of_ranks
from covey.systems.columns import chosen, on_grids
from covey.systems.intervals import mean_table
from covey.systems.laplace import laplace_guarantee, noisy_values
from covey.systems.rank_blocks import block_size, noisy_sums, rank_blocks_guarantee
from covey.table import Scale, from_values

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from covey.perturb import NoiseSource, Perturbed
    from covey.release.streamed import Piece
    from covey.stream.scan import Stream
    from covey.systems import Progress

MOST_PAIRED = 10**9
"""NumPy draws hypergeometric counts of fewer records than this."""


def rank_blocks(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Count grid values in one pass; all that follows is as large as the blocks, not the data."""
    attributes = chosen(stream.head, parameters)
    grids = on_grids(attributes, "rank-blocks")
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    stream.memory.require(sum(24 * grid.steps for grid in grids.values()), "counting these columns")
    counts, n = grid_counts(stream, grids, progress, "rank-blocks: counting values")
    if len(attributes) > 1 and n >= MOST_PAIRED:
        raise PlanError(
            "engine = 'stream' pairs the columns of fewer than a thousand million records. "
            "Publish one column at a time (--columns), with a part of epsilon each."
        )
    k = block_size(parameters["k"], n, shares[0])
    sizes = rank_block_sizes(n, k)
    stream.memory.require(48 * len(attributes) * sizes.size, "so many blocks")
    noisy: dict[str, Perturbed] = {}
    for attribute, share in zip(attributes, shares, strict=True):
        sums = sums_of_ranks(counts.pop(attribute.name), sizes)
        noisy[attribute.name] = noisy_sums(
            sums, grid=grids[attribute.name], budget=share, source=source
        )
    blocks = {
        name: NoisyColumn(values=np.empty(0), origin=origin) for name, origin in noisy.items()
    }
    return StreamedOutcome(
        pieces=_rows(stream, noisy, sizes, source),
        guarantee=rank_blocks_guarantee(stream.head, attributes, grids, whole, k=k),
        in_order=True,
        resolved={"k": k},
        extras=lambda: {"accuracy": mean_table(attributes, blocks, n)},
    )


def _rows(
    stream: Stream,
    noisy: Mapping[str, Perturbed],
    sizes: NDArray[np.int64],
    source: NoiseSource,
) -> Iterator[Piece]:
    """Yield the rows of independently shuffled columns, sorted by their released values."""
    values, counts = [], []
    for name, origin in noisy.items():
        means = rising_means(origin, sizes)
        # Different means may become one value in the type of the column, and categories are
        # sorted by their names, not by their codes.
        typed = from_values(stream.head, name, means).alias("value")
        blocks = pl.DataFrame([typed, pl.Series("mean", means), pl.Series("size", sizes)])
        found = blocks.group_by("value").agg(pl.first("mean"), pl.sum("size"))
        found = found.sort("value", nulls_last=True)
        values.append(found["mean"].to_numpy())
        counts.append(found["size"].to_numpy())
    rows = stream.memory.rows(2 * len(noisy))
    for places in shuffled_rows(counts, source.placement(), rows=rows):
        columns = zip(noisy.items(), values, places, strict=True)
        yield (
            stream.head,
            {name: NoisyColumn(values=v[at], origin=origin) for (name, origin), v, at in columns},
        )


def laplace(
    stream: Stream, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> StreamedOutcome:
    """Perturb piece by piece: every record is protected by itself, so pieces compose for free."""
    attributes = chosen(stream.head, parameters)
    grids = on_grids(attributes, "laplace")
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    totals = dict.fromkeys(grids, 0)
    scales: dict[str, Fraction] = {}
    n = 0

    def pieces() -> Iterator[Piece]:
        nonlocal n
        for table in told(stream.pieces(), progress, "laplace: perturbing records"):
            columns = {}
            for name, share in zip(grids, shares, strict=True):
                noisy = noisy_values(
                    table.values(name), grid=grids[name], budget=share, source=source
                )
                totals[name] += int(noisy.steps.sum())
                scales[name] = noisy.scale
                columns[name] = NoisyColumn(values=noisy.means(), origin=noisy)
            n += table.n
            yield table, columns
        refuse_empty(n)

    def extras() -> dict[str, Any]:
        intervals = [
            total_interval(
                attribute.name,
                totals[attribute.name],
                n,
                n,
                scale=scales[attribute.name],
                grid=grids[attribute.name],
                whole=attribute.integer or attribute.scale is Scale.ORDINAL,
            )
            for attribute in attributes
        ]
        return {"accuracy": as_frame(intervals)}

    return StreamedOutcome(
        pieces=pieces(),
        guarantee=laplace_guarantee(stream.head, attributes, grids, whole),
        extras=extras,
    )

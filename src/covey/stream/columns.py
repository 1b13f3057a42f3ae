"""Publish column by column from a stream: rank blocks, and noise on every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError
from covey.partition import rank_block_sizes
from covey.privacy import Budget
from covey.release import NoisyColumn
from covey.release.pairing import distinct_values, shuffled_rows
from covey.release.postprocess import rising_means
from covey.stream.base import StreamedOutcome, refuse_empty, told
from covey.stream.pieces import grid_counts
from covey.systems.columns import chosen, on_grids
from covey.systems.intervals import mean_table, total_table
from covey.systems.laplace import laplace_guarantee, noisy_values
from covey.systems.rank_blocks import block_size, noisy_blocks, rank_blocks_guarantee

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
    tables = told(stream.pieces(), progress, "rank-blocks: counting values")
    counts = grid_counts(tables, grids)
    n = int(counts[attributes[0].name].sum())
    refuse_empty(n)
    if len(attributes) > 1 and n >= MOST_PAIRED:
        raise PlanError(
            "engine = 'stream' pairs the columns of fewer than a thousand million records. "
            "Publish one column at a time (--columns), with a part of epsilon each."
        )
    k = block_size(parameters["k"], n, shares[0])
    sizes = rank_block_sizes(n, k)
    stream.memory.require(48 * len(attributes) * sizes.size, "so many blocks")
    noisy = noisy_blocks(counts, sizes, grids=grids, shares=shares, source=source)
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
    published = [
        distinct_values(stream.head, name, rising_means(origin, sizes), sizes)
        for name, origin in noisy.items()
    ]
    often = [counts for _, counts in published]
    rows = stream.memory.rows(2 * len(noisy))
    for places in shuffled_rows(often, source.placement(), rows=rows):
        columns = zip(noisy.items(), published, places, strict=True)
        yield (
            stream.head,
            {
                name: NoisyColumn(values=values[at], origin=origin)
                for (name, origin), (values, _), at in columns
            },
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

    return StreamedOutcome(
        pieces=pieces(),
        guarantee=laplace_guarantee(stream.head, attributes, grids, whole),
        extras=lambda: {"accuracy": total_table(attributes, totals, n, grids=grids, scales=scales)},
    )

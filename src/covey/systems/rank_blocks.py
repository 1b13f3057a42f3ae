"""Publish the distribution of each column: means of rank blocks with noise, soundly.

Cutting the sorted column at ranks that depend on n and k alone makes all block sums together
move by at most the width of the column when one record changes (docs/proofs/rank-blocks.md),
so the noise of a block mean is the width divided by k and epsilon: k times less than noise on
single records.  It is what individual ranking of paper 000 becomes when its surplus has a
public place and its rows are not aligned.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import sums_of_ranks
from covey.partition import check_k, rank_block_sizes
from covey.perturb import add_laplace
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, NoisyColumn
from covey.release.pairing import distinct_values, shuffled_rows
from covey.release.postprocess import rising_means
from covey.systems.base import COLUMNS, EPSILON, Outcome, Parameter, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data, on_grids
from covey.systems.intervals import mean_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.perturb import Grid, NoiseSource, Perturbed
    from covey.table import Attribute, Table


def default_block_size(n: int, epsilon: float) -> int:
    """Return the block size that balances the spread inside blocks against the noise.

    For a uniform column the error of a block is k²/(12 n²) from its spread plus
    2/(k epsilon)² from the noise; the minimum over k lies at 24^(1/4) · sqrt(n/epsilon).
    It depends on public numbers only.

    Examples
    --------
    >>> default_block_size(1080, 1.0)
    73
    """
    return math.ceil(min(n, 24**0.25 * math.sqrt(n / epsilon)))


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    from covey.kernels.ranks import values_by_rank

    attributes = chosen(table, parameters)
    grids = on_grids(attributes, "rank-blocks")
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    k = block_size(parameters["k"], table.n, shares[0])
    sizes = rank_block_sizes(table.n, k)
    noisy, means, aligned = {}, {}, {}
    for done, ((name, grid), share) in enumerate(zip(grids.items(), shares, strict=True)):
        if progress is not None:
            progress("rank-blocks: publishing columns", done, len(attributes))
        integers = grid.integers(table.values(name))
        counts = np.bincount(integers, minlength=grid.steps + 1)
        sums = sums_of_ranks(counts, sizes)
        noisy[name] = noisy_sums(sums, grid=grid, budget=share, source=source)
        means[name] = rising_means(noisy[name], sizes)
        aligned[name] = values_by_rank(integers, counts, sizes, means[name])
    published = [distinct_values(table, name, means[name], sizes) for name in grids]
    often = [counts for _, counts in published]
    (places,) = shuffled_rows(often, source.placement(), rows=table.n)
    columns: dict[str, Column] = {
        name: NoisyColumn(values=values[rows], origin=noisy[name])
        for name, (values, _), rows in zip(grids, published, places, strict=True)
    }
    return Outcome(
        columns=columns,
        guarantee=rank_blocks_guarantee(table, attributes, grids, whole, k=k),
        aligned=aligned,
        resolved={"k": k},
        extras={"accuracy": mean_table(attributes, columns, table.n)},
    )


def block_size(k: int | None, n: int, share: Budget) -> int:
    """Return the number of ranks in a block: what was asked for, or the default."""
    default = default_block_size(n, share.value)
    # The default may be one block of all ranks; a plan that holds it must run again.
    return default if k in (None, default) else check_k(k, n)


def noisy_sums(
    sums: NDArray[np.int64], *, grid: Grid, budget: Budget, source: NoiseSource
) -> Perturbed:
    """Add the noise that the sums of all rank blocks of a column need together."""
    return add_laplace(
        sums,
        grid=grid,
        sensitivity=sensitivity("rank-blocks", "sums", steps=grid.steps),
        budget=budget,
        source=source,
    )


def noisy_blocks(
    counts: dict[str, NDArray[np.int64]],
    sizes: NDArray[np.int64],
    *,
    grids: Mapping[str, Grid],
    shares: Sequence[Budget],
    source: NoiseSource,
) -> dict[str, Perturbed]:
    """Add noise to the sums of all blocks, column by column; the counts are used up."""
    noisy = {}
    for (name, grid), share in zip(grids.items(), shares, strict=True):
        sums = sums_of_ranks(counts.pop(name), sizes)
        noisy[name] = noisy_sums(sums, grid=grid, budget=share, source=source)
    return noisy


def rank_blocks_guarantee(
    table: Table,
    attributes: Sequence[Attribute],
    grids: Mapping[str, Grid],
    whole: Budget,
    *,
    k: int,
) -> Guarantee:
    """Return what noisy sums of rank blocks promise, whichever engine has formed them."""
    share = whole.split([1] * len(attributes))[0]
    guarantee = Guarantee(
        kind=GuaranteeKind.PURE_DP,
        unit=PrivacyUnit.REPLACE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(attribute.name for attribute in attributes),
        joint=len(attributes) == 1,
        dropped=dropped(table, attributes),
        assumes=(
            *assumptions(attributes, grids),
            f"The block size k = {k} is a function of public numbers.",
        ),
        conditions=_conditions(len(attributes), share=share),
        arithmetic=EXACT,
        claim="rank-blocks",
    )
    reason = from_the_data(attributes)
    return guarantee.downgraded(reason) if reason else guarantee


def _conditions(columns: int, share: Budget) -> tuple[str, ...]:
    alone = "The rows are sorted by their released values; they are not the original records."
    if columns == 1:
        return (alone,)
    cost = f"Each of the {columns} columns got epsilon = {float(share.epsilon):g} of the whole."
    shuffled = (
        "The columns were published independently and shuffled: rows are no records, and "
        "correlations between columns are not published."
    )
    return (cost, shuffled)


RANK_BLOCKS = System(
    name="rank-blocks",
    summary="Noisy means of blocks of consecutive ranks, column by column.",
    paper="covey (sound form of MDAV_IR_DP in 000)",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(
        EPSILON,
        Parameter(
            name="k",
            meaning="the number of ranks in a block; chosen from n and epsilon unless given",
            kind=int,
            default=None,
        ),
        COLUMNS,
    ),
    run=_publish,
)

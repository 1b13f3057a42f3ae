"""Publish the distribution of each column: means of rank blocks with noise, soundly.

Cutting the sorted column at ranks that depend on n and k alone makes all block sums together
move by at most the width of the column when one record changes (docs/proofs/rank-blocks.md),
so the noise of a block mean is the width divided by k and epsilon: k times less than noise on
single records.  It is what individual ranking of paper 000 becomes when its surplus has a
public place and its rows are not aligned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import RankBlockSums
from covey.kinds import amount
from covey.partition import check_k, rank_block_sizes
from covey.postprocess.isotonic import rising_means
from covey.postprocess.pairing import distinct_values
from covey.postprocess.rows import Link, Paired
from covey.systems.base import (
    Built,
    SoundSystem,
    budget_of,
    columns_setting,
    delta_setting,
    epsilon_setting,
    rho_setting,
    setting,
)
from covey.systems.columns import assumptions, choose_columns, dropped, known_n, on_grids
from covey.systems.intervals import mean_table

if TYPE_CHECKING:
    import numpy as np

    from covey.core import Meter, Noisy
    from covey.table import Attribute, Grid, Head


@dataclass(frozen=True, slots=True, kw_only=True)
class RankBlocksSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    k: int | None = setting(
        "the number of ranks in a block; chosen from n and epsilon unless given", default=None
    )
    columns: tuple[str, ...] | None = columns_setting()
    delta: float | None = delta_setting()
    rho: float | None = rho_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBlocks:
    """Which sums of which blocks are asked, and what they may cost."""

    head: Head
    attributes: tuple[Attribute, ...]
    questions: Sequence[RankBlockSums]
    k: int
    budget: Budget
    promise: Promise
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD


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


def ask(head: Head, settings: RankBlocksSettings) -> AskedBlocks:
    """Lay out grids and blocks of ranks."""
    attributes = choose_columns(head.schema, settings.columns)
    grids = on_grids(attributes, "rank-blocks")
    whole, n = budget_of(settings), known_n(head)
    k = _block_size(settings.k, n, whole.split([1] * len(attributes))[0])
    sizes = rank_block_sizes(n, k)
    return AskedBlocks(
        head=head,
        attributes=attributes,
        questions=[RankBlockSums(name, grid, sizes) for name, grid in grids.items()],
        k=k,
        budget=whole,
        promise=_promise(head, attributes, grids, whole, k=k),
    )


def measure(meter: Meter, asked: AskedBlocks) -> list[Noisy]:
    """Ask for the sums of all blocks, column by column, for an equal share each."""
    found, count = [], len(asked.questions)
    for done, share in enumerate(asked.budget.split([1] * count)):
        meter.progress("rank-blocks: publishing columns", done, count)
        found.append(meter.counts(asked.questions[done], share))
    return found


def build(asked: AskedBlocks, measured: list[Noisy], rng: np.random.Generator) -> Built:
    """Make the noisy means rise, and pair the columns at random."""
    del rng  # an engine pairs them
    n = known_n(asked.head)
    columns, links = {}, []
    for question, noisy in zip(asked.questions, measured, strict=True):
        means = rising_means(noisy, question.sizes, question.grid)
        columns[question.name] = distinct_values(asked.head, question.name, means, question.sizes)
        links.append(Link(question, {question.name: means}))
    sums = {question.name: noisy for question, noisy in zip(asked.questions, measured, strict=True)}
    return Built(
        rows=Paired(columns, n),
        extras={"accuracy": mean_table(asked.attributes, sums, n)},
        resolved={"k": asked.k},
        links=links,
    )


def _block_size(k: int | None, n: int, share: Budget) -> int:
    """Return the number of ranks in a block: what was asked for, or the default."""
    # Gaussian noise of a rho has the variance of Laplace noise of twice its root.
    alike = share.value if share.delta is None else 2.0 * math.sqrt(share.rho)
    default = default_block_size(n, alike)
    # The default may be one block of all ranks; a plan that holds it must run again.
    return default if k in (None, default) else check_k(k, n)


def _promise(
    head: Head,
    attributes: Sequence[Attribute],
    grids: Mapping[str, Grid],
    whole: Budget,
    *,
    k: int,
) -> Promise:
    return Promise(
        columns=tuple(attribute.name for attribute in attributes),
        joint=len(attributes) == 1,
        dropped=dropped(head.schema, attributes),
        assumes=(
            *assumptions(attributes, grids),
            f"The block size k = {k} is a function of public numbers.",
        ),
        conditions=_conditions(len(attributes), share=whole.split([1] * len(attributes))[0]),
    )


def _conditions(columns: int, share: Budget) -> tuple[str, ...]:
    alone = "The rows are sorted by their released values; they are not the original records."
    if columns == 1:
        return (alone,)
    loss = "epsilon" if share.delta is None else "rho"
    cost = f"Each of the {columns} columns got {loss} = {amount(share.amount)} of the whole."
    shuffled = (
        "The columns were published independently and shuffled: rows are no records, and "
        "correlations between columns are not published."
    )
    return (cost, shuffled)


RANK_BLOCKS = SoundSystem(
    name="rank-blocks",
    summary="Noisy means of blocks of consecutive ranks, column by column.",
    paper="covey (sound form of MDAV_IR_DP in 000)",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=RankBlocksSettings,
    ask=ask,
    measure=measure,
    build=build,
)

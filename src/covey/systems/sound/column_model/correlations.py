"""How are all rank correlations published at once?  Sums of products of ranks, in one cube vector.

A rank is a record's place in the published column, between −1 and 1; doubled and cut to −1 … 1
again, so that products are larger at the same bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.core.questions import RANK_UNIT, RankProducts
from covey.postprocess.intervals import LEVEL, NORMAL
from covey.systems.sound.column_model.columns import cells_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Meter
    from covey.systems.sound.column_model.columns import PublishedColumn
    from covey.systems.sound.column_model.shares import Purse


HARDLY_EVER = 0.99
"""So often the model is believed where nothing but noise speaks against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCorrelations:
    """Mean products of ranks of numeric columns.

    Parameters
    ----------
    columns : tuple of int
        The numeric columns.
    of, ranks : tuples of arrays
        The cell of each integer of a column, and the rank of each cell, −1 … 1.
    means : array of shape (columns, columns)
        Noisy mean products.
    noise : float
        Standard deviation of the noise on each.
    within : float
        The noise stays within this bound 95 times in 100.
    chance : float
        The squares of all noise add up to less about 99 times in 100.
    """

    columns: tuple[int, ...]
    of: tuple[NDArray[np.int32], ...] = field(repr=False)
    ranks: tuple[NDArray[np.float64], ...] = field(repr=False)
    means: NDArray[np.float64]
    noise: float
    within: float
    chance: float


def measured_correlations(
    meter: Meter, columns: Sequence[PublishedColumn], purse: Purse, parts: int, n: float
) -> MeasuredCorrelations:
    """Publish the products of ranks of all pairs of numeric columns."""
    numeric = tuple(j for j, column in enumerate(columns) if column.density is not None)
    cells = tuple(cells_from(columns[j].axis, columns[j].level.starts) for j in numeric)
    ranks = tuple(_ranks(columns[j]) for j in numeric)
    noisy = meter.vectors(RankProducts(cells, ranks), purse.of(parts))
    unit = float(RANK_UNIT) ** 2 * max(n, 1.0)
    count, pairs = len(numeric), noisy.values.shape[1]
    means = np.zeros((count, count))
    means[np.triu_indices(count, 1)] = noisy.values[0] / unit
    deviation = float(noisy.deviation(pairs))
    if noisy.gaussian:
        within, chance = NORMAL * deviation, normal_squares(pairs) * deviation**2
    else:
        within = noisy.scale * cube_quantile(pairs)
        chance = noisy.scale**2 * cube_squares(pairs)
    return MeasuredCorrelations(
        columns=numeric,
        of=tuple(each.of for each in cells),
        ranks=tuple(each / RANK_UNIT for each in ranks),
        means=means + means.T,
        noise=deviation / unit,
        within=within / unit,
        chance=chance / unit**2,
    )


def cube_quantile(dimensions: int) -> float:
    """Return within which bound a coordinate of cube noise of scale 1 stays, at 95 %.

    A coordinate is uniform between −t and t, and t has a gamma law of shape D + 1.

    Examples
    --------
    >>> round(cube_quantile(1), 2)  # a single coordinate is Laplace: ln 20
    3.0
    """
    from scipy.optimize import brentq
    from scipy.special import gammaincc

    def beyond(bound: float) -> float:
        tail = gammaincc(dimensions + 1, bound) - bound / dimensions * gammaincc(dimensions, bound)
        return float(tail) - (1.0 - LEVEL)

    return float(brentq(beyond, 0.0, 10.0 * (dimensions + 10.0)))


def cube_squares(dimensions: int) -> float:
    """Return below which number the squares of cube noise of scale 1 add up, at about 99 %.

    The size t of the cube has a gamma law of shape D + 1; inside, the squares are D·t²/3, about.
    All coordinates are large together, so this is more than for independent ones.
    """
    from scipy.special import gammaincinv

    return float(dimensions * gammaincinv(dimensions + 1, HARDLY_EVER) ** 2 / 3.0)


def normal_squares(dimensions: int) -> float:
    """Return below which number the squares of normal noise add up, at 99 %: half of it is gamma.

    Examples
    --------
    >>> round(normal_squares(1) ** 0.5, 2)  # of a single number, either sign
    2.58
    """
    from scipy.special import gammaincinv

    return float(2.0 * gammaincinv(dimensions / 2.0, HARDLY_EVER))


def _ranks(column: PublishedColumn) -> NDArray[np.int64]:
    middle = np.cumsum(column.mass) - column.mass / 2.0
    return np.rint(RANK_UNIT * np.clip(2.0 * (2.0 * middle - 1.0), -1.0, 1.0)).astype(np.int64)

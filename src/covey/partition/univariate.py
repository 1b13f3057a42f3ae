"""Which values are close in one attribute?  Blocks of consecutive ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.errors import PartitionError
from covey.partition.base import REQUIRED, Partitioner, PartitionProgress, check_k

if TYPE_CHECKING:
    from numpy.typing import NDArray


def rank_block_sizes(n: int, k: int) -> NDArray[np.int64]:
    """Return block sizes that depend on n and k alone: k each, the surplus in the middle block.

    Both are public, so the sizes tell nothing about the data.

    Examples
    --------
    >>> rank_block_sizes(17, 5).tolist()
    [5, 7, 5]
    """
    blocks = max(1, n // k)
    sizes = np.full(blocks, k, dtype=np.int64)
    sizes[blocks // 2] += n - k * blocks
    return sizes


def _individual_ranking(
    X: NDArray[np.float64], *, k: int, progress: PartitionProgress | None = None
) -> NDArray[np.int64]:
    del progress
    n = X.shape[0]
    return _labels(rank_block_sizes(n, check_k(k, n)))


def _optimal_univariate(
    X: NDArray[np.float64], *, k: int, progress: PartitionProgress | None = None
) -> NDArray[np.int64]:
    from covey.kernels.univariate.optimal import optimal_sizes

    del progress
    return _labels(optimal_sizes(X[:, 0], check_k(k, X.shape[0])))


def _optimal_noise(
    X: NDArray[np.float64], *, noise_cost: float, progress: PartitionProgress | None = None
) -> NDArray[np.int64]:
    from covey.kernels.univariate.optimal import optimal_noise_sizes

    del progress
    if not 0 <= noise_cost < float("inf"):
        raise PartitionError(
            f"noise_cost = {noise_cost} is not a finite number of at least 0, so the best "
            f"partition is undefined. Give c of the objective: sum of SSE(C) + c / |C|."
        )
    return _labels(optimal_noise_sizes(X[:, 0], float(noise_cost)))


def _labels(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.repeat(np.arange(sizes.size, dtype=np.int64), sizes)


INDIVIDUAL_RANKING = Partitioner(
    name="individual-ranking",
    summary="Sort one column and cut it into blocks of k ranks; the surplus goes to the middle.",
    paper="000, section 5",
    run=_individual_ranking,
    parameters={"k": REQUIRED},
    univariate=True,
)
OPTIMAL_UNIVARIATE = Partitioner(
    name="optimal-univariate",
    summary="The partition of one column into clusters of at least k with the least SSE, exactly.",
    paper="000, section 6",
    run=_optimal_univariate,
    parameters={"k": REQUIRED},
    univariate=True,
)
OPTIMAL_NOISE = Partitioner(
    name="optimal-noise",
    summary="The partition of one column that minimises SSE plus the noise c/|C| of each cluster.",
    paper="000, section 6",
    run=_optimal_noise,
    parameters={"noise_cost": REQUIRED},
    univariate=True,
)

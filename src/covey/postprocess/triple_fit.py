"""What does a noisy table of three columns say beyond its pairs?  One shrunken interaction.

The tables of pairs are known better, so the noise on them is taken out first.  What is left adds up
to nothing along each column, and is pulled towards none by the rule of James and Stein: little is
left of noise alone, and nearly all of what stands out of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.raking import BACKGROUND_SHARE, clique_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def fitted_triple(
    noisy: NDArray[np.float64],
    noise: float,
    pairs: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    *,
    n: float,
) -> NDArray[np.float64]:
    """Return the table of shares with given pairs that the noisy counts suggest.

    Parameters
    ----------
    noisy : array of three axes
        Counts with noise of standard deviation ``noise``.
    pairs : three arrays of shares
        Of the first and second, the first and third, and the second and third column.
    n : float
        How many records there are.
    """
    alone = clique_of(pairs[1], pairs[2], pairs[0])
    beyond = noisy - n * alone
    for axis in range(3):
        beyond -= beyond.mean(axis=axis, keepdims=True)
    free = math.prod(size - 1 for size in noisy.shape)
    size = float((beyond**2).sum())
    # In one or two dimensions the rule shrinks nothing; half a dimension is a careful stand-in.
    pull = max(free - 2.0, 0.5) * noise**2
    if size <= pull:
        return alone
    like = np.maximum(n * alone + (1.0 - pull / size) * beyond, 0.0) / n
    return clique_of(pairs[1], pairs[2], pairs[0], like + BACKGROUND_SHARE * alone)

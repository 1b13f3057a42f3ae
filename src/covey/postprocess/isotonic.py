"""How do noisy block means rise again?  Isotonic regression, at no cost in privacy.

Everything here is a function of noisy values and public numbers, so it cannot undo the
guarantee.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Noisy
    from covey.table.grid import Grid


def rising_means(noisy: Noisy, sizes: NDArray[np.int64], grid: Grid) -> NDArray[np.float64]:
    """Turn noisy sums of blocks of ranks into means that rise.

    The true block means rise with the rank, so the noisy ones are replaced by the nearest
    rising sequence (isotonic regression).  The noise of a mean has variance proportional to
    1 / size², hence the weights size².  Clamping to the public bounds comes last.
    """
    from scipy.optimize import isotonic_regression

    means = grid.low + noisy.values / sizes * grid.step
    rising = isotonic_regression(means, weights=sizes.astype(np.float64) ** 2).x
    return np.asarray(np.clip(rising, grid.low, grid.high))

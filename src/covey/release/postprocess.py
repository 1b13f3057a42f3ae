"""What can be improved after the noise, at no cost in privacy?

Everything here is a function of noisy values and public numbers, so it cannot undo the
guarantee.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import Perturbed


def rising_means(noisy: Perturbed, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Turn noisy sums of blocks of ranks into means that rise.

    The true block means rise with the rank, so the noisy ones are replaced by the nearest
    rising sequence (isotonic regression).  The noise of a mean has variance proportional to
    1 / size², hence the weights size².  Clamping to the public bounds comes last.
    """
    from scipy.optimize import isotonic_regression

    means = noisy.grid.low + noisy.steps / sizes * noisy.grid.step
    rising = isotonic_regression(means, weights=sizes.astype(np.float64) ** 2).x
    return np.asarray(np.clip(rising, noisy.grid.low, noisy.grid.high))

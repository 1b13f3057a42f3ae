"""How is noise added to sums of one column?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from covey.errors import UnprovenError
from covey.perturb.perturbed import Perturbed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.perturb.grid import Grid
    from covey.perturb.source import NoiseSource
    from covey.privacy import Budget, Sensitivity


def add_laplace(
    integers: NDArray[np.int64],
    *,
    grid: Grid,
    sensitivity: Sensitivity,
    budget: Budget,
    source: NoiseSource,
) -> Perturbed:
    """Add discrete Laplace noise of scale ``sensitivity / epsilon`` to a vector of integers.

    The vector's entries and their number must not depend on the data in any other way
    than the claim allows.  Two neighbours move it by at most ``sensitivity.l1`` in L1, and
    the probability of an output is proportional to ``exp(-|noise| / scale)`` in every entry,
    so the probabilities of any output differ by a factor of at most ``exp(epsilon)``
    (docs/proofs/discrete-laplace.md).

    Costs one draw for each entry, some ten microseconds.
    """
    if sensitivity.l1 <= 0:
        raise UnprovenError(
            "the sensitivity is not positive, so no noise would be added. "
            "Check the public bounds: they must enclose at least one step of the grid."
        )
    scale = Fraction(sensitivity.l1) / budget.epsilon
    noisy = source.laplace(integers, scale=scale, l1=sensitivity.l1, epsilon=budget.epsilon)
    return Perturbed(
        steps=noisy,
        grid=grid,
        scale=scale,
        epsilon=budget.epsilon,
        unit=sensitivity.unit,
        claim=sensitivity.claim,
        secure=source.secure,
    )

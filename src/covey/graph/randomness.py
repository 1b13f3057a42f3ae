"""Where do choices come from that are random but protect nothing?"""

from __future__ import annotations

import numpy as np

from covey.errors import PlanError


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Return a generator that repeats itself; the noise of a release never comes from here."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if random_state is None or not whole or random_state < 0:
        raise PlanError(
            f"random_state = {random_state!r} starts no random choice that could be repeated. "
            f"Give a whole number of at least 0 or a numpy.random.Generator."
        )
    return np.random.default_rng(random_state)

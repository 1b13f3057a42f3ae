"""How are many uniform integers drawn exactly from the operating system's bytes?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import InternalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

RandomBytes = Callable[[int], bytes]
"""Returns so many random bytes, as ``os.urandom`` does."""

MOST = 2**62
"""Bounds above this would leave no room for exact 64-bit arithmetic."""


def uniform_below(bounds: NDArray[np.int64], random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Return one uniform integer in 0 … bound − 1 for each bound.

    A uniform 63-bit number is taken modulo the bound if it lies below the largest multiple of
    the bound, and drawn again otherwise: every remainder is then equally likely, exactly.
    """
    if bounds.size and (bounds.min() < 1 or bounds.max() > MOST):
        raise InternalError("a bound of a uniform draw is out of range.")
    limits = np.uint64(2**63) - np.uint64(2**63) % bounds.astype(np.uint64)
    drawn = _bits(bounds.size, random_bytes)
    again = np.flatnonzero(drawn >= limits)
    while again.size:
        drawn[again] = _bits(again.size, random_bytes)
        again = again[drawn[again] >= limits[again]]
    return np.asarray(drawn % bounds.astype(np.uint64), dtype=np.int64)


def _bits(count: int, random_bytes: RandomBytes) -> NDArray[np.uint64]:
    words = np.frombuffer(random_bytes(8 * count), dtype=np.uint64)
    return words >> np.uint64(1)

"""How are columns paired at random when nobody can hold a permutation of all rows?

By a permutation that is computed place by place: a Feistel network over the smallest even number
of bits that holds all places, walked again wherever it leads outside.  The same keys give the
same pairing however often Spark computes it.  No privacy rests on it: what it pairs is published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDS = 6


def pairing_keys(rng: np.random.Generator) -> NDArray[np.uint64]:
    """Draw the keys of one permutation."""
    return rng.integers(0, 2**63, size=_ROUNDS, dtype=np.uint64)


def paired(places: NDArray[np.int64], n: int, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return where a permutation of 0 … n − 1 takes some places.

    Costs some tens of operations for each place; a place is walked at most four times on average.
    """
    half = max(1, -(-(n - 1).bit_length() // 2))
    found = _network(places.astype(np.uint64), half, keys)
    outside = np.flatnonzero(found >= n)
    while outside.size:
        found[outside] = _network(found[outside], half, keys)
        outside = outside[found[outside] >= n]
    return found.astype(np.int64)


def _network(places: NDArray[np.uint64], half: int, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mask = np.uint64((1 << half) - 1)
    left, right = places >> np.uint64(half), places & mask
    for key in keys:
        left, right = right, left ^ (_mixed(right, key) & mask)
    return (left << np.uint64(half)) | right


def _mixed(values: NDArray[np.uint64], key: np.uint64) -> NDArray[np.uint64]:
    """Mix all bits (the finaliser of the SplitMix64 generator); overflow is part of it."""
    mixed = values + key
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))

"""How is noise of any rational scale drawn, exactly and fast?  Digit by digit, from tables.

The digits of a geometric number are independent of each other, so each is drawn by itself: a
uniform number is compared with cumulated probabilities, of which 32 binary places decide nearly
always, and as many more as it takes where these are equal (docs/proofs/discrete-laplace.md).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.core.bounds import exp_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.exact import RandomBytes

WORD = 32
"""So many binary places of a uniform number are drawn at a time."""

TABLE_BITS = 9
"""A table has at most 2 to the power of so many entries, which a processor keeps at hand."""

REACH = 8
"""The table of the highest digit reaches this many scales; beyond, it is used again."""

FARTHEST = 2**62
"""Noise stops here, so that it can be added to 64-bit integers."""

DRAWN_AT_ONCE = 2**16
"""So many numbers are drawn at a time."""


@dataclass(frozen=True)
class Digit:
    """A number d = 0, 1, …, size − 1 of probability ∝ exp(−d/scale).

    With ``last``, d has no end: the size and all above are counted as one value, ``size``.
    """

    scale: Fraction
    size: int
    last: bool = False

    def floors(self, places: int) -> list[int]:
        """Return ⌊2^places · P(d < v)⌋ for v = 1, 2, …, from enclosures that leave no doubt.

        P(d < v) is (1 − e^v) / (1 − e^size), or 1 − e^v for the last digit, with e = exp(−1/scale):
        below 1, and irrational, so it is never equal to one of its bounds.
        """
        shown = self.size + 1 if self.last else self.size
        work = places + WORD + math.ceil(self.scale).bit_length()
        while True:
            one = 1 << work
            low, high = (math.floor(bound * one) for bound in exp_bounds(-1 / self.scale, work))
            lows, highs = [one], [one]
            for _ in range(self.size):
                lows.append(lows[-1] * low >> work)
                highs.append((highs[-1] * (high + 1) >> work) + 1)
            least, most = (one, one) if self.last else (one - highs[-1], one - lows[-1])
            if least > 0:
                below = [(one - power << places) // most for power in highs[1:shown]]
                above = [-(-(one - power << places) // least) - 1 for power in lows[1:shown]]
                if below == [min(bound, (1 << places) - 1) for bound in above]:
                    return below
            work *= 2

    @cached_property
    def table(self) -> NDArray[np.uint32]:
        """Return the first places of the cumulated probabilities."""
        return np.array(self.floors(WORD), dtype=np.uint32)

    def draw(self, count: int, random_bytes: RandomBytes) -> NDArray[np.int64]:
        """Draw by inversion: how many cumulated probabilities a uniform number reaches."""
        words = np.frombuffer(random_bytes(WORD // 8 * count), dtype=np.uint32)
        found = np.searchsorted(self.table, words)
        for place in np.flatnonzero(self.table.take(found, mode="clip") == words):
            found[place] = self._settle(int(words[place]), random_bytes)
        return found

    def _settle(self, word: int, random_bytes: RandomBytes) -> int:
        """Draw more places of a uniform number until it differs from all probabilities."""
        places, floors = WORD, self.floors(WORD)
        while (found := bisect_left(floors, word)) < len(floors) and floors[found] == word:
            word = (word << WORD) + int.from_bytes(random_bytes(WORD // 8), "little")
            places += WORD
            floors = self.floors(places)
        return found


@lru_cache(maxsize=256)
def digits_of(scale: Fraction) -> tuple[tuple[int, Digit], ...]:
    """Return the digits of a geometric number of this scale, the last first, with their places.

    A digit at place p counts 2^p.
    """
    bits = min(math.ceil(REACH * scale).bit_length(), FARTHEST.bit_length() - 1)
    place = max(0, bits - TABLE_BITS)
    reach = min(math.ceil(REACH * scale / 2**place), 2**TABLE_BITS)
    found = [(place, Digit(scale / 2**place, reach, last=True))]
    while place:
        # Digits of equal widths, as few as fit into the tables.
        width = -(-place // -(-place // TABLE_BITS))
        place -= width
        found.append((place, Digit(scale / 2**place, 2**width)))
    return tuple(found)


def geometric_noise(scale: Fraction, size: int, random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Draw g = 0, 1, … with probability ∝ exp(−g/scale); what reaches `FARTHEST` stops there."""
    (place, last), *others = digits_of(scale)
    found = np.zeros(size, dtype=np.int64)
    pending = np.arange(size)
    while pending.size:
        drawn = last.draw(pending.size, random_bytes)
        found[pending] += drawn << place
        # Beyond its table the last digit goes on as if it started there: it has no memory.
        pending = pending[drawn == last.size]
        pending = pending[found[pending] < FARTHEST]
    for place, digit in others:
        found += digit.draw(size, random_bytes) << place
    return np.minimum(found, FARTHEST)


def laplace_noise(scale: Fraction, size: int, random_bytes: RandomBytes) -> NDArray[np.int64]:
    """Draw z with probability ∝ exp(−|z|/scale): g ≥ 0, or −1 − g exp(1/scale) times as rarely."""
    sign = Digit(scale, 2)
    noise = np.empty(size, dtype=np.int64)
    for start in range(0, size, DRAWN_AT_ONCE):
        part = noise[start : start + DRAWN_AT_ONCE]
        part[:] = geometric_noise(scale, part.size, random_bytes)
        part ^= -sign.draw(part.size, random_bytes)
    return noise

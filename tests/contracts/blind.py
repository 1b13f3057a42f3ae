"""Noise that does not look at what it is added to, and two inputs without a record in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import polars as pl

from covey.core.exact import COIN_PARTS
from covey.graph import Graph
from covey.graph.graph import from_edges

DEEPEST = 3
"""Blind boxes are cut so often."""


@dataclass(frozen=True)
class BlindNoise:
    """Answers with draws of the right shape: whatever is released cannot come from records."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))
    secure: bool = True

    def laplace(self, values, *, scale, l1, epsilon):
        """Draw whole numbers, as many as were given."""
        assert isinstance(scale, Fraction)
        return self.rng.integers(0, 40, values.shape) + 0 * l1 * int(epsilon)

    def gaussian(self, values, *, variance, squares, rho):
        """Draw whole numbers, as many as were given."""
        assert squares <= 2 * rho * variance
        return self.rng.integers(0, 40, values.shape)

    def cube(self, rows, *, scale):
        """Draw vectors: counts of 10 to 40 records, and places in their boxes."""
        assert scale > 0
        drawn = self.rng.integers(-(2**16), 2**16, rows.shape)
        drawn[:, 0] = self.rng.integers(10 * 2**16, 40 * 2**16, len(rows))
        return drawn

    def cut(self, counts, *, depth, scale):
        """Cut every box a few times."""
        assert scale > 0
        return np.full(counts.size, depth < DEEPEST)

    def choices(self, losses, *, rate):
        """Choose anything."""
        assert rate > 0
        return self.rng.integers(0, losses.shape[1], losses.shape[0])

    def coins(self, parts):
        """Toss coins whose chances are public."""
        # How likely a coin falls is public; how it falls must not matter.  From a generator of
        # their own, because their number may not be public.
        return np.random.default_rng(11).random(parts.size) * COIN_PARTS < parts

    def placement(self):
        """Return the generator."""
        return self.rng


def two_tables(n: int = 400, m: int | None = None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make two tables of one schema: no value of one occurs in the other, preferences apart."""
    allowed = np.random.default_rng(1).choice([0.5, 1.0, 2.0], max(n, m or n))
    first, second = np.random.default_rng(2), np.random.default_rng(3)
    m = n if m is None else m
    return (
        pl.DataFrame(
            {
                "person": [f"a{i}" for i in range(n)],
                "age": first.integers(0, 60, n),
                "income": np.round(first.uniform(0, 40_000, n), 2),
                "visits": first.integers(0, 20, n),
                "health": first.choice(["poor", "fair"], n),
                "region": first.choice(["north", "south"], n),
                "allowed": allowed[:n],
            }
        ),
        pl.DataFrame(
            {
                "person": [f"b{i}" for i in range(m)],
                "age": second.integers(61, 120, m),
                "income": np.round(second.uniform(50_000, 99_000, m), 2),
                "visits": second.integers(30, 50, m),
                "health": second.choice(["good", "excellent"], m),
                "region": np.repeat("west", m),
                "allowed": allowed[:m],
            }
        ),
    )


def two_graphs(n: int = 60, m: int | None = None) -> tuple[Graph, Graph]:
    """Make two graphs: of the same nodes without a common edge, or of different sizes."""
    ring = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    size = n if m is None else m
    # A star and some chords: other degrees, and no edge of the ring.
    star = np.array([[0, v] for v in range(2, size - 1)])
    chords = np.array([[v, v + 5] for v in range(1, size - 6)])
    return from_edges(ring, ids=n), from_edges(np.concatenate([star, chords]), ids=size)

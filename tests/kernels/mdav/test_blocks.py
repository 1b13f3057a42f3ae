"""Blocks of codes name the records that a scan names, whatever the values are."""

from collections.abc import Callable

import numpy as np
import pytest

from covey.kernels.mdav.blocks import (
    SLOTS,
    Blocks,
    blocks_of,
    farthest_in_blocks,
    home_of,
    leave,
    nearest_in_blocks,
)
from covey.kernels.mdav.nearest import empty_nearest
from tests.oracles import microaggregation as oracle
from tests.oracles.shapes import by_content, shapes

HARD: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "one constant column": lambda X: X * np.array([1.0, 0.0, 1.0]),
    "all constant": lambda X: 0.0 * X + 3.0,
    "huge": lambda X: 1e200 * X,
    "large": lambda X: 1e140 * X,
    "tiny": lambda X: 1e-170 * X,
    "far from zero": lambda X: 1e15 + np.rint(8.0 * X),
    "one column counts": lambda X: X * np.array([1e9, 1.0, 1e-9]),
    "one record far out": lambda X: np.where(X.max(axis=0) == X, 1e12, X),
    "heavy tails": lambda X: np.sign(X) * np.exp(9.0 * np.abs(X)),
    "few values": np.rint,
}


def check(X: np.ndarray, k: int, searches: int) -> Blocks:
    """Search at random records and from outside, while groups leave."""
    rng = np.random.default_rng(len(X))
    blocks, heap = blocks_of(X, np.arange(len(X))), empty_nearest(k)
    left = list(range(len(X)))
    for _ in range(searches):
        seed = int(rng.choice(left))
        nearest_in_blocks(blocks, X[seed], home_of(blocks.place, seed), heap)

        assert sorted(heap.records.tolist()) == sorted(oracle.nearest(X, left, X[seed], k))
        assert farthest_in_blocks(blocks, X[seed]) == oracle.farthest(X, left, X[seed])

        leave(blocks, heap.records)
        left = oracle.without(left, heap.records.tolist())
    return blocks


@pytest.mark.parametrize("shape", tuple(shapes(4, 1)))
@pytest.mark.parametrize("d", [1, 4, 20])
def test_searches_are_those_of_a_scan_while_records_leave(shape: str, d: int) -> None:
    check(shapes(900, d)[shape], 7, 20)


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.filterwarnings("ignore:overflow")
def test_values_of_any_size_are_searched_exactly(kind: str) -> None:
    X = HARD[kind](np.random.default_rng(5).normal(size=(700, 3)))

    check(by_content(X), 5, 20)


def test_a_point_outside_the_records_is_searched_exactly() -> None:
    X = shapes(900, 3)["normal"]
    blocks, heap, left = blocks_of(X, np.arange(len(X))), empty_nearest(9), list(range(len(X)))
    for scale in (3.0, 30.0, 3e5):
        point = scale * X[17]
        nearest_in_blocks(blocks, point, 0, heap)

        assert sorted(heap.records.tolist()) == sorted(oracle.nearest(X, left, point, 9))
        assert farthest_in_blocks(blocks, point) == oracle.farthest(X, left, point)


def test_codes_tell_distances_within_what_they_miss() -> None:
    X = shapes(3 * SLOTS, 6)["lognormal"]
    blocks = blocks_of(X, np.arange(len(X)))
    cells = blocks.far
    codes = cells.codes.transpose(0, 2, 1).reshape(-1, 6).astype(float)
    values = blocks.values.reshape(-1, 6)

    by_codes = cells.width * np.sqrt(((codes - codes[5]) ** 2).sum(axis=1))
    truly = np.sqrt(((values - values[5]) ** 2).sum(axis=1))

    assert (np.abs(by_codes - truly) <= 2.0 * cells.miss).all()
    assert ((codes - codes[5]) ** 2).sum(axis=1).max() < 2**16

"""What does a noisy two-way table say beyond its margins?  Shrinkage of the smallest Stein risk.

Six estimates look for different kinds of dependence: few dimensions, smooth tables, few cells,
empty cells, anything, nothing.  Stein's formula estimates the squared error of each from the
noisy table and the public variance of its noise; the smallest is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.raking import raked

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOFT = (0.5, 1.0, 1.5, 2.0, 3.0)
SINGULAR = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
EMPTY_BELOW = 2.0
"""Thresholds in standard deviations of the noise; of singular values, in those of the largest."""

Guess = tuple[float, "NDArray[np.float64]"]


def fitted_table(
    noisy: NDArray[np.float64],
    noise: float,
    rows: NDArray[np.float64],
    columns: NDArray[np.float64],
    *,
    n: float,
    ordered: tuple[bool, bool],
) -> NDArray[np.float64]:
    """Return the table of shares with the given margins that the noisy counts suggest.

    Parameters
    ----------
    noisy : array of shape (rows, columns)
        Counts with noise of standard deviation ``noise``.
    rows, columns : arrays of float64
        Published shares: the margins.
    n : float
        How many records there are.
    ordered : pair of bool
        Whether neighbouring cells of rows, and of columns, are alike.
    """
    alone = n * np.outer(rows, columns)
    beyond = noisy - alone
    cells, variance = noisy.size, noise**2
    guesses: list[Guess] = [(float((beyond**2).sum()) - cells * variance, alone)]
    guesses += [_clipped(noisy, noise), _emptied(noisy, noise)]
    guesses += [(risk, alone + part) for risk, part in _soft(beyond, noise)]
    guesses += [(risk, alone + part) for risk, part in _singular(beyond, noise)]
    risk, part = _smooth(beyond, noise, ordered)
    guesses.append((risk, alone + part))
    best = min(guesses, key=lambda guess: guess[0])[1]
    return raked(np.maximum(best, 0.0), rows, columns)


def _clipped(noisy: NDArray[np.float64], noise: float) -> Guess:
    below = noisy <= 0
    risk = (noisy[below] ** 2).sum() + noise**2 * (noisy.size - 2 * below.sum())
    return float(risk), np.maximum(noisy, 0.0)


def _emptied(noisy: NDArray[np.float64], noise: float) -> Guess:
    """Take cells below a threshold as empty; the risk counts how many lie at its jump."""
    threshold = EMPTY_BELOW * noise
    below = noisy <= threshold
    near = (np.abs(noisy - threshold) < noise).sum() / (2.0 * noise)
    risk = (noisy[below] ** 2).sum() + noise**2 * (noisy.size - 2 * below.sum())
    return float(risk + 2.0 * noise**2 * threshold * near), np.where(below, 0.0, noisy)


def _soft(beyond: NDArray[np.float64], noise: float) -> Iterator[Guess]:
    size = np.abs(beyond)
    for times in SOFT:
        threshold = times * noise
        risk = np.minimum(size, threshold) ** 2
        total = risk.sum() - noise**2 * (beyond.size - 2 * (size > threshold).sum())
        yield float(total), np.sign(beyond) * np.maximum(size - threshold, 0.0)


def _singular(beyond: NDArray[np.float64], noise: float) -> Iterator[Guess]:
    """Shrink singular values; their risk is that of Candès, Sing-Long and Trzasko (2013)."""
    left, values, right = np.linalg.svd(beyond, full_matrices=False)
    high, wide = beyond.shape
    squares = values**2
    gaps = squares[:, None] - squares[None, :]
    np.fill_diagonal(gaps, 1.0)
    gaps = np.where(np.abs(gaps) < 1e-9 * max(squares[0], 1e-300), np.inf, gaps)
    for times in SINGULAR:
        threshold = times * noise * (np.sqrt(high) + np.sqrt(wide)) / 2.0
        kept = np.maximum(values - threshold, 0.0)
        pairs = (values * kept)[:, None] / gaps
        np.fill_diagonal(pairs, 0.0)
        moved = np.divide(kept, values, out=np.zeros_like(values), where=values > 0)
        degrees = (values > threshold).sum() + abs(high - wide) * moved.sum() + 2.0 * pairs.sum()
        risk = np.minimum(squares, threshold**2).sum()
        risk += noise**2 * (2.0 * degrees - beyond.size)
        yield float(risk), (left * kept) @ right


def _smooth(beyond: NDArray[np.float64], noise: float, ordered: tuple[bool, bool]) -> Guess:
    """Shrink blocks of cosine waves of similar length, each by the rule of James and Stein."""
    bases = [_waves(size, along) for size, along in zip(beyond.shape, ordered, strict=True)]
    (first, rows), (second, columns) = bases
    waves = first @ beyond @ second.T
    block = rows[:, None] * (columns.max() + 1) + columns[None, :]
    count = np.bincount(block.ravel())
    size = np.bincount(block.ravel(), weights=(waves**2).ravel())
    variance = noise**2
    # In one or two dimensions the rule shrinks nothing; half a dimension is a careful stand-in.
    pull = np.maximum(count - 2.0, 0.5) * variance
    share = np.maximum(1.0 - np.divide(pull, size, out=np.ones_like(size), where=size > 0), 0.0)
    kept = count * variance + pull * (pull - 2.0 * (count - 2.0) * variance) / np.maximum(
        size, 1e-300
    )
    risk = np.where(share > 0, kept, size - count * variance)[count > 0].sum()
    return float(risk), first.T @ (waves * share[block]) @ second


@lru_cache(maxsize=256)
def _waves(size: int, ordered: bool) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return an orthonormal basis, and the block that each of its rows belongs to."""
    if not ordered:
        return np.eye(size), np.arange(size)
    place = (np.arange(size) + 0.5) * np.pi / size
    basis = np.cos(np.outer(np.arange(size), place)) * np.sqrt(2.0 / size)
    basis[0] /= np.sqrt(2.0)
    return basis, np.ceil(np.log2(np.arange(size) + 1.0)).astype(np.int64)

"""What does a noisy two-way table say beyond its margins?  A mixture of shrunken tables.

The margins are known better from the columns, so noise on them is taken out first.  Estimates then
look for different kinds of dependence: few dimensions, smooth tables, empty cells, anything,
nothing.  Stein's formula estimates the squared error of each from the noisy table and the public
variance of its noise, and those of small risk are averaged (Leung and Barron 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.raking import raked

if TYPE_CHECKING:
    from numpy.typing import NDArray

SINGULAR = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
EMPTY_BELOW = (1.5, 2.0)
"""Thresholds in standard deviations of the noise; of singular values, in those of the largest."""

TEMPERATURE = 1.5
"""Risks count as alike within this many variances of the noise, times the root of the number of
cells: so far estimates of risks are off by chance."""

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
    if min(noisy.shape) == 1:
        return alone / n
    beyond = noisy - alone
    beyond += beyond.mean() - beyond.mean(axis=0) - beyond.mean(axis=1)[:, None]
    free = (noisy.shape[0] - 1) * (noisy.shape[1] - 1)
    guesses: list[Guess] = [(float((beyond**2).sum()) - free * noise**2, alone)]
    guesses += _emptied(alone + beyond, noise, free)
    guesses += [(risk, alone + part) for risk, part in _singular(beyond, noise)]
    guesses += [(risk, alone + part) for risk, part in [_smooth(beyond, noise, ordered)]]
    risks = np.array([risk for risk, _ in guesses]) / (TEMPERATURE * noise**2 * np.sqrt(free))
    weights = np.exp(risks.min() - risks)
    mixed = np.zeros_like(alone)
    for weight, (_, guess) in zip(weights / weights.sum(), guesses, strict=True):
        mixed += weight * np.maximum(guess, 0.0)
    return raked(mixed, rows, columns)


def _emptied(centred: NDArray[np.float64], noise: float, free: int) -> Iterator[Guess]:
    """Take cells below a threshold as empty; the risk counts how many lie at its jump."""
    for threshold in (0.0, *(times * noise for times in EMPTY_BELOW)):
        below = centred <= threshold
        near = (np.abs(centred - threshold) < noise).sum() / (2.0 * noise)
        risk = (centred[below] ** 2).sum() + noise**2 * (free - 2 * below.sum())
        yield (
            float(risk + 2.0 * noise**2 * threshold * near),
            np.where(below, 0.0, centred),
        )


def _singular(beyond: NDArray[np.float64], noise: float) -> Iterator[Guess]:
    """Shrink singular values; their risk is that of Candès, Sing-Long and Trzasko (2013)."""
    rows, columns = (_contrasts(size) for size in beyond.shape)
    left, values, right = np.linalg.svd(rows @ beyond @ columns.T, full_matrices=False)
    left, right = rows.T @ left, right @ columns
    high, wide = rows.shape[0], columns.shape[0]
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
        risk += noise**2 * (2.0 * degrees - high * wide)
        yield float(risk), (left * kept) @ right


def _smooth(beyond: NDArray[np.float64], noise: float, ordered: tuple[bool, bool]) -> Guess:
    """Shrink blocks of cosine waves of similar length, each by the rule of James and Stein."""
    bases = [_waves(size, ordered=along) for size, along in zip(beyond.shape, ordered, strict=True)]
    (first, rows), (second, columns) = bases
    waves = first @ beyond @ second.T
    block = (rows[:, None] * (columns.max() + 1) + columns[None, :]).ravel()
    blocks, block, count = np.unique(block, return_inverse=True, return_counts=True)
    size = np.bincount(block, weights=(waves**2).ravel(), minlength=blocks.size)
    # What is left of the noise where cells stand by themselves and yet add up to nothing.
    variance = noise**2
    for cells, along in zip(beyond.shape, ordered, strict=True):
        variance *= 1.0 if along else (cells - 1) / cells
    # In one or two dimensions the rule shrinks nothing; half a dimension is a careful stand-in.
    pull = np.maximum(count - 2.0, 0.5) * variance
    share = np.maximum(1.0 - np.divide(pull, size, out=np.ones_like(size), where=size > pull), 0.0)
    saved = pull * (2.0 * (count - 2.0) * variance - pull)
    kept = count * variance - np.divide(saved, size, out=np.zeros_like(size), where=share > 0)
    risk = np.where(share > 0, kept, size - count * variance).sum()
    return float(risk), first.T @ (waves * share[block].reshape(waves.shape)) @ second


@lru_cache(maxsize=256)
def _contrasts(size: int) -> NDArray[np.float64]:
    """Return an orthonormal basis of what adds up to 0: cosine waves, the longest first."""
    place = (np.arange(size) + 0.5) * np.pi / size
    return np.asarray(np.cos(np.outer(np.arange(1, size), place)) * np.sqrt(2.0 / size))


def _waves(size: int, *, ordered: bool) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return waves, or single cells, and the block that each of them belongs to."""
    if not ordered:
        return np.eye(size), np.arange(size)
    return _contrasts(size), np.floor(np.log2(np.arange(1, size))).astype(np.int64)

"""How do ranks of several columns get measured correlations?  After Iman and Conover (1982).

Rows keep the ranks of their columns, and a linear map of normal scores changes which ranks meet.
Of all maps with the wanted correlations, the one that moves the scores least is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIT_ROUNDS = 4
GAIN = 1.2
"""How much a correlation of normal scores rises with the measured statistic, about."""

LEAST_EIGENVALUE = 1e-3
FEW = 2


def shrunken(
    measured: NDArray[np.float64], implied: NDArray[np.float64], noise: float, *, chance: float
) -> NDArray[np.float64]:
    """Pull measured numbers towards what a model implies, after James and Stein.

    ``noise`` is the standard deviation of each, and ``chance`` what their squares hardly ever add
    up to beyond: where nothing but noise may speak against the model, the model is believed.
    Few columns of few records would seem to depend on each other otherwise.
    """
    beyond = measured - implied
    size = float((beyond**2).sum())
    if size <= chance:
        return implied
    pull = max(beyond.size - FEW, 1) * noise**2
    return np.asarray(implied + max(0.0, 1.0 - pull / max(size, 1e-300)) * beyond)


def coupling(
    scores: NDArray[np.float64],
    wanted: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> NDArray[np.float64] | None:
    """Return the map of normal scores after which rows have the wanted statistic.

    None if they have it already.

    Parameters
    ----------
    scores : array of shape (rows, columns)
        Normal scores of the rows' ranks.
    wanted : array of shape (columns, columns)
        The statistic of each pair; the diagonal does not matter.
    statistic : callable
        Computes it from changed scores.
    """
    there = _correlation(scores)
    goal, changed, least = there, scores, np.inf
    found: NDArray[np.float64] | None = None
    kept: NDArray[np.float64] | None = None
    for _ in range(FIT_ROUNDS + 1):
        away = wanted - statistic(changed)
        np.fill_diagonal(away, 0.0)
        error = float(np.abs(away).sum())
        if error >= least:
            break
        least, kept = error, found
        goal = _possible(goal + GAIN * away)
        found = transport(there, goal)
        changed = scores @ found
    return kept


def transport(here: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the symmetric map that turns one covariance into another and moves least."""
    root, back = _power(here, 0.5), _power(here, -0.5)
    return np.asarray(back @ _power(root @ there @ root, 0.5) @ back)


def even_order(rows: int, piece: int, pieces: int) -> NDArray[np.float64]:
    """Return evenly spaced ranks in sorted order, which interleave with those of other pieces."""
    return np.asarray((np.arange(rows) + (piece + 0.5) / pieces) / rows)


def pair_means(columns: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the mean product of each pair of columns."""
    values = np.column_stack(columns)
    return np.asarray(values.T @ values / values.shape[0])


def _correlation(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return _possible(scores.T @ scores / scores.shape[0])


def _possible(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a correlation matrix near a symmetric one."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2.0)
    near = (vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T
    scale = np.sqrt(np.diag(near))
    return np.asarray(near / np.outer(scale, scale))


def _power(matrix: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2.0)
    return np.asarray((vectors * np.maximum(values, 1e-9) ** power) @ vectors.T)

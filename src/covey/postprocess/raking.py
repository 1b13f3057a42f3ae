"""Which table has these margins and is otherwise like another?  Iterative proportional fitting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAIR_ROUNDS = 50
CLIQUE_ROUNDS = 25
NOTHING = 1e-200
"""Shares below this are none: quotients of them might not be finite."""

BACKGROUND_SHARE = 1e-6
"""Share of independence in every table: a margin that nothing else supports is reached by it."""


def raked(
    table: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the table of shares with these margins that is nearest to a non-negative one."""
    total = max(float(table.sum()), 1e-300)
    fitted = table / total + BACKGROUND_SHARE * np.outer(rows, columns)
    for _ in range(PAIR_ROUNDS):
        fitted *= _ratio(rows, fitted.sum(axis=1))[:, None]
        fitted *= _ratio(columns, fitted.sum(axis=0))[None, :]
        if np.abs(fitted.sum(axis=1) - rows).max() < 1e-9:  # noqa: PLR2004 — far below a record
            break
    return fitted


def clique_of(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    parents: NDArray[np.float64],
    like: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the three-way table of largest entropy with three given two-way tables.

    Axes of the result: first parent, second parent, child.

    Parameters
    ----------
    first, second : arrays of shape (parent, child)
    parents : array of shape (first parent, second parent)
    like : array of three axes, optional
        The result is nearest to this one instead.
    """
    child = first.sum(axis=0)
    fitted = parents[:, :, None] * child[None, None, :] if like is None else like.copy()
    for _ in range(CLIQUE_ROUNDS):
        fitted *= _ratio(first, fitted.sum(axis=1))[:, None, :]
        fitted *= _ratio(second, fitted.sum(axis=0))[None, :, :]
        fitted *= _ratio(parents, fitted.sum(axis=2))[:, :, None]
    return np.asarray(fitted)


def conditional(table: NDArray[np.float64], margin: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares along the last axis; the margin where nothing is known."""
    total = table.sum(axis=-1, keepdims=True)
    shares = np.divide(table, total, out=np.zeros_like(table), where=total > NOTHING)
    return np.where(total > NOTHING, shares, margin)


def _ratio(wanted: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(wanted, there, out=np.zeros_like(there), where=there > NOTHING)

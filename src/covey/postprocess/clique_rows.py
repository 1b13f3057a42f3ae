"""Which rows does a model of small cliques have?  Column after column, given one or two others.

Counts are drawn systematically: of the rows that agree in the parents, the shares of the child
are kept up to rounding, and chance decides which row gets which value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Codes = Mapping[int, "NDArray[np.int32]"]
"""The cell of each row, for each column that was drawn."""

LOOKED_AT = 2**13
"""Among so many rows some are found whose value may change."""

SHORT = 2**16
"""Numbers below this are sorted by counting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clique:
    """A column, the columns that it depends on, and its shares given their cells.

    ``shares`` has an axis for each parent and one for the column itself.
    """

    column: int
    parents: tuple[int, ...]
    shares: NDArray[np.float64] = field(repr=False)


def drawn_codes(
    cliques: Sequence[Clique],
    rows: int,
    rng: np.random.Generator,
    quotas: Mapping[int, NDArray[np.int64]],
) -> dict[int, NDArray[np.int32]]:
    """Draw the cells of some rows; each column's parents come before it.

    Parameters
    ----------
    cliques : sequence of Clique
        In the order of drawing.
    rows : int
        How many.
    rng : numpy.random.Generator
        No privacy rests on it.
    quotas : mapping
        How many rows each cell of a column must have, where that is prescribed.
    """
    codes: dict[int, NDArray[np.int32]] = {}
    for clique in cliques:
        size = clique.shares.shape[-1]
        shares = clique.shares.reshape(-1, size)
        group = grouped_codes(clique, codes, rows)
        drawn = _drawn(shares, group, rng)
        if clique.column in quotas:
            _keep_quota(drawn, quotas[clique.column], shares, group, rng)
        codes[clique.column] = drawn
    return codes


def grouped_codes(clique: Clique, codes: Codes, rows: int) -> NDArray[np.int64]:
    """Return the number of the combination of parents' cells that each row has."""
    group = np.zeros(rows, dtype=np.int64)
    for parent, size in zip(clique.parents, clique.shares.shape, strict=False):
        group = group * size + codes[parent]
    return group


def _drawn(
    shares: NDArray[np.float64], group: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int32]:
    groups, size = shares.shape
    order = rng.permutation(group.size)
    if groups > 1:
        key = group.astype(np.uint16) if groups <= SHORT else group
        order = order[np.argsort(key[order], kind="stable")]
    members = np.bincount(group, minlength=groups)
    cumulated = np.cumsum(shares, axis=1)
    cumulated /= cumulated[:, -1:]
    offsets = rng.random((groups, 1))
    ends = np.floor(cumulated * members[:, None] + offsets)
    ends[:, -1] = members
    counts = np.diff(ends, axis=1, prepend=0.0).astype(np.int64)
    values = np.tile(np.arange(size, dtype=np.int32), groups)
    drawn = np.empty(group.size, dtype=np.int32)
    drawn[order] = np.repeat(values, counts.ravel())
    return drawn


def _keep_quota(
    drawn: NDArray[np.int32],
    quota: NDArray[np.int64],
    shares: NDArray[np.float64],
    group: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Change the few rows by which rounding missed the quota, where the new value is possible."""
    excess = np.bincount(drawn, minlength=quota.size) - quota
    for value in np.flatnonzero(excess < 0).tolist():
        for possible in (True, False):
            need = -int(excess[value])
            if need == 0:
                break
            looked = rng.permutation(drawn.size)[:LOOKED_AT] if possible else np.arange(drawn.size)
            fits = excess[drawn[looked]] > 0
            if possible:
                fits &= shares[group[looked], value] > 0
            looked = looked[fits]
            # No value may give more rows than it has too many.
            order = np.argsort(drawn[looked], kind="stable")
            ranked = drawn[looked][order]
            place = np.arange(ranked.size) - np.searchsorted(ranked, ranked)
            looked = looked[order][place < excess[ranked]]
            changed = rng.permutation(looked)[:need]
            excess -= np.bincount(drawn[changed], minlength=quota.size)
            drawn[changed] = value
            excess[value] += changed.size

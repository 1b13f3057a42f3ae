"""How do the moments of clusters get their noise?  Algorithms 1 and 2 of paper 003.

What gets noise are exact integer sums (docs/proofs/moments.md); everything after that is a
function of noisy and public numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.moments import (
    COSKEWNESS,
    COVARIANCE,
    MEAN,
    Index,
    as_matrices,
    moment_indices,
    moment_sums,
    unit_moments,
)
from covey.postprocess.sampling import feasible_coskewness, feasible_covariances
from covey.systems.papers.claims import sensitivity
from covey.systems.papers.noise import add_laplace
from covey.systems.papers.p003.methods import JOINT, Design
from covey.table.grid import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import Budget, NoiseSource
    from covey.partition import Partition

UNIT = Grid(low=0.0, high=1.0, steps=2**20)
"""The grid of the moment sums: values are shares of the public ranges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Noisy moments of each cluster on the unit scale, made possible ones.

    Parameters
    ----------
    sizes : array of int64
        The number of records of each cluster.
    means : array of shape (clusters, d)
        Between 0 and 1.
    covariances : array of shape (clusters, d, d), optional
        Positive semi-definite, no variance above 1/4.
    coskewness : mapping
        Coefficients of order 3 by their attributes, one value for each cluster, none beyond 1/8.
    """

    sizes: NDArray[np.int64]
    means: NDArray[np.float64]
    covariances: NDArray[np.float64] | None
    coskewness: Mapping[Index, NDArray[np.float64]]

    @property
    def marginal_coskewness(self) -> NDArray[np.float64] | None:
        """Return the third central moment of each attribute, if it was published."""
        if not self.coskewness:
            return None
        d = self.means.shape[1]
        return np.column_stack([self.coskewness[i, i, i] for i in range(d)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What the noise depends on besides the moments themselves.

    Parameters
    ----------
    design : Design
        Which moments, and how the budget is divided among them.
    k : int
        The smallest cluster.
    budget : Budget
        For all moments together.
    source : NoiseSource
        The randomness.
    all_coskewness : bool
        Whether coskewness between attributes is published, too: the records that are sampled
        depend on the marginal coefficients alone.
    printed : bool
        Whether sensitivities are taken as paper 003 prints them.
    """

    design: Design
    k: int
    budget: Budget
    source: NoiseSource
    all_coskewness: bool = False
    printed: bool = False


def noisy_moments(
    integers: NDArray[np.int64], steps: Sequence[int], found: Partition, spending: Spending
) -> Moments:
    """Return the moments of each cluster with noise.

    Parameters
    ----------
    integers : array of int64 of shape (records, d)
        Values on the public grids.
    steps : sequence of int
        Number of steps of each grid.
    found : Partition
        The clusters.
    spending : Spending
        Which moments, and how much noise.
    """
    design, d, sizes = spending.design, integers.shape[1], found.sizes
    crossed = {
        MEAN: False,
        COVARIANCE: design.cross,
        COSKEWNESS: design.cross and spending.all_coskewness,
    }
    indices = {
        order: moment_indices(d, order, cross=crossed[order]) for order in range(MEAN, design.m + 2)
    }
    sums = moment_sums(
        integers, steps, found.labels, sizes, flattened(indices), resolution=UNIT.steps
    )
    if not design.noiseless:
        sums = _with_noise(sums, indices, spending)
    by_order = named(unit_moments(sums, sizes, resolution=UNIT.steps), indices)
    covariances = None
    if COVARIANCE in indices:
        noisy = as_matrices(by_order[COVARIANCE], indices[COVARIANCE], d)
        covariances = feasible_covariances(noisy)
    return Moments(
        sizes=sizes,
        means=np.clip(by_order[MEAN], 0.0, 1.0),
        covariances=covariances,
        coskewness={
            index: feasible_coskewness(by_order[COSKEWNESS][:, column])
            for column, index in enumerate(indices.get(COSKEWNESS, ()))
        },
    )


def flattened(indices: Mapping[int, Sequence[Index]]) -> list[Index]:
    """Return the coefficients of all orders in one list."""
    return [index for order in indices.values() for index in order]


def named(
    coefficients: NDArray[np.float64], indices: Mapping[int, Sequence[Index]]
) -> dict[int, NDArray[np.float64]]:
    """Cut the columns into mean, covariance and coskewness."""
    ends = np.cumsum([len(part) for part in indices.values()])[:-1]
    return dict(zip(indices, np.split(coefficients, ends, axis=1), strict=True))


def _with_noise(
    sums: NDArray[np.int64], indices: Mapping[int, Sequence[Index]], spending: Spending
) -> NDArray[np.int64]:
    """Add noise to all sums at once (Algorithm 1) or moment by moment (Algorithm 2).

    In Algorithm 2 each coefficient gets an even part of its moment's share, which is noise for
    the L1 bound of that moment.  Values were divided by their public ranges before: Algorithm 1
    adds up Λ, Λ² and Λ³, and in other units another moment would dominate the sum.
    """
    orders = [[order] for order in indices]
    if spending.design.noise == JOINT or len(orders) == 1:
        orders = [list(indices)]
    noisy, start = np.empty_like(sums), 0
    for together, share in zip(orders, spending.budget.split(spending.design.weights), strict=True):
        counts = {order: len(indices[order]) for order in together}
        stop = start + sum(counts.values())
        perturbed = add_laplace(
            sums[:, start:stop].ravel(),
            grid=UNIT,
            sensitivity=_bound(counts, spending),
            budget=share,
            source=spending.source,
        )
        noisy[:, start:stop] = perturbed.steps.reshape(-1, stop - start)
        start = stop
    return noisy


def _bound(counts: Mapping[int, int], spending: Spending) -> int:
    coskewnesses = counts.get(COSKEWNESS, 0)
    entries = sum(counts.values()) - coskewnesses
    if spending.printed:
        # As evaluated in [003, section 5]: Prop. 8 for every k.
        return UNIT.steps * (entries + coskewnesses)
    return sensitivity(
        "cross-moment",
        "moments",
        steps=UNIT.steps,
        entries=entries,
        coskewnesses=coskewnesses,
        k=spending.k,
    )

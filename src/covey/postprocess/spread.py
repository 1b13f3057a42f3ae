"""How are records spread inside boxes whose counts and means are known?

Post-processing: a record's place is drawn from the density of largest entropy on its box with
the published mean, a truncated exponential in each attribute; attributes are coupled as the
published centroids are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.leaves import Clusters

COUPLING = 0.95
"""Share of the rank correlation between very many clusters that is assumed inside them, too."""

FEW_CLUSTERS = 50
"""With so many clusters half of that share is assumed: the correlation of a few noisy centres is
mostly noise, and would show as dependence that is not there."""

_STEEPEST = 0.999
_FLAT = 1e-4


def spread_records(
    clusters: Clusters, rng: np.random.Generator, *, pads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return as many records as the clusters count, one row each, in the clusters' coordinates.

    Parameters
    ----------
    clusters : Clusters
        Boxes, counts and mean positions.
    rng : numpy.random.Generator
        Places the records; no privacy rests on it.
    pads : array of shape (d,)
        Half a step of the grid for attributes that will be rounded to it, so that the values
        at both ends of a box get their full share.
    """
    rows = np.repeat(np.arange(clusters.counts.size), clusters.counts)
    boxes = clusters.counts.size
    trusted = COUPLING * boxes / (boxes + FEW_CLUSTERS)
    correlation = trusted * rank_correlation(clusters.centres, clusters.counts)
    np.fill_diagonal(correlation, 1.0)
    shares = _coupled_uniforms(correlation, rows.size, rng)
    wide = clusters.high > clusters.low
    half = (clusters.high - clusters.low) / 2.0 + np.where(wide, pads, 0.0)
    middle = (clusters.low + clusters.high) / 2.0
    safe = np.where(half > 0, half, 1.0)
    positions = np.where(wide, (clusters.centres - middle) / safe, 0.0)
    slopes = slope_for_mean(np.clip(positions, -_STEEPEST, _STEEPEST))
    placed = quantiles(slopes[rows], shares)
    return np.asarray(middle[rows] + np.where(wide, half, 0.0)[rows] * placed)


def even_ranks(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each row in each column, evenly spaced between 0 and 1.

    Rows whose places are shares of a published distribution get exactly that distribution and
    keep their order, and with it what the boxes say about the columns together.
    """
    ranks = np.empty(places.shape)
    at = (np.arange(places.shape[0]) + 0.5) / places.shape[0]
    np.put_along_axis(ranks, np.argsort(places, axis=0, kind="stable"), at[:, None], axis=0)
    return ranks


def cell_masses(cells: int, position: float) -> NDArray[np.float64]:
    """Return the share of each of some equal cells under the same density, given its mean."""
    slope = float(slope_for_mean(np.array([np.clip(position, -_STEEPEST, _STEEPEST)]))[0])
    middles = (2.0 * np.arange(cells) + 1.0) / cells - 1.0
    weights = np.exp(slope * middles - np.max(slope * middles))
    return np.asarray(weights / weights.sum())


def rank_correlation(
    values: NDArray[np.float64], weights: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the Spearman correlation of weighted rows; 0 where a column is constant."""
    ranks = np.empty_like(values)
    for j, column in enumerate(values.T):
        distinct, place = np.unique(column, return_inverse=True)
        mass = np.bincount(place, weights=weights, minlength=distinct.size)
        ranks[:, j] = (np.cumsum(mass) - mass / 2.0)[place]
    total = weights.sum()
    centred = ranks - (weights @ ranks) / total
    covariance = (centred * weights[:, None]).T @ centred
    scale = np.sqrt(np.diag(covariance))
    scale = np.where(scale > 0, scale, np.inf)
    return np.asarray(covariance / np.outer(scale, scale))


def slope_for_mean(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return β such that a density ∝ exp(βu) on −1 … 1 has the given mean: coth β − 1/β.

    Newton's method from a rational approximation; four steps reach full precision.
    """
    slopes = means * (3.0 - means**2) / (1.0 - means**2)
    for _ in range(4):
        steep = np.abs(slopes) > _FLAT
        beta = np.where(steep, slopes, 1.0)
        value = np.where(steep, 1.0 / np.tanh(beta) - 1.0 / beta, slopes / 3.0)
        # 1/β² − 1/sinh²β, with sinh bounded so that it cannot overflow.
        sinh = np.sinh(np.clip(beta, -300.0, 300.0))
        rise = np.where(steep, 1.0 / beta**2 - 1.0 / sinh**2, 1.0 / 3.0)
        slopes = slopes - (value - means) / rise
    return np.asarray(slopes)


def quantiles(slopes: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the quantiles of densities ∝ exp(βu) on −1 … 1."""
    steep = np.abs(slopes) > _FLAT
    beta = np.where(steep, np.abs(slopes), 1.0)
    # For β > 0: u = 1 + ln(q + (1 − q)·exp(−2β)) / β; for β < 0 by symmetry.
    q = np.where(slopes > 0, shares, 1.0 - shares)
    inside = 1.0 + np.log(np.maximum(q + (1.0 - q) * np.exp(-2.0 * beta), 1e-300)) / beta
    return np.where(steep, np.sign(slopes) * np.clip(inside, -1.0, 1.0), 2.0 * shares - 1.0)


def _coupled_uniforms(
    correlation: NDArray[np.float64], size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    from scipy.special import ndtr

    # Spearman's correlation of normals is a little below Pearson's; this is its inverse.
    pearson = 2.0 * np.sin(np.pi / 6.0 * correlation)
    values, vectors = np.linalg.eigh(pearson)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normals = rng.standard_normal((size, correlation.shape[0])) @ root.T
    deviation = np.sqrt(np.maximum((root**2).sum(axis=1), 1e-12))
    return np.asarray(ndtr(normals / deviation))

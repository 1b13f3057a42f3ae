"""Which records have these moments?  Sampling from noisy means, covariances and coskewness.

Everything here is a function of noisy values, public numbers and fresh randomness, so it
cannot undo a guarantee.  All values are on the unit scale: shares of the public ranges.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_VARIANCE = 0.25
"""No distribution on an interval of length 1 has a larger variance (paper 003, section 4.3)."""

LARGEST_COSKEWNESS = 0.125
"""Nor a larger third absolute central moment, which bounds the mixed ones by Hölder."""

_VANISHING = 1e-12
"""Eigenvalues below this share of the largest are zero but for rounding."""

_HALF_NORMAL_MEAN = math.sqrt(2.0 / math.pi)
_HALF_NORMAL_VARIANCE = 1.0 - 2.0 / math.pi
_HALF_NORMAL_THIRD = _HALF_NORMAL_MEAN * (4.0 / math.pi - 1.0)
_BLOCK = 2**16
"""Records that are drawn at a time, so that memory does not grow with their number."""


def nearest_psd(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positive semi-definite matrix nearest to each symmetric one (Frobenius norm).

    Negative eigenvalues become zero (Higham 1988, theorem 2.1).
    """
    values, vectors = np.linalg.eigh(matrices)
    return np.asarray((vectors * np.maximum(values, 0.0)[..., None, :]) @ _transposed(vectors))


def feasible_covariances(noisy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make noisy covariances possible ones: the step "Process" of paper 003, Algorithm 1.

    Coefficients beyond Λ_iΛ_j/4 are truncated, the nearest positive semi-definite matrix is
    taken, and a row and column whose variance is then still too large shrinks, which keeps the
    matrix positive semi-definite.
    """
    truncated = np.clip(noisy, -LARGEST_VARIANCE, LARGEST_VARIANCE)
    positive = nearest_psd(truncated)
    variances = np.diagonal(positive, axis1=-2, axis2=-1)
    shrink = np.sqrt(LARGEST_VARIANCE / np.maximum(variances, LARGEST_VARIANCE))
    return np.asarray(positive * shrink[..., :, None] * shrink[..., None, :])


def feasible_coskewness(noisy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Truncate noisy coskewness coefficients to what values between 0 and 1 can have."""
    return np.asarray(np.clip(noisy, -LARGEST_COSKEWNESS, LARGEST_COSKEWNESS))


def skewed_directions(
    covariances: NDArray[np.float64], coskewness: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the direction t in which each cluster is skewed: mean + t(|Z| − E|Z|) + normal rest.

    This is the stochastic form of the skew-normal distribution of Azzalini and Dalla Valle.
    The third central moment of attribute i is t_i³ times that of a half-normal variable, which
    gives t.  The rest must have the covariance that is left, so t shrinks where the noisy
    coskewness asks for more skewness than the family has.

    Parameters
    ----------
    covariances : array of shape (clusters, d, d)
        Positive semi-definite.
    coskewness : array of shape (clusters, d)
        Third central moment of each attribute.
    """
    t = np.cbrt(coskewness / _HALF_NORMAL_THIRD)
    variances = np.maximum(np.diagonal(covariances, axis1=-2, axis2=-1), 0.0)
    limit = np.sqrt(variances / _HALF_NORMAL_VARIANCE)
    t = np.clip(t, -limit, limit)
    values, vectors = np.linalg.eigh(covariances)
    inside = values > values[..., -1:] * _VANISHING
    along = np.where(inside, (_transposed(vectors) @ t[..., None])[..., 0], 0.0)
    wanted = _HALF_NORMAL_VARIANCE * np.sum(along**2 / np.where(inside, values, 1.0), axis=-1)
    along = along / np.sqrt(np.maximum(wanted, 1.0))[..., None]
    return np.asarray((vectors @ along[..., None])[..., 0])


def sample_records(
    means: NDArray[np.float64],
    covariances: NDArray[np.float64],
    sizes: NDArray[np.int64],
    generator: np.random.Generator,
    *,
    coskewness: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Draw as many records as each cluster has, in the order of the clusters.

    Normal without coskewness (m = 1), skew-normal with it (m = 2, paper 003, section 5.2).
    Covariances may be singular.

    Parameters
    ----------
    means : array of shape (clusters, d)
    covariances : array of shape (clusters, d, d)
        Positive semi-definite.
    sizes : array of int64
        Public numbers of records.
    generator : numpy.random.Generator
        No privacy rests on it: the moments are noisy already.
    coskewness : array of shape (clusters, d), optional
        Third central moment of each attribute.
    """
    clusters, d = means.shape
    t = np.zeros((clusters, d))
    if coskewness is not None:
        t = skewed_directions(covariances, coskewness)
    rest = covariances - _HALF_NORMAL_VARIANCE * t[..., :, None] * t[..., None, :]
    factors = _factors(rest)
    owners = np.repeat(np.arange(clusters), sizes)
    records = np.empty((owners.size, d))
    for start in range(0, owners.size, _BLOCK):
        rows = owners[start : start + _BLOCK]
        skew = np.abs(generator.standard_normal(rows.size)) - _HALF_NORMAL_MEAN
        normal = generator.standard_normal((rows.size, d))
        spread = np.einsum("rij,rj->ri", factors[rows], normal)
        records[start : start + _BLOCK] = means[rows] + t[rows] * skew[:, None] + spread
    return records


def _factors(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the symmetric root of each covariance; eigenvalues that rounding left count as zero.

    There is one symmetric root, so that all processors draw the same records; a root of single
    eigenvectors has the signs that a library happened to give them.
    """
    values, vectors = np.linalg.eigh(covariances)
    kept = np.where(values > values[..., -1:] * _VANISHING, values, 0.0)
    return np.asarray(
        (vectors * np.sqrt(np.maximum(kept, 0.0))[..., None, :]) @ _transposed(vectors)
    )


def _transposed(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.swapaxes(matrices, -1, -2)

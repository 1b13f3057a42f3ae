"""What if eigenvectors get noise of their own?  Propositions 9 and 10 of paper 003.

For comparison: the scale depends on the gaps between the eigenvalues of the actual data, so no
claim covers it.  Decomposing the noisy covariance costs nothing and needs no such bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.moments import (
    COSKEWNESS,
    COVARIANCE,
    MEAN,
    Index,
    as_matrices,
    decomposed,
    inverse_gaps,
    moment_indices,
    moment_sums,
    unit_moments,
)
from covey.core.exact import COIN_PARTS
from covey.postprocess.sampling import feasible_coskewness, feasible_covariances
from covey.systems.papers.noise import add_laplace
from covey.systems.papers.p003.methods import JOINT
from covey.systems.papers.p003.noise import UNIT, Moments, Spending, flattened, named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.partition import Partition

FINITE_FORM = 2.0**1.5
"""Constant of the bound on eigenvectors for changes that are not infinitely small."""

PURE_NOISE = 2.0**12
"""An eigenvector has length 1: noise of a larger scale leaves nothing of it."""


def noisy_spectra(
    integers: NDArray[np.int64], steps: Sequence[int], found: Partition, spending: Spending
) -> Moments:
    """Return the moments that noisy eigenvalues and eigenvectors of each cluster lead to.

    Local sensitivity: the bound of the noise holds around the actual data only, and only if the
    clusters stay the same.  A random sign makes the better of two signs the one to compare with,
    because both then have the same law.  `Spending.printed` repeats what the paper evaluated.

    Parameters
    ----------
    integers, steps, found, spending
        As for `noisy_moments`.
    """
    d = integers.shape[1]
    indices = {
        order: moment_indices(d, order, cross=order > MEAN)
        for order in range(MEAN, spending.design.m + 2)
    }
    sums = moment_sums(
        integers, steps, found.labels, found.sizes, flattened(indices), resolution=UNIT.steps
    )
    exact = named(unit_moments(sums, found.sizes, resolution=UNIT.steps), indices)
    matrices = [as_matrices(exact[COVARIANCE], indices[COVARIANCE], d)]
    if COSKEWNESS in exact:
        cube = {index: exact[COSKEWNESS][:, c] for c, index in enumerate(indices[COSKEWNESS])}
        matrices += [_slice(cube, i, d) for i in range(d)]
    means, rebuilt = [], []
    for cluster, size in enumerate(found.sizes.tolist()):
        spectra = [decomposed(matrix[cluster]) for matrix in matrices]
        parts = _parts(exact[MEAN][cluster], spectra, size, spending)
        noisy = _cluster_noise(parts, spending)
        means.append(noisy[:d])
        rebuilt.append([_rebuilt(part) for part in np.split(noisy[d:], len(matrices))])
    noisy_matrices = np.array(rebuilt)
    return Moments(
        sizes=found.sizes,
        means=np.clip(np.array(means), 0.0, 1.0),
        covariances=feasible_covariances(noisy_matrices[:, 0]),
        coskewness={
            (i, i, i): feasible_coskewness(noisy_matrices[:, 1 + i, i, i])
            for i in range(len(matrices) - 1)
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Numbers of one cluster, how far they move in L1, and their share of the budget."""

    values: NDArray[np.float64]
    moves: float
    share: Fraction


def _slice(cube: Mapping[Index, NDArray[np.float64]], i: int, d: int) -> NDArray[np.float64]:
    """Return the symmetric matrix Φⁱ of each cluster (section 4.2)."""
    rows = [[cube[tuple(sorted((i, j, l)))] for l in range(d)] for j in range(d)]  # noqa: E741
    return np.moveaxis(np.array(rows), 2, 0)


def _parts(
    mean: NDArray[np.float64],
    spectra: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    size: int,
    spending: Spending,
) -> list[_Part]:
    """List what is published of a cluster with the sensitivities of Propositions 5, 9 and 10."""
    d, design = mean.size, spending.design
    joint = design.noise == JOINT
    weights = (*design.weights, *[Fraction(1)] * 2)
    parts = [_Part(values=mean, moves=d / size, share=weights[0])]
    for number, (values, vectors) in enumerate(spectra):
        share = weights[1] if number == 0 else weights[2] / d
        norm = d / size
        if number > 0 and not spending.printed and size == COSKEWNESS:
            norm *= 2.0
        # Alone, each eigenvalue moves by at most the norm; together, by √d times the norm.
        together = math.sqrt(d) if joint else d
        parts.append(_Part(values=values, moves=together * norm, share=share / 2))
        for vector, gap in zip(vectors.T, inverse_gaps(values), strict=True):
            if spending.printed:
                # As evaluated in [003, section 5.5]: the first-order bound, which is false for
                # signs that no rule can choose continuously; infinite for a multiple eigenvalue.
                moves = min(math.sqrt(d) * norm * gap, PURE_NOISE)
            else:
                # Unlike [003, Prop. 9]: a random sign, the constant of the finite form, and the
                # distance that two unit vectors of the better sign have at most.
                vector = _random_sign(spending.source) * vector  # noqa: PLW2901
                moves = min(FINITE_FORM * math.sqrt(d) * norm * gap, math.sqrt(2.0 * d))
            parts.append(_Part(values=vector, moves=moves, share=share / (2 * d)))
    if joint:
        whole = np.concatenate([part.values for part in parts])
        return [_Part(values=whole, moves=sum(part.moves for part in parts), share=Fraction(1))]
    return parts


def _random_sign(source: NoiseSource) -> float:
    return 1.0 if source.coins(np.array([COIN_PARTS // 2]))[0] else -1.0


def _cluster_noise(parts: Sequence[_Part], spending: Spending) -> NDArray[np.float64]:
    perturbed = [
        add_laplace(
            np.rint(part.values * UNIT.steps).astype(np.int64),
            grid=UNIT,
            # Rounding moves each number by at most half a step on either side.
            sensitivity=math.ceil(part.moves * UNIT.steps) + part.values.size,
            budget=share,
            source=spending.source,
        )
        for part, share in zip(
            parts, spending.budget.split([part.share for part in parts]), strict=True
        )
    ]
    steps = np.concatenate([part.steps for part in perturbed])
    return np.asarray(steps / UNIT.steps)


def _rebuilt(spectrum: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the symmetric matrix of noisy eigenvalues and eigenvectors, made orthogonal."""
    d = math.isqrt(spectrum.size)
    values, vectors = spectrum[:d], spectrum[d:].reshape(d, d).T
    left, _, right = np.linalg.svd(vectors)
    orthogonal = left @ right
    return np.asarray((orthogonal * values) @ orthogonal.T)

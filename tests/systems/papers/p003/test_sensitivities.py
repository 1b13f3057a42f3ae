"""The sensitivities of paper 003 by numeric optimisation, and where the printed ones fail."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.aggregate.moments import (
    COSKEWNESS,
    COVARIANCE,
    MEAN,
    decomposed,
    inverse_gaps,
    moment_indices,
    moment_sums,
)
from covey.core import Budget
from covey.errors import UnprovenError
from covey.partition import Partition
from covey.systems.papers.claims import sensitivity
from covey.systems.papers.p003.eigen import FINITE_FORM
from covey.systems.papers.p003.methods import design_of
from covey.systems.papers.p003.noise import UNIT, Spending, noisy_moments
from covey.systems.papers.p003.settings import CrossMomentSettings
from tests.systems.recording import RecordingNoise

SIZES = range(2, 7)
G = 2520
"""Divisible by every size, so that sums of zeros and ones lie on the grid exactly."""

CORNERS = np.array(list(product([0, 1], repeat=3)))
INDICES = {
    "mean": (0,),
    "variance": (0, 0),
    "covariance": (0, 1),
    "skewness": (0, 0, 0),
    "coskewness of two": (0, 0, 1),
    "coskewness of three": (0, 1, 2),
}
CASES = [(name, k) for name, index in INDICES.items() for k in SIZES if k >= len(index)]


def bound(index, k: int) -> int:
    """Return how many times 1 the claim allows size times the coefficient to move."""
    return 2 if len(index) == COSKEWNESS and k == 3 else 1


def largest_move_between_corners(index, k: int) -> Fraction:
    """Try all clusters of k records of zeros and ones, with each record replaced by each other."""
    others = list(combinations_with_replacement(range(8), k - 1))
    records = np.array([[*CORNERS[list(rest)], last] for rest in others for last in CORNERS])
    labels = np.repeat(np.arange(len(records)), k)
    sums = moment_sums(
        records.reshape(-1, 3),
        (1, 1, 1),
        labels,
        np.full(len(records), k),
        [index],
        resolution=G,
    ).reshape(len(others), 8)
    return Fraction(int(np.ptp(sums, axis=1).max()), G)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_among_zeros_and_ones_the_largest_move_is_exactly_the_claim(name, k) -> None:
    index = INDICES[name]

    assert largest_move_between_corners(index, k) == bound(index, k)


def coefficients(X: np.ndarray, index) -> np.ndarray:
    """Return size times the coefficient of many clusters (…, k, attributes), in floats."""
    n = X.shape[-2]
    if len(index) == MEAN:
        return X[..., 0].sum(axis=-1)
    deviations = X - X.mean(axis=-2, keepdims=True)
    products = np.prod([deviations[..., i] for i in index], axis=0).sum(axis=-1)
    factor = n / (n - 1) if len(index) == COVARIANCE else n * n / ((n - 1) * (n - 2))
    return factor * products


def climb(objective, shape, *, starts: int = 400, rounds: int = 250, seed: int = 0) -> np.ndarray:
    """Maximise over the cube by coordinate moves from many random starts; return the values."""
    rng = np.random.default_rng(seed)
    here = rng.random((starts, *shape))
    best = objective(here)
    for _ in range(rounds):
        moved = here.copy()
        cells = tuple(rng.integers(0, size, starts) for size in shape)
        step = rng.random(starts)
        moved[(np.arange(starts), *cells)] = np.where(step < 0.6, np.rint(step / 0.6), step)
        values = objective(moved)
        better = values >= best
        here[better], best[better] = moved[better], values[better]
    return best


@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_climb_through_the_cube_reaches_the_claim_and_never_passes_it(name, k) -> None:
    index = INDICES[name]
    d = max(index) + 1

    def moved(pairs):  # records 0 … k − 1, and the replacement of the last one
        here, there = pairs[:, :k], np.delete(pairs, k - 1, axis=1)
        return np.abs(coefficients(here, index) - coefficients(there, index))

    found = climb(moved, (k + 1, d), seed=k)

    assert found.max() <= bound(index, k) * (1 + 1e-9)
    assert found.max() >= 0.99 * bound(index, k)


@pytest.mark.parametrize("k", SIZES)
def test_all_coefficients_together_attain_the_joint_bound(k) -> None:
    indices = [
        index
        for order in range(MEAN, min(k, COSKEWNESS) + 1)
        for index in moment_indices(3, order, cross=True)
    ]
    here, there = np.zeros((2, k, 3), dtype=np.int64)
    there[0] = 1

    sums = [
        moment_sums(X, (1, 1, 1), np.zeros(k, int), np.array([k]), indices, resolution=G)
        for X in (here, there)
    ]

    moved = int(np.abs(sums[0] - sums[1]).sum())
    cubes = sum(len(index) == COSKEWNESS for index in indices)
    allowed = sensitivity(
        "cross-moment", "moments", steps=G, entries=len(indices) - cubes, coskewnesses=cubes, k=k
    )
    assert moved == G * len(indices)
    assert moved == allowed - (G * cubes if k == 3 else 0)


@st.composite
def neighbours(draw):
    """Draw two inputs that differ in one record, and clusters that are the same for both."""
    sizes = draw(st.lists(st.integers(3, 6), min_size=1, max_size=3))
    steps = draw(st.lists(st.sampled_from([1, 7, 2**20]), min_size=1, max_size=3))
    record = st.tuples(*[st.integers(0, step) for step in steps])
    here = draw(st.lists(record, min_size=sum(sizes), max_size=sum(sizes)))
    there = list(here)
    there[draw(st.integers(0, len(here) - 1))] = draw(record)
    labels = np.array(draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist())))
    return np.array(here), np.array(there), steps, labels, np.array(sizes)


@settings(max_examples=300)
@given(neighbours(), st.sampled_from([1, 3, 2**20]))
def test_no_neighbour_with_the_same_clusters_moves_a_rounded_sum_further(drawn, resolution) -> None:
    here, there, steps, labels, sizes = drawn
    indices = [
        index
        for order in (MEAN, COVARIANCE, COSKEWNESS)
        for index in moment_indices(len(steps), order, cross=True)
    ]

    sums = [
        moment_sums(X, steps, labels, sizes, indices, resolution=resolution) for X in (here, there)
    ]

    moved = np.abs(sums[0] - sums[1])
    allowed = np.array([bound(index, sizes.min()) for index in indices]) * resolution
    assert np.count_nonzero(moved.sum(axis=1)) <= 1
    assert (moved <= allowed).all()


def test_coskewness_of_two_records_has_no_sensitivity() -> None:
    with pytest.raises(UnprovenError, match="k = 2 is too small for coskewness"):
        sensitivity("cross-moment", "moments", steps=1, entries=1, coskewnesses=1, k=2)


def spending(source, *, k: int, printed: bool, **parameters) -> Spending:
    settled = CrossMomentSettings(**{"k": k, "epsilon": 1.0, "noise": "joint", **parameters})
    return Spending(
        design=design_of(settled), k=k, budget=Budget.of(1), source=source, printed=printed
    )


def loss(here, there, *, printed: bool, m: int) -> Fraction:
    """Return the exact privacy loss between two inputs of one cluster, at epsilon = 1."""
    found = Partition(labels=np.zeros(len(here), int), sizes=np.array([len(here)]), method="given")
    asked = []
    for records in (here, there):
        source = RecordingNoise()
        noisy_moments(
            np.array(records),
            [1] * len(records[0]),
            found,
            spending(source, k=len(here), printed=printed, m=m, noise="separate"),
        )
        asked.append(source.asked)
    return sum((a.loss(b) for a, b in zip(*asked, strict=True)), Fraction(0))


def test_the_printed_coskewness_of_three_records_costs_twice_its_share() -> None:
    # 0, 1, x: the mean spends 0.5, the skewness 0.2 according to the paper.
    pair = [[0], [1], [0]], [[0], [1], [1]]

    printed, corrected = (loss(*pair, printed=flag, m=2) for flag in (True, False))

    assert printed == Fraction(1, 2) + 2 * Fraction(1, 5)
    assert corrected == Fraction(1, 2) + Fraction(1, 5)


def test_with_four_records_printed_and_corrected_noise_are_the_same() -> None:
    pair = [[0], [0], [0], [0]], [[0], [0], [0], [1]]

    assert loss(*pair, printed=True, m=2) == loss(*pair, printed=False, m=2) == 1


def covariance(X: np.ndarray) -> np.ndarray:
    deviations = X - X.mean(axis=-2, keepdims=True)
    return np.swapaxes(deviations, -1, -2) @ deviations / (X.shape[-2] - 1)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("k", SIZES)
def test_eigenvalues_stay_within_the_printed_bound(d, k) -> None:
    def moved(pairs):
        here, there = pairs[:, :k], np.delete(pairs, k - 1, axis=1)
        values = [np.linalg.eigvalsh(covariance(X)) for X in (here, there)]
        return np.abs(values[0] - values[1]).sum(axis=1)

    found = climb(moved, (k + 1, d), starts=200, rounds=150, seed=k).max()

    # Proposition 9; no climb comes nearer than a factor of about √d.
    assert 0.5 * d / k <= found <= math.sqrt(d) * d / k


def mirrored_pair(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return clusters that differ in one record, and are each other's mirror images."""
    half = (k - 2) // 2
    rest = [[0.0, 1.0]] * half + [[1.0, 0.0]] * half + [[0.5, 0.5]]
    return np.array([*rest, [0.1, 0.6]]), np.array([*rest, [0.6, 0.1]])


@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_sign_of_an_eigenvector_breaks_the_printed_bound(k) -> None:
    pair = mirrored_pair(k)

    (values, here), (_, there) = (decomposed(covariance(X)) for X in pair)

    moved = np.abs(here[:, 0] - there[:, 0]).sum()
    printed = math.sqrt(2) * 2 / k * inverse_gaps(values)[0]
    assert moved > 2.8
    assert moved > 0.4 * k * printed


@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_nearer_sign_keeps_the_finite_form_of_the_bound(k) -> None:
    pair = mirrored_pair(k)

    (values, here), (_, there) = (decomposed(covariance(X)) for X in pair)

    nearer = min(np.abs(here[:, 0] - sign * there[:, 0]).sum() for sign in (1, -1))
    assert nearer <= FINITE_FORM * math.sqrt(2) * 2 / k * inverse_gaps(values)[0]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("k", [4, 6])
def test_no_climb_breaks_the_finite_form_for_the_nearer_sign(d, k) -> None:
    def excess(pairs):
        here, there = pairs[:, :k], np.delete(pairs, k - 1, axis=1)
        values, vectors = decomposed(covariance(here))
        others = decomposed(covariance(there))[1]
        moved = np.minimum(
            np.abs(vectors - others).sum(axis=1), np.abs(vectors + others).sum(axis=1)
        )
        allowed = np.minimum(
            FINITE_FORM * math.sqrt(d) * d / k * inverse_gaps(values), math.sqrt(2 * d)
        )
        return (moved / allowed).max(axis=1)

    assert climb(excess, (k + 1, d), starts=300, rounds=150, seed=d).max() <= 1 + 1e-9


def test_the_grid_of_the_system_is_the_one_that_the_claim_is_asked_for() -> None:
    source = RecordingNoise()
    found = Partition(labels=np.array([0, 0, 0]), sizes=np.array([3]), method="given")

    noisy_moments(np.array([[0], [1], [1]]), [1], found, spending(source, k=3, printed=False, m=2))

    (asked,) = source.asked
    assert asked.l1 == UNIT.steps * (1 + 1 + 2)
    assert asked.scale == asked.l1

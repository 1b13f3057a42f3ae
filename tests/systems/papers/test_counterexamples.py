"""The papers' claims of differential privacy fail, and by how much: examples that must stay.

The systems run without noise, and what they were about to perturb is compared: the exact
difference of the log densities of a release, at one output, is a lower bound on the loss.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import covey
from covey import Attribute, Schema
from covey.core import GuaranteeKind
from covey.partition import partition
from covey.partition.stable import alpha_stable, s_mdav
from covey.systems import SYSTEMS
from covey.table import Table, read_table
from tests.systems.recording import RecordingNoise, Sums

HAIR = 1e-6


def table(X: np.ndarray) -> Table:
    """Describe columns between 0 and 1."""
    X = X.reshape(len(X), -1)
    schema = Schema(tuple(Attribute(f"x{j}", bounds=(0.0, 1.0)) for j in range(X.shape[1])))
    return read_table(X, schema)


def asked(X: np.ndarray, name: str, **parameters) -> list[Sums]:
    """Return what a system is about to perturb, column by column."""
    source, system = RecordingNoise(), SYSTEMS[name]
    system.run(table(X), system.settings({"epsilon": 1.0, **parameters}), source, None)
    return source.asked


def unordered_loss(here: list[Sums], there: list[Sums]) -> float:
    """Return the log ratio of the densities at the sums of ``here``, clusters in any order."""
    y, other = (np.column_stack([column.integers for column in sums]) for sums in (here, there))
    scales = np.array([float(column.scale) for column in here])
    return log_density(y, y, scales) - log_density(y, other, scales)


def log_density(y: np.ndarray, centres: np.ndarray, scales: np.ndarray) -> float:
    """Add up over all ways to match clusters; the constant factors of the noise cancel."""
    distances = (np.abs(y[:, None, :] - centres[None, :, :]) / scales).sum(axis=2)
    rows = np.arange(len(y))
    return np.logaddexp.reduce(
        [-distances[rows, list(order)].sum() for order in permutations(rows)]
    )


def circle(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Put n records on a circle; in the second data set the first is moved inwards by a hair.

    Whoever is farthest out starts the first cluster: the first record, or the one that is half
    a cluster further round.
    """
    angles = 2 * np.pi * (np.arange(n) + 0.5) / n
    out = np.column_stack([np.cos(angles), np.sin(angles)])
    radius = np.full(n, 0.499)
    radius[k // 2] += HAIR
    here, there = radius.copy(), radius.copy()
    here[0] += 2 * HAIR
    return 0.5 + here[:, None] * out, 0.5 + there[:, None] * out


@pytest.mark.parametrize(("n", "k", "excess"), [(20, 5, 2.9), (40, 10, 7.4), (100, 25, 20.9)])
def test_a_record_that_moves_by_a_hair_exceeds_epsilon_in_mdav_dp(n, k, excess) -> None:
    here, there = circle(n, k)
    assert np.abs(here - there).max() < 2.1e-6
    assert ((here != there).any(axis=1)).sum() == 1

    loss = unordered_loss(asked(here, "mdav-dp", k=k), asked(there, "mdav-dp", k=k))

    assert loss >= excess


@pytest.mark.parametrize(("alpha", "excess"), [(2, 21.3), (4, 10.2)])
def test_a_record_that_moves_by_a_hair_exceeds_epsilon_with_the_noise_of_stable_clusters(
    alpha, excess
) -> None:
    here, there = circle(200, 50)
    pair = {"k": 50, "alpha": alpha}

    loss = unordered_loss(
        asked(here, "alpha-stable", neighbour=there, **pair),
        asked(there, "alpha-stable", neighbour=here, **pair),
    )

    assert loss >= excess


@pytest.mark.parametrize("random_state", [None, 1, 2])
def test_opt_dp_publishes_how_many_records_are_zero_and_how_many_are_one(random_state) -> None:
    for zeros in (15, 14):
        column = table(np.repeat([0.0, 1.0], [zeros, 20 - zeros]))

        release = covey.publish(column, "opt-dp", epsilon=1.0, random_state=random_state)

        times = release.frame["x0"].value_counts()["count"].to_list()
        assert sorted(times) == sorted([zeros, 20 - zeros])


@pytest.mark.parametrize("zeros", range(2, 11))
def test_the_sizes_of_opt_dp_are_the_exact_histogram_of_zeros_and_ones(zeros) -> None:
    column = np.repeat([0.0, 1.0], [zeros, 20 - zeros])

    (sums,) = asked(column, "opt-dp")

    # Two clusters, and every one of them that holds ones holds nothing else.
    steps = sums.l1
    assert sums.integers == (0, (20 - zeros) * steps)


@pytest.mark.parametrize(("k", "excess"), [(5, 2.2), (10, 4.7), (50, 24.7)])
def test_printed_mdav_is_not_insensitive_when_k_does_not_divide_n(k, excess) -> None:
    # Proposition 1 of paper 004, for one attribute, on which every distance has an order.
    halves = np.full(k - 1, 0.5)
    moved = []
    for hair in (1e-9, -1e-9):
        halves[0] = 0.5 + hair
        column = np.concatenate([np.zeros(k), halves, np.ones(k)])
        found = partition(column, "mdav", k=k)
        means = np.bincount(found.labels, column) / found.sizes
        order = np.argsort(means)
        moved.append((means[order], found.sizes[order].tolist()))
    (here, sizes), (there, other_sizes) = moved

    assert {tuple(sizes), tuple(other_sizes)} == {(k, 2 * k - 1), (2 * k - 1, k)}
    assert np.abs(here - there).sum() > excess / k


def test_the_sizes_of_mdav_ir_dp_differ_between_neighbours_when_k_does_not_divide_n() -> None:
    k = 5
    releases = []
    for hair in (1e-9, -1e-9):
        column = np.concatenate([np.zeros(k), [0.5 + hair], np.full(k - 2, 0.5), np.ones(k)])
        release = covey.publish(table(column), "mdav-ir-dp", epsilon=1.0, k=k, random_state=3)
        releases.append(release.frame["x0"].value_counts(sort=True).sort("x0")["count"].to_list())

    assert releases in ([[9, 5], [5, 9]], [[5, 9], [9, 5]])


def random_pairs(count: int):
    """Draw data sets and neighbours in which one record was drawn again."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        X = rng.normal(size=(30, 2))
        Y = X.copy()
        Y[rng.integers(30)] = rng.normal(size=2)
        yield X, Y


def same_clusters(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two labellings form the same sets of rows."""
    sets = [
        {tuple(np.flatnonzero(labels == label)) for label in set(labels.tolist())}
        for labels in (one, other)
    ]
    return sets[0] == sets[1]


@pytest.mark.parametrize(
    "derive",
    [
        lambda X, Y: s_mdav(X, Y, k=3),
        lambda X, Y: alpha_stable(X, Y, k=3, alpha=10, search="sequential"),
        lambda X, Y: alpha_stable(X, Y, k=3, alpha=10, search="decisional"),
    ],
    ids=["2-stable", "sequential", "decisional"],
)
def test_a_run_on_the_neighbour_mostly_forms_other_clusters_than_were_derived_for_it(
    derive,
) -> None:
    same = [same_clusters(derive(X, Y).there, s_mdav(Y, Y, k=3).here) for X, Y in random_pairs(100)]

    assert sum(same) < 50


def test_a_medoid_jumps_across_the_whole_range_and_gets_noise_for_that() -> None:
    # So little epsilon that all records form one cluster.
    here, there = (
        asked(np.array([0.0, 0.0, middle, 1.0, 1.0]), "opt-dp", centroid="medoid", epsilon=0.01)[0]
        for middle in (0.0, 1.0)
    )

    assert (here.integers, there.integers) == ((0,), (here.l1,))
    assert here.scale == 100 * here.l1


@pytest.mark.parametrize("name", ["mdav-dp", "mdav-ir-dp", "opt-dp", "2-stable", "alpha-stable"])
def test_none_of_them_is_called_differential_privacy(name) -> None:
    X = np.linspace(0, 1, 24)
    known = {"k": 4, "alpha": 2, "neighbour": X}
    wanted = {parameter.name for parameter in SYSTEMS[name].parameters}

    release = covey.publish(
        table(X), name, epsilon=1.0, **{key: known[key] for key in known.keys() & wanted}
    )

    assert release.guarantee.kind in (
        GuaranteeKind.PARTITION_CONDITIONAL,
        GuaranteeKind.PAIR_ONLY,
    )
    assert not release.guarantee.kind.is_differential_privacy

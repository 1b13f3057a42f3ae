"""The steps between noisy tables and the rows of a column model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.partition.axis import Axis
from covey.partition.priv_tree import bent_side
from covey.postprocess.clique_rows import Clique, drawn_codes
from covey.postprocess.density import Density, tilted_density
from covey.postprocess.levels import finer_level, first_level
from covey.postprocess.model_rows import ModelColumn, ModelRows, share_of_counts
from covey.postprocess.raking import clique_of, conditional, raked
from covey.postprocess.recouple import coupling, pair_means, shrunken
from covey.postprocess.table_fit import fitted_table
from covey.systems.sound.column_model.correlations import (
    cube_quantile,
    cube_squares,
    normal_squares,
)

EDGES = bent_side(100).edges


def test_two_levels_together_are_unbiased_and_their_variance_is_the_stated_one() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([30.0, 10.0, 5.0, 55.0])
    weights = np.array([1.0, -2.0, 0.5, 3.0])
    sums, cells = [], []
    for _ in range(4000):
        first = first_level(np.array([0, 50]), np.array([40, 60]) + rng.normal(0, 3, 2), 3.0)
        level = finer_level(first, np.array([0, 20, 50, 70]), truth + rng.normal(0, 2, 4), 2.0)
        sums.append(weights @ level.counts)
        cells.append(level.counts)

    assert np.mean(sums) == pytest.approx(weights @ truth, abs=0.5)
    assert np.var(sums) == pytest.approx(level.variances(weights).sum(), rel=0.1)
    assert np.var(cells, axis=0) == pytest.approx(level.variance, rel=0.1)


@given(st.lists(st.floats(0, 100), min_size=4, max_size=4).filter(lambda values: sum(values) > 1))
def test_a_density_keeps_the_mass_of_its_cells_and_is_read_by_rank(counts) -> None:
    starts = np.array([0, 10, 30, 80])
    density = tilted_density(EDGES, starts, np.array(counts), 0)

    mass = np.diff(density.below(np.array([0, 10, 30, 80, 100])))
    assert mass == pytest.approx(np.array(counts) / sum(counts), abs=1e-9)
    found = density.at_ranks((np.arange(2000) + 0.5) / 2000)
    assert (np.diff(found) >= 0).all()
    drawn = np.histogram(found, [0, 10, 30, 80, 101])[0] / 2000
    assert drawn == pytest.approx(np.array(counts) / sum(counts), abs=2e-3)


def test_reweighted_mass_keeps_the_proportions_inside() -> None:
    density = Density(edges=EDGES, starts=np.array([0, 50]), mass=np.array([0.2, 0.8]))

    changed = density.reweighted(np.array([0, 60]), np.array([0.5, 0.5]))

    assert changed.below(np.array([0, 60, 100])) == pytest.approx([0, 0.5, 1])
    inside = changed.below(np.array([50]))[0] / 0.5
    assert inside == pytest.approx(0.2 / density.below(np.array([60]))[0])


def test_raking_reaches_its_margins_and_keeps_empty_cells_nearly_empty() -> None:
    table = np.array([[5.0, 0.0], [1.0, 4.0]])

    found = raked(table, np.array([0.4, 0.6]), np.array([0.7, 0.3]))

    assert found.sum(axis=1) == pytest.approx([0.4, 0.6])
    assert found.sum(axis=0) == pytest.approx([0.7, 0.3])
    assert found[0, 1] < 1e-4


def test_a_clique_has_its_three_tables() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random((3, 4, 2))
    truth /= truth.sum()

    found = clique_of(truth.sum(axis=1), truth.sum(axis=0), truth.sum(axis=2))

    assert found.sum(axis=1) == pytest.approx(truth.sum(axis=1), abs=1e-5)
    assert found.sum(axis=0) == pytest.approx(truth.sum(axis=0), abs=1e-5)
    assert found.sum(axis=2) == pytest.approx(truth.sum(axis=2), abs=1e-5)


def smooth_table(size: int) -> np.ndarray:
    at = (np.arange(size) + 0.5) / size
    table = 1.0 + np.cos(np.pi * at)[:, None] * np.cos(np.pi * at)[None, :]
    return table / table.sum()


def permutation_table(size: int) -> np.ndarray:
    return np.eye(size)[np.random.default_rng(3).permutation(size)] / size


@pytest.mark.parametrize("make", [smooth_table, permutation_table])
def test_a_fitted_table_is_nearer_to_the_truth_than_noise_and_than_independence(make) -> None:
    rng, size, n, noise = np.random.default_rng(4), 12, 4000.0, 15.0
    truth, even = make(size), np.full(size, 1 / size)
    errors = []
    for _ in range(20):
        noisy = n * truth + rng.laplace(0, noise / np.sqrt(2), truth.shape)
        found = fitted_table(noisy, noise, even, even, n=n, ordered=(True, True))
        rough = np.maximum(noisy, 0) / np.maximum(noisy, 0).sum()
        errors.append([np.abs(each - truth).sum() for each in (found, rough)])
    mine, clipped = np.mean(errors, axis=0)

    assert mine < 0.6 * clipped
    assert mine < 0.5 * np.abs(np.outer(even, even) - truth).sum()


def test_most_of_the_noise_on_a_table_of_independent_columns_goes() -> None:
    rng, even = np.random.default_rng(5), np.full(10, 0.1)
    errors = []
    for _ in range(20):
        noisy = 20.0 + rng.laplace(0, 10, (10, 10))
        found = fitted_table(noisy, 10 * np.sqrt(2), even, even, n=2000, ordered=(True, False))
        errors.append([np.abs(found - 0.01).sum(), np.abs(noisy / 2000 - 0.01).sum()])
    mine, noise = np.mean(errors, axis=0)

    assert mine < 0.3 * noise


def test_drawn_rows_keep_shares_and_quotas() -> None:
    rng = np.random.default_rng(6)
    joint = np.array([[0.3, 0.0, 0.1], [0.1, 0.4, 0.1]])
    cliques = [
        Clique(column=0, parents=(), shares=joint.sum(axis=1)),
        Clique(column=1, parents=(0,), shares=conditional(joint, joint.sum(axis=0))),
    ]
    quota = np.array([401, 399, 200])

    codes = drawn_codes(cliques, 1000, rng, {1: quota})

    table = np.zeros((2, 3))
    np.add.at(table, (codes[0], codes[1]), 1)
    assert table.sum(axis=0).tolist() == quota.tolist()
    assert table / 1000 == pytest.approx(joint, abs=5e-3)
    assert table[0, 1] == 0


def test_rows_given_two_parents_depend_on_both() -> None:
    rng = np.random.default_rng(7)
    shares = np.zeros((2, 2, 2))
    for a in range(2):
        for b in range(2):
            shares[a, b, a ^ b] = 1.0
    half = np.array([0.5, 0.5])
    cliques = [
        Clique(column=0, parents=(), shares=half),
        Clique(column=1, parents=(0,), shares=np.tile(half, (2, 1))),
        Clique(column=2, parents=(0, 1), shares=shares),
    ]

    codes = drawn_codes(cliques, 500, rng, {})

    assert ((codes[0] ^ codes[1]) == codes[2]).all()
    assert 100 < (codes[0] & codes[1]).sum() < 150


def test_coupling_reaches_the_wanted_correlations() -> None:
    rng = np.random.default_rng(8)
    scores = rng.standard_normal((4000, 3))
    wanted = np.array([[1, 0.5, -0.3], [0.5, 1, 0.1], [-0.3, 0.1, 1]])

    def statistic(changed):
        return pair_means(list(changed.T / changed.std(axis=0)[:, None]))

    found = statistic(scores @ coupling(scores, wanted, statistic))

    assert found[np.triu_indices(3, 1)] == pytest.approx([0.5, -0.3, 0.1], abs=0.03)


@pytest.mark.parametrize("pairs", [1, 3, 6, 45])
def test_a_model_is_believed_if_nothing_but_noise_speaks_against_it(pairs) -> None:
    rng = np.random.default_rng(pairs)
    implied = np.linspace(-0.2, 0.2, pairs)

    sizes = rng.gamma(pairs + 1, 1.0, (1000, 1))
    cube = rng.uniform(-sizes, sizes, (1000, pairs))
    normal = rng.normal(0, 1, (1000, pairs))
    for noise, chance in ((cube, cube_squares(pairs)), (normal, normal_squares(pairs))):
        found = [shrunken(implied + each, implied, 1.0, chance=chance) for each in noise]
        assert np.mean([(each == implied).all() for each in found]) > 0.97
    doubted = shrunken(implied + 0.9, implied, 0.1, chance=0.01 * normal_squares(pairs))

    assert doubted == pytest.approx(implied + 0.9, abs=0.02)


def test_a_model_is_believed_where_noise_alone_speaks_against_it() -> None:
    rng = np.random.default_rng(9)
    implied = np.zeros(200)

    small, large = (
        shrunken(rng.normal(0, 1, 200) * 0.01 + far, implied, 0.01, chance=0.0) for far in (0, 1)
    )

    assert np.abs(small).mean() < 0.004
    assert large == pytest.approx(1.0, abs=0.05)


def test_the_quantile_of_cube_noise_is_that_of_draws() -> None:
    rng = np.random.default_rng(10)
    size = rng.gamma(11, 1.0, 200_000)
    drawn = np.abs(rng.uniform(-size, size))

    assert np.quantile(drawn, 0.95) == pytest.approx(cube_quantile(10), rel=0.01)


def model_rows(n: int) -> ModelRows:
    axis = Axis(name="kind", side=bent_side(3), grid=None, values=("a", "b", "c"))
    density = Density(edges=EDGES, starts=np.array([0, 50]), mass=np.array([0.3, 0.7]))
    from covey.table.grid import Grid

    number = Axis(
        name="x", side=bent_side(100), grid=Grid(low=0.0, high=99.0, steps=99), whole=True
    )
    counts = np.array([n // 2, n - n // 2 - n // 10, n // 10])
    columns = [
        ModelColumn(
            axis=axis,
            of=np.array([0, 1, 1], dtype=np.int32),
            mass=np.array([counts[0], counts[1:].sum()]) / n,
            counts=counts,
        ),
        ModelColumn(
            axis=number,
            of=np.repeat([0, 1], 50).astype(np.int32),
            mass=np.array([0.3, 0.7]),
            density=density,
        ),
    ]
    cliques = [Clique(column=j, parents=(), shares=columns[j].mass) for j in range(2)]
    return ModelRows(columns=columns, cliques=cliques, coupled=(), coupling=None, total=n)


@pytest.mark.parametrize("pieces", [1, 3, 7])
def test_pieces_of_rows_have_the_published_columns_and_add_up(pieces) -> None:
    rng, rows = np.random.default_rng(11), model_rows(1001)

    made = [rows.place(piece, pieces, rng) for piece in range(pieces)]

    kinds = np.concatenate([piece["kind"] for piece in made])
    assert [(kinds == value).sum() for value in "abc"] == rows.columns[0].counts.tolist()
    for piece in made:
        assert (piece["x"] < 50).mean() == pytest.approx(0.3, abs=1 / piece["x"].size)
        assert (piece["kind"] == "a").mean() == pytest.approx(0.5, abs=1 / piece["x"].size)


def test_shares_of_counts_add_up_in_every_piece() -> None:
    counts = np.array([5, 0, 17, 3])

    shares = [share_of_counts(counts, piece, 4) for piece in range(4)]

    assert np.sum(shares, axis=0).tolist() == counts.tolist()
    sizes = [int(share.sum()) for share in shares]
    assert sizes == [7, 6, 6, 6]
    assert all(first >= second for first, second in pairwise(sizes))

"""Records are spread inside their boxes, with the published means and the ranks' correlation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import spearmanr

from covey.postprocess.leaves import Clusters
from covey.postprocess.spread import (
    COUPLING,
    cell_masses,
    even_ranks,
    quantiles,
    rank_correlation,
    slope_for_mean,
    spread_records,
)

MEANS = [-0.999, -0.9, -0.5, -0.1, -1e-4, -1e-9, 0.0, 1e-7, 3.4e-5, 0.3, 0.77, 0.99, 0.999]


def mean_of(slope: float) -> float:
    """Integrate numerically: the mean of a density ∝ exp(slope · u) on −1 … 1."""
    peak = abs(slope)
    whole, _ = quad(lambda u: np.exp(slope * u - peak), -1, 1, limit=500, points=[-1, 0, 1])
    first, _ = quad(lambda u: u * np.exp(slope * u - peak), -1, 1, limit=500, points=[-1, 0, 1])
    return first / whole


@pytest.mark.parametrize("mean", MEANS)
def test_the_slope_gives_a_density_with_the_mean(mean) -> None:
    slope = slope_for_mean(np.array([mean]))[0]

    assert mean_of(slope) == pytest.approx(mean, abs=1e-7)


@given(mean=st.floats(-0.999, 0.999))
def test_the_slope_solves_the_equation_of_the_mean(mean) -> None:
    slope = float(slope_for_mean(np.array([mean]))[0])

    value = slope / 3 if abs(slope) < 1e-3 else 1 / np.tanh(slope) - 1 / slope
    assert value == pytest.approx(mean, abs=1e-7)
    assert np.sign(slope) == np.sign(mean) or abs(mean) < 1e-12


@given(mean=st.floats(-0.999, 0.999), share=st.floats(0, 1))
def test_quantiles_invert_the_distribution(mean, share) -> None:
    slope = float(slope_for_mean(np.array([mean]))[0])

    place = quantiles(np.array([slope]), np.array([share]))[0]

    assert -1 <= place <= 1
    if abs(slope) > 1e-3:
        below = (
            np.expm1(slope * (place + 1)) / np.expm1(2 * slope)
            if slope < 300
            else np.exp(slope * (place - 1))
        )
        assert below == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize("cells", [1, 2, 7, 1000])
@pytest.mark.parametrize("position", [-1.0, -0.6, 0.0, 0.2, 0.95])
def test_masses_of_cells_add_up_and_lean_to_the_mean(cells, position) -> None:
    masses = cell_masses(cells, position)

    assert masses.size == cells
    assert (masses >= 0).all()
    assert masses.sum() == pytest.approx(1.0)
    if cells == 1000:
        middles = (2 * np.arange(cells) + 1) / cells - 1
        assert masses @ middles == pytest.approx(position, abs=2e-3)


@given(data=st.data(), rows=st.integers(2, 8))
def test_the_correlation_of_weighted_ranks_is_spearman_s_of_the_repeated_rows(data, rows) -> None:
    cell = st.tuples(*[st.integers(0, 4)] * 3)
    values = np.array(data.draw(st.lists(cell, min_size=rows, max_size=rows)), dtype=np.float64)
    weights = np.array(data.draw(st.lists(st.integers(1, 9), min_size=rows, max_size=rows)))

    found = rank_correlation(values, weights)

    repeated = np.repeat(values, weights, axis=0)
    for i in range(3):
        for j in range(i):
            if np.ptp(values[:, i]) == 0 or np.ptp(values[:, j]) == 0:
                assert found[i, j] == 0
            else:
                expected = spearmanr(repeated[:, i], repeated[:, j]).statistic
                assert found[i, j] == pytest.approx(expected, abs=1e-9)


def clusters_of(low, high, counts, positions) -> Clusters:
    return Clusters(
        kept=np.arange(len(counts)),
        low=np.array(low, dtype=np.float64),
        high=np.array(high, dtype=np.float64),
        counts=np.array(counts, dtype=np.int64),
        positions=np.array(positions, dtype=np.float64),
    )


@given(
    boxes=st.lists(
        st.tuples(
            st.floats(-100, 100),
            st.sampled_from([0.0, 1e-6, 1.0, 50.0]),
            st.integers(1, 50),
            st.floats(-1, 1),
        ),
        min_size=1,
        max_size=6,
    ),
    pad=st.sampled_from([0.0, 0.5]),
)
def test_records_lie_inside_their_boxes_or_half_a_step_around_them(boxes, pad) -> None:
    low, width, counts, positions = (np.array(part) for part in zip(*boxes, strict=True))
    clusters = clusters_of(low[:, None], (low + width)[:, None], counts, positions[:, None])

    found = spread_records(clusters, np.random.default_rng(2), pads=np.array([pad]))

    rows = np.repeat(np.arange(counts.size), counts)
    around = np.where(width > 0, pad, 0.0)[rows]
    assert found.shape == (counts.sum(), 1)
    assert (found[:, 0] >= low[rows] - around - 1e-9).all()
    assert (found[:, 0] <= (low + width)[rows] + around + 1e-9).all()


@pytest.mark.parametrize("pad", [0.0, 0.5])
@pytest.mark.parametrize("position", [-0.95, -0.4, 0.0, 0.1, 0.8])
def test_the_records_of_a_box_have_its_mean(position, pad) -> None:
    size = 40_000
    clusters = clusters_of([[10.0]], [[30.0]], [size], [[position]])

    found = spread_records(clusters, np.random.default_rng(3), pads=np.array([pad]))[:, 0]

    assert abs(found.mean() - (20.0 + 10.0 * position)) < 6 * found.std() / np.sqrt(size)


def test_whole_numbers_at_the_ends_of_a_padded_box_get_their_full_share() -> None:
    clusters = clusters_of([[0.0]], [[4.0]], [50_000], [[0.0]])

    found = np.rint(spread_records(clusters, np.random.default_rng(4), pads=np.array([0.5])))

    shares = np.unique(found, return_counts=True)[1] / 50_000
    assert shares == pytest.approx(np.full(5, 0.2), abs=0.012)


@pytest.fixture
def trusting(monkeypatch):
    """Believe the centres of few clusters as one believes those of many."""
    monkeypatch.setattr("covey.postprocess.spread.FEW_CLUSTERS", 0)


@pytest.mark.usefixtures("trusting")
def test_columns_inside_a_box_are_coupled_as_the_clusters_are() -> None:
    # Two clusters on the rising diagonal, both of them wide: ranks correlate fully between them.
    rising = clusters_of([[0, 0], [10, 10]], [[10, 10], [20, 20]], [20_000] * 2, np.zeros((2, 2)))
    level = clusters_of([[0, 0], [10, 0]], [[10, 9], [20, 9]], [20_000] * 2, np.zeros((2, 2)))

    inside = [
        spread_records(clusters, np.random.default_rng(5), pads=np.zeros(2))[:20_000]
        for clusters in (rising, level)
    ]

    coupled, free = (spearmanr(records[:, 0], records[:, 1]).statistic for records in inside)
    assert coupled == pytest.approx(COUPLING, abs=0.02)
    assert free == pytest.approx(0.0, abs=0.05)


@pytest.mark.usefixtures("trusting")
def test_a_weak_coupling_is_one_of_ranks_and_not_of_normal_scores() -> None:
    # Ranks of four clusters that correlate by 0.4 between them.
    corners = [[0, 0], [10, 30], [20, 10], [30, 20]]
    high = (np.array(corners) + 10).tolist()
    clusters = clusters_of(corners, high, [100_000] * 4, np.zeros((4, 2)))
    assert rank_correlation(clusters.centres, clusters.counts)[0, 1] == pytest.approx(0.4)

    found = spread_records(clusters, np.random.default_rng(8), pads=np.zeros(2))[:100_000]

    assert spearmanr(found[:, 0], found[:, 1]).statistic == pytest.approx(0.4 * COUPLING, abs=0.01)


@pytest.mark.usefixtures("trusting")
def test_columns_that_fall_together_are_coupled_the_other_way() -> None:
    falling = clusters_of([[0, 10], [10, 0]], [[10, 20], [20, 10]], [9_000] * 2, np.zeros((2, 2)))

    found = spread_records(falling, np.random.default_rng(6), pads=np.zeros(2))[:9_000]

    assert spearmanr(found[:, 0], found[:, 1]).statistic == pytest.approx(-COUPLING, abs=0.02)


def test_the_centres_of_two_clusters_are_hardly_believed() -> None:
    rising = clusters_of([[0, 0], [10, 10]], [[10, 10], [20, 20]], [20_000] * 2, np.zeros((2, 2)))

    found = spread_records(rising, np.random.default_rng(5), pads=np.zeros(2))[:20_000]

    assert abs(spearmanr(found[:, 0], found[:, 1]).statistic) < 0.06


def test_a_seed_repeats_the_places() -> None:
    clusters = clusters_of([[0.0, 0.0]], [[1.0, 1.0]], [10], [[0.2, -0.2]])

    first, again = (
        spread_records(clusters, np.random.default_rng(7), pads=np.zeros(2)) for _ in range(2)
    )

    assert first.tolist() == again.tolist()


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 0.5, 0.7]), st.floats(0, 1)), min_size=1, max_size=30
    )
)
def test_ranks_are_evenly_spaced_and_keep_the_order_of_each_column(rows) -> None:
    places = np.array(rows)

    ranks = even_ranks(places)

    n = len(rows)
    for before, after in zip(places.T, ranks.T, strict=True):
        assert np.sort(after) == pytest.approx((np.arange(n) + 0.5) / n)
        assert (np.diff(before[np.argsort(after)]) >= 0).all()

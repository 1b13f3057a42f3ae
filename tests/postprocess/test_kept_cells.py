"""Cells that may be empty are emptied, the more readily the farther away they lie."""

from __future__ import annotations

import numpy as np
import pytest

from covey.postprocess.kept_cells import kept_counts
from covey.postprocess.levels import Level, finer_level, first_level


def kept(level: Level, middles: np.ndarray, *, wide: np.ndarray | None = None) -> np.ndarray:
    """Return what is kept of a column without special values."""
    common = np.ones(level.counts.size, dtype=bool)
    starts = level.starts if wide is None else wide
    return kept_counts(level, starts, middles=middles, common=common, apart=0)


def test_a_cell_within_the_noise_is_emptied_unless_it_hangs_together_with_a_sure_one() -> None:
    level = first_level(np.arange(0, 60, 10), np.array([100, 25, 4, 25, 3, 2]), 10.0)

    assert kept(level, np.arange(5.0, 60.0, 10.0)).tolist() == [100, 25, 0, 0, 0, 0]


def test_the_farther_a_cell_is_the_surer_one_must_be_of_it() -> None:
    noisy = np.array([400, 500, 400, 40, 40])
    level = first_level(np.arange(5), noisy, 10.0)

    near = kept(level, np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    far = kept(level, np.array([0.0, 1.0, 2.0, 3.0, 300.0]))
    there = kept(first_level(np.arange(5), noisy + 60 * (noisy < 50), 10.0), np.arange(5.0) ** 5)

    assert near.tolist() == [400, 500, 400, 40, 40]
    assert far.tolist() == [400, 500, 400, 40, 0]
    # No distance hides a group that is there.
    assert there[3:].tolist() == [100, 100]


def test_something_is_kept_of_nothing_but_noise() -> None:
    level = first_level(np.array([0, 10]), np.array([-3, -1]), 10.0)

    assert kept(level, np.array([5.0, 15.0])).tolist() == [0, 0]


@pytest.mark.parametrize("stretched", [1.0, 100.0])
def test_empty_parts_of_a_cell_keep_little_of_their_noise_and_a_tail_stays(stretched) -> None:
    rng = np.random.default_rng(4)
    truth = np.zeros(64)
    truth[:6] = [3000, 1500, 300, 60, 30, 30]
    middles = np.arange(65.0)
    middles[32:] *= stretched
    far, farthest, tail = [], [], []
    for _ in range(200):
        first = first_level(np.array([0, 64]), np.array([4920, 0]) + rng.normal(0, 20, 2), 20.0)
        noisy = np.append(truth, 0.0) + rng.normal(0, 15, 65)
        level = finer_level(first, np.arange(65), noisy, 15.0)
        counts = kept(level, middles, wide=first.starts)
        far.append(counts[8:64].sum())
        farthest.append(counts[32:64].sum())
        tail.append(counts[2:6].sum())
        assert counts[:64].sum() == pytest.approx(max(level.counts[:64].sum(), 0), rel=1e-9)

    # Positive noise alone would leave 56 · 15 / √(2π) = 335 records there.
    assert np.mean(far) < 40
    assert np.mean(tail) == pytest.approx(420, rel=0.1)
    # Their half as a whole would be kept in one of six runs, with some 130 records.
    assert np.mean(farthest) < 3

"""What is sampled has the law whose largest ratio is computed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from covey.audit.cases.specimens import counts_law
from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.law import Apart, DrawLaw, UnorderedLaw, blocks
from covey.core import SecureNoise
from covey.errors import InternalError
from covey.seeded import SeededNoise


def law(mechanism: str, here, there, **public) -> DrawLaw:
    sides = [Drawn(mechanism, np.array(exact), public, np.array(exact)) for exact in (here, there)]
    return DrawLaw([(sides[0], sides[1])])


LAWS = {
    "counts": counts_law([0, 5, 9], [1, 5, 7], 4),
    "cubes": law("cube", [[0, 0], [5, 5]], [[1, 3], [5, 5]], scale=3),
    "tests": law("cut", [12, 3, 0], [11, 3, 1], depth=1, scale=Fraction(5)),
    "choices": law("choices", [[0, 1, 2], [5, 5, 5]], [[1, 0, 2], [5, 5, 5]], rate=Fraction(1)),
}
LARGEST = {
    "counts": 3 / 4,
    "cubes": 3 / 3,
    "choices": 1.0,
}


@pytest.mark.parametrize("name", LAWS)
def test_ratios_average_to_one_and_come_up_to_the_largest(name) -> None:
    source, runs = SeededNoise.of(2), 60_000

    here, there = (LAWS[name].draw(side, runs, source) for side in (0, 1))

    # E[exp(−T)] is 1 on one side and E[exp(T)] on the other, for every log likelihood ratio T.
    assert np.mean(np.exp(-here)) == pytest.approx(1.0, abs=0.02)
    assert np.mean(np.exp(there)) == pytest.approx(1.0, abs=0.02)
    most = max(np.abs(here).max(), np.abs(there).max())
    assert 0.9 * LAWS[name].exact <= most <= LAWS[name].exact + 1e-6


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_ratio_is_that_of_the_mechanism(name) -> None:
    assert LAWS[name].exact == pytest.approx(LARGEST[name])


def test_only_entries_that_differ_are_drawn() -> None:
    assert [LAWS[name].entries for name in LAWS] == [2, 1, 2, 1]
    assert counts_law([1, 2], [1, 2], 3).entries == 0
    assert counts_law([1, 2], [1, 2], 3).draw(0, 5, SeededNoise.of(1)).tolist() == [0.0] * 5


def test_noise_of_another_scale_has_no_largest_ratio_and_shows_in_its_tail() -> None:
    other = counts_law([1], [1], 2, 200)

    here, there = (other.draw(side, 2_000, SeededNoise.of(1)) for side in (0, 1))

    assert other.exact == math.inf
    assert np.median(here) > 0 > np.median(there)
    assert there.min() < -20


def test_draws_of_the_operating_system_s_generator_are_sampled_too() -> None:
    ratios = LAWS["counts"].draw(0, 4_000, SecureNoise())

    assert np.mean(np.exp(-ratios)) == pytest.approx(1.0, abs=0.08)


def test_clusters_in_another_order_tell_nothing() -> None:
    sums = np.array([[0.0, 9.0], [9.0, 0.0]])
    swapped = UnorderedLaw(here=sums, there=sums[::-1], scales=np.array([2.0, 3.0]))

    assert swapped.exact == 0.0
    assert set(swapped.draw(0, 50, SeededNoise.of(1)).tolist()) == {0.0}


def test_clusters_that_move_tell_less_than_with_labels() -> None:
    drawn = [LAWS["counts"].pairs[0]]
    unordered = UnorderedLaw.of(drawn)

    ratios = unordered.draw(1, 20_000, SeededNoise.of(1))

    assert 0 < unordered.exact <= LAWS["counts"].exact
    assert np.mean(np.exp(ratios)) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(
    "pairs",
    [
        [LAWS["counts"].pairs[0], *counts_law([1], [2], 3).pairs],
        counts_law([0] * 7, [1] * 7, 3).pairs,
    ],
)
def test_what_cannot_be_matched_in_any_order_is_refused(pairs) -> None:
    with pytest.raises(InternalError, match="matched in any order"):
        UnorderedLaw.of(pairs)


def test_inputs_that_are_apart_show_their_number() -> None:
    assert Apart().draw(1, 3, SeededNoise.of(1)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("runs", "entries"), [(10, 1), (5_000_000, 3), (3, 10**9)])
def test_blocks_add_up_to_the_runs(runs, entries) -> None:
    assert sum(blocks(runs, entries)) == runs

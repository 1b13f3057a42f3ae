"""Every integer below the bound is equally likely, because surplus words are drawn again."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.core.exact import MOST, uniform_below
from covey.errors import InternalError
from tests.core.frequencies import fits, happens

WORDS = 2**63


def feeding(*numbers: int) -> Callable[[int], bytes]:
    """Return a source of bytes that makes these 63-bit numbers come up, one after the other."""
    left = list(numbers)

    def random_bytes(count: int) -> bytes:
        taken, left[:] = left[: count // 8], left[count // 8 :]
        assert len(taken) == count // 8, "more words were drawn than expected"
        # The lowest bit of a word is not used; it is set, so that a shift too few shows.
        return np.array([2 * number + 1 for number in taken], dtype=np.uint64).tobytes()

    return random_bytes


def below(bounds: list[int], *numbers: int) -> list[int]:
    return uniform_below(np.array(bounds, dtype=np.int64), feeding(*numbers)).tolist()


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 8, 10, 1000])
def test_small_words_run_through_all_remainders_in_turn(bound) -> None:
    found = [below([bound], number)[0] for number in range(3 * bound)]

    assert found == list(range(bound)) * 3


@given(bound=st.integers(1, MOST), times=st.integers(0, 3))
def test_the_last_word_of_the_last_full_round_counts_and_the_next_ones_do_not(bound, times) -> None:
    last = WORDS - WORDS % bound - 1
    surplus = [min(last + 1 + i, WORDS - 1) for i in range(times)] if WORDS % bound else []

    assert below([bound], *surplus, last) == [bound - 1]
    assert below([bound], *surplus, 0) == [0]


@pytest.mark.parametrize("bound", [1, 2, 2**20, 2**62])
def test_a_power_of_two_leaves_no_surplus(bound) -> None:
    assert below([bound], WORDS - 1) == [bound - 1]


def test_only_the_places_with_a_surplus_word_are_drawn_again() -> None:
    # 2**63 leaves the remainder 2 by 3 and 3 by 5.
    words = (WORDS - 1, 4, WORDS - 1, 7), (WORDS - 2, 6), (8,)

    assert below([3, 3, 5, 5], *words[0], *words[1], *words[2]) == [8 % 3, 4 % 3, 6 % 5, 7 % 5]


@pytest.mark.parametrize("bound", [2, 3, 6, 7])
def test_the_system_s_bytes_give_every_remainder_the_same_share(bound) -> None:
    found = uniform_below(np.full(20_000, bound), os.urandom)

    assert fits(found, dict.fromkeys(range(bound), 1 / bound))


def test_a_bound_near_the_number_of_words_shows_no_preference_for_small_numbers() -> None:
    # Without a second draw, the numbers below 2**61 would come up in 6 of 8 cases, not 4 of 6.
    found = uniform_below(np.full(20_000, 3 * 2**60), os.urandom)

    assert found.max() < 3 * 2**60
    assert happens(found < 2**61, 2 / 3)
    assert not happens(found < 2**61, 6 / 8)


def test_each_entry_has_its_own_bound() -> None:
    bounds = np.tile([1, 2, 3, 10**15], 5_000)

    found = uniform_below(bounds, os.urandom).reshape(-1, 4)

    assert found.dtype == np.int64
    assert (found[:, 0] == 0).all()
    assert fits(found[:, 1], {0: 1 / 2, 1: 1 / 2})
    assert fits(found[:, 2], {0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
    assert happens(found[:, 3] < 10**14, 1 / 10)


@pytest.mark.parametrize("bound", [0, -1, MOST + 1])
def test_a_bound_without_exact_arithmetic_is_refused(bound) -> None:
    with pytest.raises(InternalError, match="out of range"):
        below([3, bound], 0, 0)


def test_no_bounds_ask_for_no_bytes() -> None:
    assert below([]) == []

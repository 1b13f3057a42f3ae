"""Noise drawn digit by digit has exactly the discrete Laplace law, at every rational scale."""

from __future__ import annotations

import math
import os
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from covey.core.digits import (
    DRAWN_AT_ONCE,
    FARTHEST,
    WORD,
    Digit,
    digits_of,
    geometric_noise,
    laplace_noise,
)
from tests.core.frequencies import fits, happens
from tests.core.law import FALSE_ALARM, has_law, has_scale
from tests.core.opendp import opendp_laplace

DRAWS = 20_000
WIDE = Context(prec=400)
HUGE = Fraction(3**90, 2**93 + 1)
SCALES = [
    *(Fraction(1, 20), Fraction(7, 10), Fraction(10, 3), Fraction(300), Fraction(1234567, 1000)),
    *(Fraction(2**22), Fraction(10**15, 7), HUGE),
]
scales = st.builds(Fraction, st.integers(10**10, 10**24), st.integers(1, 10**12))


def cumulated(digit: Digit, v: int) -> Decimal:
    """Return P(digit < v) to hundreds of digits, without any of the code under test."""

    def e(power: int) -> Decimal:
        x = Fraction(-power) / digit.scale
        return WIDE.exp(WIDE.divide(Decimal(x.numerator), Decimal(x.denominator)))

    below = WIDE.subtract(Decimal(1), e(v))
    return below if digit.last else WIDE.divide(below, WIDE.subtract(Decimal(1), e(digit.size)))


def feeding(*words: int):
    """Return a source of bytes that makes these words come up, one after the other."""
    left = list(words)

    def random_bytes(count: int) -> bytes:
        taken, left[:] = left[: count // 4], left[count // 4 :]
        assert len(taken) == count // 4, "more words were drawn than expected"
        return np.array(taken, dtype="<u4").tobytes()

    return random_bytes


@settings(max_examples=60, deadline=None)
@given(scale=scales, size=st.integers(2, 40), last=st.booleans(), words=st.integers(1, 3))
def test_tables_hold_the_first_places_of_the_true_probabilities(scale, size, last, words) -> None:
    digit, places = Digit(scale, size, last), words * WORD

    floors = digit.floors(places)

    # All are below 1, also those that are 1 to all digits that the decimals here have.
    assert floors == [
        min(int(WIDE.multiply(cumulated(digit, v), Decimal(2**places))), 2**places - 1)
        for v in range(1, size + 1 if last else size)
    ]


def test_a_probability_with_hundreds_of_nines_is_below_one() -> None:
    floors = Digit(Fraction(10_000_000_000, 383_595_238_351), 35).floors(WORD)

    assert floors[24] == 2**WORD - 1


@pytest.mark.parametrize("last", [True, False])
def test_what_is_almost_certain_is_told_from_what_is_certain(last) -> None:
    # 1 − e^(−10⁹) begins with more ones than anybody can draw.
    assert set(Digit(Fraction(1, 10**9), 3, last).floors(WORD)) == {2**WORD - 1}


@pytest.mark.parametrize("digit", [Digit(Fraction(10, 3), 8), Digit(Fraction(5), 12, last=True)])
def test_words_beside_a_probability_decide_and_words_on_it_ask_for_more(digit) -> None:
    first, second = digit.floors(WORD), digit.floors(2 * WORD)

    for v, (floor, further) in enumerate(zip(first, second, strict=True)):
        more = further - (floor << WORD)
        for fed, value in [
            ((floor - 1,), v),
            ((floor + 1,), v + 1),
            ((floor, more - 1), v),
            ((floor, more + 1), v + 1),
            ((floor, more, 0), v),
            ((floor, more, 2**WORD - 1), v + 1),
        ]:
            assert digit.draw(1, feeding(*fed)).tolist() == [value]


def test_a_tie_is_settled_at_its_own_place() -> None:
    digit = Digit(Fraction(10, 3), 8)
    floor = int(digit.table[3])
    more = digit.floors(2 * WORD)[3] - (floor << WORD)

    assert digit.draw(3, feeding(0, floor, 2**WORD - 1, more + 1)).tolist() == [0, 4, 7]


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: f"{float(scale):.4g}")
def test_digits_are_places_without_gaps_and_the_last_reaches_far(scale) -> None:
    (top, last), *others = digits_of(scale)

    assert last.last
    assert last.scale * 2**top == scale
    assert last.size * 2**top >= min(8 * scale, FARTHEST)
    for place, digit in others:
        assert digit.size << place == 1 << top
        assert digit.scale * 2**place == scale
        assert not digit.last
        top = place
    assert top == 0


@pytest.mark.parametrize(
    "scale", [Fraction(7, 10), Fraction(100), Fraction(1234567, 1000)], ids=str
)
def test_the_laws_of_the_digits_make_up_the_law_of_the_number(scale) -> None:
    shares = []
    for place, digit in digits_of(scale):
        bounds = [Fraction(0), *(Fraction(f, 2**128) for f in digit.floors(128)), Fraction(1)]
        shares.append((place, [b - a for a, b in pairwise(bounds)]))
    step = math.exp(-1 / scale)

    for number in range(0, math.ceil(8 * scale), max(1, math.ceil(scale) // 50)):
        product, rest = Fraction(1), number
        for place, share in shares:
            product *= share[rest >> place]
            rest &= (1 << place) - 1
        assert float(product) == pytest.approx((1 - step) * step**number, rel=1e-9)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: f"{float(scale):.4g}")
def test_noise_has_its_scale_and_not_one_a_fifth_off(scale) -> None:
    noise = laplace_noise(scale, DRAWS, os.urandom)

    assert noise.dtype == np.int64
    if scale > Fraction(1, 2):
        verdicts = [has_scale(noise, float(factor * scale)) for factor in (0.8, 1.0, 1.2)]
        assert verdicts == [False, True, False]
    else:
        assert not noise.any()  # e^−20 is too rare to be seen


@pytest.mark.parametrize("scale", [Fraction(7, 10), Fraction(3, 2), Fraction(37, 10)], ids=str)
def test_small_noise_follows_the_law_number_by_number_and_so_does_opendp_s(scale) -> None:
    ours = laplace_noise(scale, DRAWS, os.urandom)
    theirs = np.array(opendp_laplace(scale)([0] * DRAWS))

    for noise in (ours, theirs):
        assert has_law(noise, float(scale), cells=6)
        assert not has_law(noise, 0.9 * float(scale), cells=6)
        assert not has_law(noise, 1.1 * float(scale), cells=6)


@pytest.mark.parametrize("scale", [Fraction(300), Fraction(2**22) / 3], ids=str)
def test_large_noise_and_opendp_s_fall_alike_into_bins_of_every_size(scale) -> None:
    ours = laplace_noise(scale, DRAWS, os.urandom)
    theirs = np.array(opendp_laplace(scale)([0] * DRAWS))

    bins = [lambda z, k=k: z > k * scale for k in (-3, -1, -0.3, 0, 0.3, 1, 3)]
    bins += [lambda z, p=p: (z >> p) & 1 == 1 for p in range(int(scale).bit_length() + 2)]
    for inside in bins:
        # Of all that fall into the bin, each is one of ours with probability 1/2.
        counts = int(inside(ours).sum()), int(inside(theirs).sum())
        assert binomtest(counts[0], sum(counts)).pvalue > FALSE_ALARM / len(bins)


def test_all_binary_places_of_a_number_have_their_shares_and_are_independent() -> None:
    scale = Fraction(300)
    found = geometric_noise(scale, DRAWS, os.urandom)

    ones = [(found >> place) & 1 == 1 for place in range(12)]
    shares = [1 / (1 + math.exp(2**place / scale)) for place in range(12)]

    for place in range(12):
        assert happens(ones[place], shares[place], among=12)
    for here in range(12):
        for there in range(here):
            assert happens(ones[here] & ones[there], shares[here] * shares[there], among=66)
    assert not happens(ones[7], 1 / 2)


def test_numbers_beyond_the_last_table_go_on_with_the_same_law() -> None:
    scale = Fraction(2)
    reach = digits_of(scale)[0][1].size

    found = geometric_noise(scale, 80 * DRAWS, os.urandom)

    far = found[found >= reach] - reach
    assert happens(found >= reach, math.exp(-8))
    step = math.exp(-1 / scale)
    assert fits(far, {g: (1 - step) * step**g for g in range(4)})


def test_noise_that_would_leave_64_bits_stops_and_does_not_wrap() -> None:
    scale = Fraction(2**62)

    noise = laplace_noise(scale, DRAWS, os.urandom)

    assert (noise.min(), noise.max()) == (~FARTHEST, FARTHEST)
    assert happens(noise == FARTHEST, math.exp(-1) / 2)
    assert happens(noise < 0, 1 / 2)
    endless = laplace_noise(Fraction(10**400), 1000, os.urandom)
    assert set(endless.tolist()) == {~FARTHEST, FARTHEST}


def test_blocks_are_drawn_anew_and_nothing_is_drawn_for_nothing() -> None:
    noise = laplace_noise(Fraction(2**22), 2 * DRAWN_AT_ONCE + 3, os.urandom)

    assert noise.shape == (2 * DRAWN_AT_ONCE + 3,)
    assert happens(noise[:DRAWN_AT_ONCE] == noise[DRAWN_AT_ONCE : 2 * DRAWN_AT_ONCE], 0.25 / 2**22)
    assert laplace_noise(Fraction(5), 0, feeding()).tolist() == []

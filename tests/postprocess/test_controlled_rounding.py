"""Whole tables that agree exist, are found, and stay near the estimates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.postprocess.controlled_rounding import rounding_order, whole_tables
from covey.postprocess.interactions import NoisyTable, consistent, margin_over

NAMES = ("a", "b", "c", "d")
CASES = [
    [("a",)],
    [("a", "b")],
    [("a", "b"), ("b", "c"), ("a", "c")],
    [("a", "b", "c"), ("c", "d"), ("b", "d")],
    [("a", "b", "c"), ("d", "a", "b"), ("d", "c")],
    [("c", "a", "b", "d"), ("b", "a"), ("d",)],
    [("a", "b"), ("c", "d")],
]
ALL_TRIPLES = [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d")]


@st.composite
def noisy_tables(draw):
    """Draw tables of few or many records with noise that is small, or larger than they are."""
    tables = draw(st.sampled_from(CASES))
    shape = [draw(st.integers(1, 4)) for _ in NAMES]
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    total = draw(st.sampled_from([0, 1, 7, 60, 4000]))
    chances = rng.dirichlet(np.full(int(np.prod(shape)), draw(st.sampled_from([0.05, 1.0]))))
    cells = rng.multinomial(total, chances).reshape(shape)
    spread = draw(st.sampled_from([0, 1, 9, 80]))
    noisy = []
    for names in tables:
        exact = margin_over(cells, NAMES, names)
        noise = rng.integers(-spread, spread + 1, exact.shape)
        noisy.append(NoisyTable(names=names, values=exact + noise, variance=max(1.0, spread**2)))
    return noisy, total, spread


@given(drawn=noisy_tables())
def test_whole_tables_agree_and_are_nowhere_below_zero(drawn) -> None:
    noisy, total, spread = drawn
    margins = consistent(noisy, total)

    found = whole_tables(margins, rounding_order([t.names for t in noisy]), total)

    assert found.keys() == margins.keys()
    for names, counts in found.items():
        assert counts.dtype == np.int64
        assert counts.min() >= 0
        assert counts.sum() == total
        for other, table in found.items():
            if set(names) <= set(other):
                assert (margin_over(table, other, names) == counts).all()
        if spread == 0:
            assert (counts == np.rint(margins[names].values)).all()


def test_numbers_with_margins_that_fit_are_only_rounded_up_or_down() -> None:
    values = np.array([[3.5, 2.5, 4.0], [1.5, 3.5, 5.0]])
    noisy = [NoisyTable(names=("a", "b"), values=values, variance=1.0)]
    margins = consistent(noisy, 20)

    counts = whole_tables(margins, rounding_order([("a", "b")]), 20)["a", "b"]

    assert (np.abs(counts - values) < 1).all()


def test_a_ring_of_all_triples_has_no_order() -> None:
    assert rounding_order(ALL_TRIPLES) is None


@pytest.mark.parametrize("tables", CASES, ids=str)
def test_each_margin_is_joined_after_one_that_holds_all_they_share(tables) -> None:
    done = [(name,) for name in NAMES]
    for table, fixed in rounding_order(tables):
        for at, part in enumerate(fixed):
            before = {name for earlier in fixed[:at] for name in earlier}
            assert not at or any(set(part) & before <= set(other) for other in fixed[:at])
            assert any(set(part) <= set(other) for other in done)
        done.append(table)

"""The exact loss of a private tree: over all trees, and together with what its boxes publish."""

from __future__ import annotations

import math
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey.audit.neighbours import piles, random_pair, unit_table, zeros_and_ones
from covey.audit.sampling import Verdict, sampled
from covey.audit.sound import tree_of
from covey.audit.tree import nodes, worst_loss
from covey.partition.tree import bent_side, even_side
from covey.perturb import SecureNoise, SeededNoise
from covey.systems import SYSTEMS
from covey.systems import boxes as boxes_module
from covey.systems import private_tree as tree_module
from tests.contracts.tree_hunters import tree_loss

SIDES = (even_side(16), bent_side(12))
cells = st.tuples(st.integers(0, 15), st.integers(0, 11))


@given(
    heaps=st.lists(st.tuples(cells, st.integers(0, 60)), max_size=4),
    ends=st.tuples(cells, cells),
    scale=st.sampled_from([1.45, 5.0, 18.0]),
)
def test_the_recursion_agrees_with_another_one_about_the_structure(heaps, ends, scale) -> None:
    rest = [cell for cell, size in heaps for _ in range(size)]
    here, there = [ends[0], *rest], [ends[1], *rest]
    root = nodes(Counter(here), Counter(there), SIDES)

    found = worst_loss(root, split_scale=scale, cube_scale=math.inf)

    expected = max(tree_loss(here, there, SIDES, scale), tree_loss(there, here, SIDES, scale))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "arrays",
    [
        piles(140, 36),
        zeros_and_ones(80, 40),
        *(random_pair(40, d, np.random.default_rng(d)) for d in (1, 2, 3)),
    ],
    ids=["piles", "equal piles", "one column", "two columns", "three columns"],
)
def test_tree_and_boxes_together_cost_no_more_than_epsilon(arrays) -> None:
    assert tree_of(arrays).exact <= 1.0


def test_the_bound_of_tree_and_boxes_together_is_nearly_attained() -> None:
    assert tree_of(piles(140, 36)).exact > 0.98


def test_the_audit_uses_the_scales_that_the_system_uses() -> None:
    law, scales = tree_of(piles(140, 36)), {}
    split, cube = tree_module.split_test, boxes_module.add_cube

    def see_test(**given):
        test = split(**given)
        scales["split"] = test.scale
        return test

    def see_cube(vectors, **given):
        noisy = cube(vectors, **given)
        scales["cube"] = noisy.scale
        return noisy

    system = SYSTEMS["private-tree"]
    records = unit_table(piles(140, 36)[0])
    with (
        patch.object(tree_module, "split_test", see_test),
        patch.object(boxes_module, "add_cube", see_cube),
    ):
        system.run(records, system.settings({"epsilon": 1.0}), SecureNoise(), None)

    assert scales == {"split": law.split_scale, "cube": law.cube_scale}


def test_draws_of_the_tree_have_the_law_whose_loss_is_computed() -> None:
    # E[exp(−T)] under one input is 1 for every log likelihood ratio T, whatever the law.
    law, source = tree_of(piles(30, 10)), SeededNoise.of(2)

    here, there = (law.draw(side, 20_000, source) for side in (0, 1))

    assert np.mean(np.exp(-here)) == pytest.approx(1.0, abs=0.03)
    assert np.mean(np.exp(there)) == pytest.approx(1.0, abs=0.03)
    assert max(np.abs(here).max(), np.abs(there).max()) <= law.exact + 1e-9


def test_a_tree_with_half_the_noise_is_refuted() -> None:
    found = sampled(tree_of(piles(140, 36)), epsilon=1.0, runs=10_000, source=SeededNoise.of(1))

    assert found.verdict is Verdict.NOT_REFUTED
    assert found.power > 1.0


def test_the_same_records_have_no_loss() -> None:
    same = np.zeros((5, 1))

    assert tree_of((same, same)).exact == 0.0

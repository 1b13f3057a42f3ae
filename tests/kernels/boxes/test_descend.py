"""Every record ends in the node whose box holds it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from covey.engines.shared.cuts import CutTree, look_ahead
from covey.kernels.boxes.descend import ends_of
from covey.partition.priv_tree import even_side


@given(st.integers(1, 3), st.integers(2, 9), st.integers(1, 60), st.integers(0, 99))
def test_a_record_ends_where_its_integers_lie(sides, values, room, seed) -> None:
    tree = CutTree([even_side(values)] * sides)
    look_ahead(tree, np.array([0]), room)
    cells = np.random.default_rng(seed).integers(0, values, (50, sides)).astype(np.int32)

    ends = ends_of(cells, tree.side, tree.cut, tree.children)

    assert (tree.children[ends] == -1).all()
    assert ((tree.low[ends] <= cells) & (cells <= tree.high[ends])).all()


def test_a_tree_without_cuts_keeps_all_records_at_its_root() -> None:
    tree = CutTree([even_side(5)])

    ends = ends_of(np.array([[0], [4]], np.int32), tree.side, tree.cut, tree.children)

    assert ends.tolist() == [0, 0]

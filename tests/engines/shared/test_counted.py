"""Boxes that are known by counts are those of records that are held, however these are parted."""

from __future__ import annotations

import numpy as np
import pytest

from covey.core.exact import cut_boxes
from covey.core.questions import RECORD_UNIT, BoxSums
from covey.engines.shared.counted import CountedRecords, CountedValues
from covey.kernels.boxes.ranges import box_sums
from covey.partition.axis import Axis
from covey.partition.priv_tree import Side, bent_side, grow
from covey.table.grid import Grid

SCALE = 3


def axes_of(values: list[int], special: int) -> list[Axis]:
    """Return axes of so many values; some of the first one stand apart."""
    found = []
    for number, count in enumerate(values):
        side, apart = bent_side(count), special if number == 0 else 0
        if apart:
            edges = np.concatenate((np.arange(-apart, 0.0), side.edges))
            side = Side(edges=edges, apart=apart)
        grid = Grid(low=0.0, high=1.0, steps=count - 1)
        found.append(Axis(name=f"x{number}", side=side, grid=grid, special=(0.0,) * apart))
    return found


def deciding(seed: int):
    """Return a test that asks the same dice every time."""
    dice = np.random.default_rng(seed).bytes
    return lambda counts, depth: cut_boxes(counts, depth, SCALE, dice)


@pytest.mark.parametrize("special", [0, 2])
@pytest.mark.parametrize("values", [[40], [300], [40, 7], [9, 30, 5]], ids=str)
@pytest.mark.parametrize("pieces", [1, 4])
def test_boxes_and_sums_are_those_of_all_records_together(values, special, pieces) -> None:
    axes, rng = axes_of(values, special), np.random.default_rng(len(values))
    widths = [axis.side.edges.size - 1 for axis in axes]
    cells = np.column_stack([rng.binomial(w - 1, 0.3, 3_000) for w in widths]).astype(np.int32)
    parts = np.array_split(cells, pieces)

    def ask(question, shape):
        return sum((question(part) for part in parts), np.zeros(shape, dtype=np.int64))

    one = len(axes) == 1 and pieces == 1
    counted = (
        CountedValues(np.bincount(cells[:, 0], minlength=widths[0])) if one else CountedRecords(ask)
    )
    sides = [axis.side for axis in axes]
    whole = grow(cells, sides, deciding(8))

    found = counted.cut(sides, deciding(8))

    assert np.array_equal(found.boxes.low, whole.low)
    assert np.array_equal(found.boxes.high, whole.high)
    assert np.array_equal(found.boxes.ends - found.boxes.starts, whole.ends - whole.starts)
    assert whole.low.shape[0] > 4
    low, high = whole.low.astype(np.float64), whole.high.astype(np.float64)
    question = BoxSums(0, axes, low, high, high > low)
    inside = (whole.order, whole.starts, whole.ends, low, high, RECORD_UNIT)
    sums = counted.sums(found, question)
    assert np.array_equal(sums[:, 0], (whole.ends - whole.starts) * RECORD_UNIT)
    assert np.array_equal(sums[:, 1:], box_sums(cells.astype(np.float64), *inside))

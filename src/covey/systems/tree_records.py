"""What does a private tree ask about the records?

Whoever can answer these questions can publish a private tree, wherever the records are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from covey.partition.tree import Boxes, Decide, Side, grow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.systems.axes import Axis

UNIT = 2**16
"""One record counts this many steps, so that sums keep sixteen binary digits."""


class Records(Protocol):
    """Records as integers on public axes."""

    @property
    def n(self) -> int:
        """Return how many there are."""
        ...

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return how many records have each of so many values of an axis."""
        ...

    def column(self, j: int) -> Records:
        """Return the same records, described by one axis alone."""
        ...

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the domain as `covey.partition.tree.grow` does."""
        ...

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Return the sum of positions in each box on each side, −`UNIT` … `UNIT` for a record."""
        ...


@dataclass(frozen=True, slots=True)
class HeldRecords:
    """Records in memory, one row of integers each."""

    cells: NDArray[np.int32]

    @property
    def n(self) -> int:
        """Return how many there are."""
        return len(self.cells)

    def counts(self, j: int, values: int) -> NDArray[np.int64]:
        """Return how many records have each of so many values of an axis."""
        return np.bincount(self.cells[:, j], minlength=values).astype(np.int64)

    def column(self, j: int) -> HeldRecords:
        """Return the same records, described by one axis alone."""
        return HeldRecords(self.cells[:, [j]])

    def boxes(self, sides: Sequence[Side], decide: Decide) -> Boxes:
        """Cut the domain level by level."""
        return grow(self.cells, sides, decide)

    def sums(
        self,
        boxes: Boxes,
        axes: Sequence[Axis],
        low: NDArray[np.float64],
        high: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Return the sum of positions in each box on each side."""
        from covey.kernels.boxes import box_sums

        places = np.column_stack([axis.places(self.cells[:, j]) for j, axis in enumerate(axes)])
        found = box_sums(places, boxes.order, boxes.starts, boxes.ends, low, high, UNIT)
        return np.asarray(found)

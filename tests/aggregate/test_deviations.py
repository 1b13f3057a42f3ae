"""Errors of records add up over pieces, and rows that do not correspond are not compared."""

from __future__ import annotations

import numpy as np
import pytest

from covey.aggregate.deviations import Deviations
from covey.errors import DataError

ORIGINAL = np.array([[0.0, 1.0], [2.0, 5.0], [4.0, 3.0]])
RELEASED = np.array([[1.0, 1.0], [0.0, 5.0], [4.0, 6.0]])


def test_errors_are_added_up_by_attribute() -> None:
    found = Deviations.of(ORIGINAL, RELEASED)

    assert found.n == 3
    assert found.squared.tolist() == [5.0, 9.0]
    assert found.absolute.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("cut", [0, 1, 3])
def test_pieces_and_columns_give_what_the_whole_gives(cut) -> None:
    whole = Deviations.of(ORIGINAL, RELEASED)
    rows = Deviations.none(2)
    for part in (slice(cut), slice(cut, None)):
        rows = rows.merged(Deviations.of(ORIGINAL[part], RELEASED[part]))
    columns = Deviations.beside(Deviations.of(ORIGINAL[:, [j]], RELEASED[:, [j]]) for j in (0, 1))

    for found in (rows, columns):
        assert found.n == whole.n
        assert found.squared.tolist() == whole.squared.tolist()
        assert found.absolute.tolist() == whole.absolute.tolist()


@pytest.mark.parametrize("shape", [(1, 2), (3, 1)])
def test_one_released_record_is_not_spread_over_all_originals(shape) -> None:
    with pytest.raises(DataError, match="one record for each record"):
        Deviations.of(ORIGINAL, np.zeros(shape))

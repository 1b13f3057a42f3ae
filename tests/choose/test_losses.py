"""From how many columns on does Gaussian noise have the smaller deviation?"""

from __future__ import annotations

import math

import pytest

from covey.choose.losses import columns_that_pay, losses_note
from covey.core import Budget
from covey.core.budget import TOLD_DELTA


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize(("moved", "squares"), [(2, 2), (1, 1), (3, 5)])
def test_gaussian_noise_is_smaller_from_there_on_and_not_before(epsilon, moved, squares) -> None:
    rho = float(Budget.of(epsilon, delta=TOLD_DELTA).rho)

    def pays(questions: int) -> bool:
        laplace = math.sqrt(2) * moved * questions / epsilon
        return math.sqrt(squares * questions / (2 * rho)) < laplace

    found = columns_that_pay(epsilon, moved=moved, squares=squares)

    assert pays(found)
    assert found == 1 or not pays(found - 1)


def test_the_note_names_both_numbers() -> None:
    assert "from 9 tables" in losses_note(1.0)
    assert "from 17 columns" in losses_note(1.0)

"""Random choices can be repeated, or are refused."""

import numpy as np
import pytest

from covey.errors import PlanError
from covey.graph.randomness import generator


@pytest.mark.parametrize("number", [0, 5, np.int32(5)])
def test_a_number_starts_the_same_choices_again(number) -> None:
    assert generator(number).integers(0, 2**40) == generator(number).integers(0, 2**40)


def test_a_generator_goes_on_where_it_is() -> None:
    rng = np.random.default_rng(3)

    assert generator(rng) is rng


@pytest.mark.parametrize("wrong", [None, -1, 1.5, True, "3"])
def test_what_starts_nothing_is_refused(wrong) -> None:
    with pytest.raises(PlanError, match=r"random_state = .* whole number"):
        generator(wrong)

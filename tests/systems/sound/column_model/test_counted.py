"""Margins of counted tables have the noise of their cells together."""

from __future__ import annotations

import numpy as np
import pytest

from covey.systems.sound.column_model.counted import MeasuredTable, margin_in, margin_of


def table(columns, shape, noise):
    return MeasuredTable(
        columns=columns, noisy=np.arange(float(np.prod(shape))).reshape(shape), noise=noise
    )


def test_a_margin_adds_up_what_it_leaves_out() -> None:
    whole = table((1, 4, 6), (2, 3, 4), 5.0)

    margin = margin_of(whole, (1, 6))

    assert margin.columns == (1, 6)
    assert (margin.noisy == whole.noisy.sum(axis=1)).all()
    assert margin.noise == pytest.approx(5.0 * np.sqrt(3))


def test_tables_that_hold_a_pair_count_by_their_precision() -> None:
    tables = [
        table((0, 1), (2, 3), 3.0),
        table((0, 1, 2), (2, 3, 4), 1.0),
        table((1, 2), (3, 4), 1),
    ]

    mean = margin_in(tables, (0, 1))

    first, second = tables[0].noisy, tables[1].noisy.sum(axis=2)
    assert mean.noisy == pytest.approx((first / 9 + second / 4) / (1 / 9 + 1 / 4))
    assert mean.noise**-2 == pytest.approx(1 / 9 + 1 / 4)

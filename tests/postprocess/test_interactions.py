"""Tables that agree are the least-squares solution, and know how far they err."""

from __future__ import annotations

import numpy as np
import pytest

from covey.postprocess.interactions import NoisyTable, all_margins, consistent, margin_over

SIZES = {"a": 3, "b": 2, "c": 4}
NAMES = tuple(SIZES)
RING = [("a", "b"), ("b", "c"), ("a", "c")]
NESTED = [("a", "b", "c"), ("b",), ("c", "a")]


def measured(tables, rng, spreads=(2.0, 1.0, 3.0)) -> list[NoisyTable]:
    return [
        NoisyTable(
            names=names,
            values=rng.integers(-5, 60, [SIZES[name] for name in names]),
            variance=spread**2,
        )
        for names, spread in zip(tables, spreads, strict=True)
    ]


def design(names) -> np.ndarray:
    """Return the matrix that adds the cells of the whole domain up to those of a margin."""
    cells = np.eye(24).reshape(*SIZES.values(), 24)
    kept = [name for name in NAMES if name in names]
    added = cells.sum(axis=tuple(at for at, name in enumerate(NAMES) if name not in names))
    return added.transpose([*(kept.index(n) for n in names), len(names)]).reshape(-1, 24)


def dense(tables, total) -> dict:
    """Solve the same least squares over all cells of the domain, and return value and variance."""
    rows = [design(t.names) / np.sqrt(t.variance) for t in tables]
    wanted = [t.values.ravel() / np.sqrt(t.variance) for t in tables]
    if total is not None:
        rows.append(np.full((1, 24), 1e5))
        wanted.append(np.array([1e5 * total]))
    matrix = np.concatenate(rows)
    inverse = np.linalg.pinv(matrix, rcond=1e-12)
    solved = inverse @ np.concatenate(wanted)
    found = {}
    for names in all_margins(t.names for t in tables):
        onto = design(names)
        variances = ((onto @ inverse) ** 2).sum(axis=1)
        found[names] = (onto @ solved, variances)
    return found


@pytest.mark.parametrize("total", [None, 500])
@pytest.mark.parametrize("tables", [RING, NESTED], ids=["ring", "nested"])
def test_interactions_solve_the_least_squares_of_all_cells(tables, total) -> None:
    noisy = measured(tables, np.random.default_rng(1))

    found = consistent(noisy, total)

    for names, (values, variances) in dense(noisy, total).items():
        assert found[names].values.ravel() == pytest.approx(values, abs=1e-5)
        assert np.full(variances.size, found[names].sd ** 2) == pytest.approx(variances, abs=1e-6)


@pytest.mark.parametrize("tables", [RING, NESTED], ids=["ring", "nested"])
def test_all_margins_agree_and_hold_the_public_number_of_records(tables) -> None:
    found = consistent(measured(tables, np.random.default_rng(2)), 321)

    for names, margin in found.items():
        assert margin.values.sum() == pytest.approx(321)
        for other, table in found.items():
            if set(names) <= set(other):
                added = margin_over(table.values, other, names)
                assert added == pytest.approx(margin.values)
    assert (found[()].sd, float(found[()].values)) == (0.0, 321.0)


def test_a_table_by_itself_stays_as_it_was_measured_where_n_is_not_public() -> None:
    (noisy,) = measured([("a", "b")], np.random.default_rng(3), spreads=(2.0,))

    found = consistent([noisy], None)["a", "b"]

    assert found.values == pytest.approx(noisy.values)
    assert found.sd == pytest.approx(2.0)
    assert found.raw_sd == pytest.approx(2.0)


def test_every_selection_of_columns_is_a_margin_once() -> None:
    found = all_margins([("a", "b"), ("b", "a", "c")])

    assert found == [(), ("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c"), NAMES]

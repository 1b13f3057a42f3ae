"""Which whole, non-negative tables that agree with each other are near some estimates?

Controlled rounding: first the single columns, then one table after the other inside the margins
that earlier ones have fixed.  Two overlapping margins leave a transport problem in each cell of
what they share, which whole numbers always solve (maximum flow).  Tables can be taken in an order
in which nothing else ever happens, or `rounding_order` says that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.interactions import margin_over
from covey.postprocess.leaves import whole_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.postprocess.interactions import Margin, Names

CORRECTIONS = 200
"""So often negative cells and wrong margins are corrected in turn (Dykstra's projections)."""

BARELY_NEGATIVE = 1e-3
"""Corrections end when no cell is below 0 by more than this."""

WHOLE_ENOUGH = 1e-3
"""Raked numbers this close to a whole number count as it."""

RoundingStep = tuple["Names", list["Names"]]
"""A table, and the margins of it that are fixed before, in the order in which they are joined."""


def rounding_order(tables: Sequence[Names]) -> list[RoundingStep] | None:
    """Return the order in which tables can be made whole, or None if they form a ring.

    Margins of other tables are left out: they follow from these.
    """
    largest = [t for t in tables if not any(set(t) < set(other) for other in tables)]
    pending = sorted((t for t in largest if len(t) > 1), key=len, reverse=True)
    done: list[Names] = [(name,) for name in dict.fromkeys(n for t in tables for n in t)]
    steps: list[RoundingStep] = []
    while pending:
        for table in pending:
            joined = _joined(table, done)
            if joined is not None:
                steps.append((table, joined))
                done.append(table)
                pending.remove(table)
                break
        else:
            return None
    return steps


def _joined(table: Names, done: Sequence[Names]) -> list[Names] | None:
    """Return the fixed margins of a table in an order with the running intersection property.

    What a margin shares with all before it is then inside one of them, where they agree.
    """
    shared = {tuple(name for name in table if name in other) for other in done}
    fixed = [s for s in shared if s and not any(set(s) < set(other) for other in shared)]
    for order in permutations(sorted(fixed, key=lambda s: (-len(s), s))):
        before = [
            set(part) & {name for earlier in order[:at] for name in earlier}
            for at, part in enumerate(order)
        ]
        if all(
            any(common <= set(earlier) for earlier in order[:at])
            for at, common in enumerate(before)
            if at
        ):
            return list(order)
    return None


def whole_tables(
    margins: Mapping[Names, Margin], steps: Sequence[RoundingStep], total: int
) -> dict[Names, NDArray[np.int64]]:
    """Return non-negative whole numbers near all estimates, whose margins add up exactly."""
    made: dict[Names, NDArray[np.int64]] = {
        names: _shared_out(margin.values, total)
        for names, margin in margins.items()
        if len(names) == 1
    }
    for table, fixed in steps:
        held, names = _margin_of(made, fixed[0]), fixed[0]
        for other in fixed[1:]:
            both = tuple(name for name in table if name in names or name in other)
            target = _estimate(margins, both)
            held = _transported(target, both, (held, names), (_margin_of(made, other), other))
            names = both
        if names != table:
            held = _filled(_estimate(margins, table), table, held, names)
        made[table] = held
    every = {names: _margin_of(made, names) for names in margins if names}
    return {(): np.array(total), **every}


def _estimate(margins: Mapping[Names, Margin], names: Names) -> NDArray[np.float64]:
    """Return the estimate of a table whose columns stand in some order."""
    found = next(margin for key, margin in margins.items() if set(key) == set(names))
    return np.asarray(margin_over(found.values, found.names, names))


def _margin_of(made: Mapping[Names, NDArray[np.int64]], names: Names) -> NDArray[np.int64]:
    table = max((t for t in made if set(names) <= set(t)), key=lambda t: (-len(t), t))
    return np.asarray(margin_over(made[table], table, names))


def _shared_out(noisy: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    if total <= 0:
        return np.zeros(noisy.shape, dtype=np.int64)
    return whole_counts(noisy.ravel(), total).reshape(noisy.shape)


def _filled(
    target: NDArray[np.float64], table: Names, held: NDArray[np.int64], names: Names
) -> NDArray[np.int64]:
    """Share each cell of a fixed margin out among the cells of the table that it stands for."""
    order = [*(table.index(n) for n in names), *(table.index(n) for n in table if n not in names)]
    cells = target.transpose(order).reshape(held.size, -1)
    rows = [_shared_out(row, int(sum_)) for row, sum_ in zip(cells, held.ravel(), strict=True)]
    shape = [target.shape[at] for at in order]
    return np.array(rows).reshape(shape).transpose(np.argsort(order))


def _transported(
    target: NDArray[np.float64],
    names: Names,
    first: tuple[NDArray[np.int64], Names],
    second: tuple[NDArray[np.int64], Names],
) -> NDArray[np.int64]:
    """Return whole numbers near a target inside two margins that share some columns."""
    common = [n for n in first[1] if n in second[1]]
    mine = [n for n in first[1] if n not in common]
    theirs = [n for n in second[1] if n not in common]
    order = [names.index(n) for n in (*common, *mine, *theirs)]
    shape = [target.shape[at] for at in order]
    slices = int(np.prod(shape[: len(common)], dtype=np.int64))
    height = int(np.prod(shape[len(common) : len(common) + len(mine)], dtype=np.int64))
    cells = target.transpose(order).reshape(slices, height, -1)
    rows = margin_over(first[0], first[1], (*common, *mine)).reshape(slices, height)
    columns = margin_over(second[0], second[1], (*common, *theirs)).reshape(slices, -1)
    raked = _raked(_projected(cells, rows, columns), rows, columns)
    whole = [_rounded(*each) for each in zip(raked, rows, columns, strict=True)]
    return np.array(whole).reshape(shape).transpose(np.argsort(order))


def _projected(
    cells: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the nearest non-negative numbers with these margins, or nearly so (Dykstra)."""
    height, width = cells.shape[1:]
    found, undone = cells, np.zeros_like(cells)
    for _ in range(CORRECTIONS):
        by_row = (rows - found.sum(axis=2))[:, :, None] / width
        by_column = (columns - found.sum(axis=1))[:, None, :] / height
        over = (rows.sum(axis=1) - found.sum(axis=(1, 2)))[:, None, None] / (height * width)
        fitted = found + by_row + by_column - over
        if fitted.min() > -BARELY_NEGATIVE:
            return np.asarray(np.maximum(fitted, 0.0))
        found = np.maximum(fitted + undone, 0.0)
        undone = fitted + undone - found
    return np.asarray(found)


def _raked(
    cells: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Scale rows and columns in turn until the margins are met (iterative proportional fitting).

    Every cell gets a trace of mass first, so that some numbers with these margins exist.
    """
    found = cells + WHOLE_ENOUGH / 10.0 / cells[0].size
    for _ in range(CORRECTIONS):
        found = found * _ratio(rows, found.sum(axis=2))[:, :, None]
        found = found * _ratio(columns, found.sum(axis=1))[:, None, :]
        if np.abs(found.sum(axis=2) - rows).max() < WHOLE_ENOUGH / 10.0:
            break
    return np.asarray(found)


def _ratio(wanted: NDArray[np.int64], given: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(wanted, given, out=np.zeros(given.shape), where=given > 0)


def _rounded(
    cells: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Round each number up or down so that rows and columns keep their sums (maximum flow)."""
    floor = np.floor(cells + WHOLE_ENOUGH).astype(np.int64)
    _take_off(floor, rows)
    _take_off(floor.T, columns)
    up, down = rows - floor.sum(axis=1), columns - floor.sum(axis=0)
    if up.any():
        added = _flow(cells - floor > WHOLE_ENOUGH, up, down)
        floor += added
        up, down = up - added.sum(axis=1), down - added.sum(axis=0)
    for row in np.flatnonzero(up).tolist():  # what raking left over: wherever there is room
        for column in np.flatnonzero(down).tolist():
            some = min(up[row], down[column])
            floor[row, column] += some
            up[row] -= some
            down[column] -= some
    return floor


def _take_off(floor: NDArray[np.int64], sums: NDArray[np.int64]) -> None:
    for line in np.flatnonzero(floor.sum(axis=1) > sums).tolist():
        floor[line] = _shared_out(floor[line].astype(np.float64), int(sums[line]))


def _flow(
    free: NDArray[np.bool_], up: NDArray[np.int64], down: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return where ones are added: at most one to each free cell, so many to each line."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    height, width = free.shape
    row, column = np.nonzero(free)
    source, sink = height + width, height + width + 1
    start = np.concatenate([np.full(height, source), row, height + np.arange(width)])
    end = np.concatenate([np.arange(height), height + column, np.full(width, sink)])
    most = np.concatenate([up, np.ones(row.size, dtype=np.int64), down]).astype(np.int32)
    graph = coo_array((most, (start, end)), shape=(sink + 1, sink + 1)).tocsr()
    graph.eliminate_zeros()
    flow = maximum_flow(graph, source, sink).flow
    return np.asarray(np.maximum(flow[:height, height:source].toarray(), 0), dtype=np.int64)

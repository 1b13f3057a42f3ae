"""Which remaining record is the farthest, if only the outermost ones are asked?

The outermost records are kept together, the farthest from an origin in the middle first, and
scanned in blocks.  If no other record is farther than R from the origin, then no other is farther
than R + |point - origin| from a point (triangle inequality); so the scan ends as soon as it has
found more than that.  If it comes to the end, the shell takes in more records, and where this
does not help either, all records have to be searched.  Hence the answer, if there is one, is
that of a scan of all records.

In round data some hundred to some thousand of a million records answer nearly all questions, and
these stay in the cache.  In skewed or clustered data the outermost records lie all on one side
and cannot answer; then the shell is asked more and more rarely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.mdav.centroid import squared_distance
from covey.kernels.mdav.scan import any_outside, distances_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIMIT = 8192
"""Records in a shell at most.  To scan more takes longer than to search a tree of a million."""

CENTRE, SEED = 0, 1
"""What is asked about: the centroid, or a record on the outside.  Each has pauses of its own."""

# Records between two looks at the bound, and to take in at once at least.
_BLOCK = 128
# Questions that go past a shell that cannot answer, at most, before it is asked again.
_PAUSE = 127
# What rounding can do to a distance is many times smaller, so a bound with this slack is one.
_RELATIVE = 1.0 + 1e-9
_ABSOLUTE = 1e-150


class Shell(NamedTuple):
    """The outermost records, attribute by attribute, and those that would be next.

    ``radii`` are the distances from ``origin``, and ``place`` is -1 for a record that the shell
    does not hold.  A removed record keeps its place, with a value that is not a number, until
    the others close up.  ``outward`` lists records by radius, the largest last.  ``state`` is how
    many places are taken, how many of these by removed records, and how many of ``outward`` the
    shell has not yet come to.  For each of ``CENTRE`` and ``SEED``, ``pauses`` says how many more
    questions go past the shell, and how many did at the last pause.
    """

    values: NDArray[np.float64]
    records: NDArray[np.int64]
    radii: NDArray[np.float64]
    place: NDArray[np.int64]
    outward: NDArray[np.int64]
    origin: NDArray[np.float64]
    state: NDArray[np.int64]
    pauses: NDArray[np.int64]
    scratch: NDArray[np.float64]


def shell_of(
    X: NDArray[np.float64], records: NDArray[np.int64], origin: NDArray[np.float64]
) -> Shell:
    """Prepare a shell around the given rows of ``X``: one sort.  It fills as it is asked."""
    n, d = X.shape
    m = records.shape[0]
    capacity = min(m, LIMIT)
    return Shell(
        np.empty((d, capacity)),
        np.empty(capacity, dtype=np.int64),
        np.empty(capacity),
        np.full(n, -1),
        records[np.argsort(_square_radii(X, records, origin))],
        origin,
        np.array([0, 0, m]),
        np.zeros((2, 2), dtype=np.int64),
        np.empty(_BLOCK),
    )


@njit(cache=True)
def farthest_record(
    X: NDArray[np.float64],
    place: NDArray[np.int64],
    shell: Shell,
    point: NDArray[np.float64],
    role: int,
) -> int:
    """Find the remaining record farthest from the point; the lowest index among equals.

    Returns -1 if the shell cannot tell.

    Parameters
    ----------
    X : ndarray of float64, shape (n, d)
    place : ndarray of int64, shape (n,)
        Negative for the rows of ``X`` that do not remain.
    shell : Shell
    point : ndarray of float64, shape (d,)
    role : {CENTRE, SEED}
    """
    pause = shell.pauses[role]
    if pause[0] > 0:
        pause[0] -= 1
        return -1
    state, out = shell.state, shell.scratch
    away = np.sqrt(squared_distance(point, shell.origin))
    best, best_record = -1.0, -1
    start = 0
    while True:
        if start < state[0]:
            radius = shell.radii[start]
        elif state[2] > 0:
            radius = np.sqrt(squared_distance(X[shell.outward[state[2] - 1]], shell.origin))
        else:
            return best_record
        reach = _RELATIVE * (radius + away) + _ABSOLUTE
        if best > _RELATIVE * reach * reach:
            pause[1] = 0
            return best_record
        if start == state[0] and not _take_in(X, place, shell):
            pause[1] = min(2 * pause[1] + 1, _PAUSE)
            pause[0] = pause[1]
            return -1
        stop = min(start + _BLOCK, state[0])
        distances_to(shell.values, start, stop, point, out)
        if any_outside(out[: stop - start], -np.inf, best):
            for i in range(stop - start):
                distance = out[i]
                record = shell.records[start + i]
                if distance > best or (distance == best and record < best_record):
                    best, best_record = distance, record
        start = stop


@njit(cache=True)
def remove_from_shell(shell: Shell, records: NDArray[np.int64]) -> None:
    """Take those of the records that are in the shell out of it."""
    state = shell.state
    for record in records:
        at = shell.place[record]
        if at >= 0:
            shell.place[record] = -1
            # No distance from here is larger than another, so a scan passes over it.
            shell.values[0, at] = np.nan
            state[1] += 1
    if 4 * state[1] > state[0]:
        _close_up(shell)


@njit(cache=True)
def _close_up(shell: Shell) -> None:
    """Move the records of the shell together, in their order."""
    at = 0
    for i in range(shell.state[0]):
        record = shell.records[i]
        if shell.place[record] == i:
            shell.place[record] = at
            shell.records[at] = record
            shell.radii[at] = shell.radii[i]
            for j in range(shell.values.shape[0]):
                shell.values[j, at] = shell.values[j, i]
            at += 1
    shell.state[0] = at
    shell.state[1] = 0


@njit(cache=True)
def _take_in(X: NDArray[np.float64], place: NDArray[np.int64], shell: Shell) -> bool:
    """Let the shell grow inward by a block of records; return whether there is room."""
    state = shell.state
    at = state[0]
    stop = min(at + _BLOCK, shell.records.shape[0])
    if at == stop:
        return False
    while at < stop and state[2] > 0:
        state[2] -= 1
        record = shell.outward[state[2]]
        if place[record] >= 0:
            shell.records[at] = record
            shell.place[record] = at
            shell.radii[at] = np.sqrt(squared_distance(X[record], shell.origin))
            for j in range(X.shape[1]):
                shell.values[j, at] = X[record, j]
            at += 1
    state[0] = at
    return True


@njit(cache=True)
def _square_radii(
    X: NDArray[np.float64], records: NDArray[np.int64], origin: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Compute the squared distance of each record to the origin."""
    out = np.empty(records.shape[0])
    for i in range(records.shape[0]):
        out[i] = squared_distance(X[records[i]], origin)
    return out

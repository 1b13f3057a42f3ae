"""Which record is farthest from a centroid that moves a little in every round?

The outermost records are listed once, by their distance to the centroid of that moment.  When
the centroid has since moved by delta, no distance has changed by more than delta (triangle
inequality), so the list need be read only until what follows cannot win any more.  If its end
is reached without that proof, the list has no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.centroid import squared_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What rounding can do to a distance is many times smaller: a proof with this slack is a proof.
_RELATIVE = 1.0 + 1e-9
_ABSOLUTE = 1e-150
_SAMPLE = 512


class Shell(NamedTuple):
    """The outermost records, farthest first, and what is needed to trust them.

    ``beyond`` bounds the distance from ``origin`` to a record that is not listed; ``span``
    holds the first and the last position in use.
    """

    records: NDArray[np.int64]
    radii: NDArray[np.float64]
    origin: NDArray[np.float64]
    beyond: NDArray[np.float64]
    span: NDArray[np.int64]


def empty_shell(n: int, d: int) -> Shell:
    """Make room for the outermost of ``n`` records; nothing is listed yet."""
    room = n // 8 + 64
    return Shell(
        np.empty(room, dtype=np.int64),
        np.empty(room),
        np.zeros(d),
        np.full(1, np.inf),
        np.zeros(2, dtype=np.int64),
    )


@njit(cache=True)
def list_outermost(
    shell: Shell,
    records: NDArray[np.int64],
    distances: NDArray[np.float64],
    centre: NDArray[np.float64],
    share: int,
) -> None:
    """List about one in ``share`` of the records, given their squared distances.  O(m)."""
    m = records.shape[0]
    step = max(1, m // _SAMPLE)
    sample = np.sort(distances[::step])
    at = sample.shape[0] - 1 - sample.shape[0] // share
    room = shell.records.shape[0]
    while True:
        size = 0
        for i in range(m):
            if distances[i] > sample[at]:
                if size == room:
                    size += 1
                    break
                shell.records[size] = records[i]
                shell.radii[size] = np.sqrt(distances[i])
                size += 1
        if size <= room:
            break
        at = (at + sample.shape[0]) // 2
    order = np.argsort(-shell.radii[:size])
    shell.records[:size] = shell.records[:size][order]
    shell.radii[:size] = shell.radii[:size][order]
    shell.origin[:] = centre
    shell.beyond[0] = np.sqrt(sample[at])
    shell.span[0] = 0
    shell.span[1] = size


@njit(cache=True)
def farthest_listed(
    shell: Shell,
    X: NDArray[np.float64],
    labels: NDArray[np.int64],
    centre: NDArray[np.float64],
) -> tuple[int, int]:
    """Find the farthest unlabelled record, or -1 if the list cannot prove which it is.

    Returns also how many entries were read.
    """
    drift = np.sqrt(squared_distance(shell.origin, centre))
    first, stop = shell.span
    best = -1.0
    best_record = -1
    enough = -1.0
    at = first
    alive = 0
    while at < stop and (shell.radii[at] + drift) * _RELATIVE + _ABSOLUTE >= enough:
        record = shell.records[at]
        if labels[record] < 0:
            alive += 1
            distance = squared_distance(X[record], centre)
            if distance > best or (distance == best and record < best_record):
                best = distance
                best_record = record
                enough = np.sqrt(distance)
        at += 1
    if 2 * alive < at - first:
        _drop_labelled(shell, labels, at)
    if at == stop and (shell.beyond[0] + drift) * _RELATIVE + _ABSOLUTE >= enough:
        return -1, at - first
    return best_record, at - first


@njit(cache=True)
def _drop_labelled(shell: Shell, labels: NDArray[np.int64], stop: int) -> None:
    """Move what is unlabelled among the entries before ``stop`` up against it."""
    to = stop
    for at in range(stop - 1, shell.span[0] - 1, -1):
        if labels[shell.records[at]] < 0:
            to -= 1
            shell.records[to] = shell.records[at]
            shell.radii[to] = shell.radii[at]
    shell.span[0] = to

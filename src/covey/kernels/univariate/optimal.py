"""Which consecutive clusters of sorted values cost least?

The cost of a cluster is the sum of squared errors to its mean (SSE), plus ``noise / size`` where
noise will be added.  On sorted values this cost is Monge: a later start of the last cluster that
once beats an earlier start beats it ever after.  So the starts can wait in a queue, each with the
position from which it is best.  ``docs/proofs/optimal-partition.md`` proves it.

No two large costs are ever subtracted.  Whether one start beats another is decided on the
difference of their costs, which has a closed form, and the cost of a cluster is put together from
two parts.  All sums have terms of one sign, so that values at 0 and at 1e9 are told apart from
their neighbours as well as values at 0 and at 1.
"""

from __future__ import annotations

from math import frexp, ldexp
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from covey.kernels.univariate.doubledouble import distance_sum, prefix_sums, two_sum
from covey.kernels.univariate.monge import NEAR, next_turn, wins

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The queue moves back to the front of its arrays once this many have left it, to stay in cache.
IDLE = 1024
# Values beyond 2**300 are scaled by a power of two, lest products of their squares overflow.
_LARGE = 300


def optimal_sizes(x_sorted: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Cut sorted values into clusters of at least ``k`` with the least sum of squared errors.

    Parameters
    ----------
    x_sorted : float64 array of shape (n,)
        Finite values in ascending order.
    k : int
        Smallest cluster size, from 1 to ``n``.

    Returns
    -------
    int64 array
        Sizes of the clusters in ascending order of their values, each from ``k`` to ``2 k - 1``.
        Of partitions that cost the same, the one with the shorter last cluster, then the shorter
        last but one, and so on.

    Notes
    -----
    O(n log n) time whatever ``k`` is, near to linear in practice.
    Memory for 5 ``n`` numbers, and for up to 8 ``n`` more if clusters are very large.

    Examples
    --------
    >>> optimal_sizes(np.array([1.0, 2.0, 3.0, 8.0, 9.0]), 2).tolist()
    [3, 2]
    """
    sizes = _least_cost(x_sorted, k, 0.0)
    # Cutting 2 k or more values never costs more.  They stay together only where their errors
    # are below 1e-30 of those elsewhere, so that any cut of them is as good.
    clusters = sizes // k
    cut = np.full(clusters.sum(), k, dtype=np.int64)
    cut[np.cumsum(clusters) - 1] += sizes % k
    return cut


def optimal_noise_sizes(x_sorted: NDArray[np.float64], noise_cost: float) -> NDArray[np.int64]:
    """Cut sorted values into clusters with the least squared error after noise is added.

    Minimises the sum over clusters of ``SSE(C) + noise_cost / |C|``, the objective of Soria-Comas
    and Domingo-Ferrer (2018), section 6.  For Laplace noise of scale ``b / |C|`` on each mean,
    ``noise_cost`` is ``2 b**2``.

    Parameters
    ----------
    x_sorted : float64 array of shape (n,)
        Finite values in ascending order, at least one.
    noise_cost : float
        Finite and at least 0.  At 0 every record is a cluster.

    Returns
    -------
    int64 array
        Sizes of the clusters in ascending order of their values; ties as in `optimal_sizes`.

    Notes
    -----
    O(n log n) time, near to linear in practice, where the paper's Algorithm 3 is quadratic.
    Memory as in `optimal_sizes`.

    Examples
    --------
    >>> optimal_noise_sizes(np.array([1.0, 2.0, 3.0, 8.0, 9.0]), 4.0).tolist()
    [3, 2]
    """
    return _least_cost(x_sorted, 1, noise_cost)


def _least_cost(x_sorted: NDArray[np.float64], least: int, noise: float) -> NDArray[np.int64]:
    x = np.ascontiguousarray(x_sorted, dtype=np.float64)
    exponent = frexp(max(abs(float(x[0])), abs(float(x[-1]))))[1]
    if abs(exponent) > _LARGE:
        x = np.ldexp(x, -exponent)
        # Above the largest SSE more noise changes nothing: one cluster is best.
        noise = ldexp(noise, min(-2 * exponent, _LARGE - frexp(noise)[1]))
    return _sizes(_last_starts(x, prefix_sums(x), least, noise))


@njit(cache=True)
def _sizes(last_start: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Follow the starts of the last clusters back to zero."""
    backwards = np.empty(last_start.size, np.int64)
    count = 0
    end = last_start.size - 1
    while end > 0:
        start = int(last_start[end])
        backwards[count] = end - start
        end = start
        count += 1
    return backwards[:count][::-1].copy()


@njit(cache=True, error_model="numpy")
def _last_starts(
    x: NDArray[np.float64], sums: NDArray[np.float64], least: int, noise: float
) -> NDArray[np.uint32]:
    """Find for each prefix of the values where the last cluster of its best partition starts.

    A row of ``queue`` is a start that will be best for some prefix, and the shortest such prefix:
    its turn.  The row of ``between`` describes the values from the start before it to the start
    itself: their SSE in two floats, and the sums of their distances to the value at the start
    (above) and to the value at the start before it (below).

    The best start never moves back, so the last cluster is a window that slides over the values.
    It is kept as two runs that meet in the middle: the left one knows the SSE for every start in
    it, the right one grows.  Once the start has passed the middle, the window becomes the left.
    """
    # One long function: numba counts references to each array that a function call is given, and
    # that doubles the time.
    n = x.size
    cost = np.empty((n + 1, 2))
    cost[0, 0] = 0.0
    cost[0, 1] = 0.0
    # Unsigned, so that numba need not ask whether an index counts from the end.
    last_start = np.empty(n + 1, np.uint32)
    queue = np.empty((n + 1, 2), np.uint32)
    queue[0, 0] = 0
    queue[0, 1] = least
    between = np.empty((n + 1, 4))
    head = 0
    tail = 0
    sse = 0.0
    sse_low = 0.0
    above = 0.0
    below = 0.0
    runs = np.empty((n, 2))
    left = 0
    middle = 0
    right = (0.0, 0.0, 0.0, 0.0)
    for end in range(least, n + 1):
        new = end - least
        if new > 0:
            old = int(queue[tail, 0])
            count = float(new - old)
            if new - old > 1:
                sse, error = two_sum(sse, above * above / (count * (count - 1.0)))
                sse_low += error
            if new - old <= NEAR:
                above += count * (x[new] - x[new - 1])
                below += x[new - 1] - x[old]
            else:
                above = distance_sum(x, sums, new, old)
                below = distance_sum(x, sums, old, new)
        # Between 0 and the least size there is no partition that a start could continue.
        while new >= least:
            old = int(queue[tail, 0])
            turn = max(int(queue[tail, 1]), end)
            count = float(new - old)
            rise = (cost[new, 0] - cost[old, 0]) - sse
            rise += (cost[new, 1] - cost[old, 1]) - sse_low
            after = float(turn - new)
            cross = after * above + count * distance_sum(x, sums, new, turn)
            if not wins(count, after, cross, rise, noise):
                turn = next_turn(x, sums, new, turn, count, above, cross, rise, noise)
                if turn > n:
                    break
                if head >= IDLE and tail - head < head:
                    tail = _to_front(queue, between, head, tail)
                    head = 0
                tail += 1
                between[tail, 0] = sse
                between[tail, 1] = sse_low
                between[tail, 2] = above
                between[tail, 3] = below
            elif tail == head:
                turn = end
            else:
                older = int(queue[tail - 1, 0])
                before = float(old - older)
                cross = count * between[tail, 2] + before * below
                sse, error = two_sum(sse, between[tail, 0])
                sse_low += between[tail, 1] + error
                sse, error = two_sum(sse, cross * cross / (before * count * (before + count)))
                sse_low += error
                if new - older <= NEAR:
                    above += between[tail, 2] + before * (x[new] - x[old])
                    below += between[tail, 3] + count * (x[old] - x[older])
                else:
                    above = distance_sum(x, sums, new, older)
                    below = distance_sum(x, sums, older, new)
                tail -= 1
                continue
            queue[tail, 0] = new
            queue[tail, 1] = turn
            sse = 0.0
            sse_low = 0.0
            above = 0.0
            below = 0.0
            break
        while head < tail and int(queue[head + 1, 1]) <= end:
            head += 1
        start = int(queue[head, 0])
        if start >= middle:
            left = start
            middle = end
            _fill(x, left, middle, runs)
            right = (0.0, 0.0, 0.0, 0.0)
            total = runs[0, 0] + noise / (end - start)
        else:
            right = _append(right, x[end - 1] - x[middle], float(end - 1 - middle))
            before = float(middle - start)
            after = float(end - middle)
            product = before * after
            cross = after * runs[start - left, 1] + before * (right[2] + right[3])
            cross += product * (x[middle] - x[middle - 1])
            total = runs[start - left, 0] + (right[0] + right[1])
            total += (cross * cross + noise * product) / (product * (before + after))
        cost[end, 0], error = two_sum(cost[start, 0], total)
        cost[end, 1] = cost[start, 1] + error
        last_start[end] = start
    return last_start


@njit(cache=True)
def _to_front(queue: NDArray[np.uint32], between: NDArray[np.float64], head: int, tail: int) -> int:
    """Move the queue to the front of its arrays and return the new place of its last start."""
    for t in range(head, tail + 1):
        for column in range(2):
            queue[t - head, column] = queue[t, column]
        for column in range(4):
            between[t - head, column] = between[t, column]
    return tail - head


@njit(cache=True, error_model="numpy")
def _append(
    run: tuple[float, float, float, float], distance: float, count: float
) -> tuple[float, float, float, float]:
    """Add a value to ``count`` values: their SSE, and their distances to the first; two floats."""
    sse, sse_low, total, total_low = run
    if count > 0.0:
        cross = count * distance - (total + total_low)
        sse, error = two_sum(sse, cross * cross / (count * (count + 1.0)))
        sse_low += error
        total, error = two_sum(total, distance)
        total_low += error
    return sse, sse_low, total, total_low


@njit(cache=True)
def _fill(x: NDArray[np.float64], left: int, middle: int, runs: NDArray[np.float64]) -> None:
    """Store SSE and sum of distances to the last value for all runs that end at ``middle``."""
    run = (0.0, 0.0, 0.0, 0.0)
    for t in range(middle - 1, left - 1, -1):
        run = _append(run, x[middle - 1] - x[t], float(middle - 1 - t))
        runs[t - left, 0] = run[0] + run[1]
        runs[t - left, 1] = run[2] + run[3]

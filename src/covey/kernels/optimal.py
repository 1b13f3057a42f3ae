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

from covey.kernels.doubledouble import distance_sum, prefix_sums, two_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Most starts have their turn a few positions after the one before: these are tried one by one.
SCAN = 8
# The queue moves back to the front of its arrays once this many have left it, to stay in cache.
IDLE = 1024
# Values beyond 2**300 are scaled by a power of two, lest products of their squares overflow.
LARGE = 300


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
    Memory for about 7 ``n`` numbers.

    Examples
    --------
    >>> optimal_sizes(np.array([1.0, 2.0, 3.0, 8.0, 9.0]), 2).tolist()
    [3, 2]
    """
    return _least_cost(x_sorted, k, 0.0)


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
    Memory for about 7 ``n`` numbers.

    Examples
    --------
    >>> optimal_noise_sizes(np.array([1.0, 2.0, 3.0, 8.0, 9.0]), 4.0).tolist()
    [3, 2]
    """
    return _least_cost(x_sorted, 1, noise_cost)


def _least_cost(x_sorted: NDArray[np.float64], least: int, noise: float) -> NDArray[np.int64]:
    x = np.ascontiguousarray(x_sorted, dtype=np.float64)
    exponent = frexp(max(abs(float(x[0])), abs(float(x[-1]))))[1]
    if abs(exponent) > LARGE:
        x = np.ldexp(x, -exponent)
        # Above the largest SSE more noise changes nothing: one cluster is best.
        noise = ldexp(noise, min(-2 * exponent, LARGE - frexp(noise)[1]))
    return _sizes(_last_starts(x, prefix_sums(x), least, noise))


@njit(cache=True)
def _sizes(last_start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Follow the starts of the last clusters back to zero."""
    backwards = np.empty(last_start.size, np.int64)
    count = 0
    end = last_start.size - 1
    while end > 0:
        backwards[count] = end - last_start[end]
        end = last_start[end]
        count += 1
    return backwards[:count][::-1].copy()


@njit(cache=True)
def _last_starts(
    x: NDArray[np.float64], sums: NDArray[np.float64], least: int, noise: float
) -> NDArray[np.int64]:
    """Find for each prefix of the values where the last cluster of its best partition starts.

    ``cost[j]`` is the cost of the first ``j`` values and ``queue`` holds the starts that will be
    best for some prefix, each with the first such prefix (its turn).  ``between[t]`` holds the SSE
    (two floats) of the values from start ``t - 1`` of the queue to start ``t``, and the sum of
    their distances to the value at start ``t``.
    """
    n = x.size
    cost = np.empty((n + 1, 2))
    cost[0, 0] = 0.0
    cost[0, 1] = 0.0
    last_start = np.empty(n + 1, np.int64)
    queue = np.empty((n + 1, 2), np.int64)
    queue[0, 0] = 0
    queue[0, 1] = least
    between = np.empty((n + 1, 4))
    head = 0
    tail = 0
    # The same as a row of `between`, for the values from the last start in the queue to `new`.
    sse = 0.0
    sse_low = 0.0
    above = 0.0
    below = 0.0
    window = np.empty((n, 2))
    left = 0
    middle = 0
    right = (0.0, 0.0, 0.0, 0.0)
    for end in range(least, n + 1):
        new = end - least
        if new > 0:
            old = queue[tail, 0]
            count = float(new - old)
            if new - old > 1:
                sse, error = two_sum(sse, above * above / (count * (count - 1.0)))
                sse_low += error
            if new - old <= SCAN:
                above += count * (x[new] - x[new - 1])
                below += x[new - 1] - x[old]
            else:
                above = distance_sum(x, sums, new, old)
                below = distance_sum(x, sums, old, new)
        # Between 0 and the least size there is no partition to continue.
        if new >= least:
            while True:
                old = queue[tail, 0]
                turn = max(queue[tail, 1], end)
                count = float(new - old)
                rise = (cost[new, 0] - cost[old, 0]) - sse
                rise += (cost[new, 1] - cost[old, 1]) - sse_low
                pair = (count, rise, noise, above)
                after = float(turn - new)
                cross = after * above + count * distance_sum(x, sums, new, turn)
                if not _wins(after, cross, pair):
                    turn = _turn(x, sums, new, turn, cross, pair)
                    if turn <= n:
                        if head >= IDLE and tail - head < head:
                            tail = _to_front(queue, between, head, tail)
                            head = 0
                        tail += 1
                        queue[tail, 0] = new
                        queue[tail, 1] = turn
                        between[tail, 0] = sse
                        between[tail, 1] = sse_low
                        between[tail, 2] = above
                        between[tail, 3] = below
                        sse = 0.0
                        sse_low = 0.0
                        above = 0.0
                        below = 0.0
                    break
                if tail == head:
                    queue[tail, 0] = new
                    queue[tail, 1] = end
                    sse = 0.0
                    sse_low = 0.0
                    above = 0.0
                    below = 0.0
                    break
                older = queue[tail - 1, 0]
                before = float(old - older)
                cross = count * between[tail, 2] + before * below
                sse_low += between[tail, 1]
                sse, error = two_sum(sse, between[tail, 0])
                sse_low += error
                sse, error = two_sum(sse, cross * cross / (before * count * (before + count)))
                sse_low += error
                if new - older <= 64:
                    above += between[tail, 2] + before * (x[new] - x[old])
                    below += between[tail, 3] + count * (x[old] - x[older])
                else:
                    above = distance_sum(x, sums, new, older)
                    below = distance_sum(x, sums, older, new)
                tail -= 1
        while head < tail and queue[head + 1, 1] <= end:
            head += 1
        start = queue[head, 0]
        if start >= middle:
            left = start
            middle = end
            _fill(x, left, middle, window)
            right = (0.0, 0.0, 0.0, 0.0)
            total = window[0, 0] + noise / (end - start)
        else:
            right = _append(right, x[end - 1] - x[middle], float(end - 1 - middle))
            before = float(middle - start)
            after = float(end - middle)
            cross = after * window[start - left, 1] + before * (right[2] + right[3])
            cross += before * after * (x[middle] - x[middle - 1])
            total = window[start - left, 0] + (right[0] + right[1])
            product = before * after
            total += (cross * cross + noise * product) / (product * (before + after))
        cost[end, 0], error = two_sum(cost[start, 0], total)
        cost[end, 1] = cost[start, 1] + error
        last_start[end] = start
    return last_start


@njit(cache=True)
def _to_front(
    queue: NDArray[np.int64], between: NDArray[np.float64], head: int, tail: int
) -> int:
    """Move what waits to the front of the arrays and return the new place of the last."""
    for t in range(head, tail + 1):
        queue[t - head, 0] = queue[t, 0]
        queue[t - head, 1] = queue[t, 1]
        between[t - head, 0] = between[t, 0]
        between[t - head, 1] = between[t, 1]
        between[t - head, 2] = between[t, 2]
        between[t - head, 3] = between[t, 3]
    return tail - head


@njit(cache=True)
def _apart(x: NDArray[np.float64], sums: NDArray[np.float64], anchor: int, end: int) -> float:
    """Sum the distances of a run to the value at one end; most runs here are short."""
    if abs(end - anchor) > SCAN:
        return distance_sum(x, sums, anchor, end)
    total = 0.0
    for t in range(min(anchor, end), max(anchor, end)):
        total += abs(x[t] - x[anchor])
    return total


@njit(cache=True)
def _beats(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    new: int,
    end: int,
    pair: tuple[float, float, float, float],
) -> bool:
    """Say whether the last cluster of the first ``end`` values had better start at ``new``."""
    after = float(end - new)
    return _wins(after, after * pair[3] + pair[0] * distance_sum(x, sums, new, end), pair)


@njit(cache=True)
def _wins(after: float, cross: float, pair: tuple[float, float, float, float]) -> bool:
    """Compare two starts; ``cross`` is the difference of the means times both counts.

    ``cost[new] + w(new, end) <= cost[old] + w(old, end)``, multiplied by the counts.
    """
    count, rise, noise, _ = pair
    return (rise * after * (count + after) + noise * count) * count <= cross * cross


@njit(cache=True)
def _turn(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    new: int,
    lost: int,
    cross: float,
    pair: tuple[float, float, float, float],
) -> int:
    """Find the first position after ``lost`` where ``new`` wins; beyond the values if there is none.

    A few positions one by one, then in doubling steps, then by halving the last step.
    """
    n = x.size
    count = pair[0]
    after = float(lost - new)
    for end in range(lost + 1, min(lost + SCAN, n) + 1):
        cross += pair[3] + count * (x[end - 1] - x[new])
        after += 1.0
        if _wins(after, cross, pair):
            return end
    step = SCAN
    lost += SCAN
    won = n + 1
    while lost < n:
        end = min(lost + step, n)
        if _beats(x, sums, new, end, pair):
            won = end
            break
        lost = end
        step *= 2
    if won > n:
        return won
    while won - lost > 1:
        end = (lost + won) // 2
        if _beats(x, sums, new, end, pair):
            won = end
        else:
            lost = end
    return won


@njit(cache=True)
def _append(
    right: tuple[float, float, float, float], distance: float, count: float
) -> tuple[float, float, float, float]:
    """Add one value to a run: its SSE and its sum of distances to one end, two floats each."""
    sse, sse_low, total, total_low = right
    if count > 0.0:
        cross = count * distance - (total + total_low)
        sse, error = two_sum(sse, cross * cross / (count * (count + 1.0)))
        sse_low += error
        total, error = two_sum(total, distance)
        total_low += error
    return sse, sse_low, total, total_low


@njit(cache=True)
def _fill(x: NDArray[np.float64], left: int, middle: int, window: NDArray[np.float64]) -> None:
    """Store SSE and sum of distances to the last value for all runs that end at ``middle``."""
    run = (0.0, 0.0, 0.0, 0.0)
    for t in range(middle - 1, left - 1, -1):
        run = _append(run, x[middle - 1] - x[t], float(middle - 1 - t))
        window[t - left, 0] = run[0] + run[1]
        window[t - left, 1] = run[2] + run[3]

"""Which groups do MD, MDAV and V-MDAV form where categories have taxonomies?

As `md`, `mdav` and `v_mdav`, with the distance and the centroid of mixed records.  A concept is no
point between others, so trees of boxes do not help: all remaining records are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import njit

from covey.kernels.chunks import run_in_chunks
from covey.kernels.mdav.mixed_records import (
    Mixed,
    Totals,
    add_up,
    centroid,
    distance,
    farthest_mixed,
    nearest_mixed,
    no_totals,
    without,
)
from covey.kernels.mdav.nearest import Nearest, empty_nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Progress = Callable[[int, int], object] | None


def semantic_mdav(
    records: Mixed, k: int, *, loop: Literal["2k", "3k"] = "3k", progress: Progress = None
) -> Integers:
    """Partition by MDAV; O(n²/k) distances, O(n) memory.

    Parameters and result as those of `covey.kernels.mdav.mdav.mdav`.
    """
    labels, rest, totals = _begun(records)
    n, label, heap = labels.size, 0, empty_nearest(k)
    enough = 2 * k if loop == "2k" else 3 * k

    def advance(steps: int) -> int:
        nonlocal rest, label
        rest, label = _mdav_rounds(records, k, enough, labels, rest, totals, heap, label, steps)
        return n - rest.size if rest.size >= 2 * k else n

    run_in_chunks(advance, total=n, progress=progress)
    _close(records, k, labels, rest, label, no_totals(records), totals)
    return labels


def semantic_md(records: Mixed, k: int, *, progress: Progress = None) -> Integers:
    """Partition by the maximum-distance method; between n²/k and n³/k distances, O(n) memory.

    Parameters and result as those of `covey.kernels.mdav.md.md`.  Of the most distant pair, the
    record farther from the centroid of the rest goes first; distances of attributes are added up.
    """
    labels, rest, totals = _begun(records)
    n, label, heap = labels.size, 0, empty_nearest(k)
    bound, witness = np.full(n, np.inf), np.full(n, -1)

    def advance(steps: int) -> int:
        nonlocal rest, label
        rest, label = _md_rounds(
            records, k, labels, rest, totals, heap, bound, witness, label, steps
        )
        return n - rest.size if rest.size >= 2 * k else n

    run_in_chunks(advance, total=n, progress=progress)
    _close(records, k, labels, rest, label, no_totals(records), totals)
    return labels


def semantic_vmdav(records: Mixed, k: int, gamma: float, *, progress: Progress = None) -> Integers:
    """Partition by V-MDAV; O(n²) distances, O(n) memory.

    Parameters and result as those of `covey.kernels.mdav.v_mdav.vmdav`.
    """
    labels, rest, totals = _begun(records)
    n, label, heap = labels.size, 0, empty_nearest(k)
    outward = np.argsort(-_from_centroid(records, totals), kind="stable")
    at = 0

    def advance(steps: int) -> int:
        nonlocal rest, label, at
        rest, label, at = _vmdav_groups(
            records, k, gamma, labels, rest, heap, outward, label, at, steps
        )
        return n - rest.size if rest.size >= k else n

    run_in_chunks(advance, total=n, progress=progress)
    _join_nearest_record(records, outward[at:], labels)
    return labels


def _begun(records: Mixed) -> tuple[Integers, Integers, Totals]:
    n = len(records.X)
    totals = no_totals(records)
    _add_all(records, totals)
    return np.full(n, -1, dtype=np.int64), np.arange(n), totals


@njit(cache=True)
def _add_all(records: Mixed, totals: Totals) -> None:
    for i in range(records.X.shape[0]):
        add_up(records, totals, i, 1)


@njit(cache=True)
def _take(records: Mixed, totals: Totals, heap: Nearest, label: int, labels: Integers) -> None:
    for i in heap.records:
        labels[i] = label
        add_up(records, totals, i, -1)


@njit(cache=True)
def _mdav_rounds(
    records: Mixed,
    k: int,
    enough: int,
    labels: Integers,
    rest: Integers,
    totals: Totals,
    heap: Nearest,
    label: int,
    limit: int,
) -> tuple[Integers, int]:
    x, c = np.empty(records.X.shape[1]), np.empty(records.C.shape[1], dtype=np.int64)
    rounds = 0
    while rest.size >= 2 * k and rounds < limit:
        centroid(records, totals, rest.size, x, c)
        r, _ = farthest_mixed(records, rest, x, c)
        s = -1
        if rest.size >= enough:
            s, _ = farthest_mixed(records, rest, records.X[r], records.C[r])
        for seed in (r, s):
            if seed >= 0:
                nearest_mixed(records, rest, records.X[seed], records.C[seed], heap)
                _take(records, totals, heap, label, labels)
                rest = without(rest, labels)
                label += 1
        rounds += 1
    return rest, label


@njit(cache=True)
def _md_rounds(
    records: Mixed,
    k: int,
    labels: Integers,
    rest: Integers,
    totals: Totals,
    heap: Nearest,
    bound: Floats,
    witness: Integers,
    label: int,
    limit: int,
) -> tuple[Integers, int]:
    x, c = np.empty(records.X.shape[1]), np.empty(records.C.shape[1], dtype=np.int64)
    rounds = 0
    while rest.size >= 2 * k and rounds < limit:
        # A largest distance only shrinks as records leave, so an old one bounds the present one.
        while True:
            r = rest[0]
            for i in rest:
                if bound[i] > bound[r]:
                    r = i
            s = witness[r]
            if s >= 0 and labels[s] < 0:
                break
            witness[r], bound[r] = farthest_mixed(records, rest, records.X[r], records.C[r])
        centroid(records, totals, rest.size, x, c)
        if _city_block(records, s, x, c) > _city_block(records, r, x, c):
            r, s = s, r
        for seed in (r, s):
            nearest_mixed(records, rest, records.X[seed], records.C[seed], heap)
            _take(records, totals, heap, label, labels)
            rest = without(rest, labels)
            label += 1
        rounds += 1
    return rest, label


@njit(cache=True)
def _city_block(records: Mixed, i: int, x: Floats, c: Integers) -> float:
    total = 0.0
    for j in range(x.shape[0]):
        total += abs(records.X[i, j] - x[j])
    concepts = records.concepts
    for j in range(c.shape[0]):
        code = records.C[i, j]
        if concepts.begin[j] < 0:
            total += 0.0 if code == c[j] else 1.0
        else:
            place = concepts.begin[j] + code * concepts.width[j] + c[j]
            total += np.sqrt(concepts.squared[place])
    return total


@njit(cache=True)
def _from_centroid(records: Mixed, totals: Totals) -> Floats:
    x, c = np.empty(records.X.shape[1]), np.empty(records.C.shape[1], dtype=np.int64)
    n = records.X.shape[0]
    centroid(records, totals, n, x, c)
    out = np.empty(n)
    for i in range(n):
        out[i] = distance(records, i, x, c)
    return out


@njit(cache=True)
def _vmdav_groups(
    records: Mixed,
    k: int,
    gamma: float,
    labels: Integers,
    rest: Integers,
    heap: Nearest,
    outward: Integers,
    label: int,
    at: int,
    limit: int,
) -> tuple[Integers, int, int]:
    to_group = np.empty(records.X.shape[0])
    formed = 0
    while rest.size >= k and formed < limit:
        while labels[outward[at]] >= 0:
            at += 1
        seed = outward[at]
        nearest_mixed(records, rest, records.X[seed], records.C[seed], heap)
        for i in heap.records:
            labels[i] = label
        rest = without(rest, labels)
        size = k
        if gamma > 0.0:
            to_group[rest] = np.inf
            for member in heap.records:
                _approach(records, rest, member, to_group)
        while gamma > 0.0 and size < 2 * k - 1 and rest.size > 1:
            e_min = rest[np.argmin(to_group[rest])]
            d_out = np.inf
            for i in rest:
                if i != e_min:
                    d_out = min(d_out, distance(records, i, records.X[e_min], records.C[e_min]))
            if not to_group[e_min] < gamma * d_out:
                break
            labels[e_min] = label
            rest = without(rest, labels)
            _approach(records, rest, e_min, to_group)
            size += 1
        label += 1
        formed += 1
    return rest, label, at


@njit(cache=True)
def _approach(records: Mixed, rest: Integers, member: int, to_group: Floats) -> None:
    """Note how near records are to a group that has a new member."""
    for i in rest:
        away = distance(records, i, records.X[member], records.C[member])
        to_group[i] = min(to_group[i], away)


@njit(cache=True)
def _join_nearest_record(records: Mixed, outward: Integers, labels: Integers) -> None:
    """Let each record that is left join its nearest labelled one, those before it included."""
    for i in outward:
        if labels[i] >= 0:
            continue
        best, host = np.inf, -1
        for j in range(labels.shape[0]):
            if labels[j] >= 0:
                away = distance(records, j, records.X[i], records.C[i])
                if away < best:
                    best, host = away, j
        labels[i] = labels[host]


@njit(cache=True)
def _close(
    records: Mixed,
    k: int,
    labels: Integers,
    rest: Integers,
    groups: int,
    totals: Totals,
    of_rest: Totals,
) -> None:
    """Label the rest: a group of its own, or part of the group with the closest centroid."""
    joined = groups
    if 0 < rest.size < k and groups > 0:
        d, p = records.X.shape[1], records.C.shape[1]
        x, c = np.empty(d), np.empty(p, dtype=np.int64)
        here = Mixed(np.empty((1, d)), np.empty((1, p), dtype=np.int64), records.concepts)
        centroid(records, of_rest, rest.size, here.X[0], here.C[0])
        order, best, at = np.argsort(labels, kind="mergesort"), np.inf, rest.size
        for group in range(groups):
            start = at
            while at < labels.size and labels[order[at]] == group:
                add_up(records, totals, order[at], 1)
                at += 1
            centroid(records, totals, at - start, x, c)
            away = distance(here, 0, x, c)
            if away < best:
                best, joined = away, group
            for i in order[start:at]:
                add_up(records, totals, i, -1)
    for i in rest:
        labels[i] = joined

"""Microaggregation as the papers state it: slow, plain, and written to be read.

Every choice is spelled out: squared distances add up the attributes in order, centroids are
correctly rounded means, and among equals the lowest index wins.
"""

from __future__ import annotations

import math

import numpy as np


def mdav(X: np.ndarray, k: int, loop: str = "3k") -> np.ndarray:
    """MDAV: two groups per round while 3k (generic) or 2k (first published) records remain."""
    left = list(range(len(X)))
    groups: list[list[int]] = []
    while len(left) >= int(loop[0]) * k:
        r = farthest(X, left, centroid(X, left))
        s = farthest(X, left, X[r])
        for seed in (r, s):
            groups.append(nearest(X, left, X[seed], k))
            left = without(left, groups[-1])
    if len(left) >= 2 * k:
        r = farthest(X, left, centroid(X, left))
        groups.append(nearest(X, left, X[r], k))
        left = without(left, groups[-1])
    return labels_of(close(X, groups, left, k), len(X))


def md(X: np.ndarray, k: int) -> np.ndarray:
    """Maximum distance: two groups per round, around the two most distant records."""
    left = list(range(len(X)))
    groups: list[list[int]] = []
    while len(left) >= 2 * k:
        pair = most_distant_pair(X, left)
        middle = centroid(X, left)
        for seed in sorted(pair, key=lambda i: (-city_block(X[i], middle), i)):
            groups.append(nearest(X, left, X[seed], k))
            left = without(left, groups[-1])
    return labels_of(close(X, groups, left, k), len(X))


def vmdav(X: np.ndarray, k: int, gamma: float) -> np.ndarray:
    """Variable-size MDAV: groups grow by near records that are far from the others."""
    left = list(range(len(X)))
    groups: list[list[int]] = []
    middle = centroid(X, left)
    while len(left) >= k:
        e = farthest(X, left, middle)
        group = nearest(X, left, X[e], k)
        left = without(left, group)
        while left and len(group) < 2 * k - 1:
            d_in = np.min([distances(X, left, X[i]) for i in group], axis=0)
            e_min = left[int(np.argmin(d_in))]
            others = without(left, [e_min])
            if not others or not np.min(d_in) < gamma * np.min(distances(X, others, X[e_min])):
                break
            group.append(e_min)
            left = others
        groups.append(group)
    if not groups:
        return np.zeros(len(X), dtype=np.int64)
    while left:
        i = farthest(X, left, middle)
        assigned = [j for j in range(len(X)) if j not in left]
        host = nearest(X, assigned, X[i], 1)[0]
        next(group for group in groups if host in group).append(i)
        left = without(left, [i])
    return labels_of(groups, len(X))


def close(X: np.ndarray, groups: list[list[int]], left: list[int], k: int) -> list[list[int]]:
    """Make what is left a group, or, if it is too small, part of the closest one."""
    if not left:
        return groups
    if len(left) >= k or not groups:
        return [*groups, left]
    centroids = np.array([centroid(X, group) for group in groups])
    closest = nearest(centroids, range(len(groups)), centroid(X, left), 1)[0]
    groups[closest].extend(left)
    return groups


def distances(X: np.ndarray, among, point: np.ndarray) -> np.ndarray:
    total = np.zeros(len(among))
    for j in range(X.shape[1]):
        difference = X[among, j] - point[j]
        total = total + difference * difference
    return total


def city_block(a: np.ndarray, b: np.ndarray) -> float:
    total = 0.0
    for j in range(len(a)):
        total += abs(a[j] - b[j])
    return total


def centroid(X: np.ndarray, among: list[int]) -> np.ndarray:
    return np.array([math.fsum(column) / len(among) for column in X[among].T])


def farthest(X: np.ndarray, among: list[int], point: np.ndarray) -> int:
    """Return the lowest of the farthest indices (argmax takes the first)."""
    return among[int(np.argmax(distances(X, among, point)))]


def nearest(X: np.ndarray, among: list[int], point: np.ndarray, k: int) -> list[int]:
    order = np.argsort(distances(X, among, point), kind="stable")
    return [among[i] for i in order[:k]]


def most_distant_pair(X: np.ndarray, among: list[int]) -> tuple[int, int]:
    best, pair = -1.0, (-1, -1)
    for position, i in enumerate(among[:-1]):
        later = among[position + 1 :]
        d = distances(X, later, X[i])
        if d.max() > best:
            best, pair = d.max(), (i, later[int(np.argmax(d))])
    return pair


def without(among: list[int], taken: list[int]) -> list[int]:
    gone = set(taken)
    return [i for i in among if i not in gone]


def labels_of(groups: list[list[int]], n: int) -> np.ndarray:
    labels = np.full(n, -1, dtype=np.int64)
    for label, group in enumerate(groups):
        labels[group] = label
    return labels

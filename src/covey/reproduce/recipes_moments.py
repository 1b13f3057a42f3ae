"""How are the results of paper 003 computed?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate import cluster_means
from covey.evaluate.utility import sse
from covey.partition import partition
from covey.reproduce.data import load
from covey.systems.cross_moment_methods import expected_log2_sse

if TYPE_CHECKING:
    from covey.reproduce.entries import Entry


def _expected_log2_sse(entry: Entry) -> float:
    X = load(entry.paper, entry.data)
    return expected_log2_sse(X.shape[0], list(1.5 * X.max(axis=0)), entry.settings["epsilon"])


def _log2_sse(entry: Entry) -> float:
    X = load(entry.paper, entry.data)
    found = partition(X / (1.5 * X.max(axis=0)), "mdav", standardize=False, k=entry.settings["k"])
    columns = [cluster_means(column, found.labels, found.sizes)[found.labels] for column in X.T]
    return math.log2(sse(X, np.column_stack(columns)))


MOMENT_RECIPES: dict[str, Callable[[Entry], float]] = {
    "expected-log2-sse": _expected_log2_sse,
    "log2-sse": _log2_sse,
}

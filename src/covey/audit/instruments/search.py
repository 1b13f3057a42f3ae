"""Which neighbours are told apart best?  An adversarial search that starts from hard cases.

Hill climbing: change something at random, keep it if the exact loss of the pair did not fall.
What it finds is a lower bound on the worst case and never more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from covey.errors import InternalError
from covey.graph import Graph, from_edges

Input = TypeVar("Input")
Arrays = tuple[NDArray[np.float64], NDArray[np.float64]]
Graphs = tuple[Graph, Graph]

SMALLEST_MOVE, LARGEST_MOVE = 1e-6, 0.5

SAME_RECORD = 0.3
"""How often the record that differs is changed, rather than any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[Input]):
    """The worst pair that a search found, where it started, and its exact loss."""

    pair: Input
    seed: str
    loss: float
    tried: int


def worst_pair(
    seeds: Sequence[tuple[str, Input]],
    loss: Callable[[Input], float],
    move: Callable[[Input, np.random.Generator], Input],
    *,
    rng: np.random.Generator,
    steps: int,
    progress: Callable[[str, int, int], None] | None = None,
) -> Found[Input]:
    """Climb from each seed in turn and return the worst pair of all.

    Parameters
    ----------
    seeds : sequence of (name, pair)
        Where to start.
    loss : callable
        The exact loss of a pair; an infinite one ends the search.
    move : callable
        Changes a pair so that it stays one of neighbours.
    rng : Generator
        The same seed gives the same result.
    steps : int
        How many changes are tried from each seed.
    progress : callable, optional
        Called with (what is being done, done, total).
    """
    worst: Found[Input] | None = None
    tried = 0
    for done, (name, start) in enumerate(seeds):
        if progress is not None:
            progress(f"searching neighbours from {name}", done, len(seeds))
        pair, best = start, loss(start)
        tried += 1
        for _ in range(steps):
            if best == np.inf:
                break
            changed = move(pair, rng)
            found = loss(changed)
            tried += 1
            if found >= best:
                pair, best = changed, found
        if worst is None or best > worst.loss:
            worst = Found(pair=pair, seed=name, loss=best, tried=tried)
        if best == np.inf:
            break
    if worst is None:
        raise InternalError("a search for neighbours needs at least one seed.")
    return Found(pair=worst.pair, seed=worst.seed, loss=worst.loss, tried=tried)


def move_records(pair: Arrays, rng: np.random.Generator) -> Arrays:
    """Change one value of a record in both data sets, or on one side of the record that differs.

    Values jump to a bound, to the middle or to another record's, or move a little.
    """
    here, there = pair[0].copy(), pair[1].copy()
    differs = (here != there).any(axis=1)
    row, column = int(rng.integers(len(here))), int(rng.integers(here.shape[1]))
    if differs.any() and rng.random() < SAME_RECORD:
        row = int(np.flatnonzero(differs)[0])
    changed = (here, there)[int(rng.integers(2))] if differs[row] else here
    size = np.exp(rng.uniform(np.log(SMALLEST_MOVE), np.log(LARGEST_MOVE)))
    values = (
        *(0.0, 0.5, 1.0),
        changed[rng.integers(len(here)), column],
        changed[row, column] + rng.choice([-1.0, 1.0]) * size,
    )
    changed[row, column] = np.clip(values[int(rng.integers(len(values)))], 0.0, 1.0)
    if not differs[row]:
        there[row, column] = changed[row, column]
    return here, there


def flip_edge(pair: Graphs, rng: np.random.Generator) -> Graphs:
    """Add or remove one edge between nodes of the first graph, in both, if both agree about it."""
    both = [{(u, v) for u, v in graph.edges().tolist()} for graph in pair]
    u, v = sorted(rng.choice(pair[0].n_nodes, size=2, replace=False).tolist())
    if (u, v) not in both[0] ^ both[1]:
        for edges in both:
            edges ^= {(u, v)}
    here, there = (
        from_edges(np.array(sorted(edges), dtype=np.int64).reshape(-1, 2), ids=graph.ids)
        for edges, graph in zip(both, pair, strict=True)
    )
    return here, there

"""Which plan publishes the degrees of such a graph best?

Tried on graphs that are made up from two public guesses, the number of nodes and their average
degree, so it costs no privacy.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any

import numpy as np

from covey.advise.advice import Advice, Trial
from covey.errors import PlanError
from covey.evaluate.network import evaluate_release
from covey.graph import Graph, from_edges
from covey.plan import Plan
from covey.privacy import Budget
from covey.publish import publish
from covey.systems import SYSTEMS, Progress

SHAPES = ("even", "heavy tail")
"""Degrees all alike, or a few nodes with a great many."""

SIMULATED = 5_000
"""More nodes are not simulated; the errors of larger graphs are smaller."""

LADDER = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The error is shown at these multiples of the epsilon that was asked for."""

TAIL = 1.4
"""Exponent of the weights of nodes in the heavy tail (degrees fall with power 2.4)."""

PLANS: dict[str, tuple[dict[str, Any], ...]] = {
    "edge": ({}, {"boxes": "geometric"}),
    "node": ({}, {"theta": 16}, {"theta": 64}),
}
"""What is tried with `joint-degree-boxes`, besides epsilon."""

RUNS = 3


def advise_graph(
    n: int,
    *,
    degree: float = 10.0,
    epsilon: float = 1.0,
    unit: str = "edge",
    progress: Progress | None = None,
) -> Advice:
    """Advise how to publish the joint degrees of a graph, and which error to expect.

    Parameters
    ----------
    n : int
        A public guess of the number of nodes.
    degree : float
        A public guess of their average number of neighbours.
    epsilon : float
        The bound on the privacy loss.
    unit : "edge" or "node"
        Whom to protect.
    progress : callable, optional
        Called with (what is being done, done, total).
    """
    asked = float(Budget.of(epsilon).epsilon)
    if unit not in PLANS:
        raise PlanError(f"unit = {unit!r} is nobody to protect here. Choose edge or node.")
    if isinstance(n, bool) or not isinstance(n, int) or n < 2 or not 0 < degree < n:  # noqa: PLR2004
        raise PlanError(
            f"n = {n!r} nodes with {degree!r} neighbours on average make no graph. Give a whole "
            f"number of at least 2 and a smaller positive degree."
        )
    graphs = {shape: synthetic_graph(min(n, SIMULATED), degree, shape) for shape in SHAPES}
    trials: list[Trial] = []
    scores = []
    for plan in PLANS[unit]:
        found = [
            _tried(graphs[shape], shape, plan, unit=unit, epsilon=asked, progress=progress)
            for shape in SHAPES
        ]
        trials += found
        scores.append(fmean(trial.errors["joint degrees"] for trial in found))
    best = PLANS[unit][int(np.argmin(scores))]
    for step in LADDER:
        if step != 1.0:
            trials += [
                _tried(
                    graphs[shape], shape, best, unit=unit, epsilon=asked * step, progress=progress
                )
                for shape in SHAPES
            ]
    system = SYSTEMS["joint-degree-boxes"]
    settings = system.settings({**best, "unit": unit, "epsilon": asked})
    return Advice(
        task="graph",
        n=n,
        criterion="joint degrees",
        trials=tuple(trials),
        plan=Plan(system=system.name, parameters=settings),
        notes=_notes(n),
    )


def synthetic_graph(n: int, degree: float, shape: str) -> Graph:
    """Draw a graph with about so many neighbours for each node.

    Examples
    --------
    >>> 4 < synthetic_graph(500, 5.0, "even").degrees.mean() < 6
    True
    """
    rng = np.random.default_rng(SHAPES.index(shape))
    weights = np.ones(n) if shape == "even" else (1 - rng.random(n)) ** (-1 / TAIL)
    weights = np.minimum(weights, np.sqrt(weights.sum()))
    ends = rng.choice(n, size=(round(n * degree / 2), 2), p=weights / weights.sum())
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    return from_edges(ends.astype(np.int64), ids=n)


def _tried(
    graph: Graph,
    shape: str,
    plan: dict[str, Any],
    *,
    unit: str,
    epsilon: float,
    progress: Progress | None,
) -> Trial:
    if progress is not None:
        progress(f"trying joint-degree-boxes at epsilon {epsilon:g}", 0, 1)
    scores = [
        evaluate_release(
            graph,
            publish(
                graph,
                "joint-degree-boxes",
                epsilon=epsilon,
                unit=unit,
                regenerate=False,
                random_state=run,
                **plan,
            ),
        )
        for run in range(RUNS)
    ]
    return Trial(
        system="joint-degree-boxes",
        parameters=plan,
        epsilon=epsilon,
        data=shape,
        errors={"joint degrees": fmean(score["ks_2k"] for score in scores)},
    )


def _notes(n: int) -> tuple[str, ...]:
    if n <= SIMULATED:
        return ()
    note = (
        f"A graph of {SIMULATED:,} nodes was simulated: the errors of more nodes will be smaller "
        f"than those shown."
    )
    return (note,)

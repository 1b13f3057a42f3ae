"""Which plan publishes the joint degrees of such a graph best?

Tried on graphs that are made up from two public guesses, the number of nodes and their average
degree, so it costs no privacy.
"""

from __future__ import annotations

from typing import Any

from covey.choose.advice import Advice
from covey.choose.candidates import Candidate
from covey.choose.simulation import Scenario, Simulation
from covey.choose.synthetic import GRAPH_SHAPES, synthetic_graph
from covey.errors import PlanError
from covey.plan import Plan
from covey.systems import SYSTEMS, Progress
from covey.systems.base import as_mapping

LARGEST_GRAPH = 5_000
"""More nodes are not simulated; the errors of larger graphs are smaller."""

_SYSTEM = "joint-degree-boxes"

VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "edge": ({}, {"boxes": "geometric"}),
    "node": ({}, {"theta": 16}, {"theta": 64}),
}
"""What is tried for each unit, besides epsilon."""

GRAPH_RUNS = 3


def advise_graph(
    n: int | None, *, degree: float, epsilon: float, unit: str, progress: Progress | None
) -> Advice:
    """Advise how to publish the joint degrees of a graph, and which error to expect."""
    if n is None:
        raise PlanError(
            "the number of nodes is unknown, and every error depends on it. Give --n, a public "
            "guess."
        )
    if unit not in VARIANTS:
        raise PlanError(f"unit = {unit!r} is nobody to protect here. Choose edge or node.")
    if isinstance(n, bool) or not isinstance(n, int) or n < 2 or not 0 < degree < n:  # noqa: PLR2004
        raise PlanError(
            f"n = {n!r} nodes with {degree!r} neighbours on average make no graph. Give a whole "
            f"number of at least 2 and a smaller positive degree."
        )
    nodes = min(n, LARGEST_GRAPH)
    scenarios = (
        Scenario(shape=shape, data=synthetic_graph(nodes, degree, shape), seeds=range(GRAPH_RUNS))
        for shape in GRAPH_SHAPES
    )
    simulation = Simulation(
        scenarios=tuple(scenarios),
        n=n,
        # Fewer nodes with a larger epsilon would not show the same errors.
        simulated=n,
        settings={"regenerate": False},
        progress=progress,
    )
    tried = [Candidate(system=_SYSTEM, fixed={"unit": unit, **each}) for each in VARIANTS[unit]]
    best, trials = simulation.search(tried, "joint degrees", epsilon)
    note = (
        f"A graph of {LARGEST_GRAPH:,} nodes was simulated: the errors of more nodes will be "
        f"smaller than those shown."
    )
    settings = as_mapping(SYSTEMS[_SYSTEM].settings({"epsilon": epsilon, **best.fixed}))
    return Advice(
        task="graph",
        n=n,
        criterion="joint degrees",
        trials=trials,
        plan=Plan(system=_SYSTEM, parameters=settings),
        notes=(note,) if n > LARGEST_GRAPH else (),
    )

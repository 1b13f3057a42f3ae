"""Small graphs, and how each graph system is called in the tests of the registry."""

from __future__ import annotations

from typing import Any

import numpy as np

import covey
from covey.graph import Graph, from_edges
from covey.partition.base import REQUIRED
from covey.systems import SYSTEMS

NAMES = [name for name, system in SYSTEMS.items() if system.data == "graph"]
SOUND = [name for name in NAMES if SYSTEMS[name].kind.is_differential_privacy]

# Values for the parameters without a default: a new one needs an example here.
EXAMPLES: dict[str, Any] = {
    "epsilon": 1.0,
    "k": 3,
    "tau": 2,
    "theta": 4,
    "preferences": "paper",
    "mu": 0.5,
}


def friends(n: int = 120, seed: int = 7) -> Graph:
    """Return a graph with a few busy nodes and names that occur nowhere else."""
    rng = np.random.default_rng(seed)
    weight = rng.pareto(1.8, n) + 0.7
    joined = np.triu(rng.random((n, n)) < np.minimum(np.outer(weight, weight) / n, 0.9), 1)
    names = np.array([f"person-{number:03d}" for number in range(n)])
    return from_edges(np.argwhere(joined), ids=names)


def required(name: str) -> dict[str, Any]:
    """Return example values for the parameters that a system needs."""
    return {
        parameter.name: EXAMPLES[parameter.name]
        for parameter in SYSTEMS[name].parameters
        if parameter.default is REQUIRED
    }


def publish(name: str, data: Any = None, **parameters: Any) -> covey.Release:
    """Publish the friends, or another graph."""
    return covey.publish(friends() if data is None else data, name, **required(name) | parameters)

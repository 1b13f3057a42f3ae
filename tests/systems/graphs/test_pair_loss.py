"""The exact privacy loss of neighbouring graphs, with every answer of the noise fixed.

A later step may depend on the noisy answer of an earlier one, so both graphs are given the same
answers, any answers, and what was asked for is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.audit.recording import RecordingNoise
from covey.systems import SYSTEMS
from tests.contracts.graph_hunters import edge_pairs, node_pairs

CASES = [
    ("degree-histogram", {"unit": "edge", "form": "blocks"}),
    ("degree-histogram", {"unit": "edge", "form": "cumulative", "top": 4}),
    ("degree-histogram", {"unit": "edge", "form": "histogram", "top": 4}),
    ("degree-histogram", {"unit": "node", "form": "cumulative", "theta": 2}),
    ("degree-histogram", {"unit": "node", "form": "histogram", "theta": 3}),
    ("degree-histogram", {"unit": "node"}),
    ("joint-degree-boxes", {"unit": "edge"}),
    ("joint-degree-boxes", {"unit": "edge", "boxes": "geometric", "top": 5}),
    ("joint-degree-boxes", {"unit": "edge", "boxes": "cells", "top": 4}),
    ("joint-degree-boxes", {"unit": "edge", "boxes": "even-cells", "top": 3}),
    ("joint-degree-boxes", {"unit": "node"}),
    ("joint-degree-boxes", {"unit": "node", "theta": 3, "boxes": "geometric"}),
    ("joint-degree-boxes", {"unit": "node", "theta": 2, "boxes": "cells"}),
    ("joint-degree-boxes", {"unit": "node", "theta": 3, "boxes": "even-cells"}),
]


@dataclass(slots=True)
class FixedAnswers(RecordingNoise):
    """Remembers what was asked for, and answers with numbers that do not depend on it."""

    seed: int = 0

    def laplace(self, values, *, scale, l1, epsilon):
        """Return between -2 and 11, whatever was asked for."""
        RecordingNoise.laplace(self, values, scale=scale, l1=l1, epsilon=epsilon)
        rng = np.random.default_rng([self.seed, len(self.asked)])
        return rng.integers(-2, 12, size=len(values))


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
@settings(max_examples=40)
@given(data=st.data())
def test_neighbouring_graphs_are_told_apart_by_no_more_than_epsilon(name, parameters, data) -> None:
    pair = data.draw(edge_pairs() if parameters["unit"] == "edge" else node_pairs())
    seed = data.draw(st.integers(0, 1000))
    epsilon = data.draw(st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(7)]))
    system = SYSTEMS[name]
    settings_ = system.settings({**parameters, "epsilon": float(epsilon), "regenerate": False})
    asked, guarantees = [], []
    for graph in (pair.here, pair.there):
        source = FixedAnswers(seed=seed)
        guarantees.append(system.run(graph, settings_, source, None).guarantee)
        asked.append(source.asked)

    assert guarantees[0] == guarantees[1]
    assert [call.public for call in asked[0]] == [call.public for call in asked[1]]
    loss = sum(here.loss(there) for here, there in zip(*asked, strict=True))
    assert loss <= guarantees[0].epsilon == epsilon


def test_every_sound_graph_system_has_a_case() -> None:
    sound = {
        system.name
        for system in SYSTEMS.values()
        if system.data == "graph" and system.kind.is_differential_privacy
    }

    # The loss of personalised-dk is an average over coins; its own tests compute it.
    assert sound == {name for name, _ in CASES} | {"personalised-dk"}

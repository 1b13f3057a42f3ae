"""No pair of neighbours can be told apart by more than the epsilon that a system prints.

Systems run as they ship, any outputs are replayed on the neighbour, and the exact loss is compared
with the guarantee.  Whatever is released besides must not depend on the data at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.audit.instruments.recording import ExploringNoise, SilentNoise
from covey.audit.instruments.replay import Shipped, output_loss, record
from covey.systems import SYSTEMS
from tests.contracts.graph_hunters import edge_pairs, node_pairs
from tests.contracts.neighbours import neighbouring_tables, schema_of, table_of

# What each system can publish: how many numeric and nominal columns, and its own parameters.
NUMBERS, CATEGORIES, NEITHER = st.integers(1, 3), st.integers(1, 2), st.just(0)
TABLES: dict[str, dict[str, Any]] = {
    "laplace": {"numeric": NUMBERS, "nominal": NEITHER, "parameters": [{}]},
    "exponential": {"numeric": NEITHER, "nominal": CATEGORIES, "parameters": [{}]},
    "rank-blocks": {
        "numeric": NUMBERS,
        "nominal": NEITHER,
        "parameters": [{}, {"k": 2}, {"k": 3}, {"k": 4}],
    },
    "insensitive": {
        "numeric": NUMBERS,
        "nominal": st.integers(0, 1),
        "parameters": [
            {},
            *({"k": k, "order": order} for k in (2, 3, 4) for order in ("single", "corners")),
        ],
    },
    "private-tree": {
        "numeric": NUMBERS,
        "nominal": st.integers(0, 1),
        "parameters": [{}, {"output": "centroids"}],
    },
    "column-model": {
        "numeric": NUMBERS,
        "nominal": st.integers(0, 2),
        "parameters": [{}, {"target": ("x0",)}],
    },
    "tables": {
        "numeric": st.just(1),
        "nominal": st.just(1),
        "parameters": [
            {"tables": ["x0*c0"], "bins": {"x0": 2}},
            {"tables": ["x0", "c0"], "bins": {"x0": [5.0]}, "weights": [3, 1]},
        ],
    },
}
GRAPHS = [
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
# Losses of these are averages over coins, and have exact tests of their own.
SAMPLED = {"personalised", "personalised-dk"}
# These ask for more records if epsilon is small, and a column model for many more before it
# looks at pairs.
FEW_RECORDS = {"private-tree": [9.0], "tables": [9.0], "column-model": [50.0, 500.0]}
ROUNDING = 1e-9  # losses are sums of logarithms in floats


def largest_loss(name: str, pair, parameters, epsilon: float, seed: int) -> float:
    """Return the loss of an output without noise and of one with some, made from either side."""
    system = SYSTEMS[name]
    taken = system.settings({"epsilon": epsilon, **parameters})
    here, there = (Shipped(system=system, data=data, settings=taken) for data in pair)
    losses = []
    for mine, other in ((here, there), (there, here)):
        for source in (SilentNoise(), ExploringNoise(np.random.default_rng(seed))):
            output = record(mine, source)
            assert output.release.guarantee.epsilon == pytest.approx(epsilon)
            losses.append(output_loss(mine, other, output).loss)
    return max(losses)


def test_every_system_with_a_differential_guarantee_has_a_case() -> None:
    private = {name for name, system in SYSTEMS.items() if system.kind.is_differential_privacy}

    assert {*TABLES, *(name for name, _ in GRAPHS), *SAMPLED} == private


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=40)
@given(data=st.data())
def test_neighbouring_tables_are_told_apart_by_no_more_than_epsilon(name, data) -> None:
    case = TABLES[name]
    # A local release keeps its rows in place, so its neighbours do too.
    aligned = SYSTEMS[name].kind.may_be_row_aligned
    pair = data.draw(
        neighbouring_tables(
            numeric=case["numeric"],
            nominal=case["nominal"],
            shuffled=not aligned,
            # Columns of fractions have a million steps, which takes long.
            whole=name in ("rank-blocks", *FEW_RECORDS),
        )
    )
    parameters = data.draw(st.sampled_from(case["parameters"]))
    epsilon = data.draw(st.sampled_from(FEW_RECORDS.get(name, [0.1, 1.0, 7 / 3])))

    loss = largest_loss(name, pair, parameters, epsilon, data.draw(st.integers(0, 99)))

    assert loss <= epsilon * (1 + ROUNDING)


@pytest.mark.parametrize(("name", "parameters"), GRAPHS, ids=str)
@settings(max_examples=30)
@given(data=st.data())
def test_neighbouring_graphs_are_told_apart_by_no_more_than_epsilon(name, parameters, data) -> None:
    pair = data.draw(edge_pairs() if parameters["unit"] == "edge" else node_pairs())
    epsilon = data.draw(st.sampled_from([0.1, 1.0, 7.0]))
    given_ = {**parameters, "regenerate": False}

    loss = largest_loss(
        name, (pair.here, pair.there), given_, epsilon, data.draw(st.integers(0, 99))
    )

    assert loss <= epsilon * (1 + ROUNDING)


@pytest.mark.parametrize("name", ["laplace", "rank-blocks"])
def test_the_loss_of_the_farthest_neighbours_is_exactly_epsilon(name) -> None:
    schema = schema_of(2, 0)
    records = [(-10.0, -10.0)] * 9

    pair = [table_of([*records, last], schema) for last in ((-10.0, -10.0), (30.0, 30.0))]

    assert largest_loss(name, pair, {}, 1.0, 0) == pytest.approx(1.0, rel=1e-9)

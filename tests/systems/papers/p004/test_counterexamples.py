"""What paper 004 printed or evaluated exceeds epsilon; what covey publishes does not."""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

import covey
from covey.core import CLAIMS
from covey.systems.concepts import distance_steps
from covey.systems.papers.p004.insensitive import AS_EVALUATED
from covey.table import Taxonomy
from tests.contracts.hunters import run
from tests.systems.recording import RecordingNoise, Sums


def lopsided_taxonomy() -> Taxonomy:
    """Two deep branches and a shallow leaf: the most marginal value is not the farthest."""
    edges = [("root", ""), ("w", "root")]
    for branch in ("U", "V"):
        edges.append((branch, "root"))
        above = branch
        for level in range(8):
            edges.append((f"{branch}{level}", above))
            above = f"{branch}{level}"
        edges += [(f"{branch}-leaf{i}", above) for i in range(10)]
    return Taxonomy.from_edges("concept", edges)


def choice_loss(losses: np.ndarray, neighbour: np.ndarray, bound: int) -> float:
    """Return the exact loss of one choice by the exponential mechanism at epsilon 1."""
    logs = []
    for values in (losses, neighbour):
        weights = -(values - values.min()) / (2 * bound)
        logs.append(weights - np.logaddexp.reduce(weights))
    return float(np.abs(logs[0] - logs[1]).max())


def test_the_distance_of_the_boundaries_is_too_small_a_sensitivity() -> None:
    taxonomy = lopsided_taxonomy()
    leaves = [taxonomy.concepts[code] for code in taxonomy.leaves]
    taxonomy = taxonomy.with_domain(leaves)
    steps = distance_steps(taxonomy)
    u, v = (taxonomy.concepts.index(name) for name in ("U-leaf0", "V-leaf0"))
    n = 200
    counts, neighbour = np.zeros((2, len(taxonomy.concepts)), dtype=np.int64)
    counts[v], counts[u] = n - 1, 1
    neighbour[v] = n
    bottom, top = taxonomy.boundaries

    losses, other = counts @ steps, neighbour @ steps
    printed = int(steps[bottom, top])
    diameter = int(steps[:, list(taxonomy.domain)].max())
    proven = CLAIMS["insensitive", "marginality"].bound(steps=diameter)

    assert choice_loss(losses, other, printed) > 1.0
    assert choice_loss(losses, other, proven) <= 1.0


@cache
def described(columns: int) -> covey.Table:
    """Read one record, so that thousands of small tables need not be checked one by one."""
    names = [f"a{j}" for j in range(columns)]
    schema = covey.Schema(tuple(covey.Attribute(name, bounds=(0, 100)) for name in names))
    return covey.read_table(pl.DataFrame({name: [0.0] for name in names}), schema)


def people(values: np.ndarray) -> covey.Table:
    table = described(values.shape[1])
    return replace(table, frame=pl.DataFrame(values, schema=list(table.schema.names)))


def evaluated(values: np.ndarray, **parameters: object) -> list[Sums]:
    """Return what the paper's evaluation was about to perturb."""
    source = RecordingNoise()
    settings = AS_EVALUATED.settings({"epsilon": 1.0, **parameters})
    AS_EVALUATED.run(people(values), settings, source, None)
    return source.asked


def sound(values: np.ndarray, **parameters: object) -> list[Sums]:
    """Return what the sound system was about to perturb."""
    return [
        Sums(integers=tuple(call.pop("values")), **call)
        for call in run(people(values), "insensitive", **parameters)
    ]


def loss_of(asked, here: np.ndarray, there: np.ndarray, **parameters: object) -> float:
    """Return the exact loss of a pair: infinite if scales differ, else the sum of |Δ|/scale."""
    pairs = list(zip(asked(here, **parameters), asked(there, **parameters), strict=True))
    if any(first.public != second.public for first, second in pairs):
        return float("inf")
    return float(sum(first.loss(second) for first, second in pairs))


def test_the_full_budget_for_each_of_four_attributes_costs_four_times_as_much() -> None:
    here = np.full((8, 4), 50.0)
    here[0], here[1] = 0.0, 100.0
    there = here.copy()
    there[2] = 100.0

    assert loss_of(evaluated, here, there, k=4) > 1.0
    assert loss_of(sound, here, there, k=4) <= 1.0


def test_bounds_from_the_data_give_the_largest_record_away() -> None:
    here = np.tile(np.arange(8.0)[:, None], (1, 2))
    there = here.copy()
    there[-1] = 100.0

    settings = AS_EVALUATED.settings({"epsilon": 1.0, "k": 2})
    largest = [
        AS_EVALUATED.run(people(values), settings, Loud(), None).columns["a0"].max()
        for values in (here, there)
    ]

    # Noise beyond its bounds is moved to them, and so shows where they are.
    assert largest == [1.5 * 7.0, 1.5 * 100.0]


class Loud(RecordingNoise):
    """Noise that is larger than any bound."""

    def laplace(self, values, *, scale, l1, epsilon):
        """Add as much as fits."""
        return super().laplace(values, scale=scale, l1=l1, epsilon=epsilon) + 2**40


@pytest.mark.parametrize("order", ["single", "corners", "hilbert"])
def test_no_pair_found_by_a_search_costs_more_than_epsilon(order: str) -> None:
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(60):
        n, d, k = int(rng.integers(9, 20)), int(rng.integers(1, 4)), int(rng.integers(2, 4))
        here = rng.choice([0.0, 25.0, 50.0, 75.0, 100.0], size=(n, d))
        there = here.copy()
        there[rng.integers(n)] = rng.choice([0.0, 50.0, 100.0], size=d)
        worst = max(worst, loss_of(sound, here, there, k=k, order=order))

    assert 0.2 < worst <= 1.0 + 1e-9


def test_the_bound_is_nearly_attained_by_a_boundary_record_that_alternates() -> None:
    """Climb from random pairs: a search that cannot come near the bound would prove nothing."""
    rng = np.random.default_rng(1)
    best = 0.0
    for _ in range(30):
        here = rng.choice([0.0, 100.0], size=(9, 2))
        there = here.copy()
        there[0] = 100.0 - here[0]
        current = loss_of(sound, here, there, k=3, order="single")
        for _ in range(40):
            row, column = rng.integers(9), rng.integers(2)
            trial, other = here.copy(), there.copy()
            trial[row, column] = rng.choice([0.0, 50.0, 100.0])
            if row:
                other[row, column] = trial[row, column]
            found = loss_of(sound, trial, other, k=3, order="single")
            if found > current:
                here, there, current = trial, other, found
        best = max(best, current)

    assert 0.6 < best <= 1.0 + 1e-9

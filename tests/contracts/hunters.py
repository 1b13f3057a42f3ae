"""How far does each statistic of records and clusters move between neighbours?

Each strategy draws a pair of neighbours, lets an engine answer a question about both exactly, and
says how far the answer moved and how far its claim lets it move.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from covey.aggregate import cluster_sums, sums_of_ranks
from covey.aggregate.medoid import cluster_medoids
from covey.aggregate.moments import COSKEWNESS, moment_indices, moment_sums
from covey.core.questions import Sample
from covey.engines.memory.records import TableRecords
from covey.partition import rank_block_sizes
from covey.systems import ALL_CLAIMS
from covey.systems.sound.personalised.defaults import default_value
from covey.table import Attribute, Role
from covey.table.grid import Grid
from tests.contracts.neighbours import HIGH, LOW, neighbouring_columns, neighbouring_tables
from tests.core.stand_ins import Silent
from tests.systems.metered import built

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn
    from numpy.typing import NDArray

    from covey.table import Table

GRID_STEPS = tuple(Grid.between(LOW, HIGH, integer=integer).steps for integer in (False, True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How far a statistic moved between two neighbours, and how far it may."""

    by: float
    allowed: int


def difference(here: Sequence[int], there: Sequence[int]) -> int:
    """Return the exact L1 distance of two integer vectors of the same length."""
    return sum(abs(int(a) - int(b)) for a, b in zip(here, there, strict=True))


def run(table: Table, name: str, **parameters: Any) -> list[dict[str, Any]]:
    """Let a sound system ask a meter without noise, and return what was about to get some."""
    source = Silent()
    built(name, table, source, **{"epsilon": 1.0, **parameters})
    return source.asked


def bound(method: str, statistic: str, **public: int) -> int:
    """Return how far a claim lets its statistic move."""
    return ALL_CLAIMS[method, statistic].bound(**public)


def largest_move(here: dict[str, Any], there: dict[str, Any]) -> int:
    """Return how far the loss of a candidate moved at most."""
    return int(np.abs(np.array(here["values"]) - np.array(there["values"])).max())


def rank_sums(column: NDArray[np.float64], k: int, grid: Grid) -> NDArray[np.int64]:
    """Compute the sums of rank blocks: grid, counts, public blocks, integer sums."""
    integers = grid.integers(column)
    return sums_of_ranks(np.bincount(integers), rank_block_sizes(integers.size, k))


@st.composite
def record_values(draw: DrawFn) -> Moved:
    """Move single values of records."""
    pair = draw(neighbouring_columns(shuffled=False))
    here, there = (pair.grid.integers(column) for column in (pair.here, pair.there))
    allowed = bound("laplace", "values", steps=pair.grid.steps)
    return Moved(by=difference(here, there), allowed=allowed)


@st.composite
def rank_block_sums(draw: DrawFn) -> Moved:
    """Move sums over public blocks of ranks."""
    pair = draw(neighbouring_columns(shuffled=True))
    here, there = (rank_sums(column, pair.k, pair.grid) for column in (pair.here, pair.there))
    allowed = bound("rank-blocks", "sums", steps=pair.grid.steps)
    return Moved(by=difference(here, there), allowed=allowed)


@st.composite
def sums_of_fixed_clusters(draw: DrawFn) -> Moved:
    """Move sums over clusters whose members stay the same."""
    pair = draw(neighbouring_columns(shuffled=False))
    labels = draw(dense_labels(pair.here.size))
    here, there = (
        cluster_sums(pair.grid.integers(column), labels, int(labels.max()) + 1)
        for column in (pair.here, pair.there)
    )
    allowed = bound("fixed-partition", "sums", steps=pair.grid.steps)
    return Moved(by=difference(here, there), allowed=allowed)


@st.composite
def medoids_of_fixed_clusters(draw: DrawFn) -> Moved:
    """Move one column of the medoids of clusters whose members stay the same."""
    pair = draw(neighbouring_tables(numeric=st.integers(1, 2), nominal=st.just(0), shuffled=False))
    labels = draw(dense_labels(pair[0].n))
    grid = Grid.between(LOW, HIGH)
    here, there = (
        grid.integers(table.values("x0"))[cluster_medoids(_shares(table), labels)] for table in pair
    )
    allowed = bound("fixed-partition", "medoids", steps=grid.steps)
    return Moved(by=difference(here, there), allowed=allowed)


@st.composite
def moments_of_fixed_clusters(draw: DrawFn) -> Moved:
    """Move means, covariances and coskewness of clusters whose members stay the same."""
    k = draw(st.integers(2, 5))
    d = draw(st.integers(1, 3))
    steps = draw(st.sampled_from([(1,) * d, (7,) * d, (2**20,) * d, (1, 40, 2**20)[:d]]))
    record = st.tuples(*[st.integers(0, step) | st.sampled_from([0, step]) for step in steps])
    here = draw(st.lists(record, min_size=k, max_size=4 * k))
    there = list(here)
    there[draw(st.integers(0, len(here) - 1))] = draw(record)
    sizes = rank_block_sizes(len(here), k)
    labels = np.repeat(np.arange(sizes.size), sizes)
    orders = range(1, draw(st.integers(1, min(k, COSKEWNESS))) + 1)
    indices = [index for order in orders for index in moment_indices(d, order, cross=True)]
    here_sums, there_sums = (
        moment_sums(np.array(records), steps, labels, sizes, indices, resolution=2**20).ravel()
        for records in (here, there)
    )
    coskewnesses = sum(len(index) == COSKEWNESS for index in indices)
    allowed = bound(
        "cross-moment",
        "moments",
        steps=2**20,
        entries=len(indices) - coskewnesses,
        coskewnesses=coskewnesses,
        k=k,
    )
    return Moved(by=difference(here_sums, there_sums), allowed=allowed)


@st.composite
def insensitive_sums(draw: DrawFn) -> Moved:
    """Move sums over clusters under public orders, columns one by one."""
    pair = draw(
        neighbouring_tables(numeric=st.integers(2, 3), nominal=st.integers(0, 1), shuffled=True)
    )
    k = draw(st.integers(2, pair[0].n // 2))
    order = draw(st.sampled_from(["single", "corners"]))
    asked = zip(*(run(table, "insensitive", k=k, order=order) for table in pair), strict=True)
    clusters = pair[0].n // k
    bounds = [
        bound("insensitive", "sums", steps=GRID_STEPS[j % 2], clusters=clusters)
        for j in range(len(pair[0].schema.names))
    ]
    moved = [
        Moved(by=difference(here["values"], there["values"]), allowed=allowed)
        for allowed, (here, there) in zip(bounds, asked, strict=True)
        if "l1" in here
    ]
    return max(moved, key=lambda move: move.by / move.allowed)


@st.composite
def sums_along_the_curve(draw: DrawFn) -> Moved:
    """Move sums of all columns over blocks along the Hilbert curve."""
    pair = draw(neighbouring_tables(numeric=st.integers(1, 3), nominal=st.just(0), shuffled=True))
    k = draw(st.integers(2, pair[0].n // 2))
    (here,), (there,) = (run(table, "insensitive", k=k, order="hilbert") for table in pair)
    assert bound("insensitive", "chain-sums", chain=here["l1"]) == here["l1"]
    return Moved(by=difference(here["values"], there["values"]), allowed=here["l1"])


@st.composite
def marginalities(draw: DrawFn) -> Moved:
    """Move the marginality of candidates in clusters under public orders."""
    pair = draw(neighbouring_tables(numeric=st.integers(0, 1), nominal=st.just(1), shuffled=True))
    k = draw(st.integers(2, pair[0].n // 2))
    here, there = (run(table, "insensitive", k=k, order="corners")[-1] for table in pair)
    # rate = (epsilon / attributes) / clusters / (2 · sensitivity)
    allowed = 1 / (len(pair[0].schema.names) * len(here["values"]) * 2 * here["rate"])
    assert bound("insensitive", "marginality", steps=int(allowed)) == allowed
    return Moved(by=largest_move(here, there), allowed=int(allowed))


@st.composite
def distances_of_records(draw: DrawFn) -> Moved:
    """Move distances of the value of each record to public candidates."""
    pair = draw(neighbouring_tables(numeric=st.just(0), nominal=st.integers(1, 2), shuffled=False))
    runs = [run(table, "exponential") for table in pair]
    moved = []
    for here, there in zip(*runs, strict=True):
        rows = zip(here["values"], there["values"], strict=True)
        assert sum(mine != other for mine, other in rows) <= 1
        # rate = (epsilon / attributes) / (2 · sensitivity)
        allowed = 1 / (len(pair[0].schema.names) * 2 * here["rate"])
        assert bound("exponential", "distance", steps=int(allowed)) == allowed
        moved.append(Moved(by=largest_move(here, there), allowed=int(allowed)))
    return max(moved, key=lambda move: move.by / move.allowed)


@st.composite
def sampled_records(draw: DrawFn, *, replaced: bool) -> Moved:
    """Count the records that change in what a system sees when coins drop or replace some."""
    here, there = draw(
        neighbouring_tables(numeric=st.integers(0, 2), nominal=st.just(1), shuffled=False)
    )
    coins = np.array(draw(st.lists(st.booleans(), min_size=here.n, max_size=here.n)))
    if replaced:
        seen = [_taking_part(table, coins, replaced=True) for table in (here, there)]
        changed = sum(mine != other for mine, other in zip(*seen, strict=True))
        return Moved(by=changed, allowed=bound("personalised", "records"))
    rest = np.arange(here.n) != draw(st.integers(0, here.n - 1))
    smaller = replace(here, frame=here.frame.filter(pl.Series(rest)))
    mine, other = (
        Counter(_taking_part(table, mask, replaced=False))
        for table, mask in ((here, coins), (smaller, coins[rest]))
    )
    moved = (mine - other).total() + (other - mine).total()
    return Moved(by=moved, allowed=bound("personalised", "records-add-remove"))


def _taking_part(
    table: Table, coins: NDArray[np.bool_], *, replaced: bool
) -> list[tuple[Any, ...]]:
    """Return the records that a system would see, whose coins are known."""
    head = table.head(known_n=replaced)
    default = {each.name: default_value(head, each) for each in table.schema}
    allowed = Attribute("allowed", role=Role.IDENTIFIER)
    described = replace(
        table,
        schema=replace(table.schema, attributes=(*table.schema, allowed)),
        frame=table.frame.with_columns(pl.lit(1.0).alias("allowed")),
    )
    question = Sample(
        what="records",
        threshold=Fraction(2),
        column="allowed",
        columns=table.schema.names,
        default=default if replaced else None,
    )
    return TableRecords(described).sampled(question, lambda _: coins).table.frame.rows()


@st.composite
def dense_labels(draw: DrawFn, n: int) -> NDArray[np.int64]:
    """Draw labels of n records without gaps."""
    labels = draw(st.lists(st.integers(0, n // 2), min_size=n, max_size=n))
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _shares(table: Table) -> NDArray[np.float64]:
    return np.clip((table.matrix(table.schema.names) - LOW) / (HIGH - LOW), 0.0, 1.0)

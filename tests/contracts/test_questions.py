"""Questions whose claim does not speak of them: none gets an answer, and no meter gives two.

Each of these was a way to a true value under a promise: noise for another norm than the claim's,
public numbers that the proof does not cover, values that bring methods of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from covey.core import Bill, Budget, Meter, PrivacyUnit
from covey.core import questions as ask
from covey.core.claims_tables import CLAIMS
from covey.engines.memory.records import TableRecords
from covey.engines.shared.graphs import GraphRecords
from covey.errors import BudgetError, UnprovenError
from covey.graph.graph import from_edges
from covey.partition.axis import axis_of
from covey.partition.degree_boxes import DegreeBoxes
from covey.partition.insensitive import PublicOrder
from covey.partition.priv_tree import even_side
from covey.table import Attribute, Scale, Schema, Taxonomy, read_table
from covey.table.grid import Grid
from tests.core.stand_ins import Held, Silent

SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 100), integer=True),
        Attribute("income", bounds=(0, 1000), integer=True),
        Attribute("town", scale=Scale.NOMINAL, categories=("a", "b")),
        Attribute("allowed", bounds=(0, 10)),
    )
)
N = 24
REPLACED, EDGE = PrivacyUnit.REPLACE_RECORD, PrivacyUnit.EDGE
ONE = Budget.of(1)
AGES = Grid(low=0.0, high=100.0, steps=100)
TOWNS = Taxonomy.flat("town", ("a", "b"))


def table_meter(unit=REPLACED, budget=10):
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 100, N),
            "income": rng.integers(0, 1000, N),
            "town": rng.choice(["a", "b"], N),
            "allowed": rng.choice([0.1, 1.0], N),
        }
    )
    table = read_table(frame, SCHEMA)
    bill, source = Bill(unit=unit, budget=Budget(Fraction(budget))), Silent()
    return Meter(TableRecords(table), bill, source), bill, source, table.head(known_n=True)


def graph_meter(unit=EDGE):
    ring = np.column_stack([np.arange(9), (np.arange(9) + 1) % 9])
    bill, source = Bill(unit=unit, budget=Budget(Fraction(10))), Silent()
    return Meter(GraphRecords(from_edges(ring, ids=9)), bill, source), bill, source


def cells(head, name: str) -> ask.ColumnCells:
    axis = axis_of(head, SCHEMA[name])
    size = axis.side.edges.size - 1
    return ask.ColumnCells(axis, (np.arange(size) % 2).astype(np.int32), 2)


def columns(head) -> tuple[ask.ColumnCells, ...]:
    return cells(head, "age"), cells(head, "income")


def order(**changed) -> PublicOrder:
    given = {"kind": "corners", "grids": {"age": AGES}, "taxonomies": {"town": TOWNS}, "k": 4}
    return PublicOrder(**{**given, "n": N, **changed})


def scores(head, **changed) -> ask.PairScores:
    model = np.zeros((2, 2), dtype=np.int64)
    asked = ask.PairScores(columns(head), ((0, 1),), (model,), (0,))
    return replace(asked, **changed)


def products(head) -> ask.RankProducts:
    ranks = tuple(np.array([-5, 5]) for _ in range(2))
    return ask.RankProducts(columns(head), ranks)


def concepts() -> ask.ClusterConcepts:
    return ask.ClusterConcepts(order(), "town", np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]), 1)


WRONG_NOISE = {
    "scores as counts": lambda meter, head: meter.counts(scores(head), ONE),
    "products as counts": lambda meter, head: meter.counts(products(head), ONE),
    "concepts as counts": lambda meter, _: meter.counts(concepts(), ONE),
    "concepts as rows": lambda meter, _: meter.vectors(concepts(), ONE),
    "several scores": lambda meter, head: meter.counts_of([scores(head)], [ONE]),
    "a choice of clusters": lambda meter, _: meter.choice(concepts(), ONE),
    "tests as counts": lambda meter, head: meter.counts(ask.Cuts((axis(head),)), ONE),
    "records as counts": lambda meter, _: meter.counts(ask.Sample("records", Fraction(1)), ONE),
    "sums as records": lambda meter, _: meter.perturbed(
        [ask.RankBlockSums("age", AGES, np.array([N]))], [ONE]
    ),
}


def axis(head):
    return axis_of(head, SCHEMA["age"])


@pytest.mark.parametrize("case", WRONG_NOISE)
def test_noise_pays_for_what_the_claim_bounds_and_for_nothing_else(case) -> None:
    meter, bill, source, head = table_meter()

    with pytest.raises(UnprovenError):
        WRONG_NOISE[case](meter, head)

    assert not bill.paid
    assert not source.asked


def test_a_pair_is_chosen_at_the_rate_that_its_scores_move_by() -> None:
    meter, bill, source, head = table_meter()

    meter.choice(scores(head), ONE)

    # One record replaced by another moves a score by 2, and scores may rise and fall.
    assert source.asked[-1]["rate"] == ONE.epsilon / (2 * 2)
    assert bill.spent == ONE


def test_every_norm_has_a_claim_and_a_way_to_ask() -> None:
    norms = {claim.norm for claim in CLAIMS.values()}

    assert norms == {"sum", "rows", "scores", "cluster-scores", "tests", "records"}


UNCOVERED = {
    "blocks that go back": lambda _: ask.RankBlockSums("age", AGES, np.array([N, -N, N])),
    "the curve's claim for other orders": lambda _: ask.ClusterSums(order(taxonomies={}), None),
    "a column along the curve": lambda _: ask.ClusterSums(
        order(kind="hilbert", taxonomies={}), "age"
    ),
    "cells beyond their number": lambda head: ask.CellCounts(
        (replace(cells(head, "age"), of=np.full(101, 2, dtype=np.int32)),)
    ),
}


@pytest.mark.parametrize("case", UNCOVERED)
def test_public_numbers_that_no_proof_speaks_of(case) -> None:
    meter, bill, source, head = table_meter()

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.counts(UNCOVERED[case](head), ONE)

    assert not bill.paid
    assert not source.asked


@pytest.mark.parametrize(
    "models",
    [
        (np.zeros((9, 2, 2), dtype=np.int64),),
        (np.full((2, 2), -(2**63), dtype=np.int64),),
        (np.full((2, 2), 2**62, dtype=np.int64),),
    ],
    ids=["counted nine times", "below 64 bits", "above 64 bits"],
)
def test_models_that_repeat_counts_or_leave_their_bits(models) -> None:
    meter, _, source, head = table_meter()

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.choice(scores(head, models=models), ONE)

    assert not source.asked


def test_ranks_that_grow_after_the_question_was_made() -> None:
    meter, _, source, head = table_meter()
    question = products(head)
    question.ranks[0][:] = 2**20

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.vectors(question, ONE)

    assert not source.asked


@pytest.mark.parametrize("end", [np.inf, -np.inf, np.nan])
def test_boxes_without_ends(end) -> None:
    meter, _, source, head = table_meter()
    asked = Budget.of(1)
    boxed = meter.boxes(ask.Cuts((axis(head),)), asked)
    low, high = boxed.low.astype(float), boxed.high.astype(float)
    low[0] = end
    drawn = len(source.asked)

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.vectors(
            ask.BoxSums(boxed.number, (axis(head),), low, high, np.ones(low.shape, bool)), ONE
        )

    assert len(source.asked) == drawn


def test_an_order_for_fewer_records_has_fewer_clusters_in_its_claim_than_in_its_answer() -> None:
    source = Silent()

    def asking(answer):
        bill = Bill(unit=REPLACED, budget=Budget(Fraction(10)))
        return Meter(Held(np.asarray(answer)), bill, source)

    with pytest.raises(UnprovenError, match="another number of records"):
        asking(np.zeros(6, int)).counts(ask.ClusterSums(order(n=4), "age"), ONE)
    with pytest.raises(UnprovenError, match="another number of records"):
        asking(np.zeros((6, 3), int)).choices(replace(concepts(), order=order(n=4)), ONE)

    assert not source.asked


def boxes(lows, top=None) -> DegreeBoxes:
    return DegreeBoxes(lows=np.array(lows), top=top)


@pytest.mark.parametrize(
    "question",
    [
        ask.DegreeSums(np.array([5, -5, 5])),
        ask.DegreeSums(np.zeros(40, dtype=np.int64)),
        ask.EdgeCounts(boxes([1, 50], top=1), even=False),
        ask.EdgeCounts(boxes([1, 50, 2]), even=False),
        ask.EdgeCounts(boxes([0, 2]), even=False),
    ],
    ids=["blocks that go back", "empty blocks", "a light last box", "falling", "from zero"],
)
def test_public_numbers_about_degrees_that_no_proof_speaks_of(question) -> None:
    meter, bill, source = graph_meter()

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.counts(question, ONE)

    assert not bill.paid
    assert not source.asked


def test_bounds_of_degrees_are_positive() -> None:
    meter, _, source = graph_meter(PrivacyUnit.NODE)

    with pytest.raises(UnprovenError, match="public numbers"):
        meter.counts(ask.EdgesLeft((4, 0), "key"), ONE)

    assert not source.asked


def test_coarse_boxes_with_even_noise_cost_what_their_largest_degree_can_move() -> None:
    meter, bill, _ = graph_meter()

    meter.counts(ask.EdgeCounts(boxes([1, 50]), even=True), ONE)

    assert bill.paid[0].public == {"top": 50}
    assert bill.paid[0].noise == 4 * 50 - 3


class Spy:
    """Something of a system's own."""


@dataclass(frozen=True, kw_only=True)
class SpyGrid(Grid):
    """A grid that would see the records."""


def renamed() -> Grid:
    SpyGrid.__module__, SpyGrid.__qualname__, SpyGrid.__name__ = Grid.__module__, "Grid", "Grid"
    return SpyGrid(low=0.0, high=1.0, steps=1)


def with_a_method() -> Taxonomy:
    spied = Taxonomy.flat("town", ("a", "b"))
    object.__setattr__(spied, "codes", lambda *_, **__: None)
    return spied


FOREIGN = {
    "an array of objects": lambda _: ask.RankBlockSums("age", AGES, np.array([Spy()])),
    "a generator": lambda head: ask.ValueCounts(axis for axis in [axis_of(head, SCHEMA["town"])]),
    "a set": lambda _: ask.ValueCounts({Spy()}),
    "a type that calls itself a grid": lambda _: ask.RankBlockSums("age", renamed(), np.array([N])),
    "a method put over another": lambda _: ask.ClusterSums(
        order(taxonomies={"town": with_a_method()}), "age"
    ),
    "an axis that holds a function": lambda head: ask.ValueCounts(
        replace(axis_of(head, SCHEMA["town"]), side=lambda: even_side(2))
    ),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_question_holds_no_code(case) -> None:
    meter, bill, source, head = table_meter()

    with pytest.raises(UnprovenError, match="none of Covey's public values"):
        meter.counts(FOREIGN[case](head), ONE)

    assert not bill.paid
    assert not source.asked


SAMPLE = ask.Sample(
    "records", Fraction(1), column="allowed", columns=("age",), default={"age": 0.0}
)


def test_whoever_takes_no_part_is_not_asked_about_by_the_first_meter() -> None:
    meter, _, source, _ = table_meter()
    left = meter.sampled(SAMPLE)
    question = ask.RankBlockSums("age", AGES, np.array([N]))

    with pytest.raises(BudgetError, match="closed"):
        meter.counts(question, ONE)
    with pytest.raises(UnprovenError, match="first sample"):
        meter.sampled(SAMPLE)

    assert not source.asked
    left.counts(question, ONE)


def test_coins_for_one_loss_pay_for_no_larger_one() -> None:
    meter, _, source, _ = table_meter(budget=10)
    left = meter.sampled(SAMPLE)

    with pytest.raises(BudgetError, match="so much is not left"):
        left.counts(ask.RankBlockSums("age", AGES, np.array([N])), Budget.of(10))

    assert not source.asked


class Cheap(Fraction):
    """A price that never adds up."""

    __add__ = __radd__ = lambda _, other: other


@pytest.mark.parametrize("share", [Budget(Cheap(1, 2)), Budget(0.5)])
def test_a_share_is_an_exact_fraction(share) -> None:
    meter, _, source, _ = table_meter()

    with pytest.raises(BudgetError, match="no exact fraction"):
        meter.counts(ask.RankBlockSums("age", AGES, np.array([N])), share)

    assert not source.asked

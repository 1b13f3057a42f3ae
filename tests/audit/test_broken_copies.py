"""Copies of the shipped code with one mistake each: the audit of the system refutes them all.

Every mistake is one that was made, or that a reviewer made on purpose: noise too small, noise left
out, true values where noisy ones belong.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from covey.audit import CaseResult, Verdict, audit_cases
from covey.audit.cases import AUDITS
from covey.core import Bill, Meter, Persons, Vectors, questions
from covey.core import budget as budget_module
from covey.core import meter as meter_module
from covey.core.exact import COIN_PARTS
from covey.engines.memory import engine as memory_engine
from covey.engines.memory.records import TableRecords
from covey.partition.degree_boxes import informative
from covey.seeded import SeededNoise
from covey.systems import SYSTEMS
from covey.systems.sound import degree_histogram, degrees, joint_degree_boxes, rank_blocks
from covey.systems.sound.degrees import CANDIDATES, choose_theta
from covey.systems.sound.private_tree.build import build as build_tree


def audited(system: str, *names: str) -> list[CaseResult]:
    """Audit the cases of a system that have these names; few runs, because exact losses decide."""
    cases = [case for case in AUDITS[system] if case.name in names]
    assert len(cases) >= len(names)
    return list(audit_cases(cases, runs=4_000, random_state=1))


def refuted(system: str, *names: str) -> list[float]:
    """Return the exact losses of cases, all of which are refuted."""
    found = audited(system, *names)
    assert [result.verdict for result in found] == [Verdict.REFUTED] * len(found)
    return [result.exact for result in found]


@pytest.fixture
def broken(monkeypatch):
    """Return a function that replaces parts of a system as it is registered."""

    def break_(system: str, **parts) -> None:
        monkeypatch.setitem(SYSTEMS, system, replace(SYSTEMS[system], **parts))

    return break_


@pytest.mark.parametrize(
    ("system", "case"),
    [
        ("laplace", "one record across the whole range"),
        ("exponential", "one record of another category"),
        ("rank-blocks", "rank blocks, n = 20, k = 5"),
        ("insensitive", "order 'corners', three clusters of two columns"),
        ("insensitive", "order 'single', three clusters of two columns"),
        ("insensitive", "order 'hilbert', two clusters of two columns"),
        ("private-tree", "a record more or less"),
        ("personalised", "rank blocks, preference 0.1"),
        ("degree-histogram", "a node, chosen theta"),
        ("joint-degree-boxes", "a node, chosen theta and fitted boxes"),
        ("personalised-dk", "an edge that allows 0.3, degrees"),
        ("personalised-dk", "a node that allows 0.3, degrees"),
    ],
    ids=str,
)
def test_a_meter_whose_noise_is_a_quarter_too_small(monkeypatch, system, case) -> None:
    charge = Bill.charge

    def less(self, *given):
        sensitivity, scale = charge(self, *given)
        return 3 * sensitivity / 4, Fraction(3, 4) * scale

    monkeypatch.setattr(Bill, "charge", less)

    (loss,) = refuted(system, case)

    assert loss < np.inf


@pytest.mark.parametrize("factor", [Fraction(3, 4), Fraction(1, 2)])
def test_noise_of_the_boxes_that_is_too_small(monkeypatch, factor) -> None:
    right = meter_module._whole
    monkeypatch.setattr(meter_module, "_whole", lambda scale: right(scale * factor))

    (loss,) = refuted("private-tree", "numbers and categories")

    assert 1.0 < loss < 3.0


def test_noise_of_the_tests_that_is_half_as_large(monkeypatch) -> None:
    right = meter_module._in_thousandths
    monkeypatch.setattr(meter_module, "_in_thousandths", lambda scale: right(scale / 2))

    (loss,) = refuted("private-tree", "numbers")

    assert 1.0 < loss < 1.3


@pytest.mark.parametrize("case", ["numbers", "a record more or less"])
def test_boxes_that_are_not_tested_if_they_are_empty(monkeypatch, case) -> None:
    cut = TableRecords.cut

    def filled_only(self, question, decide):
        def test(counts, depth):
            found = np.zeros(counts.size, dtype=np.bool_)
            found[counts > 0] = decide(counts[counts > 0], depth)
            return found

        return cut(self, question, test)

    monkeypatch.setattr(TableRecords, "cut", filled_only)

    assert refuted("private-tree", case) == [np.inf]


@pytest.mark.parametrize("case", ["numbers", "a record more or less"])
def test_empty_boxes_whose_test_is_overruled(monkeypatch, case) -> None:
    cut = TableRecords.cut

    def overruled(self, question, decide):
        return cut(self, question, lambda counts, depth: decide(counts, depth) & (counts > 0))

    monkeypatch.setattr(TableRecords, "cut", overruled)

    assert refuted("private-tree", case) == [np.inf]


def test_boxes_without_noise(monkeypatch) -> None:
    vectors = Meter.vectors

    def bare(self, question, share):
        noisy = vectors(self, question, share)
        return Vectors(self._Meter__records.answer(question), noisy.scale)

    monkeypatch.setattr(Meter, "vectors", bare)

    assert refuted("private-tree", "numbers and categories") == [np.inf]


@pytest.mark.parametrize(
    ("mechanism", "change"),
    [
        ("cube", lambda public: {"scale": public["scale"] * 3 // 4}),
        ("cut", lambda public: {**public, "scale": Fraction(round(500 * public["scale"]), 1000)}),
    ],
)
def test_a_sampler_that_draws_less_noise_than_it_is_asked_for(
    monkeypatch, mechanism, change
) -> None:
    right = getattr(SeededNoise, mechanism)
    monkeypatch.setattr(
        SeededNoise, mechanism, lambda self, exact, **public: right(self, exact, **change(public))
    )
    (case,) = [case for case in AUDITS["private-tree"] if case.name == "numbers and categories"]

    (result,) = audit_cases([case], runs=60_000, random_state=1)

    # All exact losses are as they should be; what is drawn is not.
    assert result.exact <= 1.0
    assert result.verdict is Verdict.REFUTED


def test_rank_blocks_on_a_grid_between_the_smallest_and_the_largest_record(broken) -> None:
    def measure(meter, asked):
        values = [meter._Meter__records.table.values(q.name) for q in asked.questions]
        questions = [
            replace(q, grid=replace(q.grid, low=float(x.min()), high=float(x.max()) + 1e-9))
            for q, x in zip(asked.questions, values, strict=True)
        ]
        return rank_blocks.measure(meter, replace(asked, questions=questions))

    broken("rank-blocks", measure=measure)

    (loss,) = refuted("rank-blocks", "worst pair found by a search")

    assert loss > 1.0


def test_weights_of_boxes_of_degrees_that_are_ignored(monkeypatch) -> None:
    monkeypatch.setattr(meter_module, "_weights", lambda _: None)

    assert min(refuted("joint-degree-boxes", "an edge, fitted boxes")) > 1.0


def test_boxes_that_are_fitted_to_the_true_degrees(monkeypatch) -> None:
    seen: list[np.ndarray] = []
    counts = Meter.counts

    def spying(self, question, share):
        seen.append(np.bincount(self._Meter__records._graph.degrees))
        return counts(self, question, share)

    def fitted(_nodes, **given):
        return informative(seen[-1], **given)

    monkeypatch.setattr(Meter, "counts", spying)
    monkeypatch.setattr(joint_degree_boxes, "informative", fitted)

    assert refuted("joint-degree-boxes", "an edge, fitted boxes") == [np.inf]


@pytest.mark.parametrize(
    ("system", "module", "case"),
    [
        ("degree-histogram", degree_histogram, "a node, chosen theta"),
        ("joint-degree-boxes", joint_degree_boxes, "a node, chosen theta and fitted boxes"),
    ],
)
def test_a_degree_bound_that_is_chosen_from_the_true_numbers_of_edges(
    monkeypatch, system, module, case
) -> None:
    def choose(meter, key, *, share, rest):
        choose_theta(meter, key, share=share, rest=rest)
        records = meter._Meter__records
        left = [records._bound(theta, key).n_edges for theta in CANDIDATES]
        # One new node with many edges makes another bound the best.
        return CANDIDATES[int(np.argmax(left))]

    monkeypatch.setattr(module, "choose_theta", choose)
    monkeypatch.setattr(degrees, "COST", 0.0)

    assert refuted(system, case) == [np.inf]


@pytest.mark.parametrize(
    ("system", "case"),
    [
        ("personalised", "rank blocks, preference 0.1"),
        ("personalised-dk", "an edge that allows 0.3, degrees"),
        ("personalised-dk", "a node that allows 0.3, degrees"),
    ],
    ids=str,
)
def test_coins_that_let_the_careful_take_part_too_often(monkeypatch, system, case) -> None:
    right = questions.kept_parts
    monkeypatch.setattr(questions, "kept_parts", lambda *given: min(COIN_PARTS, 2 * right(*given)))

    (loss,) = refuted(system, case)

    assert loss < 1.0


@pytest.mark.parametrize("where", ["the rows", "the table 'accuracy'", "the settings"])
def test_a_true_value_that_is_dug_out_of_the_meter(broken, where) -> None:
    dug = []

    def measure(meter, asked):
        dug.append(float(meter._Meter__records.table.values("x").sum()))
        return measured(meter, asked)

    def build(asked, measured, rng):
        built = build_tree(asked, measured, rng)
        if where == "the settings":
            return replace(built, resolved={"output": str(dug[-1])})
        if where == "the rows":
            clusters = _shifted(built.rows.clusters, dug[-1])
            extra = int(clusters.counts.sum() - built.rows.clusters.counts.sum())
            targets = {
                name: target + np.eye(1, target.size, dtype=np.int64)[0] * extra
                for name, target in built.rows.targets.items()
            }
            return replace(built, rows=replace(built.rows, clusters=clusters, targets=targets))
        accuracy = built.extras["accuracy"].with_columns(true=pl.lit(dug[-1]))
        return replace(built, extras={**built.extras, "accuracy": accuracy})

    measured = SYSTEMS["private-tree"].measure
    broken("private-tree", measure=measure, build=build)

    found = audited("private-tree", "numbers and categories")

    assert [result.exact for result in found] == [np.inf]
    assert all(where in result.tells for result in found)


def _shifted(clusters, value: float):
    counts = clusters.counts.copy()
    counts[np.argmax(counts)] += round(value) % 7
    return replace(clusters, counts=counts)


def test_a_true_value_in_an_extra_is_seen_by_blind_noise_too(broken) -> None:
    measure = rank_blocks.measure

    def digging(meter, asked):
        found = measure(meter, asked)
        largest = meter._Meter__records.table.values(asked.questions[0].name).max()
        found[0].values[-1] = int(largest * 2**20)
        return found

    broken("rank-blocks", measure=digging)

    assert refuted("rank-blocks", "inputs with nothing in common") == [np.inf]


OF_FIVE = "a person with five records, three of which count"


def test_a_person_whose_records_each_cost_the_whole_is_refuted(monkeypatch) -> None:
    monkeypatch.setattr(Persons, "each", lambda _, loss: loss)
    monkeypatch.setattr(Persons, "whole", lambda _, loss: loss)

    assert refuted("laplace", OF_FIVE) == [pytest.approx(3.0)]
    assert refuted("tables", OF_FIVE) == [pytest.approx(3.0)]


def test_a_rho_that_is_divided_once_is_refuted(monkeypatch) -> None:
    monkeypatch.setattr(Persons, "_steps", lambda self, _: Fraction(self.most))

    assert refuted("tables", f"{OF_FIVE}, by its rho") == [pytest.approx(6.0)]
    (delta,) = refuted("tables", f"{OF_FIVE}, by its delta")
    assert delta > 1e-6


@pytest.mark.parametrize("system", ["laplace", "tables"])
def test_records_that_nobody_cuts_are_refuted(monkeypatch, system) -> None:
    monkeypatch.setattr(memory_engine, "cut_table", lambda table, persons, _: (table, persons))

    assert refuted(system, OF_FIVE) == [pytest.approx(5 / 3)]


def test_a_promise_that_an_epsilon_and_delta_never_had_is_refuted(monkeypatch) -> None:
    """With the rho of Laplace's rule of thumb, epsilon²/2, Gaussian noise has no such delta."""
    monkeypatch.setattr(budget_module, "largest_rho", lambda epsilon, _: epsilon**2 / 2)

    refuted("tables", "Gaussian noise, by its delta")

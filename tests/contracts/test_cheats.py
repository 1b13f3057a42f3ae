"""Five ways to publish a true value under a promise, none of which gets so far as a file.

A cheat has the same three functions as every sound system, so it sees what they see.  Each is
tried with a ledger and an output folder: neither may change.
"""

from __future__ import annotations

# ruff: noqa: ARG001 — cheats have the arguments of systems, whatever they use
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import covey
from covey.core import Budget, Guarantee, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import RankBlockSums, Size
from covey.errors import BudgetError, InternalError, UnprovenError
from covey.ledger import create_ledger, load_ledger
from covey.postprocess.rows import Repeated
from covey.systems import SYSTEMS, PlainSystem, SoundSystem
from covey.systems.base import Built, Outcome, epsilon_setting, setting
from covey.table import Attribute, Schema, read_table

SCHEMA = Schema((Attribute("age", bounds=(0, 120), integer=True),))
DIFFERENTIAL = [kind for kind in GuaranteeKind if kind.is_differential_privacy]
AGES = np.arange(17, 97, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class CheatSettings:
    """Settings of a cheat."""

    epsilon: float = epsilon_setting()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a cheat says that it will ask."""

    budget: Budget
    promise: Promise = field(default_factory=lambda: Promise(columns=("age",)))
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD
    head: object = None


def ask(head, settings):
    return Asked(budget=Budget.of(settings.epsilon), head=head)


def measure_sums(meter, asked):
    grid = covey.table.Grid(low=0.0, high=120.0, steps=120)
    return meter.counts(RankBlockSums("age", grid, np.array([40, 40])), asked.budget)


def build_means(asked, measured, rng):
    return Built(rows=Repeated({"age": measured.values / 40}, np.array([40, 40])))


HONEST = SoundSystem(
    name="cheat",
    summary="A system of twenty lines.",
    paper="covey",
    kind=GuaranteeKind.PURE_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=CheatSettings,
    ask=ask,
    measure=measure_sums,
    build=build_means,
)


@pytest.fixture
def publish(tmp_path, monkeypatch):
    """Publish with a system of the test's own, and say what is left behind."""
    ledger, out = tmp_path / "ledger.json", tmp_path / "out"
    create_ledger(ledger, 5)

    def run(system):
        monkeypatch.setitem(SYSTEMS, "cheat", system)
        table = read_table(pl.DataFrame({"age": AGES}), SCHEMA)
        covey.publish(table, "cheat", epsilon=0.1, ledger=ledger).save(out)

    run.untouched = lambda: not out.exists() and load_ledger(ledger).spent == 0
    return run


def test_an_honest_system_of_twenty_lines_is_published(publish) -> None:
    publish(HONEST)

    assert not publish.untouched()


@pytest.mark.parametrize("name", ["records", "table", "data", "_records", "frame", "source"])
def test_raw_values_are_nowhere_to_be_had(publish, name) -> None:
    def measure(meter, asked):
        return np.sort(getattr(meter, name)["age"])

    with pytest.raises(AttributeError):
        publish(replace(HONEST, measure=measure))

    assert publish.untouched()


def test_true_counts_for_an_extra_are_nowhere_to_be_had(publish) -> None:
    """A question without a claim has no answer, and one with a claim has a noisy one."""

    @dataclass(frozen=True)
    class TrueCounts:
        name: str = "age"

    def measure(meter, asked):
        return meter.counts(TrueCounts(), asked.budget)

    with pytest.raises(UnprovenError, match="TrueCounts"):
        publish(replace(HONEST, measure=measure))

    assert publish.untouched()


def test_a_true_n_is_not_there_where_it_is_not_public(publish) -> None:
    seen = []

    def ask_n(head, settings):
        seen.append(head.n)
        return Asked(budget=Budget.of(settings.epsilon), unit=PrivacyUnit.ADD_REMOVE_RECORD)

    def measure(meter, asked):
        return meter.counts(Size(), asked.budget)

    def build(asked, measured, rng):
        accuracy = pl.DataFrame({"n": [seen[0] + 0]})
        return Built(rows=Repeated({"age": np.zeros(1)}, np.ones(1)), extras={"accuracy": accuracy})

    added = replace(
        HONEST,
        unit_of=lambda _: PrivacyUnit.ADD_REMOVE_RECORD,
        ask=ask_n,
        measure=measure,
        build=build,
    )
    with pytest.raises(TypeError):
        publish(added)

    assert seen == [None]
    assert publish.untouched()


def test_a_cost_that_is_left_out_is_refused_at_the_question(publish) -> None:
    def measure(meter, asked):
        measure_sums(meter, asked)
        return measure_sums(meter, asked)

    with pytest.raises(BudgetError, match="so much is not left"):
        publish(replace(HONEST, measure=measure))

    assert publish.untouched()


def test_a_meter_that_was_carried_off_is_closed(publish) -> None:
    carried = []

    def measure(meter, asked):
        carried.append(meter)
        half = Budget(asked.budget.epsilon / 2)
        return measure_sums(meter, replace(asked, budget=half))

    def build(asked, measured, rng):
        half = Budget(asked.budget.epsilon / 2)
        return build_means(asked, measure_sums(carried[0], replace(asked, budget=half)), rng)

    with pytest.raises(BudgetError, match="closed"):
        publish(replace(HONEST, measure=measure, build=build))

    assert publish.untouched()


def test_noise_that_is_thrown_away_leaves_nothing_to_publish(publish) -> None:
    """Whoever throws the noisy answer away has none: what is built comes from public facts."""

    def build(asked, measured, rng):
        del measured
        return Built(rows=Repeated({"age": asked.head.frame["age"]}, np.ones(80)))

    with pytest.raises(AttributeError):
        publish(replace(HONEST, build=build))

    assert publish.untouched()


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        (PrivacyUnit.ADD_REMOVE_RECORD, "added or removed"),
        (PrivacyUnit.EDGE, "edge"),
        (PrivacyUnit.NODE, "node"),
        (PrivacyUnit.NONE, "no neighbour relation"),
    ],
)
def test_another_neighbour_relation_is_refused_at_the_question(publish, unit, words) -> None:
    with pytest.raises(UnprovenError, match=words):
        publish(replace(HONEST, unit_of=lambda _: unit))

    assert publish.untouched()


def test_a_promise_of_a_system_s_own_making_is_refused(publish) -> None:
    class Boast(Promise):
        def kept(self, bill, facts=()):
            return replace(super().kept(bill, facts), epsilon=Fraction(1, 1000))

    def boasting(head, settings):
        return replace(ask(head, settings), promise=Boast(columns=("age",)))

    with pytest.raises(InternalError, match="follows from the meter's bill"):
        publish(replace(HONEST, ask=boasting))

    assert publish.untouched()


def test_a_column_is_public_for_a_sample_by_it_and_for_nothing_else(publish) -> None:
    """Preferences are told to a system; whoever names another column gets its true values."""

    @dataclass(frozen=True, kw_only=True)
    class TellingSettings(CheatSettings):
        told: str = setting("a column", default="age")

    def build(asked, measured, rng):
        return Built(rows=Repeated({"age": asked.head.public["age"]}, np.ones(80, int)))

    with pytest.raises(InternalError, match="no sample is drawn by"):
        publish(replace(HONEST, takes=TellingSettings, public_column="told", build=build))

    assert publish.untouched()


@pytest.mark.parametrize("kind", DIFFERENTIAL)
def test_a_plain_outcome_that_only_looks_like_one_is_refused(publish, kind) -> None:
    told = as_they_are(GuaranteeKind.NONE)
    guarantee = replace(told.guarantee, kind=kind)
    boast = SimpleNamespace(
        columns=told.columns, guarantee=guarantee, aligned=None, resolved={}, extras={}
    )

    with pytest.raises(InternalError, match="sees records"):
        publish(replace(plain(GuaranteeKind.NONE), run=lambda *_: boast))

    assert publish.untouched()


def test_epsilon_is_what_was_spent_whatever_a_system_says(monkeypatch) -> None:
    monkeypatch.setitem(SYSTEMS, "cheat", HONEST)
    table = read_table(pl.DataFrame({"age": AGES}), SCHEMA)

    guarantee = covey.publish(table, "cheat", epsilon=0.5).guarantee

    assert float(guarantee.epsilon) == 0.5
    assert guarantee.kind is GuaranteeKind.PURE_DP
    assert guarantee.claim == "rank-blocks"
    assert [each["claim"] for each in guarantee.questions] == ["rank-blocks/sums"]


@pytest.mark.parametrize("kind", DIFFERENTIAL)
def test_a_system_that_sees_records_cannot_be_differential(kind) -> None:
    with pytest.raises(InternalError, match=f"cannot be {kind}"):
        plain(kind)


@pytest.mark.parametrize("kind", DIFFERENTIAL)
def test_an_outcome_of_records_cannot_be_differential(publish, kind) -> None:
    with pytest.raises(InternalError, match="cannot promise differential privacy"):
        publish(replace(plain(GuaranteeKind.NONE), run=lambda *_: as_they_are(kind)))

    assert publish.untouched()


@pytest.mark.parametrize("kind", [kind for kind in GuaranteeKind if kind not in DIFFERENTIAL])
def test_records_may_be_seen_under_every_other_promise(publish, kind) -> None:
    publish(replace(plain(kind), run=lambda *_: as_they_are(kind)))

    assert not publish.untouched()


def plain(kind: GuaranteeKind) -> PlainSystem:
    """Return a system that sees records."""
    return PlainSystem(
        name="cheat",
        summary="A system of two lines.",
        paper="covey",
        kind=kind,
        unit=PrivacyUnit.REPLACE_RECORD,
        takes=CheatSettings,
        run=lambda *_: None,
    )


def as_they_are(kind: GuaranteeKind) -> Outcome:
    """Return the records, and a promise."""
    guarantee = Guarantee(kind=kind, k=1, epsilon=Budget.of(0.1).epsilon, columns=("age",))
    return Outcome(columns={"age": AGES.astype(float)}, guarantee=guarantee)

"""Nobody loses more than she allowed, whatever system publishes what is kept."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.core.exact import COIN_PARTS as PARTS
from covey.core.exact import kept_parts
from covey.core.questions import Sample
from covey.engines.memory.records import TableRecords
from covey.errors import BudgetError, CoveyError, DataError, PlanError, SchemaError
from covey.ledger import create_ledger, load_ledger
from covey.systems.sound.personalised.defaults import default_value
from covey.table import Attribute, Role, Scale, Schema, read_table
from tests.contracts.people import SCHEMA, people, people_frame

COLUMNS = ("age", "income", "visits")


def publish(data=None, **parameters) -> covey.Release:
    data = people() if data is None else data
    given = {"preferences": "allowed", "threshold": 1.0, "columns": COLUMNS} | parameters
    return covey.publish(data, "personalised", **given)


def with_preferences(values, **changes) -> covey.Table:
    frame = people_frame().with_columns(pl.Series("allowed", values))
    return read_table(frame, SCHEMA.updated("allowed", **changes) if changes else SCHEMA)


def randomised_response(weight: Fraction) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """Publish one of three values, each record speaking for its own: a small discrete mechanism.

    The probability of an output is proportional to ``weight`` to the number of records that
    hold it, so the largest ratio between neighbours is exp(t) = weight to the second at most.
    """
    laws = {}
    for records in itertools.product(range(3), repeat=3):
        weights = [weight ** records.count(output) for output in range(3)]
        laws[records] = {output: w / sum(weights) for output, w in enumerate(weights)}
    return laws


def local_choice(weight: Fraction) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """Publish the first record's value, or another one with probability 1/weight of it."""
    return {
        records: {
            output: (weight if output == records[0] else 1) / (weight + 2) for output in range(3)
        }
        for records in itertools.product(range(3), repeat=3)
    }


def worst_ratio(laws) -> Fraction:
    """Return the largest ratio of probabilities over all neighbours and outputs: exp(t)."""
    return max(
        laws[here][output] / laws[there][output]
        for here in laws
        for there in laws
        if sum(a != b for a, b in zip(here, there, strict=True)) == 1
        for output in laws[here]
    )


def sampled(laws, records, probabilities, default=0) -> dict[int, Fraction]:
    """Return the exact law of the output when coins put the default in the place of records."""
    law = dict.fromkeys(laws[records], Fraction(0))
    for coins in itertools.product((False, True), repeat=len(records)):
        chance = Fraction(1)
        for coin, p in zip(coins, probabilities, strict=True):
            chance *= p if coin else 1 - p
        seen = tuple(
            record if coin else default for record, coin in zip(records, coins, strict=True)
        )
        for output, probability in laws[seen].items():
            law[output] += chance * probability
    return law


def largest_losses(laws, probabilities) -> list[Fraction]:
    """Return for each record the largest exact ratio between inputs that differ in it."""
    found = [Fraction(1)] * len(probabilities)
    mixed = {records: sampled(laws, records, probabilities) for records in laws}
    for here, there in itertools.permutations(laws, 2):
        changed = [i for i in range(len(here)) if here[i] != there[i]]
        if len(changed) == 1:
            ratio = max(mixed[here][output] / mixed[there][output] for output in mixed[here])
            found[changed[0]] = max(found[changed[0]], ratio)
    return found


@pytest.mark.parametrize("mechanism", [randomised_response, local_choice])
@pytest.mark.parametrize("preferences", [("0.1", "0.5", "1"), ("0.01", "0.01", "3"), ("2", 1, 1)])
def test_the_exact_loss_of_every_record_is_at_most_its_preference(mechanism, preferences) -> None:
    laws = mechanism(Fraction(3, 2))
    # t is the exact cost of the mechanism, rounded up as a threshold may be.
    threshold = Fraction(math.ceil(math.log(worst_ratio(laws)) * 10**6), 10**6)
    probabilities = [Fraction(kept_parts(Fraction(e), threshold), PARTS) for e in preferences]

    losses = largest_losses(laws, probabilities)

    for loss, preference in zip(losses, preferences, strict=True):
        assert math.log(loss) <= min(Fraction(preference), threshold) * (1 + 1e-12)


@given(
    preference=st.sampled_from([Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    weight=st.integers(3, 50),
)
def test_the_bound_is_tight_where_the_default_is_the_other_record(preference, weight) -> None:
    laws = local_choice(Fraction(weight))
    threshold = Fraction(math.ceil(math.log(weight) * 10**9), 10**9)
    probabilities = [Fraction(kept_parts(preference, threshold), PARTS), Fraction(1), Fraction(1)]

    losses = largest_losses(laws, probabilities)

    assert math.log(losses[0]) == pytest.approx(float(min(preference, threshold)), rel=1e-6)
    assert losses[1] == losses[2] == 1


@pytest.mark.parametrize(
    "preference", [Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(3)]
)
def test_dropping_bounds_the_loss_of_a_record_that_is_added_or_removed(preference) -> None:
    # Without the record the output 1 has probability a, with it b; b/a is exp(t) or exp(-t).
    threshold = Fraction(2)
    p = kept_parts(preference, threshold) / PARTS
    for a, b in [(0.1, 0.1 * math.exp(2)), (0.1 * math.exp(2), 0.1), (0.9, 1 - 0.1 * math.exp(2))]:
        mixed = (1 - p) * a + p * b

        assert abs(math.log(mixed / a)) <= min(preference, threshold) * (1 + 1e-9)


def test_what_people_who_allow_next_to_nothing_say_leaves_no_trace() -> None:
    tiny = [1e-9] * 59 + [1.0]
    frames = [
        people_frame().with_columns(allowed=pl.Series(tiny), age=pl.Series([age] * 59 + [50]))
        for age in (0, 90)
    ]

    here, there = (
        publish(read_table(frame, SCHEMA), inner="rank-blocks", columns=("age",), random_state=4)
        for frame in frames
    )

    assert here.frame.equals(there.frame)


@pytest.mark.parametrize("inner", ["private-tree", "rank-blocks", "insensitive"])
def test_every_sound_system_publishes_what_is_kept(inner) -> None:
    release = publish(inner=inner)

    assert release.guarantee.kind is covey.GuaranteeKind.PERSONALISED
    assert release.guarantee.epsilon == 1
    assert "allowed" in release.guarantee.dropped
    assert "allowed" not in release.frame.columns
    assert release.plan.parameters["inner"] == inner
    assert covey.run(release.plan, people_frame()).plan == release.plan


@pytest.mark.parametrize("inner", ["laplace", "mdav", "mdav-dp", "personalised", "nonsense"])
def test_a_system_without_pure_differential_privacy_is_refused(inner) -> None:
    with pytest.raises(PlanError, match=r"pure differential privacy .* private-tree, rank-blocks"):
        publish(inner=inner)


def test_the_threshold_is_the_largest_preference_unless_given() -> None:
    release = publish(with_preferences([0.25] * 59 + [2.5]), threshold=None)

    assert release.guarantee.epsilon == Fraction(5, 2)
    assert release.plan.parameters["threshold"] == 2.5


def test_the_guarantee_says_what_it_rests_on_and_which_definition_it_meets() -> None:
    guarantee = publish().guarantee

    assert any(
        "preference of each record (allowed) is public" in fact for fact in guarantee.assumes
    )
    text = " ".join(guarantee.conditions)
    assert "Definition 30" in text
    assert "not bounded by the preferences of others, as Definition 31" in text
    assert "age = 60, income = 50000, visits = 25" in text


def test_the_default_record_comes_from_the_schema_alone() -> None:
    schema = SCHEMA.updated("visits", missing="impute", impute=3)
    table = read_table(people_frame(), schema)

    head = table.head(known_n=True)
    defaults = {a.name: default_value(head, a) for a in schema if a.role is not Role.IDENTIFIER}

    assert defaults == {
        "age": 60.0,
        "income": 50_000.0,
        "visits": 3,
        "health": "fair",
        "region": "north",
    }


def replaced(table: covey.Table, names: list[str], mask: np.ndarray) -> covey.Table:
    """Return the table that the inner system's questions are about, for given coins."""
    head = table.head(known_n=True)
    sample = Sample(
        what="records",
        threshold=Fraction(2),
        column="allowed",
        columns=tuple(names),
        default={name: default_value(head, table.schema[name]) for name in names},
    )
    return TableRecords(table).sampled(sample, lambda _: mask).table


def test_only_records_that_are_not_kept_are_replaced_and_types_stay() -> None:
    table = people()
    mask = np.arange(table.n) % 2 == 0
    names = [a.name for a in SCHEMA if a.role is not Role.IDENTIFIER]

    seen = replaced(table, names, mask)

    assert seen.frame.schema == table.frame.select(names).schema
    assert seen.frame.filter(mask).equals(table.frame.select(names).filter(mask))
    assert set(seen.frame.filter(~mask).rows()) == {(60, 50_000.0, 25, "fair", "north")}


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["south", "west", "north"])])
def test_a_category_is_put_into_columns_of_every_type_that_holds_it(dtype) -> None:
    table = read_table(people_frame().cast({"region": dtype}), SCHEMA)

    seen = replaced(table, ["region"], np.zeros(table.n, dtype=np.bool_))

    assert seen.frame["region"].dtype == table.frame["region"].dtype
    assert set(seen.frame["region"].cast(pl.String)) == {"north"}


def test_inner_settings_are_passed_on_and_written_down() -> None:
    release = publish(inner="insensitive", settings="k=20;order=hilbert")

    assert release.plan.parameters["settings"] == {"k": 20, "order": "hilbert", "paper": False}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("k", "settings such as"),
        ("epsilon=2", "sets itself"),
        ("columns=age", "sets itself"),
        ("kk=3", "has no parameter 'kk'"),
        ("unit=add-remove", 'otherwise = "drop"'),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, words) -> None:
    with pytest.raises(PlanError, match=words):
        publish(settings=settings)


def test_an_inner_release_without_a_guarantee_is_refused() -> None:
    with pytest.raises(PlanError, match="carries no guarantee"):
        publish(inner="insensitive", settings={"paper": True, "k": 20})


def test_dropping_publishes_under_added_and_removed_records() -> None:
    table = with_preferences([0.5] * 60)

    release, trace = publish(table, otherwise="drop", threshold=2.0, trace=True)

    assert release.guarantee.kind is covey.GuaranteeKind.PERSONALISED
    assert release.guarantee.unit is covey.PrivacyUnit.ADD_REMOVE_RECORD
    assert trace.aligned is None
    assert "The number of records is public." not in release.guarantee.assumes


def test_dropping_all_records_is_no_error_that_would_tell() -> None:
    release = publish(with_preferences([1e-9] * 60), otherwise="drop", threshold=1.0)

    assert release.frame.height >= 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"threshold": None}, "needs 'threshold' where records are dropped"),
        ({"inner": "rank-blocks"}, "protects replaced records only"),
    ],
)
def test_dropping_needs_a_threshold_and_a_system_that_covers_it(changes, words) -> None:
    with pytest.raises(PlanError, match=words):
        publish(otherwise="drop", **changes)


BAD = {
    "missing column": ({"preferences": "alowed"}, None, PlanError, "Did you mean 'allowed'"),
    "published too": ({"columns": ("age", "allowed")}, None, CoveyError, "'allowed'"),
    "zero": ({}, [0.0] + [1.0] * 59, DataError, "not a positive number"),
    "negative": ({}, [-1.0] + [1.0] * 59, DataError, "not a positive number"),
    "infinite": ({}, [math.inf] + [1.0] * 59, DataError, "not a positive number"),
    "too small": ({}, [1e-12] + [1.0] * 59, DataError, "not a positive number"),
    "missing cell": ({}, [None] + [1.0] * 59, DataError, "lacks the preference of a record"),
    "not a number": ({}, [math.nan] + [1.0] * 59, DataError, "lacks the preference of a record"),
    "text": ({}, ["much"] * 60, DataError, "other things than numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_preferences_are_refused_and_nothing_is_spent(case, tmp_path) -> None:
    changes, values, kind, words = BAD[case]
    ledger = tmp_path / "people.ledger"
    create_ledger(ledger, Fraction(3))
    table = people() if values is None else with_preferences(values)

    with pytest.raises(kind, match=words):
        publish(table, ledger=ledger, **changes)

    assert load_ledger(ledger).spent == 0


def test_the_threshold_is_charged_and_the_ledger_refuses_what_exceeds_it(tmp_path) -> None:
    ledger = tmp_path / "people.ledger"
    create_ledger(ledger, Fraction(3, 2))

    publish(ledger=ledger)
    with pytest.raises(BudgetError):
        publish(ledger=ledger)

    assert load_ledger(ledger).spent == 1


def test_preferences_may_be_an_ordinary_column_that_is_then_not_published() -> None:
    table = with_preferences([1.0] * 60, role=Role.NON_CONFIDENTIAL)

    release = publish(table, columns=None, threshold=4.0)

    assert set(release.guarantee.columns) == {"age", "income", "visits", "health", "region"}


def test_nothing_but_preferences_leaves_nothing_to_publish() -> None:
    table = read_table(pl.DataFrame({"allowed": [1.0] * 60}), Schema((Attribute("allowed"),)))

    with pytest.raises(SchemaError, match="nothing to publish"):
        covey.publish(table, "personalised", preferences="allowed")


def test_a_nominal_column_without_public_categories_has_no_default() -> None:
    schema = SCHEMA.updated("region", categories=None)

    with pytest.raises(SchemaError, match="'region' lists neither categories nor a taxonomy"):
        publish(read_table(people_frame(), schema), columns=("region",))
    assert schema["region"].scale is Scale.NOMINAL


def test_the_command_line_publishes_it_and_its_plan_runs_again(terminal, people) -> None:
    people.with_columns(allowed=pl.lit(1.5)).write_csv("people.csv")
    Schema((*terminal.schema, Attribute("allowed", role=Role.NON_CONFIDENTIAL))).save("people.toml")

    ran = terminal.publish(
        *("--system", "personalised", "-p", "preferences=allowed", "-p", "inner=rank-blocks"),
        *("--columns", "age,income"),
    )
    again = terminal.run("publish", "people.csv", "--plan", "out/plan.toml", "-o", "again")

    assert (ran.code, again.code) == (0, 0), ran.err + again.err
    assert "personalised" in ran.out
    plans = [covey.Plan.load(f"{folder}/plan.toml").to_dict() for folder in ("out", "again")]
    assert plans[0] == plans[1]
    assert plans[0]["parameters"]["settings"] == {"k": 13}

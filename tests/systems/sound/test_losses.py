"""Some systems take epsilon, epsilon and delta, or rho; others say why not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import covey
from covey.core import Budget, PrivacyUnit, SecureNoise
from covey.core.loss import epsilon_at
from covey.errors import BudgetError, PlanError, WeakerError
from covey.ledger import create_ledger, load_ledger
from covey.systems import SYSTEMS, SoundSystem
from covey.systems.sound.column_model.shares import EPSILON_PARTS, Purse
from covey.table import Attribute, Scale, Schema, read_table
from tests.systems.metered import built

SCHEMA = Schema(
    (
        Attribute("age", bounds=(0, 99), integer=True),
        Attribute("income", bounds=(0, 1000), integer=True),
        Attribute("region", scale=Scale.NOMINAL, categories=("north", "south", "west")),
    )
)
N = 1000
LOSSES = {"rho": {"rho": 0.5}, "epsilon and delta": {"epsilon": 3.0, "delta": 1e-9}}
NEEDED = {"tables": {"tables": ["age*region", "income"]}, "column-model": {}}
UNITS = ("replace", "add-remove")
RANKS = {"columns": ("age", "income")}


@pytest.fixture
def table() -> covey.Table:
    rng = np.random.default_rng(3)
    age = rng.integers(0, 100, N)
    frame = {
        "age": age,
        "income": np.clip(10 * age + rng.integers(-50, 50, N), 0, 1000),
        "region": rng.choice(["north", "south", "west"], N),
    }
    return read_table(pl.DataFrame(frame), SCHEMA)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("system", "more"),
    [
        *((name, {"unit": unit, **NEEDED[name]}) for name in NEEDED for unit in UNITS),
        ("rank-blocks", RANKS),
    ],
)
def test_a_release_spends_its_rho_and_says_what_that_implies(system, more, loss, table) -> None:
    release = covey.publish(table, system, **LOSSES[loss], **more)

    told = release.guarantee
    assert told.kind == "zcdp"
    assert told.delta == Fraction(1, 10**9)
    assert told.epsilon == epsilon_at(told.rho, told.delta)
    asked = {"rho": told.rho, "epsilon": told.epsilon}
    typed = LOSSES[loss].get("rho", LOSSES[loss].get("epsilon"))
    assert float(asked["rho" if loss == "rho" else "epsilon"]) == pytest.approx(typed, rel=1e-9)
    assert sum(Fraction(part["rho"]) for part in told.questions) == told.rho
    assert str(told).startswith("Zero-concentrated differential privacy with rho = ")
    assert type(told).from_dict(told.to_dict()).kind == "zcdp"


def test_the_noise_of_tables_has_the_variance_that_the_rho_pays_for(table) -> None:
    made, bill = built(
        "tables", table, SecureNoise(), rho=0.2, tables=["income"], bins={"income": 1001 // 7}
    )
    (paid,) = bill.paid
    measured = made.extras["measured"]
    true, _ = built(
        "tables", table, SilentGauss(), rho=0.2, tables=["income"], bins={"income": 1001 // 7}
    )
    noise = (measured["noisy"] - true.extras["measured"]["noisy"]).to_numpy()

    assert paid.noise >= Fraction(2) / (2 * Fraction("0.2"))
    # 143 draws: the mean square is within 60 % of the variance but once in 10⁶ runs.
    assert 0.4 < (noise**2).mean() / float(paid.noise) < 1.7


def test_weighted_tables_pay_for_the_squares_of_the_largest_weight() -> None:
    weight = Attribute("w", role="weight", bounds=(0, 7), integer=True)
    frame = pl.DataFrame({"region": ["north", "south"] * 500, "w": [1, 5] * 500})
    weighted = read_table(frame, Schema((SCHEMA["region"], weight)))

    _, bill = built("tables", weighted, SecureNoise(), rho=0.2, tables=["region"], weighted_by="w")

    (paid,) = bill.paid
    smallest = Fraction(2 * paid.public["largest"] ** 2) / (2 * Fraction("0.2"))
    assert paid.statistic == "sums"
    assert smallest <= paid.noise <= smallest * Fraction(1001, 1000)


def test_tables_of_three_columns_of_a_model_are_paid_in_rho(table) -> None:
    release = covey.publish(table, "column-model", rho=5, tables=["age*income*region"])

    assert release.guarantee.kind == "zcdp"
    assert sum(Fraction(part["rho"]) for part in release.guarantee.questions) == 5


class SilentGauss(SecureNoise):
    """Adds nothing."""

    def gaussian(self, values, *, variance, squares, rho):
        """Return the values as they are."""
        del variance, squares, rho
        return values


@pytest.mark.parametrize("system", NEEDED)
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"epsilon": 1, "rho": 1}, "bounded in one way"),
        ({"delta": 1e-9}, "needs 'epsilon'"),
        ({"rho": 1, "delta": 1e-9}, "bounded in one way"),
        ({"epsilon": 1, "delta": 0}, "Gaussian noise cannot promise"),
        ({"epsilon": 1, "delta": 0.1}, "one person in ten"),
        ({"epsilon": 1, "delta": 0.001}, "not below one divided by the public number of records"),
        ({"rho": 0}, "rho = 0.0 is not a positive finite number"),
    ],
    ids=str,
)
def test_bad_losses_are_refused_and_nothing_is_spent(
    system, wrong, reason, table, tmp_path
) -> None:
    ledger = tmp_path / "a.ledger"
    create_ledger(ledger, Fraction(100))

    with pytest.raises(PlanError, match=reason):
        covey.publish(table, system, ledger=ledger, **wrong, **NEEDED[system])

    assert not load_ledger(ledger).entries


OTHERS = [
    name
    for name, each in SYSTEMS.items()
    if isinstance(each, SoundSystem)
    and {"epsilon", "rho"} & {p.name for p in each.parameters} == {"epsilon"}
]


@pytest.mark.parametrize("system", OTHERS)
@pytest.mark.parametrize("loss", ["delta", "rho"])
def test_other_systems_say_that_their_promise_is_pure(system, loss) -> None:
    with pytest.raises(PlanError, match=r"its promise is a pure epsilon.*rho = epsilon²/2"):
        SYSTEMS[system].settings({"epsilon": 1.0, loss: 1e-9})


def test_a_rho_is_charged_and_what_exceeds_the_limit_is_refused(table, tmp_path) -> None:
    ledger = tmp_path / "a.ledger"
    create_ledger(ledger, Fraction(44, 10))
    for _ in range(2):
        covey.publish(table, "tables", tables=["region"], rho=0.1, ledger=ledger)

    found = load_ledger(ledger)
    assert found.spent == epsilon_at(Fraction(2, 10), Fraction(1, 10**9))
    with pytest.raises(BudgetError, match="nothing was published"):
        covey.publish(table, "tables", tables=["region"], rho=0.1, ledger=ledger)
    assert load_ledger(ledger).entries == found.entries


def test_a_pure_promise_that_is_required_is_not_given_by_a_rho(table) -> None:
    plan = {"tables": ["region"], "rho": 0.1}

    assert covey.publish(table, "tables", require="zcdp", **plan)
    with pytest.raises(WeakerError):
        covey.publish(table, "tables", require="pure-dp", **plan)


def test_a_plan_keeps_its_loss(table, tmp_path) -> None:
    release = covey.publish(table, "tables", tables=["region"], epsilon=2, delta=1e-9)
    release.save(tmp_path / "out")

    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")
    again = covey.publish(table, plan.system, **plan.parameters)

    assert (plan.parameters["epsilon"], plan.parameters["delta"]) == (2.0, 1e-9)
    assert again.guarantee.rho == release.guarantee.rho


@pytest.mark.parametrize(("tables", "gaussian"), [(2, False), (8, False), (9, True), (60, True)])
def test_gaussian_noise_is_smaller_from_nine_tables_on_at_epsilon_1(tables, gaussian) -> None:
    losses = Budget.of(1), Budget.of(1, delta=1e-9)
    laplace, gauss = (
        Purse(loss, PrivacyUnit.REPLACE_RECORD).noise(EPSILON_PARTS / tables) for loss in losses
    )

    assert (gauss < laplace) == gaussian

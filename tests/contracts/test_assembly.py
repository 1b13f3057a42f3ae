"""A release never says differential privacy unless every column is noise that carries it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from covey.errors import InternalError
from covey.perturb import Grid, SecureNoise, SeededNoise, add_laplace
from covey.plan import Plan
from covey.privacy import (
    Budget,
    Guarantee,
    GuaranteeKind,
    Ledger,
    PrivacyUnit,
    Sensitivity,
)
from covey.release import GroupedColumn, NoisyColumn, UntouchedColumn, assemble
from tests.contracts.people import N, numeric_people

TABLE = numeric_people()
DIFFERENTIAL = [kind for kind in GuaranteeKind if kind.is_differential_privacy]
OTHERS = [kind for kind in GuaranteeKind if not kind.is_differential_privacy]


def noisy(
    epsilon="0.5", *, source=None, unit=PrivacyUnit.REPLACE_RECORD, claim="record-values"
) -> NoisyColumn:
    """Make a column of pure noise and its account."""
    grid = Grid.between(0.0, 50.0)
    origin = add_laplace(
        np.zeros(N, dtype=np.int64),
        grid=grid,
        sensitivity=Sensitivity(l1=grid.steps, unit=unit, claim=claim),
        budget=Budget.of(epsilon),
        source=source or SecureNoise(),
    )
    return NoisyColumn(values=origin.means(), origin=origin)


def put_together(columns, *, kind=GuaranteeKind.PURE_DP, epsilon=Fraction(1)):
    guarantee = Guarantee(kind=kind, unit=PrivacyUnit.REPLACE_RECORD, epsilon=epsilon)
    plan = Plan(system="laplace", schema=TABLE.schema)
    return assemble(TABLE, columns, guarantee=guarantee, plan=plan, ledger=Ledger())


@pytest.mark.parametrize("kind", DIFFERENTIAL)
def test_columns_of_noise_within_the_budget_make_a_release(kind) -> None:
    release = put_together({"age": noisy("0.3"), "visits": noisy("0.7")}, kind=kind)

    assert release.frame.columns == ["age", "visits"]
    assert release.guarantee.kind is kind


@pytest.mark.parametrize("kind", DIFFERENTIAL)
@pytest.mark.parametrize(
    "bare", [UntouchedColumn(), GroupedColumn(values=np.zeros(N))], ids=["untouched", "grouped"]
)
def test_a_column_without_noise_is_refused_under_a_differential_guarantee(bare, kind) -> None:
    with pytest.raises(InternalError, match=r"column 'visits' .* has no noise"):
        put_together({"age": noisy(), "visits": bare}, kind=kind)


@pytest.mark.parametrize("kind", DIFFERENTIAL)
def test_seeded_noise_is_refused_under_a_differential_guarantee(kind) -> None:
    with pytest.raises(InternalError, match="noise of column 'age' does not carry the guarantee"):
        put_together({"age": noisy(source=SeededNoise.of(1))}, kind=kind)


@pytest.mark.parametrize(
    "unit", [unit for unit in PrivacyUnit if unit is not PrivacyUnit.REPLACE_RECORD]
)
def test_noise_for_another_unit_of_privacy_is_refused(unit) -> None:
    with pytest.raises(InternalError, match="noise of column 'age' does not carry the guarantee"):
        put_together({"age": noisy(unit=unit)})


def test_noise_whose_sensitivity_no_proof_covers_is_refused() -> None:
    with pytest.raises(InternalError, match="noise of column 'age' does not carry the guarantee"):
        put_together({"age": noisy(claim="")})


@pytest.mark.parametrize("over", [Fraction(1, 10**12), Fraction(1)])
def test_noise_that_cost_more_than_the_guarantee_says_is_refused(over) -> None:
    columns = {"age": noisy("0.5"), "visits": noisy(Fraction(1, 2) + over)}

    with pytest.raises(InternalError, match="costs more than its guarantee says"):
        put_together(columns)


def test_a_differential_guarantee_without_an_epsilon_is_refused() -> None:
    with pytest.raises(InternalError, match="costs more than its guarantee says"):
        put_together({"age": noisy()}, epsilon=None)


def test_one_account_that_stands_for_two_columns_is_paid_once() -> None:
    joint = noisy("1")

    release = put_together({"age": joint, "visits": replace(joint, values=joint.values / 2)})

    assert release.frame.columns == ["age", "visits"]


def test_two_accounts_of_equal_size_are_paid_twice() -> None:
    with pytest.raises(InternalError, match="costs more than its guarantee says"):
        put_together({"age": noisy("1"), "visits": noisy("1")})


@pytest.mark.parametrize("kind", OTHERS)
def test_other_guarantees_take_columns_without_noise(kind) -> None:
    release = put_together({"age": UntouchedColumn(), "visits": noisy("9")}, kind=kind)

    assert release.frame.columns == ["age", "visits"]


@pytest.mark.parametrize("kind", GuaranteeKind)
def test_rows_are_sorted_unless_the_guarantee_is_local(kind) -> None:
    descending = np.linspace(50.0, 0.0, N)
    column = replace(noisy(), values=descending)

    released = put_together({"visits": column}, kind=kind).frame["visits"].to_numpy()

    expected = descending if kind is GuaranteeKind.LOCAL_DP else descending[::-1]
    assert released.tolist() == expected.tolist()

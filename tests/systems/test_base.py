"""A parameter reads what a person types, or says what it must be."""

from dataclasses import FrozenInstanceError, dataclass

import pytest

from covey.core import Guarantee, GuaranteeKind, PrivacyUnit
from covey.errors import InternalError, PlanError
from covey.partition.base import REQUIRED
from covey.systems.base import (
    Outcome,
    PlainSystem,
    as_mapping,
    columns_setting,
    epsilon_setting,
    k_setting,
    parameters_of,
    setting,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What may be set in the example."""

    k: int = k_setting()
    epsilon: float = epsilon_setting()
    gamma: float = setting("how much", default=0.2, at_least=0.0)
    order: str = setting("which way", default="up", choices=("up", "down"))
    paper: bool = setting("whether to repeat it", default=False)
    columns: tuple[str, ...] | None = columns_setting()
    half: int | None = setting("the half of it", default=None, read=lambda value: value // 2)


SYSTEM = PlainSystem(
    name="example",
    summary="Does nothing.",
    paper="none",
    kind=GuaranteeKind.NONE,
    unit=PrivacyUnit.NONE,
    takes=Settings,
    run=lambda *_: Outcome(columns={}, guarantee=Guarantee(kind=GuaranteeKind.NONE)),
)
K, EPSILON, GAMMA, ORDER, PAPER, COLUMNS, HALF = SYSTEM.parameters


def test_settings_are_declared_once_and_read_as_parameters() -> None:
    assert [parameter.name for parameter in SYSTEM.parameters] == [
        *("k", "epsilon", "gamma", "order", "paper", "columns", "half")
    ]
    kinds = [parameter.kind for parameter in SYSTEM.parameters]
    assert kinds == [int, float, float, str, bool, tuple, int]
    assert (K.default, EPSILON.default, GAMMA.default) == (REQUIRED, REQUIRED, 0.2)
    assert (GAMMA.at_least, ORDER.choices, ORDER.meaning) == (0.0, ("up", "down"), "which way")
    assert parameters_of(Settings) is SYSTEM.parameters


def test_a_reader_of_its_own_decides_what_a_value_means() -> None:
    assert HALF.checked(8, "example") == 4


@pytest.mark.parametrize("kind", [kind for kind in GuaranteeKind if kind.is_differential_privacy])
def test_a_system_that_sees_records_promises_no_differential_privacy(kind) -> None:
    with pytest.raises(InternalError, match="sees records"):
        PlainSystem(
            name="example",
            summary="",
            paper="",
            kind=kind,
            unit=PrivacyUnit.REPLACE_RECORD,
            takes=Settings,
            run=lambda *_: None,
        )
    with pytest.raises(InternalError, match="sees records"):
        Outcome(columns={}, guarantee=Guarantee(kind=kind))


@pytest.mark.parametrize(
    ("parameter", "typed", "value"),
    [
        (K, 3, 3),
        (K, "3", 3),
        (K, 3.0, 3),
        (K, " 7 ", 7),
        (EPSILON, 1, 1.0),
        (EPSILON, "0.1", 0.1),
        (EPSILON, "1e-2", 0.01),
        (GAMMA, 0, 0.0),
        (ORDER, "down", "down"),
        (PAPER, True, True),
        (COLUMNS, "age, income", ("age", "income")),
        (COLUMNS, ["age"], ("age",)),
        (COLUMNS, ("age", "income"), ("age", "income")),
    ],
)
def test_a_value_is_read_as_it_is_typed(parameter, typed, value) -> None:
    read = parameter.checked(typed, "example")

    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("parameter", "typed", "must_be"),
    [
        (K, 2.5, "a whole number"),
        (K, "three", "a whole number"),
        (K, True, "a whole number"),
        (K, [3], "a whole number"),
        (K, 10**400, "a whole number"),
        (EPSILON, "much", "a finite number"),
        (EPSILON, float("nan"), "a finite number"),
        (EPSILON, "inf", "a finite number"),
        (EPSILON, 10**400, "a finite number"),
        (GAMMA, -0.1, "a finite number of at least 0"),
        (ORDER, "left", "one of up, down"),
        (ORDER, 3, "one of up, down"),
        (PAPER, "yes", "true or false"),
        (PAPER, 1, "true or false"),
        (COLUMNS, [], "a list of column names"),
        (COLUMNS, [1, 2], "a list of column names"),
        (COLUMNS, 5, "a list of column names"),
    ],
)
def test_a_wrong_value_is_refused_with_what_it_must_be_and_what_it_means(
    parameter, typed, must_be
) -> None:
    with pytest.raises(PlanError) as refused:
        parameter.checked(typed, "example")

    message = str(refused.value)
    assert f"parameter '{parameter.name}' of system 'example' must be {must_be}" in message
    assert message.endswith(f"It is {parameter.meaning}.")


def test_defaults_fill_what_was_not_given() -> None:
    settings = SYSTEM.settings({"k": 3, "epsilon": "0.5", "gamma": None})

    assert settings == Settings(k=3, epsilon=0.5)
    assert as_mapping(settings) == {
        "k": 3,
        "epsilon": 0.5,
        "gamma": 0.2,
        "order": "up",
        "paper": False,
        "columns": None,
        "half": None,
    }
    with pytest.raises(FrozenInstanceError):
        settings.k = 4


def test_what_has_no_default_must_be_given() -> None:
    with pytest.raises(PlanError, match=r"system 'example' needs 'epsilon'.*--epsilon"):
        SYSTEM.settings({"k": 3})


def test_an_unknown_parameter_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(PlanError, match=r"no parameter 'epsilom'\. Did you mean 'epsilon'"):
        SYSTEM.settings({"k": 3, "epsilom": 1})


@pytest.mark.parametrize(("word", "meant"), [("true", True), ("false", False)])
def test_the_command_line_can_say_true_and_false(word, meant) -> None:
    assert PAPER.checked(word, "insensitive") is meant

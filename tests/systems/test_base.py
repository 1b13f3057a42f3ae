"""A parameter reads what a person types, or says what it must be."""

import pytest

from covey.errors import PlanError
from covey.privacy import GuaranteeKind, PrivacyUnit
from covey.systems.base import COLUMNS, EPSILON, K, Outcome, Parameter, System

GAMMA = Parameter(name="gamma", meaning="how much", kind=float, default=0.2, at_least=0.0)
ORDER = Parameter(name="order", meaning="which way", kind=str, default="up", choices=("up", "down"))
PAPER = Parameter(name="paper", meaning="whether to repeat it", kind=bool, default=False)
SYSTEM = System(
    name="example",
    summary="Does nothing.",
    paper="none",
    kind=GuaranteeKind.NONE,
    unit=PrivacyUnit.NONE,
    parameters=(K, EPSILON, GAMMA, ORDER, PAPER, COLUMNS),
    run=lambda *_: Outcome(columns={}, guarantee=None),
)


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

    assert settings == {
        "k": 3,
        "epsilon": 0.5,
        "gamma": 0.2,
        "order": "up",
        "paper": False,
        "columns": None,
    }


def test_what_has_no_default_must_be_given() -> None:
    with pytest.raises(PlanError, match=r"system 'example' needs 'epsilon'.*--epsilon"):
        SYSTEM.settings({"k": 3})


def test_an_unknown_parameter_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(PlanError, match=r"no parameter 'epsilom'\. Did you mean 'epsilon'"):
        SYSTEM.settings({"k": 3, "epsilom": 1})


@pytest.mark.parametrize(("word", "meant"), [("true", True), ("false", False)])
def test_the_command_line_can_say_true_and_false(word, meant) -> None:
    assert PAPER.checked(word, "insensitive") is meant

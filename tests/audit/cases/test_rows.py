"""Known cases: what holds is not refuted, what fails is refuted, as strongly as was measured."""

from __future__ import annotations

import math

import pytest

from covey.audit import Verdict, audit_cases
from covey.audit.cases import ROWS
from covey.audit.report import Claimant

# Exact loss (or a lower bound on it), and the lower bound by 200,000 runs on each side that an
# independent audit measured.
MEASURED = {
    "rank blocks, n = 20, k = 5": (1.0, 0.978),
    "integer grid and discrete Laplace": (1.0, 0.985),
    "2K, edge-DP, D = 5, Lap(17)": (1.0, 0.934),
    "2K after edge addition, theta = 3, Lap(15)": (1.0, 0.958),
    "sample and substitute, preference 0.1": (0.1, 0.095),
    "four attributes, the full epsilon for each": (4.0, 3.690),
    "circle, n = 100, k = 25": (20.9, 9.81),
    "sizes of the clusters": (math.inf, 10.18),
    "2K after stable edge removal, theta = 1, n = 24, Lap(3)": (11 / 3, 3.607),
    "LL-dK, 1K, equal preferences": (2.0, 1.884),
    "LL-dK, 1K, a conservative node": (math.inf, 9.5),
    "coskewness, k = 3, as printed": (2.0, 1.963),
    "bounds at 1.5 times the largest value": (math.inf, 10.08),
    "rank block in float64, full precision": (math.inf, 7.33),
}


def test_every_known_case_is_in_the_table() -> None:
    assert [case.name for case in ROWS] == list(MEASURED)


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_a_known_case_gets_its_loss_its_bound_and_its_verdict(case) -> None:
    exact, measured = MEASURED[case.name]

    (result,) = audit_cases([case], runs=200_000, random_state=1)

    if case.name.startswith("circle"):
        assert result.exact >= exact
    else:
        assert result.exact == pytest.approx(exact, rel=1e-6)
    # A valid bound that is larger than the measured one is a better one.
    assert measured - 0.1 <= result.bound <= result.exact
    if case.promise is Claimant.COVEY:
        assert result.verdict is Verdict.NOT_REFUTED
        assert result.power > case.epsilon >= result.bound
    else:
        assert result.verdict is Verdict.REFUTED
        assert result.bound > case.epsilon


def test_an_audit_can_be_repeated() -> None:
    once, again, other = (
        audit_cases(ROWS[:1], runs=5_000, random_state=seed)[0] for seed in (7, 7, 8)
    )

    assert once == again
    assert once.bound != other.bound

"""A verdict follows from exact losses, from sampling, and from what a weak copy would show."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from covey.audit import Verdict
from covey.audit.case import Case, law_case
from covey.audit.cases.specimens import counts_law
from covey.audit.judge import judge
from covey.audit.report import Claimant
from covey.audit.subject import Subject
from covey.core import SecureNoise
from covey.seeded import SeededNoise

# `covey.audit` is a function as well, so that the module is not found by its dots.
judge_module = importlib.import_module("covey.audit.judge")


def judged(loss: float, *, runs: int = 20_000, source=None, scale: int = 100, **changes):
    """Judge a count that moves so far that its loss is this one, where 1 is allowed."""
    claimed = {"promise": Claimant.COVEY, **changes}
    case = law_case("", "", lambda: counts_law([0], [round(loss * scale)], scale), **claimed)
    subject = case.build(np.random.default_rng(1), None)
    return judge(case, subject, runs=runs, source=source or SeededNoise.of(1))


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [(1.0, Verdict.NOT_REFUTED), (2.0, Verdict.REFUTED), (0.79, Verdict.NO_POWER)],
)
def test_noise_off_by_a_fifth_would_be_refuted_or_nothing_is_said(loss, verdict) -> None:
    found = judged(loss)

    assert found.verdict is verdict
    assert found.bound <= loss
    assert found.power == (None if verdict is Verdict.REFUTED else pytest.approx(1.25 * loss))


def test_an_exact_loss_above_epsilon_refutes_without_any_sampling() -> None:
    # Three percent too much: sampling would need far more runs.
    found = judged(1.03, runs=500)

    assert found.bound <= 1.0
    assert found.verdict is Verdict.REFUTED


def test_few_runs_take_nothing_from_the_power_of_exact_losses() -> None:
    assert judged(1.0, runs=20).verdict is Verdict.NOT_REFUTED


class Narrow(SeededNoise):
    """Draws noise that is a quarter too small."""

    def laplace(self, values, *, scale, l1, epsilon):
        """Draw less than was asked for."""
        return super().laplace(values, scale=scale * Fraction(3, 4), l1=l1, epsilon=epsilon)


class Wide(SeededNoise):
    """Draws noise that is a third too large."""

    def laplace(self, values, *, scale, l1, epsilon):
        """Draw more than was asked for."""
        return super().laplace(values, scale=scale * Fraction(4, 3), l1=l1, epsilon=epsilon)


def test_a_sampler_with_too_little_noise_is_refuted_even_below_epsilon() -> None:
    found = judged(0.5, source=Narrow(np.random.default_rng(1)))

    assert (found.exact, found.verdict) == (0.5, Verdict.REFUTED)
    assert found.bound < 1.0
    assert found.tells == "noise that is smaller than its law"


def test_too_much_noise_protects() -> None:
    found = judged(1.0, source=Wide(np.random.default_rng(1)))

    assert (found.verdict, found.tells) == (Verdict.NOT_REFUTED, "")


def test_what_covey_does_not_promise_is_sampled_fast() -> None:
    found = judged(2.0, source=Narrow(np.random.default_rng(1)), promise=Claimant.PAPER)

    assert found.bound <= 2.0
    assert not found.breaks_a_promise


def test_the_operating_system_s_generator_is_not_asked_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(judge_module, "MOST_SECURE", 600)
    case = Case(name="", epsilon=1.0, promise=Claimant.COVEY, build=lambda *_: None)
    law = counts_law([0] * 20, [1] * 20, 100)
    subject = Subject(words="", how="", exact=law.exact, weak=1.0, laws=(law,))

    slow = judge(case, subject, runs=10**6, source=SecureNoise())
    fast = judge(replace(case, share=0.001), subject, runs=10**6, source=SeededNoise.of(1))

    assert (slow.runs, fast.runs) == (30, 1_000)


def test_nothing_to_sample_leaves_the_exact_loss() -> None:
    case = Case(name="", epsilon=1.0, promise=Claimant.COVEY, build=lambda *_: None)
    apart = Subject(words="", how="", exact=math.inf, weak=0.0, tells="the rows")
    same = Subject(words="", how="", exact=0.0, weak=math.inf)

    found = [judge(case, each, runs=9, source=SeededNoise.of(1)) for each in (apart, same)]

    assert [each.verdict for each in found] == [Verdict.REFUTED, Verdict.NOT_REFUTED]
    assert [(each.bound, each.runs, each.tells) for each in found] == [
        (0.0, 0, "the rows"),
        (0.0, 0, ""),
    ]


def test_there_is_no_word_for_a_claim_that_is_true() -> None:
    assert {str(verdict) for verdict in Verdict} == {"refuted", "not refuted", "no power"}

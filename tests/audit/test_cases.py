"""Every system is audited, and what covey promises is not refuted."""

from __future__ import annotations

import math

import pytest

import covey
from covey.audit import AuditReport, Verdict, audit_cases
from covey.audit.case import Case, Promise
from covey.audit.cases import AUDITS
from covey.audit.law import NoisyVector, VectorLaw
from covey.errors import PlanError
from covey.privacy import GuaranteeKind
from covey.systems import SYSTEMS

SOUND = [
    pytest.param(case, id=f"{name}: {case.name}")
    for name, cases in AUDITS.items()
    for case in cases
    if case.promise is Promise.COVEY
]
# MD and V-MDAV take long to compile; they differ from MDAV in nothing that an audit sees.
UNSOUND = [
    pytest.param(case, id=f"{name}: {case.name}")
    for name, cases in AUDITS.items()
    for case in cases
    if case.promise is not Promise.COVEY and name not in ("md", "v-mdav")
]


def test_every_system_has_an_audit_and_every_audit_a_system() -> None:
    assert set(AUDITS) == set(SYSTEMS)
    assert all(AUDITS.values())


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_system_promises_is_audited_as_covey_s_promise(name) -> None:
    promised = any(case.promise is Promise.COVEY for case in AUDITS[name])

    kind = SYSTEMS[name].kind
    assert promised == (kind.is_differential_privacy or kind is GuaranteeKind.PARTITION_CONDITIONAL)


@pytest.mark.parametrize("name", [n for n, s in SYSTEMS.items() if s.kind.is_differential_privacy])
def test_a_system_with_differential_privacy_is_also_run_from_beginning_to_end(name) -> None:
    assert any(case.share < 0.01 for case in AUDITS[name])


@pytest.mark.parametrize("case", SOUND)
def test_no_promise_of_covey_is_refuted(case) -> None:
    # Few runs: the exact loss decides here, and power is another test's concern.
    (result,) = audit_cases([case], runs=1_500, random_state=1)

    assert result.verdict is not Verdict.REFUTED
    assert math.isnan(result.exact) or result.exact <= case.epsilon * (1 + 1e-9)
    assert not result.breaks_a_promise


@pytest.mark.parametrize("case", UNSOUND)
def test_every_claim_that_is_known_to_fail_is_refuted(case) -> None:
    (result,) = audit_cases([case], runs=60_000, random_state=1)

    assert result.verdict is Verdict.REFUTED
    assert result.bound > case.epsilon
    assert not result.breaks_a_promise


@pytest.mark.parametrize("system", ["laplace", "rank-blocks"])
def test_an_audit_from_beginning_to_end_has_power_with_the_runs_of_the_default(system) -> None:
    (case,) = [case for case in AUDITS[system] if case.share < 0.01]

    (result,) = audit_cases([case], runs=150_000, random_state=1)

    assert result.how == "real runs"
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.power > case.epsilon


def test_without_a_seed_real_runs_draw_the_noise_of_real_releases() -> None:
    (case,) = [case for case in AUDITS["laplace"] if case.share < 0.01]

    (result,) = audit_cases([case], runs=25_000)

    assert result.runs == 100
    assert result.verdict is not Verdict.REFUTED


def broken(epsilon: float = 1.0) -> Case:
    """Return a promise of covey that is off by a factor of two."""
    here, there = (NoisyVector.of([centre], [10.0]) for centre in (0, 20))
    return Case(
        name="half the noise",
        epsilon=epsilon,
        promise=Promise.COVEY,
        build=lambda _rng, _progress: VectorLaw(words="a count", here=here, there=there),
    )


def test_a_broken_promise_is_reported_as_one(monkeypatch) -> None:
    monkeypatch.setitem(AUDITS, "laplace", (broken(),))

    report = covey.audit("laplace", runs=10_000, random_state=1)

    assert isinstance(report, AuditReport)
    assert report.verdict is Verdict.REFUTED
    assert report.breaks_a_promise
    assert report.worst.pair == "a count"
    assert 1.0 < report.bound <= report.worst.exact == 2.0


def test_a_report_is_plain_for_machines_and_tells_the_worst_pair() -> None:
    report = covey.audit("opt-dp", runs=2_000, random_state=1)

    content = report.to_dict()

    assert content["subject"] == "opt-dp"
    assert content["guarantee"] == "partition-conditional"
    assert content["worst_pair"] == "15 zeros and 5 ones; a zero becomes a one"
    assert [case["promise"] for case in content["cases"]] == ["the paper", "the paper", "covey"]
    assert content["breaks_a_promise"] is False


def test_an_unknown_system_is_refused_with_a_suggestion() -> None:
    with pytest.raises(PlanError, match=r"'rank-block', so nothing was audited.*'rank-blocks'"):
        covey.audit("rank-block")


@pytest.mark.parametrize("runs", [0, -1, 2.5, True])
def test_a_number_of_runs_that_is_none_is_refused(runs) -> None:
    with pytest.raises(PlanError, match="not a whole number of at least 1"):
        covey.audit("laplace", runs=runs)


def test_progress_is_told_case_by_case() -> None:
    told = []

    covey.audit(
        "exponential",
        runs=300,
        random_state=1,
        progress=lambda what, done, total: told.append((what, done, total)),
    )

    assert told == [
        ("one record of another category", 0, 2),
        ("the only category of a release", 1, 2),
    ]

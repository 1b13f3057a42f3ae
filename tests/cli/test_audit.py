"""covey audit: a table of attempts, the worst pair, and a code that tells a broken promise."""

from __future__ import annotations

import json

import pytest

from covey.audit.cases import AUDITS
from tests.audit.cases.test_audits import broken


def test_an_audit_shows_its_cases_the_worst_pair_and_never_a_proof(terminal) -> None:
    ran = terminal.run("audit", "laplace", "--runs", "3000", "--random-state", "1")

    assert ran.code == 0
    assert "one record across the" in ran.out
    assert "Worst pair:" in ran.out
    text = " ".join(ran.out.split())
    assert "with 99.9 % confidence" in text
    assert "An audit never verifies a claim." in text
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_a_refuted_claim_of_a_paper_is_no_failure(terminal) -> None:
    ran = terminal.run("audit", "opt-dp", "--runs", "3000", "--random-state", "1")

    assert ran.code == 0
    assert "refuted" in ran.out
    assert "The loss is infinite" in ran.out


def test_a_refuted_promise_of_covey_ends_with_code_one(terminal, monkeypatch) -> None:
    monkeypatch.setitem(AUDITS, "laplace", (broken(),))

    ran = terminal.run("audit", "laplace", "--runs", "10000", "--random-state", "1")

    assert ran.code == 1
    assert "half the noise" in ran.out


def test_an_audit_without_power_ends_with_a_code_of_its_own(terminal, monkeypatch) -> None:
    monkeypatch.setitem(AUDITS, "laplace", (broken(loss=0.7),))

    ran = terminal.run("audit", "laplace", "--runs", "1000", "--random-state", "1")

    assert ran.code == 5
    assert "no power" in ran.out


def test_what_tells_inputs_apart_is_named(terminal) -> None:
    ran = terminal.run("audit", "mdav", "--runs", "1000", "--random-state", "1")

    assert "the rows would tell for sure" in " ".join(ran.out.split())


def test_json_is_all_that_a_machine_gets(terminal) -> None:
    ran = terminal.run("audit", "opt-dp", "--runs", "1000", "--random-state", "1", "--json")

    shown = json.loads(ran.out)
    assert (ran.code, ran.err) == (0, "")
    assert shown["subject"] == "opt-dp"
    assert shown["cases"][0]["exact"] == "inf"
    assert {case["verdict"] for case in shown["cases"]} <= {"refuted", "not refuted", "no power"}


def test_an_unknown_system_is_refused_with_a_suggestion(terminal) -> None:
    assert "Did you mean 'laplace'" in terminal.refused("audit", "laplas")


@pytest.mark.parametrize("arguments", [(), ("laplace", "--table")])
def test_either_a_system_or_the_table_is_audited(terminal, arguments) -> None:
    assert "name one system" in terminal.refused("audit", *arguments)

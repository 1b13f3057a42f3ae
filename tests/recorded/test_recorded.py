"""The same draws lead to the same release as before: plans are run again and held against it.

To eight digits: linear algebra and exponentials differ in the last ones between processors.

A release that differs on purpose is recorded anew with `python -m tests.recorded.record`, and the
reason is said in the commit.
"""

from __future__ import annotations

import json

import pytest

from tests.recorded.plans import PLANS
from tests.recorded.record import RELEASES, alike, parsed, recorded

BEFORE = json.loads(RELEASES.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=list(PLANS))
def releases(request) -> tuple[str, dict, dict]:
    """Run a plan once for all tests; return its name, what it released before, and now."""
    return request.param, BEFORE[request.param], recorded(PLANS[request.param])


def first_difference(before: dict, now: dict) -> str:
    """Say what of a table is the first to differ, or nothing if all of it is alike."""
    for what in ("columns", "shape"):
        if before[what] != now[what]:
            return f"{what} {before[what]} became {now[what]}"
    rows = now["rows"][:: before.get("every", 1)]
    for old, new in zip(parsed("\n".join(before["rows"])), parsed("\n".join(rows)), strict=True):
        if not all(map(alike, old, new)):
            return f"row {old} became {new}"
    for name, old, new in zip(now["columns"], before["totals"], now["totals"], strict=True):
        if not alike(old, new):
            return f"all rows of column {name!r} together were {old} and are {new}"
    return ""


def in_both(before: dict, now: dict) -> list[tuple[str, dict, dict]]:
    """Pair the tables of two releases; that none is missing is a test of its own."""
    old, new = before["tables"], now["tables"]
    return [(name, old[name], new[name]) for name in old if name in new]


def test_the_recorded_plans_are_these() -> None:
    assert list(BEFORE) == list(PLANS)


def test_the_same_tables_are_released(releases) -> None:
    name, before, now = releases

    assert list(now["tables"]) == list(before["tables"]), f"plan {name!r} writes other tables"


def test_the_same_values_are_released(releases) -> None:
    name, before, now = releases

    differences = {table: first_difference(old, new) for table, old, new in in_both(before, now)}
    assert not any(differences.values()), f"plan {name!r}: " + "; ".join(
        f"table {table!r}: {found}" for table, found in differences.items() if found
    )


def test_values_are_written_as_the_same_types(releases) -> None:
    name, before, now = releases

    for table, old, new in in_both(before, now):
        types = dict(zip(old["columns"], old["types"], strict=True))
        assert dict(zip(new["columns"], new["types"], strict=True)) == types, (
            f"plan {name!r}, table {table!r} has other types"
        )


def test_parameters_resolve_to_the_same(releases) -> None:
    name, before, now = releases

    assert now["parameters"] == before["parameters"], f"plan {name!r} resolves to others"


@pytest.mark.parametrize("which", ["guarantee", "secure_guarantee"])
def test_the_same_is_promised(releases, which) -> None:
    name, before, now = releases

    assert now[which] == before[which], f"plan {name!r} promises something else"

"""Every published number that can be reproduced is, through the public names."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reference.published import MISSING, PRESENT, entries, name_of
from tests.reference.recipes import recipe_of

pytestmark = pytest.mark.skipif(not PRESENT, reason=MISSING)

# Entries of these papers that nothing here computes, by method, and why.
NOT_COVERED: dict[str, str] = {}

LISTED = entries()
COVERED = [entry for entry in LISTED if recipe_of(entry) is not None]


def test_the_reference_data_are_here() -> None:
    assert LISTED


def test_every_entry_is_computed_here_or_listed_with_the_reason_why_not() -> None:
    left = {entry["method"] for entry in LISTED if recipe_of(entry) is None}

    assert left == set(NOT_COVERED)
    assert all(NOT_COVERED.values())


def test_the_entries_are_as_many_as_were_published() -> None:
    counts = Counter(entry["paper"] for entry in LISTED)

    assert counts == {"001": 27, "literature": 8, "002": 53, "004": 72}


@pytest.mark.parametrize("entry", COVERED, ids=name_of)
def test_a_published_value_is_reproduced(entry) -> None:
    ours = recipe_of(entry)(entry)

    expected, tolerance = entry["reproduced_value"], entry["tolerance_vs_reproduced"]
    assert ours == pytest.approx(expected, rel=tolerance), (
        f"printed in the paper: {entry['paper_value']}"
    )

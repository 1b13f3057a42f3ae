"""Messages of the library name commands and files; the page has steps."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.studio.jobs import fit_systems, rehearse
from covey.studio.plain import COMMAND, plain
from covey.systems.base import as_mapping
from tests.studio.test_jobs import ignore


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            'Give `categories = [...]` or `taxonomy = "file.csv"`, or leave it out with --columns.',
            "List its values in step 2, or leave it out in step 3.",
        ),
        (
            "line 3 has too many fields. Correct the line, or say how it is written: --separator.",
            "line 3 has too many fields. Correct the line, or say how it is written.",
        ),
        ("k = 1 makes no clusters. Give at least 2.", "k = 1 makes no clusters. Give at least 2."),
        ("covey publish --plan plan.toml", "covey publish --plan plan.toml"),
    ],
)
def test_what_to_do_is_said_for_somebody_at_the_page(message, said) -> None:
    assert plain(message) == said


def test_no_refusal_of_a_system_names_a_command(people_schema) -> None:
    fit = fit_systems(ignore, ignore, key="", kind="table", schema=people_schema, n=30)

    assert fit.refusals
    assert not [said for said in fit.refusals.values() if COMMAND.search(said)]


def test_no_promise_names_a_command() -> None:
    drafted = covey.Schema.draft(pl.DataFrame({"age": [31, 32, 33], "town": ["a", "b", "b"]}))
    settings = as_mapping(covey.SYSTEMS["column-model"].settings({"epsilon": 1.0}))
    plan = covey.Plan(system="column-model", parameters=settings, schema=drafted)

    found = rehearse(ignore, ignore, key="", plan=plan, n=500)

    assert "Read off the data and confirmed by nobody" in found.sentence
    assert not COMMAND.search(found.sentence)

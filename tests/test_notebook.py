"""What a notebook shows: public words and scores, and nothing that was read off a record."""

from __future__ import annotations

import polars as pl
import pytest

import covey
from covey.ledger import Ledger
from covey.notebook import SHOWN_ROWS, notebook_html
from covey.table import Attribute, Scale, Schema

SECRETS = ("98765.25", "Ysolde", "98765")
PEOPLE = pl.DataFrame(
    {
        "income": [98765.25, *range(1000, 1199)],
        "town": ["Ysolde", *["Bonn", "Ulm"] * 99, "Ulm"],
        "<b>sex": ["f", "m"] * 100,
    },
    strict=False,
)
SCHEMA = Schema(
    (
        Attribute("income", bounds=(0, 100_000)),
        Attribute(
            "town", scale=Scale.NOMINAL, categories=("Bonn", "Ulm", "other"), unknown="other"
        ),
        Attribute("<b>sex", scale=Scale.NOMINAL, categories=("f", "m")),
    )
)


def shown_values() -> dict[str, object]:
    release = covey.publish(PEOPLE, "column-model", schema=SCHEMA, epsilon=1.0)
    compared = covey.compare(
        covey.read_table(PEOPLE, SCHEMA), ["column-model"], epsilon=[1.0], runs=1, workers=1
    )
    return {
        "release": release,
        "guarantee": release.guarantee,
        "schema": SCHEMA,
        "draft": covey.Schema.draft(PEOPLE),
        "evaluation": covey.evaluate(PEOPLE, release),
        "comparison": compared,
        "ledger": release.ledger,
        "advice": covey.advise(SCHEMA, n=200, task="column", columns=["income"]),
    }


@pytest.fixture(scope="module")
def values() -> dict[str, object]:
    return shown_values()


NAMES = ("release", "guarantee", "schema", "draft", "evaluation", "comparison", "ledger", "advice")


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_no_record_and_escapes_names(name, values) -> None:
    html = values[name]._repr_html_()

    assert html.startswith('<div class="covey">')
    assert not any(secret in html for secret in SECRETS)
    assert "<b>sex" not in html


@pytest.mark.parametrize("name", [name for name in NAMES if name != "guarantee"])
def test_everything_with_rows_is_a_frame(name, values) -> None:
    frame = values[name].to_frame()

    assert isinstance(frame, pl.DataFrame)
    assert frame.height > 0


def test_the_frame_of_a_draft_says_that_bounds_were_read_off_the_data(values) -> None:
    frame = values["draft"].to_frame()

    assert frame.filter(pl.col("name") == "income")["possible"].item() == "bounds read off the data"
    assert SCHEMA.to_frame()["possible"].to_list()[:2] == ["0 to 100000", "3 categories"]


def test_an_empty_ledger_shows_that_nothing_was_spent() -> None:
    assert "Spent nothing; no limit." in Ledger()._repr_html_()
    assert Ledger().to_frame().height == 0


def test_a_long_table_is_cut_and_says_so() -> None:
    html = notebook_html("title", (), ("a",), [(i,) for i in range(SHOWN_ROWS + 7)])

    assert html.count("<tr>") == SHOWN_ROWS + 1
    assert "and 7 more" in html

"""covey check: the curator sees what does not fit before anything is spent."""

from __future__ import annotations

import json

import polars as pl

SCHEMA = """
[[attribute]]
name = "age"
bounds = [0, 90]
missing = "drop"

[[attribute]]
name = "sex"
scale = "nominal"
categories = ["f", "m"]
missing = "category"
"""


def write(terminal, sexes=("f", "m", None, "f")) -> None:
    frame = pl.DataFrame({"age": [10, None, 30, 100], "sex": list(sexes)})
    frame.write_csv(terminal.folder / "few.csv")
    (terminal.folder / "few.toml").write_text(SCHEMA)


def test_gaps_values_outside_and_lost_records_are_told(terminal) -> None:
    write(terminal)

    ran = terminal.run("check", "few.csv", "-s", "few.toml")

    assert ran.code == 0, ran.err
    assert "Do not publish" in ran.out
    assert "1 of 4 records would be left out" in " ".join(ran.out.split())
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_records_are_kept_where_their_gap_is_in_no_published_column(terminal) -> None:
    write(terminal)

    ran = terminal.run("check", "few.csv", "-s", "few.toml", "--columns", "sex")

    assert "None of 4 records would be left out" in ran.out


def test_a_release_that_would_be_refused_is_told_by_the_exit_code(terminal) -> None:
    write(terminal, sexes=("f", "m", "unheard of", "f"))

    ran = terminal.run("check", "few.csv", "-s", "few.toml")

    assert ran.code == 6
    assert "missing in its list of categories" in " ".join(ran.out.split())
    assert "unheard of" not in ran.err


def test_machines_get_the_same_and_a_warning(terminal) -> None:
    write(terminal)

    told = json.loads(terminal.run("check", "few.csv", "-s", "few.toml", "--json").out)

    assert told["do_not_publish"]
    assert (told["records"], told["left_out"]) == (4, 1)
    assert [(each["name"], each["gaps"], each["outside"]) for each in told["columns"]] == [
        ("age", 1, 1),
        ("sex", 1, 0),
    ]


def test_without_a_schema_a_draft_is_compared(terminal) -> None:
    ran = terminal.run("check", "people.csv")

    assert ran.code == 0, ran.err
    assert "Aaaaaa" in ran.out, "names are shown by their pattern"


def test_a_column_that_is_not_there_is_refused(terminal) -> None:
    write(terminal)
    for arguments in (("--columns", "agee"), ("-s", "people.toml")):
        ran = terminal.run("check", "few.csv", *arguments)
        assert ran.code == 2
        assert "there is no column 'agee'" in ran.err or "the data do not have" in ran.err

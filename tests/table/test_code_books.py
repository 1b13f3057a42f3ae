"""A code book replaces what was read off the data, and says so; the rest stays a draft."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import covey
from covey.errors import SchemaError
from covey.table.code_books import describe_by

PEOPLE = {
    "age": [3, 40, 81, None] * 10,
    "sex": ["1", "2", "2", "9"] * 10,
    "answer": ["no", "yes", "yes", "no"] * 10,
    "rent": [300.5, 720.0, 90.25, 88.0] * 10,
}


@pytest.fixture
def drafted() -> covey.Schema:
    return covey.Schema.draft(pl.DataFrame(PEOPLE))


def written(folder: Path, text: str, name: str = "book.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_line_for_each_variable(tmp_path, drafted) -> None:
    book = written(
        tmp_path,
        "Variable;Label;Min;Max;Values;Missing;Unit\n"
        "age;Age at the interview;0;120;;;years\n"
        "sex;Sex;;;1 = male | 2 = female | 9 = no answer;9;\n"
        "shoe;Size of shoes;30;50;;;\n",
    )

    schema, notes = describe_by(book, drafted)

    age, sex = schema["age"], schema["sex"]
    assert (age.bounds, age.unit, age.description) == ((0, 120), "years", "Age at the interview")
    assert (age.imported, age.imported_from) == (("bounds",), "code-book")
    assert "bounds" not in schema.drafted("age")
    assert (sex.categories, sex.missing_codes) == (("1", "2"), ("9",))
    assert sex.description == "Sex; 1 = male, 2 = female"
    assert schema["rent"] == drafted["rent"]
    assert "2 of 4 columns" in notes[0]
    assert "shoe" in notes[1]


def test_a_line_for_each_value(tmp_path, drafted) -> None:
    book = written(tmp_path, "name,code,label\nanswer,1,yes\n,2,no\n,3,perhaps\n")

    schema, _ = describe_by(book, drafted)

    assert schema["answer"].categories == ("yes", "no", "perhaps")


def test_metadata_of_others_leave_open_what_they_do_not_say(tmp_path, drafted) -> None:
    fields = [{"name": "age", "type": "integer"}, {"name": "rent", "type": "number"}]
    fields[1]["constraints"] = {"minimum": 0, "maximum": 5000}
    book = written(tmp_path, json.dumps({"fields": fields}), "book.json")

    schema, _ = describe_by(book, drafted)

    assert (schema["rent"].bounds, schema.drafted("rent")) == ((0, 5000), ())
    assert schema["age"].bounds == drafted["age"].bounds
    assert "bounds" in schema.drafted("age")


def test_a_saved_schema_is_taken_as_it_is(tmp_path, drafted) -> None:
    known = drafted.updated("age", bounds=(0, 99), drafted=())
    known.save(tmp_path / "known.toml")

    schema, _ = describe_by(tmp_path / "known.toml", drafted)

    assert schema.attributes == known.attributes


def test_labels_of_an_spss_file(tmp_path, drafted) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="SPSS files are an extra")
    labels = {"sex": {1.0: "male", 2.0: "female", 9.0: "no answer"}}
    frame = pl.DataFrame({"sex": [1.0, 2.0]}).to_pandas()
    pyreadstat.write_sav(frame, str(tmp_path / "book.sav"), variable_value_labels=labels)
    coded = drafted.updated("sex", categories=("female", "male"))

    schema, _ = describe_by(tmp_path / "book.sav", coded)

    assert schema["sex"].categories == ("male", "female", "no answer")
    assert schema["sex"].imported_from == "spss"


@pytest.mark.parametrize(
    ("text", "why"),
    [("a,b\n1,2\n", "no code book"), ("name,min,max\nshoe,1,2\n", "describes no column")],
)
def test_another_table_is_refused(tmp_path, drafted, text, why) -> None:
    with pytest.raises(SchemaError, match=why):
        describe_by(written(tmp_path, text), drafted)

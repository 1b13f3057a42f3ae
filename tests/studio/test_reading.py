"""A person can say how her file is written, in choices and not in options."""

from __future__ import annotations

import pytest

from covey.errors import SchemaError
from covey.studio.reading import READING, is_plan, stated_reading
from covey.table.dialect import Dialect


def test_every_choice_means_something_to_the_reader() -> None:
    for name, (_, choices) in READING.items():
        for value, _words in choices:
            if value:
                Dialect.of(stated_reading({name: value}))


def test_numbers_and_truths_are_read_from_their_words() -> None:
    assert stated_reading({"skip": "3", "header": "false"}) == {"skip": 3, "header": False}


def test_a_number_of_lines_that_is_none_is_refused() -> None:
    with pytest.raises(SchemaError, match="no whole number"):
        stated_reading({"skip": "some"})


def test_a_plan_is_told_from_a_schema(tmp_path) -> None:
    (tmp_path / "plan.toml").write_text('version = 1\nsystem = "mdav"\n')
    (tmp_path / "schema.toml").write_text('[[attribute]]\nname = "age"\n')

    assert is_plan(tmp_path / "plan.toml")
    assert not is_plan(tmp_path / "schema.toml")

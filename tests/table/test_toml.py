"""TOML that people read says the same as TOML that machines write."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from covey.table.toml import to_toml

scalars = st.one_of(
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
tables = st.dictionaries(
    st.text("abcdefg_", min_size=1, max_size=5),
    st.one_of(scalars, st.lists(scalars, max_size=5)),
    max_size=6,
)


def test_a_list_of_numbers_stands_on_one_line() -> None:
    text = to_toml({"attribute": [{"name": "age", "bounds": [-3.5, 120]}]})

    assert "bounds = [-3.5, 120]\n" in text


def test_a_list_of_texts_keeps_one_line_for_each_of_them() -> None:
    text = to_toml({"categories": ["1, 2", "3"]})

    assert text == 'categories = [\n    "1, 2",\n    "3",\n]\n'


@given(tables, st.lists(tables, min_size=1, max_size=3))
def test_whatever_is_written_reads_back_the_same(plain: dict, several: list[dict]) -> None:
    content = {**plain, "table": several}

    assert tomllib.loads(to_toml(content)) == content

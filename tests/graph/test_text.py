"""A file of integers alone is read as the same file of texts is."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covey.graph.text import _read_integers, _read_texts, holds_integers, is_header

FIELDS = st.one_of(
    st.integers(0, 120).map(str),
    st.sampled_from(["", "007", "-1", "9" * 18, "9" * 19, "9" * 20, "a", "1.0", " 1", "+2", '"3"']),
)
LINES = st.sampled_from([2, 3]).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=6)
)
SEPARATORS = st.sampled_from(["\t", ",", ";", " "])


@given(lines=LINES, separator=SEPARATORS, end=st.sampled_from(["\n", "\r\n"]), last=st.booleans())
@example(lines=[["1", "2"], ["3", "04"]], separator=" ", end="\n", last=True)
@example(lines=[["9" * 19, "2"]], separator=",", end="\n", last=True)
def test_integers_are_read_only_where_texts_would_become_the_same_integers(
    lines: list[list[str]], separator: str, end: str, last: bool
) -> None:
    raw = (end.join(separator.join(line) for line in lines) + (end if last else "")).encode()

    found = _read_integers(raw)

    if found is not None:
        texts = _read_texts(Path("edges.txt"), raw)
        assert all(holds_integers(column) for column in texts)
        assert not is_header(texts)
        assert found.rows() == texts.cast(pl.Int64).rows()


@pytest.mark.parametrize(
    "text",
    ["1 2\n3 4\n", "# a comment\n%\n1\t2\n", "1,2,7\r\n3,4,0", "0;1\n", "5 123456789012345678"],
)
def test_plain_lists_of_edges_are_read_as_integers(text: str) -> None:
    assert _read_integers(text.encode()) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1\n2\n",
        "1 2\n3 04\n",
        "1 2\n3  4\n",
        "1 2\n# a comment\n3 4\n",
        "1 2\n3 4 5\n",
        "1 2\n-3 4\n",
        "1,2,\n3,4,\n",
        "1 1234567890123456789\n",
        "1 2\n3,4\n",
        "from to\n1 2\n",
    ],
)
def test_everything_else_is_read_as_texts(text: str) -> None:
    assert _read_integers(text.encode()) is None

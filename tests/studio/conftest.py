"""A table as the page knows it, and a state that has come as far as choosing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from covey.studio.actions import apply_action, take_file
from covey.studio.results import DataFile
from covey.studio.state import State

pytest.importorskip("shiny", reason="the web page is an extra: pip install 'covey[studio]'")


@pytest.fixture
def file() -> DataFile:
    """Give a small table that was read."""
    return DataFile(
        name="people.csv",
        path="people.csv",
        kind="table",
        digest="0123456789abcdef",
        rows=500,
        columns=("name", "age", "income", "town", "pain", "illness"),
        preview=(("Person", "31", "12500", "Ahof", "none", "flu"),),
        facts=(("Records", "500"), ("Columns", "6")),
    )


@pytest.fixture
def described(file, people_schema) -> State:
    """Give a state with data and a description."""
    return replace(take_file(State(), file, people_schema), step="describe")


@pytest.fixture
def chosen(described) -> State:
    """Give a state with a system."""
    return apply_action(described, {"do": "choose", "key": "private-tree"})

"""What can each part of a sound system see?  Read from signatures and syntax trees."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from covey.systems import SYSTEMS, PlainSystem, SoundSystem

SOURCES = Path(__file__).parents[2] / "src" / "covey"
SOUND = [name for name, system in SYSTEMS.items() if isinstance(system, SoundSystem)]
RECORDS = {"Table", "Graph", "CountedGraph", "DataFrame", "LazyFrame", "Records", "Engine"}
"""Types that can hold records."""


def parameters(function) -> dict[str, str]:
    found = inspect.signature(function).parameters.values()
    return {each.name: str(each.annotation) for each in found}


def words(annotation: str) -> set[str]:
    names = ast.walk(ast.parse(annotation, mode="eval"))
    return {getattr(node, "id", getattr(node, "attr", "")) for node in names}


def test_all_systems_are_of_the_two_kinds() -> None:
    assert {type(system) for system in SYSTEMS.values()} == {SoundSystem, PlainSystem}


@pytest.mark.parametrize("name", SOUND)
def test_asking_sees_public_facts_and_settings(name) -> None:
    seen = parameters(SYSTEMS[name].ask)

    assert list(seen) == ["head", "settings"]
    assert seen["head"] in ("Head", "GraphHead")
    assert not words(seen["settings"]) & RECORDS


@pytest.mark.parametrize("name", SOUND)
def test_measuring_sees_a_meter_and_what_was_asked(name) -> None:
    seen = parameters(SYSTEMS[name].measure)

    assert list(seen) == ["meter", "asked"]
    assert seen["meter"] == "Meter"
    assert not words(seen["asked"]) & RECORDS


@pytest.mark.parametrize("name", SOUND)
def test_building_sees_what_was_asked_and_measured(name) -> None:
    seen = parameters(SYSTEMS[name].build)

    assert list(seen) == ["asked", "measured", "rng"]
    assert not any(words(annotation) & RECORDS for annotation in seen.values())


ROOMS = sorted(
    path
    for room in ("core", "postprocess", "systems/sound")
    for path in (SOURCES / room).rglob("*.py")
)
MADE_OF_PUBLISHED = {"postprocess/intervals.py": {"DataFrame"}}
"""`after_substitution` takes the table of intervals that is published."""


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_function_takes_records(path) -> None:
    allowed = MADE_OF_PUBLISHED.get(str(path.relative_to(SOURCES)), set())
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            seen = {
                word
                for each in given
                if each.annotation is not None
                for word in words(ast.unparse(each.annotation))
            }
            # The meter is where records end: its engine is the one thing that may hold them.
            if path.name == "meter.py" and node.name == "__init__":
                seen -= {"Records"}
            assert not seen & (RECORDS - allowed), f"{node.name} in {path.name} takes records"


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=str)
def test_nobody_reaches_around_the_meter(path) -> None:
    text = path.read_text(encoding="utf-8")

    assert "_Meter__" not in text


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(SOURCES)))
def test_sound_systems_and_their_parts_import_nothing_that_reads(path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    assert not names & {"Table", "read_table", "read_graph", "read_frame"}

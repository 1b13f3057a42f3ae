"""A public name means one thing: no two modules define a class, function or constant of one name.

Read from the syntax trees of all sources.  Names that begin with an underscore, or that only type
checkers see, are a module's own business; so are methods, which are read beside their class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from covey.partition import PARTITIONERS
from covey.systems import SYSTEMS
from tests.test_imports import MODULES, step, tree

# Rooms that share no name with any other module.
TIDY = {"studio", "core", "ledger", "release"}

# Names that several modules define because they mean one thing in all of them: the functions of
# every sound and of every plain system, of every schema format, and of every engine.
PROTOCOLS = {
    "covey.systems.sound.": {"ask", "measure", "build", "unit_of"},
    "covey.systems.anonymity.": {"run"},
    "covey.systems.papers.": {"run", "clustering"},
    "covey.run": {"run"},
    "covey.table.formats.": {"read", "write", "recognises"},
    "covey.engines.": {"count_graph", "made_rows", "read"},
    "covey.evaluate.": {"evaluate"},
    "covey.spark": {"publish"},
    "covey.publish": {"publish"},
}

# Partitioner and system of one name in the registries: the constant is that name.
REGISTERED = {name.upper().replace("-", "_") for name in (*SYSTEMS, *PARTITIONERS)}


def is_protocol(name: str, module: str) -> bool:
    """Return whether a module defines a name because all of its kind do."""
    if module == f"covey.cli.{name}":  # a verb of the command line does what the library's does
        return True
    if name in REGISTERED and step(module) in ("partition", "systems"):
        return True
    return any(module.startswith(room) and name in names for room, names in PROTOCOLS.items())


def public_names(module: str) -> set[str]:
    """Return the names that a module defines for others, not those that it imports."""
    return {name for node in tree(module).body for name in defined(node) if name[0] != "_"}


def defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names of a definition or an assignment; what is changed in place was there."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for each in (part for target in targets for part in ast.walk(target)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id


def homonyms() -> dict[str, list[str]]:
    """Return the names that several modules define, with these modules."""
    places: dict[str, list[str]] = {}
    for module in MODULES:
        for name in public_names(module):
            places.setdefault(name, []).append(module)
    return {
        name: modules
        for name, modules in places.items()
        if len(modules) > 1
        and sum(not is_protocol(name, module) for module in modules) > 0
        and not _is_verb(name, modules)
    }


def _is_verb(name: str, modules: list[str]) -> bool:
    """Return whether a library's function and the command line's have the same name."""
    return sum(not is_protocol(name, module) for module in modules) == 1 and (
        f"covey.cli.{name}" in modules
    )


def test_a_name_is_defined_in_one_module_unless_it_is_the_word_for_one_thing() -> None:
    assert homonyms() == {}


@pytest.mark.parametrize("room", sorted(PROTOCOLS))
def test_a_protocol_is_spoken(room) -> None:
    spoken = {n for module in MODULES if module.startswith(room) for n in public_names(module)}

    assert PROTOCOLS[room] <= spoken


@pytest.mark.parametrize("room", sorted(TIDY))
def test_a_tidy_room_shares_no_name(room) -> None:
    shared = {name: places for name, places in homonyms().items() if room in map(step, places)}

    assert not shared

"""A public name means one thing: no two modules define a class, function or constant of one name.

Read from the syntax trees of all sources.  Names that begin with an underscore, or that only type
checkers see, are a module's own business; so are methods, which are read beside their class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.test_imports import MODULES, step, tree

# Rooms that share no name with any other module.
TIDY = {"studio"}

# What still means several things, to be renamed; each must be in use, so the set only shrinks.
PROTOCOL = {"ask", "measure", "build", "unit_of"}
PENDING = {
    "build",
    "measure",
    "COLOURS",
    "COLUMN",
    "COUNT",
    "DECIMALS",
    "Entry",
    "FINEST",
    "FORMATS",
    "Format",
    "GAMMA",
    "HEADER",
    "INDIVIDUAL_RANKING",
    "INNER",
    "INSENSITIVE",
    "Kind",
    "LARGE",
    "LARGEST",
    "LEAF",
    "MANY",
    "MD",
    "MDAV",
    "OPTIMAL_UNIVARIATE",
    "ORDERS",
    "Perturbed",
    "Progress",
    "QUANTILES",
    "REASONS",
    "REQUIRED",
    "ROUNDS",
    "RUNS",
    "SEED",
    "SIZE",
    "SIZES",
    "STEPS",
    "SYSTEM",
    "THRESHOLDS",
    "VERSION",
    "V_MDAV",
    "WIDTH",
    "add_edges",
    "advise",
    "audit",
    "clustering",
    "columns_of",
    "compare",
    "complete",
    "count_graph",
    "evaluate",
    "explained",
    "fit",
    "geometric",
    "grouped",
    "made_rows",
    "mean_of",
    "nearest",
    "node_counts",
    "number",
    "project",
    "publish",
    "read",
    "recognises",
    "refuse_empty",
    "reproduce",
    "run",
    "summarise",
    "write",
}


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
    several = {name: modules for name, modules in places.items() if len(modules) > 1}
    # Every sound system has these functions, which is what the words mean.
    return {
        name: modules
        for name, modules in several.items()
        if name not in PROTOCOL or any(".systems.sound" not in module for module in modules)
    }


def test_a_name_is_defined_in_one_module_unless_it_waits_for_another() -> None:
    assert set(homonyms()) == PENDING


@pytest.mark.parametrize("room", sorted(TIDY))
def test_a_tidy_room_shares_no_name(room) -> None:
    shared = {name: places for name, places in homonyms().items() if room in map(step, places)}

    assert not shared

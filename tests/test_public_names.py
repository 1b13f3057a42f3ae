"""Scripts may rely on the public names: they are there, they are all, and they say what they do."""

from __future__ import annotations

import importlib
import inspect
import types

import pytest

import covey

# A name, once published, stays.  New ones are added here.
PROMISED = {
    *("CLAIMS", "METRICS", "PARTITIONERS", "SYSTEMS"),
    *("Advice", "advise"),
    *("About", "Attribute", "CoveyError", "Evaluation", "Guarantee", "GuaranteeKind", "Ledger"),
    *("Missing", "Partition", "Plan", "PrivacyUnit", "Release", "Role", "Scale", "Schema"),
    *("Table", "Taxonomy", "Trace"),
    *("evaluate", "partition", "publish", "publish_to", "read_table", "reopen", "run"),
    *("DK", "Graph", "read_graph", "joint_degrees", "degree_distribution", "project"),
    *("regenerate", "audit", "compare", "Comparison"),
}


def test_every_promised_name_is_public() -> None:
    assert set(covey.__all__) >= PROMISED


def test_the_public_names_are_exactly_those_that_are_there() -> None:
    there = {
        name
        for name in dir(covey)
        if not name.startswith("_") and not isinstance(getattr(covey, name), types.ModuleType)
    }

    assert there == set(covey.__all__)


def test_the_public_names_are_listed_once_and_in_order() -> None:
    names = list(covey.__all__)

    upper = [name for name in names if name.isupper()]
    classes = [name for name in names if name[0].isupper() and not name.isupper()]
    others = [name for name in names if name[0].islower()]
    assert names == sorted(upper) + sorted(classes) + sorted(others)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", [name for name in covey.__all__ if not name.isupper()])
def test_a_public_name_says_what_it_does(name) -> None:
    documentation = inspect.getdoc(getattr(covey, name))

    assert documentation
    assert documentation.splitlines()[0].rstrip().endswith((".", "``"))


@pytest.mark.parametrize("name", ["audit", "evaluate", "partition", "publish", "run"])
def test_names_that_hide_a_module_are_functions(name) -> None:
    importlib.import_module(f"covey.{name}")

    assert inspect.isfunction(getattr(covey, name))


def test_an_unknown_name_is_an_error_and_a_room_is_found() -> None:
    assert isinstance(covey.table, types.ModuleType)
    with pytest.raises(AttributeError, match="has no attribute 'publsh'"):
        covey.publsh  # noqa: B018


@pytest.mark.parametrize("name", ["CLAIMS", "METRICS", "PARTITIONERS", "SYSTEMS"])
def test_registries_are_plain_dictionaries(name) -> None:
    registry = getattr(covey, name)

    assert type(registry) is dict
    assert registry


@pytest.mark.parametrize(
    ("function", "first"),
    [
        ("advise", ["schema"]),
        ("read_table", ["source", "schema"]),
        ("partition", ["data", "method"]),
        ("publish", ["data", "system"]),
        ("evaluate", ["data", "release", "trace"]),
        ("run", ["plan", "data"]),
        ("reopen", ["folder", "data"]),
    ],
)
def test_functions_take_what_they_work_on_by_place_and_the_rest_by_name(function, first) -> None:
    parameters = inspect.signature(getattr(covey, function)).parameters.values()

    by_place = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]

    assert by_place == first

"""The flow is the folder structure: steps import leftward only, and danger stays in its place.

Read from the syntax trees of all sources, so that an import inside a function or for type
checkers alone counts like any other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
MODULES = {
    ".".join(path.relative_to(SOURCES).with_suffix("").parts): path
    for path in sorted(SOURCES.rglob("*.py"))
}

STEPS = (
    *("errors", "kernels", "table", "graph", "plan", "partition", "aggregate"),
    *("privacy", "perturb", "release", "evaluate"),
)
# What stands beside the flow, and what each may see besides itself.
BESIDE = {
    "papers": set(),
    "datasets": {"errors", "table"},
    "systems": set(STEPS),
    # The step after evaluation: it names systems and papers, and a release is published with it.
    "report": {*STEPS, "systems", "papers"},
    # It opens the engine that it is asked for, and holds what all of them share.
    "publish": {*STEPS, "systems", "report", "memory", "stream", "spark"},
    "memory": {*STEPS, "systems", "publish"},
    # The systems once more, for files larger than memory.
    "stream": {*STEPS, "systems", "publish"},
    "folder": {*STEPS, "systems", "publish"},
    "advise": {*STEPS, "systems", "publish"},
    # The step after evaluation: it runs systems, so it stands beside the steps that they use.
    "audit": {*STEPS, "systems", "publish"},
    "sklearn": {*STEPS, "systems", "publish"},
    "compare": {*STEPS, "systems", "publish", "report"},
    "spark": {*STEPS, "systems", "publish", "stream"},
    "__init__": {*STEPS, "systems", "publish", "folder", "advise", "audit", "compare"},
    # The web page uses the public names, and words about systems, metrics and guarantees.
    "studio": {
        *("covey", "errors", "table", "privacy", "release", "systems", "advise", "report"),
    },
    "reproduce": {*STEPS, "systems", "publish", "papers", "datasets", "covey"},
}
# The command line uses the public names, and these.  `systems`, `evaluate`, `advise` and `audit`
# are for words about parameters, metrics, errors and cases, `table` for annotations.
CLI = {
    *("covey", "errors", "privacy", "release", "reproduce", "datasets", "report"),
    *("studio", "stream", "spark"),
}
CLI_WORDS = {"systems", "evaluate", "advise", "audit", "compare", "table"}

# Who may write files at all, and which.  Released values leave through `release` alone.
WRITERS = {
    "covey.release.release": "the rows of a release folder",
    "covey.release.folder": "what stands beside them",
    "covey.release.streamed": "the rows of a release folder that are not in memory",
    "covey.table.spool": "rows on their way, in a private folder that is removed",
    "covey.privacy.ledger": "the ledger",
    "covey.table.schema": "a schema",
    "covey.table.taxonomy": "a taxonomy",
    "covey.cli.reproduce": "a page about the papers",
    "covey.cli.evaluate": "the curator's report, which is no release",
    "covey.cli.project": "a projected graph, which is no release",
    "covey.cli.compare": "a comparison for the curator, which is no release",
    "covey.compare.run": "scores for the curator, kept to go on with",
    "covey.studio.app": "uploads, in a private folder that is removed",
    "covey.studio.tasks": "the curator's report, in the same folder",
}
WRITING = {
    *("write_text", "write_bytes", "write_csv", "write_parquet", "write_ipc", "write_json"),
    *("write_ndjson", "write_avro", "write_excel", "write_database", "write_delta"),
    *("sink_csv", "sink_parquet", "sink_ipc", "sink_ndjson", "to_csv", "to_parquet", "to_excel"),
    *("to_feather", "to_pickle", "to_sql", "savetxt", "savez", "tofile", "fdopen", "dump"),
    *("copyfile", "copytree", "write_table"),
}
ONLY_IN_PERTURB = {
    *("Perturbed", "Selected", "CubeNoisy", "SplitTest", "Account", "NoisyCounts", "Kept"),
}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imported(module: str) -> Iterator[str]:
    """Yield the full names of all modules that a module imports, wherever it does so."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield node.module or ""


def step(module: str) -> str:
    """Return the folder or file right under covey."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def calls(module: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree(module)) if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def opens_for_writing(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    words = [value.value for value in given if isinstance(value, ast.Constant)]
    return name_of(call) == "open" and bool({"w", "a", "x", "wb", "ab", "xb", "r+"} & set(words))


def test_the_law_has_a_place_for_every_part_of_covey() -> None:
    assert {step(module) for module in MODULES} == {*STEPS, *BESIDE, "cli"}


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) in STEPS])
def test_steps_import_leftward_only(module) -> None:
    allowed = set(STEPS[: STEPS.index(step(module)) + 1])

    seen = {step(name) for name in imported(module) if name.split(".")[0] == "covey"}

    assert seen <= allowed


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) in BESIDE])
def test_what_stands_beside_the_flow_sees_what_it_may(module) -> None:
    allowed = BESIDE[step(module)] | {step(module)}

    seen = {step(name) for name in imported(module) if name.split(".")[0] == "covey"}

    assert seen <= allowed


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) == "cli"])
def test_the_command_line_uses_the_public_names(module) -> None:
    seen = {step(name) for name in imported(module) if name.split(".")[0] == "covey"}

    assert seen <= CLI | CLI_WORDS | {"cli"}


@pytest.mark.parametrize(
    ("library", "home"),
    [("opendp", "perturb"), ("numba", "kernels"), ("pyspark", "spark"), ("shiny", "studio")],
)
def test_a_library_is_imported_in_its_home_alone(library, home) -> None:
    users = {module for module in MODULES if library in {n.split(".")[0] for n in imported(module)}}

    assert {step(module) for module in users} <= {home}


def test_opendp_and_numba_are_used_at_all() -> None:
    used = {name.split(".")[0] for module in MODULES for name in imported(module)}

    assert {"opendp", "numba"} <= used


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) == "privacy"])
def test_the_argument_sees_no_data(module) -> None:
    allowed = set(sys.stdlib_module_names) | {"filelock", "covey"}

    assert {name.split(".")[0] for name in imported(module)} <= allowed
    assert not {"sqlite3", "csv", "pickle"} & set(imported(module))


@pytest.mark.parametrize("module", MODULES)
def test_only_perturb_makes_perturbed_values(module) -> None:
    made = {name_of(call) for call in calls(module)} & ONLY_IN_PERTURB

    assert not made or step(module) == "perturb"


def test_perturb_does_make_them() -> None:
    made = {name_of(call) for name in MODULES if step(name) == "perturb" for call in calls(name)}

    assert made >= ONLY_IN_PERTURB


@pytest.mark.parametrize("module", MODULES)
def test_only_systems_and_release_turn_them_into_columns(module) -> None:
    made = {name_of(call) for call in calls(module)} & {"NoisyColumn", "ConceptColumn"}

    assert not made or step(module) in ("systems", "stream", "spark", "release")


@pytest.mark.parametrize("module", MODULES)
def test_only_release_assembles_a_release_from_columns(module) -> None:
    made = "Release" in {name_of(call) for call in calls(module)}

    # `folder.reopen` reads one back for the curator.
    assert not made or module in ("covey.release.release", "covey.folder")


@pytest.mark.parametrize("module", MODULES)
def test_files_are_written_where_the_law_says_and_nowhere_else(module) -> None:
    written = [
        name_of(call)
        for call in calls(module)
        if name_of(call) in WRITING or opens_for_writing(call)
    ]

    assert bool(written) == (module in WRITERS)


def test_frames_are_written_by_release_alone() -> None:
    frames = {"write_csv", "write_parquet", "sink_csv", "sink_parquet", "to_csv", "to_parquet"}

    writers = {m for m in MODULES if frames & {name_of(call) for call in calls(m)}}

    assert writers == {f"covey.release.{name}" for name in ("release", "folder", "streamed")}


@pytest.mark.parametrize(
    "library", ["numba", "opendp", "scipy", "pandas", "pyarrow", "sklearn", "yaml"]
)
def test_importing_covey_does_not_import_slow_libraries(library) -> None:
    assert library not in modules_after("import covey")


def test_the_check_of_slow_libraries_would_see_one() -> None:
    assert "scipy" in modules_after("import covey, scipy")


@cache
def modules_after(code: str) -> frozenset[str]:
    """Run code in a fresh interpreter and return the libraries that it loaded."""
    report = f"{code}; import sys; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return frozenset(ran.stdout.split())

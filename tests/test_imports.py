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

# Every room in one line: a room sees those of earlier ranks, and itself.  Rooms of one rank do
# not see each other.
RANKS = (
    *(
        {"errors"},
        {"durable", "kinds", "notebook", "written"},
        {"kernels"},
        {"table"},
        {"graph"},
        {"plan", "datasets"},
    ),
    *({"partition"}, {"aggregate"}, {"core"}, {"ledger", "seeded"}, {"postprocess"}),
    *({"systems"}, {"engines"}, {"release"}, {"charge"}, {"publish"}, {"run"}, {"evaluate"}),
    *({"audit", "choose"}, {"report"}, {"spark", "stream"}, {"__init__"}),
    *({"reproduce", "sklearn", "studio"}, {"cli"}),
)
RANK = {room: rank for rank, rooms in enumerate(RANKS) for room in rooms}
# What still looks the wrong way, to be turned round; each pair must be in use.
PENDING: set[tuple[str, str]] = set()

# Who may write files at all, and which.  Released values leave through `release` alone.
WRITERS = {
    "covey.release.release": "the rows of a release folder",
    "covey.release.folder": "what stands beside them",
    "covey.release.checksums": "the sums of these files, which are published",
    "covey.release.staged": "a note to whoever comes after a process that was killed",
    "covey.release.trace": "what became of each record, for its owner alone, when asked",
    "covey.engines.shared.spool": "rows on their way, in a private folder that is removed",
    "covey.ledger.file": "the ledger",
    "covey.table.schema": "a schema",
    "covey.table.taxonomy": "a taxonomy",
    "covey.cli.reproduce": "a page about the papers",
    "covey.cli.evaluate": "the curator's report, which is no release",
    "covey.cli.project": "a projected graph, which is no release",
    "covey.cli.compare": "a comparison for the curator, which is no release",
    "covey.cli.pilot": "a plan, which holds public facts alone",
    "covey.choose.cache": "scores for the curator, kept to go on with",
    "covey.studio.app": "uploads, in a private folder that is removed",
    "covey.studio.jobs": "the curator's report, in the same folder",
    "covey.studio.remembered": "hashes of the files of which a comparison was seen",
}
WRITING = {
    *("write_text", "write_bytes", "write_csv", "write_parquet", "write_ipc", "write_json"),
    *("write_ndjson", "write_avro", "write_excel", "write_database", "write_delta"),
    *("sink_csv", "sink_parquet", "sink_ipc", "sink_ndjson", "to_csv", "to_parquet", "to_excel"),
    *("to_feather", "to_pickle", "to_sql", "savetxt", "savez", "tofile", "fdopen", "dump"),
    *("copyfile", "copytree", "write_table"),
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
    assert {step(module) for module in MODULES} == set(RANK)


def test_rooms_see_earlier_rooms_only() -> None:
    crossings = {
        (step(module), "__init__" if name == "covey" else step(name))
        for module in MODULES
        for name in imported(module)
        if name.split(".")[0] == "covey"
    }

    wrong = {(room, seen) for room, seen in crossings if room != seen and RANK[seen] >= RANK[room]}

    assert wrong == PENDING


@pytest.mark.parametrize(
    ("library", "home"),
    [("numba", "kernels"), ("pyspark", "engines"), ("shiny", "studio")],
)
def test_a_library_is_imported_in_its_home_alone(library, home) -> None:
    users = {module for module in MODULES if library in {n.split(".")[0] for n in imported(module)}}

    assert {step(module) for module in users} <= {home}


def test_numba_is_used_and_opendp_is_the_tests_reference_alone() -> None:
    used = {name.split(".")[0] for module in MODULES for name in imported(module)}

    assert "numba" in used
    assert "opendp" not in used


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) == "core"])
def test_the_argument_sees_no_data(module) -> None:
    allowed = set(sys.stdlib_module_names) | {"covey", "numpy"}

    assert {name.split(".")[0] for name in imported(module)} <= allowed
    assert not {"sqlite3", "csv", "pickle", "pathlib"} & set(imported(module))


@pytest.mark.parametrize("module", [name for name in MODULES if step(name) == "engines"])
def test_engines_know_no_sound_system(module) -> None:
    seen = {name for name in imported(module) if name.startswith("covey.systems")}

    # Systems that see records are run where the records are, by `plain` and its parts; the others
    # are named by annotations alone.
    known = {"covey.systems", "covey.systems.base"}
    if module.rsplit(".", 1)[1] in ("plain", "blocks", "clusters", "ranking"):
        seen = {name for name in seen if ".sound" in name}
    assert seen <= known


@pytest.mark.parametrize("module", [name for name in MODULES if ".systems.sound" in name])
def test_sound_systems_know_no_noise_of_the_papers(module) -> None:
    assert "covey.systems.papers.noise" not in set(imported(module))


@pytest.mark.parametrize("module", MODULES)
def test_a_release_is_made_by_publishing_alone(module) -> None:
    made = "Release" in {name_of(call) for call in calls(module)}

    # `folder.reopen` reads one back for the curator.
    assert not made or module in ("covey.publish", "covey.evaluate.reopen")


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

    assert writers == {f"covey.release.{name}" for name in ("release", "folder", "trace")}


@pytest.mark.parametrize(
    "library",
    ["numba", "opendp", "scipy", "pandas", "pyarrow", "sklearn", "yaml", "jinja2", "vl_convert"],
)
def test_importing_covey_does_not_import_slow_libraries(library) -> None:
    assert library not in modules_after("import covey")


@pytest.mark.parametrize("library", ["numpy", "polars", "narwhals"])
def test_the_command_line_explains_itself_without_what_reads_tables(library) -> None:
    assert library not in modules_after("import covey.cli")


def test_the_check_of_slow_libraries_would_see_one() -> None:
    assert "scipy" in modules_after("import covey, scipy")


@cache
def modules_after(code: str) -> frozenset[str]:
    """Run code in a fresh interpreter and return the libraries that it loaded."""
    report = f"{code}; import sys; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return frozenset(ran.stdout.split())

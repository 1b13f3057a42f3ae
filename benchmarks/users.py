"""What does a user wait for: the first call, and a whole command from file to folder?

Every command is a process of its own, measured from its start to its end in seconds of the
processor, with the largest memory that it held.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from benchmarks.measure import Results

COMMAND = (sys.executable, "-c", "from covey.cli import main; main()")
SORT = """
import sys
import polars as pl
pl.read_parquet(sys.argv[1]).sort("a0").write_parquet(sys.argv[2])
"""
TABLES = {
    "mdav": ("--k", "10"),
    "individual-ranking": ("--k", "10"),
    "optimal-univariate": ("--k", "10"),
    "insensitive": ("--k", "1000", "--epsilon", "1"),
    "rank-blocks": ("--k", "1000", "--epsilon", "1"),
    "laplace": ("--epsilon", "1"),
    "private-tree": ("--epsilon", "1"),
    "column-model": ("--epsilon", "1"),
}
GRAPHS = {
    "degree-histogram": ("--epsilon", "1"),
    "joint-degree-boxes": ("--epsilon", "1"),
}
FIRST = ("mdav", "private-tree", "column-model")
COLUMN = """
[[attribute]]
name = "a{j}"
role = "{role}"
scale = "numeric"
bounds = [-8, 8]
step = 0.001
missing = "refuse"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What one process took: seconds of the processor, and megabytes at most."""

    seconds: float
    megabytes: float


def used_by(*command: str, **environment: str) -> Used:
    """Run a command to its end; fail with its words if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The largest of all children so far, so commands that need little come first.
    return Used(seconds=seconds, megabytes=after.ru_maxrss / 1000)


def made_table(folder: Path, n: int, d: int = 4) -> Path:
    """Write normal records with three decimals, and schemas for both kinds of systems."""
    X = np.round(np.random.default_rng(n + d).normal(size=(n, d)), 3)
    path = folder / f"{n}x{d}.parquet"
    pl.DataFrame(X, schema=[f"a{j}" for j in range(d)]).write_parquet(path)
    for role in ("quasi-identifier", "confidential"):
        columns = "".join(COLUMN.format(j=j, role=role) for j in range(d))
        (folder / f"{role}.toml").write_text(columns, encoding="utf-8")
    return path


def made_graph(folder: Path, edges: int) -> Path:
    """Write a graph whose degrees are spread widely, as those of people are."""
    rng = np.random.default_rng(edges)
    nodes = edges // 4
    ends = (nodes * rng.random((edges, 2)) ** 3).astype(np.int64)
    path = folder / f"{edges}.txt"
    pl.DataFrame(ends).write_csv(path, separator=" ", include_header=False)
    return path


def publish(data: Path, system: str, options: tuple[str, ...], **environment: str) -> Used:
    """Publish a file with a system, from the start of the process to its end."""
    folder = data.parent
    if system in GRAPHS:
        nodes = str(int(data.stem) // 4)
        what: tuple[str, ...] = ("--nodes", nodes)
    else:
        private = system in {"mdav", "individual-ranking", "optimal-univariate", "insensitive"}
        role = "quasi-identifier" if private else "confidential"
        what = ("-s", str(folder / f"{role}.toml"))
    with tempfile.TemporaryDirectory(dir=folder) as out:
        return used_by(
            *COMMAND, "publish", str(data), *what, "--system", system, *options,
            "-o", f"{out}/release", **environment,
        )  # fmt: skip


def first_commands(results: Results, *, quick: bool) -> None:
    """First commands: nothing compiled yet, and once more."""
    del quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, graph = made_table(folder, 5_000), made_graph(folder, 20_000)
        helped = median(used_by(*COMMAND, "--help").seconds for _ in range(3))
        results.add("covey --help", "covey", 0, helped)
        results.at_most("covey --help, seconds of the processor", helped, 0.3)
        for system, options in {**{s: TABLES[s] for s in FIRST}, **GRAPHS}.items():
            data = graph if system in GRAPHS else table
            cache = str(folder / f"cache-{system}")
            first = publish(data, system, options, NUMBA_CACHE_DIR=cache).seconds
            later = publish(data, system, options, NUMBA_CACHE_DIR=cache).seconds
            n = 20_000 if system in GRAPHS else 5_000
            results.add(f"publish {system}", "covey, the first time", n, first)
            results.add(f"publish {system}", "covey, a later time", n, later)
            results.at_most(f"first publish with {system}, seconds", first, 4.0)


def whole_commands(results: Results, *, quick: bool) -> None:
    """Whole commands: from Parquet to the release folder, import apart, beside a sort by polars."""
    n = 100_000 if quick else 1_000_000
    turns = 1 if quick else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, few = made_table(folder, n), made_table(folder, 5_000)
        sort = [
            used_by(sys.executable, "-c", SORT, str(table), str(folder / "sorted.parquet"))
            for _ in range(turns)
        ]
        floor = median(used.seconds for used in sort)
        results.add("read, sort, write", "polars", n, floor, f"{sort[-1].megabytes:.0f} MB")
        publish(table, "mdav", TABLES["mdav"])
        for system, options in TABLES.items():
            publish(few, system, options)
            # Each run of many records beside one of few: the start of the process is apart.
            pairs = [
                (publish(table, system, options), publish(few, system, options))
                for _ in range(turns)
            ]
            taken = sorted(many.seconds - start.seconds for many, start in pairs)
            note = (
                f"{taken[0] / floor:.1f} to {taken[-1] / floor:.1f} x polars, "
                f"at most {pairs[-1][0].megabytes:.0f} MB so far"
            )
            results.add(f"publish {system}", "covey, import apart", n, median(taken), note)
            if not quick:
                limit = 4.0 if system == "mdav" else 3.0
                results.at_most(f"publish {n:,} x 4 with {system}, seconds", median(taken), limit)


def whole_graphs(results: Results, *, quick: bool) -> None:
    """Whole commands on graphs: from the list of edges to the release folder."""
    m = 200_000 if quick else 5_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graph, few = made_graph(folder, m), made_graph(folder, 20_000)
        for system, options in GRAPHS.items():
            start = publish(few, system, options)
            many = publish(graph, system, options)
            seconds = many.seconds - start.seconds
            note = f"{many.megabytes:.0f} MB"
            results.add(f"publish {system}", "covey, import apart", m, seconds, note)
            if system == "degree-histogram" and not quick:
                results.at_most(f"publish {m:,} edges with {system}, seconds", seconds, 5.0)

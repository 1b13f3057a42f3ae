"""What does a release cost on each engine, beside a plain sort of the same records?

Generates a Parquet file of four columns piece by piece, then runs each job in a process of its
own and reports seconds, the peak of that process's memory, and the ratio to the sort that this
engine would do without covey:

    python -m benchmarks.scale --rows 1e6 1e7 --engines memory stream spark --folder /with/room

Starting Spark, imports and a first run on a few records are not timed: they do not grow.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

PIECE = 1_000_000
FEW = 20_000
"""Records of the run that is not timed."""

SORTS = {"memory": "numpy sort", "stream": "polars sort", "spark": "spark sort"}
"""What each engine is measured by: every column sorted, or the file sorted and written."""

GOALS = {"memory": 10.0, "stream": 4.0, "spark": 3.0}
"""How many sorts `rank-blocks` may cost."""

JOBS: dict[str, dict[str, Any]] = {
    "rank-blocks": {"epsilon": 1.0},
    "insensitive": {"epsilon": 1.0, "order": "single"},
    "individual-ranking": {"k": 10},
    "private-tree": {"epsilon": 1.0},
}


def main() -> None:
    """Measure all jobs of all engines at all sizes, or one job in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", nargs="+", type=float, default=[1e6])
    parser.add_argument("--engines", nargs="+", default=list(SORTS), choices=list(SORTS))
    parser.add_argument("--jobs", nargs="+", default=list(JOBS), choices=list(JOBS))
    parser.add_argument("--memory", default="1GB", help="what the engine stream may use")
    parser.add_argument("--repeat", type=int, default=1, help="take the median of so many")
    parser.add_argument("--folder", type=Path, help="where there is room for the files")
    parser.add_argument("--one", nargs=3, metavar=("ENGINE", "JOB", "FILE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        engine, job, file = asked.one
        print(json.dumps(_measured(engine, job, Path(file), asked.memory)))
        return
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="scale-") as folder:
        for rows in map(int, asked.rows):
            path = Path(folder) / f"{rows}.parquet"
            generate(path, rows)
            generate(_few(path), FEW)
            print(f"\n{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB of Parquet")
            print(f"{'engine':<8}{'job':<20}{'seconds':>9}{'peak MB':>9}{'ratio':>7}", flush=True)
            for engine in asked.engines:
                _compare(engine, path, asked)
            path.unlink()


def generate(path: Path, rows: int) -> None:
    """Write incomes, weights, ages and shares of as many people, never all in memory."""
    import pyarrow.parquet as pq

    writer = None
    for start in range(0, rows, PIECE):
        rng = np.random.default_rng(start)
        n = min(PIECE, rows - start)
        table = pl.DataFrame(
            {
                "income": rng.gamma(2.0, 20_000.0, n),
                "weight": rng.normal(70.0, 12.0, n),
                "age": rng.integers(0, 100, n),
                "share": rng.random(n),
            }
        ).to_arrow()
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=PIECE // 4)
    assert writer is not None  # noqa: S101 — there is at least one row
    writer.close()


def _few(path: Path) -> Path:
    return path.with_name("few.parquet")


def _compare(engine: str, path: Path, asked: argparse.Namespace) -> None:
    """Let the sort and the jobs take turns, each time in a new process."""
    jobs = [SORTS[engine], *asked.jobs]
    found: dict[str, list[dict[str, float]]] = {job: [] for job in jobs}
    for _ in range(asked.repeat):
        for job in jobs:
            command = [sys.executable, "-m", "benchmarks.scale", "--memory", asked.memory]
            ran = subprocess.run(
                [*command, "--one", engine, job, str(path)],
                capture_output=True,
                text=True,
                check=False,
            )
            if ran.returncode:
                print(f"{engine:<8}{job:<20} failed: {ran.stderr.strip().splitlines()[-1]}")
                return
            found[job].append(json.loads(ran.stdout.splitlines()[-1]))
    base = statistics.median(run["seconds"] for run in found[SORTS[engine]])
    for job, runs in found.items():
        seconds = statistics.median(run["seconds"] for run in runs)
        peak = max(run["peak"] for run in runs)
        ratio = seconds / base
        verdict = ""
        if job == "rank-blocks":
            verdict = f"  goal {GOALS[engine]:g}: {'pass' if ratio <= GOALS[engine] else 'MISS'}"
        print(f"{engine:<8}{job:<20}{seconds:9.2f}{peak:9.0f}{ratio:7.1f}{verdict}", flush=True)


def _measured(engine: str, job: str, path: Path, memory: str) -> dict[str, float]:
    made = ENGINES[engine](job, memory)
    for file in (_few(path), path):
        work = made(file)
        started = time.perf_counter()
        work()
        seconds = time.perf_counter() - started
    return {
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


Work = Callable[[], None]


def _in_memory(job: str, memory: str) -> Callable[[Path], Work]:
    """Sort or publish columns that are in memory; nothing is read or written."""
    del memory

    def work(file: Path) -> Work:
        frame = pl.read_parquet(file)
        columns = [column.to_numpy() for column in frame]
        if job not in JOBS:
            return lambda: [np.sort(column) for column in columns] and None
        import covey

        return lambda: covey.publish(frame, job, schema=_schema(), **JOBS[job]) and None

    return work


def _streamed(job: str, memory: str) -> Callable[[Path], Work]:
    """Read a file, sort or publish it, and write what comes out."""

    def work(file: Path) -> Work:
        if job not in JOBS:
            target = file.with_name("sorted.parquet")
            return lambda: pl.scan_parquet(file).sort("income").sink_parquet(target)
        import covey

        def publish() -> None:
            release = covey.publish(
                file, job, schema=_schema(), engine="stream", memory=memory, **JOBS[job]
            )
            release.save(file.with_name("out"), force=True)

        return publish

    return work


def _on_spark(job: str, memory: str) -> Callable[[Path], Work]:
    """As streamed, by two cores of this machine that know each other through Spark."""
    del memory
    import covey.spark

    spark = covey.spark.session("local[2]", spark__driver__memory="4g")

    def work(file: Path) -> Work:
        frame = covey.spark.read(spark, file, _schema())
        if job not in JOBS:
            target = str(file.with_name("sorted"))
            return lambda: frame.orderBy("income").write.parquet(target, mode="overwrite")

        def publish() -> None:
            release = covey.spark.publish(frame, job, schema=_schema(), **JOBS[job])
            release.save(file.with_name("out"), force=True)

        return publish

    return work


ENGINES = {"memory": _in_memory, "stream": _streamed, "spark": _on_spark}


def _schema() -> Any:
    import covey

    return covey.Schema(
        (
            covey.Attribute("income", bounds=(0, 500_000)),
            covey.Attribute("weight", bounds=(0, 200)),
            covey.Attribute("age", bounds=(0, 99), integer=True),
            covey.Attribute("share", bounds=(0, 1)),
        )
    )


if __name__ == "__main__":
    main()

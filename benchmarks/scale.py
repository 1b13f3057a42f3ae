"""What does the engine "stream" cost beside a plain polars sort of the same file?

Generates a Parquet file of four columns piece by piece, then runs each job in a process of its
own and reports seconds, the peak of the process's memory, and the ratio to the sort:

    python -m benchmarks.scale --rows 1e6 1e7 --folder /a/disk/with/room
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

PIECE = 1_000_000
SORT, COLUMN_SORTS = "polars sort", "polars sort of each column"
JOBS: dict[str, dict[str, Any]] = {
    "rank-blocks": {"epsilon": 1.0},
    "insensitive": {"epsilon": 1.0, "order": "single"},
    "individual-ranking": {"k": 10},
    "private-tree": {"epsilon": 1.0},
}


def main() -> None:
    """Measure all jobs at all sizes, or one job in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", nargs="+", type=float, default=[1e6])
    parser.add_argument("--jobs", nargs="+", default=[SORT, COLUMN_SORTS, *JOBS])
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--folder", type=Path, help="where there is room for the files")
    parser.add_argument("--one", nargs=2, metavar=("JOB", "FILE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(_measured(*asked.one, asked.memory)))
        return
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="scale-") as folder:
        for rows in map(int, asked.rows):
            _compare(Path(folder) / f"{rows}.parquet", rows, asked.jobs, asked.memory)


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


def _compare(path: Path, rows: int, jobs: list[str], memory: str) -> None:
    generate(path, rows)
    print(f"\n{rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB of Parquet, memory = {memory}")
    print(f"{'job':<28}{'seconds':>9}{'peak MB':>9}{'ratio':>7}", flush=True)
    base = None
    for job in jobs:
        command = [sys.executable, "-m", "benchmarks.scale", "--memory", memory]
        ran = subprocess.run(
            [*command, "--one", job, str(path)], capture_output=True, text=True, check=False
        )
        if ran.returncode:
            print(f"{job:<28} failed: {ran.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        found = json.loads(ran.stdout)
        base = found["seconds"] if job == SORT else base
        ratio = f"{found['seconds'] / base:7.2f}" if base else ""
        print(f"{job:<28}{found['seconds']:9.1f}{found['peak']:9.0f}{ratio}", flush=True)
    path.unlink()


def _measured(job: str, file: str, memory: str) -> dict[str, float]:
    path = Path(file)
    out = path.parent / "out"
    if job in JOBS:
        import covey

        schema = covey.Schema(
            (
                covey.Attribute("income", bounds=(0, 500_000)),
                covey.Attribute("weight", bounds=(0, 200)),
                covey.Attribute("age", bounds=(0, 99), integer=True),
                covey.Attribute("share", bounds=(0, 1)),
            )
        )
        started = time.perf_counter()
        release = covey.publish(
            path, job, schema=schema, engine="stream", memory=memory, **JOBS[job]
        )
        release.save(out, force=True)
    else:
        started = time.perf_counter()
        scan = pl.scan_parquet(path)
        if job == SORT:
            scan.sort("income").sink_parquet(path.parent / "sorted.parquet")
        else:
            for name in scan.collect_schema().names():
                scan.select(name).sort(name).sink_parquet(path.parent / "sorted.parquet")
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"seconds": seconds, "peak": peak}


if __name__ == "__main__":
    main()

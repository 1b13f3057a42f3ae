"""Compare our sound systems with MST and AIM, and write docs/guide/rivals.md.

What was measured is kept after every run, one JSON file for each table, epsilon and system, so a
comparison that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import covey
from benchmarks.rivals.contenders import CONTENDERS, ROOT, Contender, Failed, run_once
from benchmarks.rivals.errors import Yardstick
from benchmarks.rivals.models import areas
from benchmarks.rivals.page import write_page
from benchmarks.rivals.tables import SOURCES, Missed, Split, load, load_own

EPSILONS = (0.5, 1.0, 3.0)
RUNS = 5
LIMIT = 900.0


def main() -> None:
    """Measure what is missing, and write the page."""
    options = _options()
    runs, epsilons = (2, [1.0]) if options.quick else (options.runs, options.epsilons)
    page = options.page or _usual_page(options)
    for name, source in _sources(options):
        try:
            split = load_own(options.data, options.schema, options.target) if not name else None
            split = split or load(name)
        except Missed as missed:
            print(f"{name}: skipped, {missed}")
            _keep(options.results / _file(name) / "skipped.json", {"skipped": str(missed)})
            continue
        (options.results / _file(split.name) / "skipped.json").unlink(missing_ok=True)
        yardstick = Yardstick.of(split)
        for epsilon in epsilons:
            for label in options.systems:
                asked = {"runs": runs, "source": source, "options": options}
                _measure(CONTENDERS[label], split, yardstick, epsilon, **asked)
    write_page(options.results, page)
    print(page)


def _measure(
    contender: Contender,
    split: Split,
    yardstick: Yardstick,
    epsilon: float,
    *,
    runs: int,
    source: Sequence[str],
    options: argparse.Namespace,
) -> None:
    """Make the runs of one cell that are missing."""
    folder = options.results / _file(split.name) / f"{epsilon:g}"
    path = folder / f"{_file(contender.name)}.json"
    cell: dict[str, Any] = {"table": split.name, "epsilon": epsilon, "system": contender.name}
    cell |= {"rows": split.train.n, "columns": len(split.attributes), "runs": []}
    if path.is_file() and contender.name not in options.again:
        cell = json.loads(path.read_text())
    if contender.needs and contender.needs not in covey.SYSTEMS:
        return
    if contender.run == "column-model-target" and split.target is None:
        return
    wanted = 1 if contender.run == "records" else runs
    limit = min(options.limit, LIMIT / 5) if options.quick else options.limit
    if cell.get("limit", 0) >= limit:
        return  # it was stopped at this limit before
    cell.pop("failed", None)
    while len(cell["runs"]) < wanted:
        start = time.perf_counter()
        try:
            done = run_once(contender, split, epsilon, source, limit)
        except Failed as failed:
            cell["failed"] = str(failed)
            if "stopped after" in str(failed):
                cell["limit"] = limit
            _keep(path, cell)
            print(f"{split.name}, {epsilon:g}, {contender.name}: {failed}", flush=True)
            return
        scores = yardstick.scores(done.released) | areas(split, done.released)
        took = {"seconds": done.seconds, "megabytes": done.kilobytes / 1024}
        cell["runs"].append(scores | took)
        _keep(path, cell)
        whole = time.perf_counter() - start
        print(f"{split.name}, {epsilon:g}, {contender.name}: {whole:.0f} s", flush=True)


def _sources(options: argparse.Namespace) -> list[tuple[str, list[str]]]:
    """Return each table with the options by which a process of its own finds it."""
    asked = options.tables if options.tables is not None else [] if options.data else [""]
    named = [name for name in SOURCES if any(name.startswith(t) for t in asked)]
    found = [(name, ["--table", name]) for name in named]
    if options.data:
        if not options.schema:
            raise SystemExit("--data needs --schema: what is public about the table.")
        place = ["--data", str(options.data.resolve()), "--schema", str(options.schema.resolve())]
        found.append(("", [*place, *(["--target", options.target] if options.target else [])]))
    return found


def _usual_page(options: argparse.Namespace) -> Path:
    """Return the guide's page; not for a quick look, nor for a table that is somebody's own."""
    own = options.quick or options.data
    return options.results / "rivals.md" if own else ROOT / "docs/guide/rivals.md"


def _keep(path: Path, cell: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(cell, indent=1) + "\n")


def _file(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="epsilon 1 alone, two runs")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--epsilons", type=float, nargs="*", default=list(EPSILONS))
    parser.add_argument("--tables", nargs="*", help="names begin so; all, or your own alone")
    parser.add_argument("--systems", nargs="*", default=list(CONTENDERS), choices=list(CONTENDERS))
    parser.add_argument("--again", nargs="*", default=[], help="systems to measure anew")
    parser.add_argument(
        "--limit", type=float, default=LIMIT, help="seconds of the processor for one run"
    )
    parser.add_argument("--data", type=Path, help="a table of your own: CSV or Parquet")
    parser.add_argument("--schema", type=Path, help="its schema")
    parser.add_argument("--target", help="what models foretell: COLUMN=CATEGORY or COLUMN>NUMBER")
    parser.add_argument("--results", type=Path, help="where measurements are kept")
    parser.add_argument("--page", type=Path, help="where to write what was found")
    options = parser.parse_args()
    kept = ROOT / "benchmarks/results"
    options.results = options.results or kept / ("rivals-own" if options.data else "rivals")
    return options


if __name__ == "__main__":
    main()

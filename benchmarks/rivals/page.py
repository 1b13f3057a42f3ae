"""How is the comparison told, goal by goal, with what is lost as well?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.rivals.contenders import CONTENDERS
from benchmarks.rivals.tables import EXTRA, SOURCES

ERRORS = {
    "tv1": "one-way",
    "tv2": "two-way",
    "tv3": "three-way",
    "queries": "range queries",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "cramer": "Cramér's V",
    "mean": "means",
    "sd": "standard deviations",
    "wasserstein": "Wasserstein",
}
AREAS = {"auc_logistic": "AUC, logistic", "auc_boosted": "AUC, boosted"}
COST = {"seconds": "seconds", "megabytes": "MB"}

OURS, NAMED = "column-model", "column-model, target named"
GOALS: dict[str, dict[str, float]] = {
    "private-tree": {
        "tv1": 1.0,
        "tv2": 0.75,
        "tv3": 0.75,
        "queries": 0.75,
        "pearson": 0.8,
        "spearman": 0.8,
        "cramer": 0.6,
        "mean": 1.0,
        "sd": 1.0,
        "wasserstein": 1.0,
    },
    **{name: dict.fromkeys(ERRORS, 1.0) for name, c in CONTENDERS.items() if c.peer},
    "histograms": dict.fromkeys(ERRORS, 1.0),
}
"""The largest error of ours over theirs that meets a goal."""

LEAST = 1e-6
"""An error below this is none; ratios of nothing say nothing."""

TOLD = 25
"""So many of the worst losses are listed."""

HEAD = Path(__file__).with_name("page_head.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One system on one table at one epsilon."""

    table: str
    epsilon: float
    system: str
    rows: int
    columns: int
    runs: Sequence[Mapping[str, float]]
    failed: str = ""
    limit: float = field(default=0.0, repr=False)

    def mean(self, measure: str) -> float | None:
        """Return the mean over runs, if it was measured."""
        found = self._values(measure)
        return fmean(found) if found else None

    def told(self, measure: str) -> str:
        """Return mean and standard deviation as the page shows them."""
        found = self._values(measure)
        if not found:
            return "–"
        digits = 0 if measure == "megabytes" else 1 if measure == "seconds" else 3
        text = f"{fmean(found):.{digits}f}"
        return text if len(found) == 1 else f"{text} ± {stdev(found):.{digits}f}"

    def _values(self, measure: str) -> list[float]:
        return [run[measure] for run in self.runs if measure in run]


Grid = Mapping[tuple[str, float, str], Cell]


def read_cells(results: Path) -> tuple[dict[tuple[str, float, str], Cell], dict[str, str]]:
    """Return what was measured so far, in the order of the page, and which tables were skipped."""
    cells, skipped = [], {}
    for path in sorted(results.glob("**/*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        if "skipped" in known:
            skipped[path.parent.name] = known["skipped"]
        else:
            cells.append(Cell(**known))
    tables = [*SOURCES, *sorted({cell.table for cell in cells} - set(SOURCES))]
    systems = list(CONTENDERS)
    cells = [cell for cell in cells if cell.system in systems]
    cells.sort(key=lambda c: (tables.index(c.table), c.epsilon, systems.index(c.system)))
    return {(c.table, c.epsilon, c.system): c for c in cells}, skipped


def write_page(results: Path, page: Path) -> None:
    """Write the page from all that was measured so far."""
    grid, skipped = read_cells(results)
    parts = [
        HEAD.read_text(encoding="utf-8"),
        *_promises(grid),
        *_state(grid),
        *_goals(grid),
        *_models(grid),
        *_lost(grid, skipped),
        *_costs(grid),
        *_numbers(grid),
    ]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def ratio(grid: Grid, ours: str, theirs: str, key: tuple[str, float], measure: str) -> float | None:
    """Return our error over theirs on one table at one epsilon; None if either is missing."""
    pair = [grid.get((*key, system)) for system in (ours, theirs)]
    errors = [cell.mean(measure) if cell else None for cell in pair]
    if errors[0] is None or errors[1] is None:
        return None
    return max(errors[0], LEAST) / max(errors[1], LEAST)


def geometric(values: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(fmean(map(math.log, values))) if values else math.nan


def _keys(grid: Grid) -> list[tuple[str, float]]:
    return list(dict.fromkeys((table, epsilon) for table, epsilon, _ in grid))


def _promises(grid: Grid) -> Iterator[str]:
    shown = {system for *_, system in grid}
    yield "| system | what it promises at epsilon |\n|---|---|"
    for name, contender in CONTENDERS.items():
        if name in shown:
            yield f"| {name} | {contender.promise} |"
    yield ""


def _state(grid: Grid) -> Iterator[str]:
    """Say how much was measured so far: few runs, or few epsilons, are weak evidence."""
    epsilons = ", ".join(f"{epsilon:g}" for epsilon in sorted({key[1] for key in grid}))
    few: dict[int, list[str]] = {}
    for system in CONTENDERS:
        counts = [len(cell.runs) for (*_, s), cell in grid.items() if s == system and cell.runs]
        if counts and CONTENDERS[system].run != "records":
            few.setdefault(min(counts), []).append(system)
    told = "; ".join(f"{count}: {', '.join(names)}" for count, names in sorted(few.items()))
    yield f"Measured so far: epsilon {epsilons}. Runs of each cell, at least: {told}.\n"


def _goals(grid: Grid) -> Iterator[str]:
    keys = [key for key in _keys(grid) if key[0] not in EXTRA]
    epsilons = sorted({epsilon for _, epsilon in keys})
    ours = OURS if any(system == OURS for *_, system in grid) else "private-tree"
    yield "## Averages\n"
    yield (
        f"Error of `{ours}` over that of another system: geometric means over tables, below 1 is "
        "better. In brackets: on how many of the tables it is better.\n"
    )
    heads = [f"epsilon {epsilon:g}" for epsilon in epsilons]
    yield "| against | measure | goal | " + " | ".join([*heads, "all", "verdict"]) + " |"
    yield "|---|---|---|" + "---|" * (len(heads) + 2)
    for theirs, goals in GOALS.items():
        if theirs == ours:
            continue
        for measure, limit in goals.items():
            found = {key: ratio(grid, ours, theirs, key, measure) for key in keys}
            known = {key: value for key, value in found.items() if value is not None}
            if not known:
                continue
            told = [_told([v for k, v in known.items() if k[1] == e]) for e in epsilons]
            average = geometric(list(known.values()))
            verdict = "met" if average <= limit else "**missed**"
            goal = "below 1" if theirs != "private-tree" else f"at most {limit:g}"
            row = [f"{theirs} | {ERRORS[measure]} | {goal}", *told, _told(list(known.values()))]
            yield f"| {' | '.join([*row, verdict])} |"
    yield ""


def _told(ratios: Sequence[float]) -> str:
    if not ratios:
        return "–"
    return f"{geometric(ratios):.2f} ({sum(value < 1 for value in ratios)} of {len(ratios)})"


def _models(grid: Grid) -> Iterator[str]:
    yield "## Models\n"
    yield (
        "Area under the curve on held-out records of models that were trained on released rows, "
        "logistic / boosted, means over runs.\n"
    )
    systems = [s for s in CONTENDERS if any(key[2] == s for key in grid) and s != "rank-blocks"]
    yield "| table | epsilon | " + " | ".join(systems) + " |"
    yield "|---|---|" + "---|" * len(systems)
    for table, epsilon in _keys(grid):
        row = []
        for system in systems:
            cell = grid.get((table, epsilon, system))
            found = [cell.mean(area) if cell else None for area in AREAS]
            row.append(" / ".join("–" if v is None else f"{v:.3f}" for v in found))
        if any(told != "– / –" for told in row):
            yield f"| {table} | {epsilon:g} | " + " | ".join(row) + " |"
    yield ""


def _lost(grid: Grid, skipped: Mapping[str, str]) -> Iterator[str]:
    ours = OURS if any(system == OURS for *_, system in grid) else "private-tree"
    rivals = [name for name in GOALS if name != ours]
    losses = []
    for key in _keys(grid):
        for theirs in rivals:
            for measure in ERRORS:
                found = ratio(grid, ours, theirs, key, measure)
                if found is not None and found > 1:
                    losses.append((found, *key, measure, theirs))
    losses.sort(key=lambda loss: -loss[0])
    compared = sum(
        ratio(grid, ours, theirs, key, measure) is not None
        for key in _keys(grid)
        for theirs in rivals
        for measure in ERRORS
    )
    yield "## What is lost\n"
    yield (
        f"In {len(losses)} of {compared} comparisons `{ours}` has the larger error"
        + (f"; the {TOLD} worst:\n" if len(losses) > TOLD else ":\n" if losses else ".\n")
    )
    if losses:
        yield "| table | epsilon | measure | against | ours / theirs | ours | theirs |"
        yield "|---|---|---|---|---|---|---|"
    for found, table, epsilon, measure, theirs in losses[:TOLD]:
        told = [grid[table, epsilon, system].told(measure) for system in (ours, theirs)]
        yield (
            f"| {table} | {epsilon:g} | {ERRORS[measure]} | {theirs} | {found:.2f} "
            f"| {told[0]} | {told[1]} |"
        )
    yield ""
    failed = [cell for cell in grid.values() if cell.failed]
    if failed or skipped:
        yield "Not measured:\n"
        for (table, system, why), group in _grouped(failed):
            epsilons = ", ".join(f"{cell.epsilon:g}" for cell in group)
            yield f"- {system} on {table} at epsilon {epsilons}: {why}."
        for table, why in skipped.items():
            yield f"- {table}: {why}."
        yield ""


def _grouped(failed: Iterable[Cell]) -> Iterator[tuple[tuple[str, str, str], list[Cell]]]:
    def by(cell: Cell) -> tuple[str, str, str]:
        done = f" (after {len(cell.runs)} runs)" if cell.runs else ""
        return cell.table, cell.system, cell.failed.rstrip(".") + done

    for key, group in groupby(sorted(failed, key=by), by):
        yield key, list(group)


def _costs(grid: Grid) -> Iterator[str]:
    yield "## Time and memory\n"
    yield (
        "Seconds of the processor for one release in a new process, imports and reading apart, "
        "and the largest memory of that process; means over runs at all epsilons.\n"
    )
    systems = [s for s in CONTENDERS if any(key[2] == s for key in grid) and s != "the records"]
    yield "| table | " + " | ".join(systems) + " |"
    yield "|---|" + "---|" * len(systems)
    for table in dict.fromkeys(table for table, *_ in grid):
        row, size = [], ""
        for system in systems:
            cells = [c for (t, _, s), c in grid.items() if (t, s) == (table, system)]
            runs = [run for cell in cells for run in cell.runs]
            size = f"{cells[0].rows:,} × {cells[0].columns}" if cells else size
            cost = [fmean(run[measure] for run in runs) if runs else None for measure in COST]
            row.append("–" if None in cost else f"{cost[0]:.1f} s, {cost[1]:.0f} MB")
        yield f"| {table} ({size}) | " + " | ".join(row) + " |"
    yield ""


def _numbers(grid: Grid) -> Iterator[str]:
    yield "## All numbers\n"
    yield "Mean ± standard deviation over runs.\n"
    for table, epsilon in _keys(grid):
        yield f"### {table}, epsilon {epsilon:g}\n"
        measures = ERRORS | AREAS
        yield "| system | runs | " + " | ".join(measures.values()) + " |"
        yield "|---|---|" + "---|" * len(measures)
        for (t, e, system), cell in grid.items():
            if (t, e) == (table, epsilon) and cell.runs:
                told = " | ".join(cell.told(measure) for measure in measures)
                yield f"| {system} | {len(cell.runs)} | {told} |"
        yield ""

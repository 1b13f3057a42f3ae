"""How are the measurements of utility told, goal by goal, without hiding what is missed?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.utility_tables import SOURCES

OURS, SOUND = "private-tree", "insensitive"
METRICS = {
    "ks": "KS",
    "queries": "range queries",
    "wasserstein": "Wasserstein",
    "mean": "means",
    "sd": "standard deviations",
    "correlation": "correlations",
    "il1s": "IL1s",
}
WHOLE = ("ks", "queries", "wasserstein")
MOMENTS = ("mean", "sd", "correlation")
FACTOR_ON_AVERAGE = 0.5
"""A half: KS, queries and Wasserstein distance are to be smaller by a factor of two on average."""

NO_WORSE_THAN = 1.3
FEW_COLUMNS = 5

Cell = Mapping[str, Mapping[str, Mapping[str, float]]]

HEAD = Path(__file__).with_name("utility_head.md")
"""What is said before the numbers."""


def write_page(known: Mapping[str, Mapping[str, Cell]], page: Path) -> None:
    """Write the page from all that was measured so far."""
    cells = [
        (table, epsilon, cell)
        for table in SOURCES
        for epsilon, cell in known.get(table, {}).items()
    ]
    if not cells:
        return
    text = "\n".join(
        [HEAD.read_text(encoding="utf-8"), _goals(cells), "## Table\n", *_table(cells), ""]
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def _goals(cells: Sequence[tuple[str, str, Cell]]) -> str:
    """Compare with the best baseline of each table and epsilon, metric by metric."""
    groups = {
        "all tables": cells,
        "tables on which constants were chosen": [c for c in cells if SOURCES[c[0]].tuned],
        "the other tables": [c for c in cells if not SOURCES[c[0]].tuned],
    }
    lines = [
        "## Goals\n",
        (
            "Error of `private-tree` over that of the best baseline at its best k, geometric mean "
            "over tables and epsilon; below 1 is better than all of them.\n"
        ),
        "| metric | goal | " + " | ".join(groups) + " | better than all in | verdict |",
        "|---|---|" + "---|" * len(groups) + "---|---|",
    ]
    for metric, name in METRICS.items():
        ratios = {
            group: [_ratio(cell, metric) for table, _, cell in chosen if _asked(table, metric)]
            for group, chosen in groups.items()
        }
        everywhere = ratios["all tables"]
        won = sum(ratio < 1 for ratio in everywhere)
        average = _geometric(everywhere)
        if metric in WHOLE:
            goal = "below every baseline, half on average"
            met = won == len(everywhere) and average <= FACTOR_ON_AVERAGE
        elif metric in MOMENTS:
            goal, met = f"at most {NO_WORSE_THAN} on average", average <= NO_WORSE_THAN
        else:
            goal, met = f"below 1 for at most {FEW_COLUMNS} columns", won == len(everywhere)
        values = " | ".join(f"{_geometric(found):.2f}" for found in ratios.values())
        verdict = "met" if met else "**missed**"
        lines.append(f"| {name} | {goal} | {values} | {won} of {len(everywhere)} | {verdict} |")
    return "\n".join([*lines, "", *_sound(cells)])


def _sound(cells: Sequence[tuple[str, str, Cell]]) -> Iterable[str]:
    """Compare with the one baseline that protects the original records, too."""
    told = []
    for metric, name in METRICS.items():
        ratios = [_of(cell, metric) / _best(cell, metric, [SOUND])[0] for *_, cell in cells]
        told.append(f"{name} {_geometric(ratios):.2f}")
    yield f"Against `{SOUND}`, the only sound one of them: {', '.join(told)}.\n"


def _table(cells: Sequence[tuple[str, str, Cell]]) -> Iterable[str]:
    yield "| table | epsilon | system | " + " | ".join(METRICS.values()) + " |"
    yield "|---|---|---|" + "---|" * len(METRICS)
    for table, epsilon, cell in cells:
        mark = " (constants chosen on it)" if SOURCES[table].tuned else ""
        yield _row(f"{table}{mark}", epsilon, "**private-tree, spread**", cell[OURS]["spread"])
        yield _row("", "", "**private-tree, centroids**", cell[OURS]["centroids"])
        for label in cell:
            if label != OURS:
                yield _row("", "", label, {m: _best(cell, m, [label])[0] for m in METRICS})


def _row(table: str, epsilon: str, system: str, scores: Mapping[str, float]) -> str:
    values = " | ".join(f"{scores[m]:.3f}" if m in scores else "–" for m in METRICS)
    return f"| {table} | {epsilon} | {system} | {values} |"


def _asked(table: str, metric: str) -> bool:
    """Return whether a goal is about this table: IL1s is, up to five columns."""
    source = SOURCES[table]
    return metric != "il1s" or len(source.bounds) + len(source.taxonomies) <= FEW_COLUMNS


def _of(cell: Cell, metric: str) -> float:
    return cell[OURS]["centroids" if metric == "il1s" else "spread"][metric]


def _best(cell: Cell, metric: str, labels: Iterable[str]) -> tuple[float, str]:
    return min(min((k[metric], label) for k in cell[label].values()) for label in labels)


def _ratio(cell: Any, metric: str) -> float:
    others = [label for label in cell if label != OURS]
    return _of(cell, metric) / _best(cell, metric, others)[0]


def _geometric(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan

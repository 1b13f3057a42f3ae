"""Is private-tree more useful than what the papers offer?  ``python -m benchmarks.utility``.

Runs private-tree with its public defaults beside every system of the papers at its best k in
hindsight, each metric for itself, and writes the table of docs/guide/utility.md.  What was
measured is kept in a JSON file after each table and epsilon, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import covey  # noqa: E402
from benchmarks.utility_page import write_page  # noqa: E402
from benchmarks.utility_tables import SOURCES, load  # noqa: E402
from covey.aggregate.deviations import Deviations  # noqa: E402
from covey.aggregate.histogram import side_by_side  # noqa: E402
from covey.aggregate.running_moments import RunningMoments  # noqa: E402
from covey.engines.shared import cells  # noqa: E402
from covey.evaluate.queries import SHARE_ASKED, RangeQueries, answer, draw_queries  # noqa: E402
from covey.evaluate.utility import (  # noqa: E402
    column_scales,
    correlation_error,
    il1s,
    ks,
    mean_error,
    sd_error,
    wasserstein,
)
from covey.release import as_table  # noqa: E402
from covey.systems.papers.p000 import mdav_dp, mdav_ir_dp, opt_dp  # noqa: E402
from covey.table import Scale, Table  # noqa: E402

EPSILONS = (0.5, 1.0, 2.0)
RUNS = 20
QUERIES = 300
LARGE = 5_000
"""Tables with more records get fewer runs of each baseline and k."""

SHARES_OF_N = (3, 10, 25, 70, 200)
COARSE_SHARES_OF_N = (2, 3, 5, 10, 25)
OURS = "private-tree"
BASELINES: dict[str, tuple[str, dict[str, Any], tuple[int, ...]]] = {
    "mdav-dp, even split": ("mdav-dp", {"split": "even"}, SHARES_OF_N),
    "mdav-dp, range split": ("mdav-dp", {"split": "range"}, SHARES_OF_N),
    "mdav-ir-dp, even split": ("mdav-ir-dp", {"split": "even"}, SHARES_OF_N),
    "mdav-ir-dp, range split": ("mdav-ir-dp", {"split": "range"}, SHARES_OF_N),
    "opt-dp, even split": ("opt-dp", {"split": "even"}, ()),
    "opt-dp, range split": ("opt-dp", {"split": "range"}, ()),
    "insensitive": ("insensitive", {}, COARSE_SHARES_OF_N),
}
"""System, parameters and n / k of each baseline; without k where the system chooses it."""

Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a release of one table is compared with."""

    table: Table
    names: list[str]
    original: NDArray[np.float64]
    queries: RangeQueries
    truth: NDArray[np.float64]

    @classmethod
    def of(cls, table: Table) -> Yardstick:
        """Draw the questions that every release of the table answers."""
        names = [a.name for a in table.schema if a.scale is not Scale.NOMINAL]
        original = table.matrix(names)
        drawn = draw_queries(original, np.random.default_rng(20261116), 20 * QUERIES)
        truth = answer(original, drawn)
        asked = np.flatnonzero((truth >= SHARE_ASKED[0]) & (truth <= SHARE_ASKED[1]))[:QUERIES]
        return cls(table, names, original, drawn[asked], truth[asked])

    def scores(self, released: NDArray[np.float64], aligned: NDArray[np.float64] | None) -> Scores:
        """Compare released rows, and record by record what became of each record."""
        pairs = [side_by_side(x, y) for x, y in zip(self.original.T, released.T, strict=True)]
        old, new = RunningMoments.of(self.original), RunningMoments.of(released)
        moved = np.array([wasserstein(*pair)[0] for pair in pairs])
        found = {
            "ks": float(np.mean([ks(*pair)[0] for pair in pairs])),
            "queries": float(np.mean(np.abs(answer(released, self.queries) - self.truth))),
            "wasserstein": float(np.mean(moved / column_scales(old.variances, "standard"))),
            "mean": mean_error(old, new),
            "sd": sd_error(old, new),
            "correlation": correlation_error(old, new),
        }
        if aligned is not None:
            found["il1s"] = il1s(Deviations.of(self.original, aligned), old.variances)
        return found


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", type=Path, default=ROOT / "benchmarks/results/utility.json")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/guide/utility.md")
    parser.add_argument("--again", choices=["all", "ours"], help="forget older measurements")
    parser.add_argument("--tables", nargs="*", default=list(SOURCES), help="names begin so")
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args()
    remember_partitions()
    known = json.loads(options.json.read_text()) if options.json.is_file() else {}
    for name in SOURCES:
        if any(name.startswith(asked) for asked in options.tables):
            measure(name, known, options)
    write_page(known, options.page)
    print(f"{options.page}")


def measure(name: str, known: dict[str, Any], options: argparse.Namespace) -> None:
    """Measure all systems on one table, and keep the results."""
    forgotten = {None: [], "ours": [OURS], "all": [OURS, *BASELINES]}[options.again]
    table = Yardstick.of(load(name))
    for epsilon in EPSILONS:
        cell = known.setdefault(name, {}).setdefault(f"{epsilon:g}", {})
        for system in forgotten:
            cell.pop(system, None)
        start = time.perf_counter()
        if OURS not in cell:
            cell[OURS] = ours(table, epsilon, options.runs)
        for label in BASELINES:
            if label not in cell:
                cell[label] = baseline(table, label, epsilon)
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(known, indent=1) + "\n")
        print(f"{name}, epsilon {epsilon:g}: {time.perf_counter() - start:.0f} s", flush=True)


def ours(yardstick: Yardstick, epsilon: float, runs: int) -> dict[str, Scores]:
    """Return the mean scores of both outputs of private-tree; one run gives both."""
    found: dict[str, list[Scores]] = {"spread": [], "centroids": []}
    for run in range(runs):
        release, trace = covey.publish(
            yardstick.table, OURS, epsilon=epsilon, random_state=run, trace=True
        )
        released = as_table(yardstick.table, release).matrix(yardstick.names)
        aligned = trace.aligned.select(yardstick.names).to_numpy().astype(np.float64)
        clusters = release.extras["clusters"]
        counts = clusters["(records)"].to_numpy()
        means = clusters.select(f"{n}.mean" for n in yardstick.names).to_numpy()
        found["spread"].append(yardstick.scores(released, None))
        found["centroids"].append(yardstick.scores(np.repeat(means, counts, axis=0), aligned))
    return {output: _mean(scores) for output, scores in found.items()}


def baseline(yardstick: Yardstick, label: str, epsilon: float) -> dict[str, Scores]:
    """Return the mean scores of a system of the papers for each k."""
    system, parameters, shares = BASELINES[label]
    table, n = yardstick.table, yardstick.table.n
    if system != "insensitive":
        # It publishes numbers only; the categories cost it nothing.
        parameters = parameters | {"columns": yardstick.names}
    runs = 5 if n <= LARGE else 3
    found = {}
    for k in [n // share for share in shares] or [None]:
        given = parameters if k is None else parameters | {"k": k}
        scores = []
        for run in range(runs):
            release, trace = covey.publish(
                table, system, epsilon=epsilon, random_state=run, trace=True, **given
            )
            released, aligned = (
                frame.select(yardstick.names).to_numpy().astype(np.float64)
                for frame in (release.frame, trace.aligned)
            )
            scores.append(yardstick.scores(released, aligned))
        found[str(k)] = _mean(scores)
    return found


def remember_partitions() -> None:
    """Form the clusters of a table once for all epsilons and runs: they do not depend on them."""

    def remembered(step: Callable[..., Any]) -> Callable[..., Any]:
        results: dict[bytes, Any] = {}

        def call(X: NDArray[np.float64], *rest: Any, **settings: Any) -> Any:
            text = repr((X.shape, rest, sorted(settings.items(), key=str))).encode()
            key = blake2b(np.ascontiguousarray(X).tobytes() + text).digest()
            if key not in results:
                results[key] = step(X, *rest, **settings)
            return results[key]

        return call

    for module, step in (
        (mdav_dp, "partition_records"),
        (mdav_ir_dp, "partition_records"),
        (opt_dp, "partition_records"),
        (cells, "insensitive_labels"),
    ):
        setattr(module, step, remembered(getattr(module, step)))


def _mean(scores: list[Scores]) -> Scores:
    return {name: float(np.mean([each[name] for each in scores])) for name in scores[0]}


if __name__ == "__main__":
    main()

"""Run one of Covey's systems, or histograms of single columns, in a process of its own.

    python -m benchmarks.rivals.ours private-tree out.npz report.json --table adult --epsilon 1

The process is new for every run, so that time and memory are those of one release.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import covey
from benchmarks.rivals.cells import decoded, encoded
from benchmarks.rivals.tables import Columns, Split, columns_of, load, load_own
from covey.release import as_table

Run = Callable[[Split, float], Columns]


def main() -> None:
    """Release rows, and say what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("system", choices=list(RUNS))
    parser.add_argument("out", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("--table")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--schema", type=Path)
    parser.add_argument("--target")
    parser.add_argument("--epsilon", type=float, required=True)
    options = parser.parse_args()
    if options.data:
        split = load_own(options.data, options.schema, options.target)
    else:
        split = load(options.table)
    start = time.process_time()
    released = RUNS[options.system](split, options.epsilon)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    np.savez(options.out, **released)
    options.report.write_text(json.dumps({"seconds": seconds, "kilobytes": peak}))


def published(system: str, *, with_target: bool = False) -> Run:
    """Return a run of a system of the registry that protects against one record more or less."""

    def run(split: Split, epsilon: float) -> Columns:
        named = {"target": split.target.column} if with_target and split.target else {}
        release = covey.publish(split.train, system, epsilon=epsilon, unit="add-remove", **named)
        return columns_of(as_table(split.train, release))

    return run


def rank_blocks(split: Split, epsilon: float) -> Columns:
    """Publish the numeric columns; a public n, and so twice epsilon for a replaced record."""
    numbers = split.numbers
    release = covey.publish(split.train, "rank-blocks", epsilon=2 * epsilon, columns=numbers)
    return columns_of(as_table(split.train, release), numbers)


def histograms(split: Split, epsilon: float) -> Columns:
    """Publish every column by itself, with equal shares of epsilon: what any system must beat."""
    rng = np.random.default_rng()
    codes, sizes = encoded(split, columns_of(split.train))
    p = -np.expm1(-epsilon / len(codes))
    noisy = {}
    for name, found in codes.items():
        counts = np.bincount(found, minlength=sizes[name])
        noise = rng.geometric(p, (2, sizes[name]))
        noisy[name] = np.maximum(counts + noise[0] - noise[1], 0)
    n = max(1, round(np.median([counts.sum() for counts in noisy.values()])))
    drawn = {}
    for name, counts in noisy.items():
        masses = counts if counts.sum() else np.ones(sizes[name])
        drawn[name] = rng.choice(sizes[name], n, p=masses / masses.sum())
    return decoded(split, drawn, rng)


RUNS: dict[str, Run] = {
    "records": lambda split, _: columns_of(split.train),
    "histograms": histograms,
    "rank-blocks": rank_blocks,
    "private-tree": published("private-tree"),
    "column-model": published("column-model"),
    "column-model-target": published("column-model", with_target=True),
}

if __name__ == "__main__":
    main()

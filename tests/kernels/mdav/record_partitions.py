"""Which partitions were formed before?  `python -m tests.kernels.mdav.record_partitions`.

Kernels are rewritten to be faster, and must form the same groups to the last record.  Records are
made by arithmetic that is exact or correctly rounded, so that all processors make the same ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from covey.kernels.mdav.md import md
from covey.kernels.mdav.mdav import mdav
from covey.kernels.mdav.v_mdav import vmdav
from tests.oracles.shapes import by_content

PARTITIONS = Path(__file__).with_name("partitions.json")
KINDS = ("round", "skewed", "clustered", "coarse", "binary", "copies", "far")
MDAV_SIZES = (
    (997, 1, 4),
    (3000, 2, 3),
    (3001, 3, 2),
    (6000, 4, 10),
    (5000, 5, 100),
    (9001, 6, 7),
    (8000, 7, 10),
    (7000, 8, 50),
    (12000, 10, 10),
    (6000, 10, 100),
    (4000, 13, 500),
    (5000, 16, 10),
    (3000, 20, 25),
    (1500, 40, 10),
)
LONG_SIZES = ((200_000, 4, 10), (60_000, 7, 10), (60_000, 10, 10), (60_000, 10, 100))


def records(kind: str, n: int, d: int) -> np.ndarray:
    """Return the records of a kind, sorted by content."""
    rng = np.random.default_rng([n, d, KINDS.index(kind)])
    spread = rng.random((4, n, d)).sum(axis=0) - 2.0
    made: dict[str, Callable[[], np.ndarray]] = {
        "round": lambda: spread,
        "skewed": lambda: 1.0 / (0.002 + rng.random((n, d))),
        "clustered": lambda: 20.0 * rng.random((7, d))[rng.integers(7, size=n)] + 0.05 * spread,
        "coarse": lambda: np.rint(8.0 * spread) * np.arange(1.0, d + 1.0),
        "binary": lambda: rng.integers(0, 2, size=(n, d)) * 0.5,
        "copies": lambda: spread[rng.integers(n // 5, size=n)],
        "far": lambda: 1e7 + np.where(rng.random((n, d)) < 0.01, 1e6, 1.0) * spread,
    }
    return by_content(made[kind]())


def cases(sizes: tuple[tuple[int, int, int], ...]) -> Iterator[tuple[str, str, int, int, int]]:
    """Name every case: what forms groups, of which kind of records, how many, columns, k."""
    for n, d, k in sizes:
        for kind in KINDS:
            yield "mdav", kind, n, d, k
            if n < 4000:  # the others take long
                yield "mdav-2k", kind, n, d, k
                yield "v-mdav", kind, n, d, k
                yield "md", kind, n // 5, d, k


def fingerprint(case: tuple[str, str, int, int, int], path: str = "auto") -> str:
    """Form the groups and return a digest of the labels."""
    how, kind, n, d, k = case
    X = records(kind, n, d)
    if how == "md":
        labels = md(X, k)
    elif how == "v-mdav":
        labels = vmdav(X, k, 0.4)
    else:
        labels = mdav(X, k, loop="2k" if how == "mdav-2k" else "3k", path=path)  # type: ignore[arg-type]
    return hashlib.sha256(labels.astype("<i8").tobytes()).hexdigest()[:16]


def main() -> None:
    """Write the digest of every case."""
    found = {" ".join(map(str, case)): fingerprint(case) for case in cases(MDAV_SIZES + LONG_SIZES)}
    PARTITIONS.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

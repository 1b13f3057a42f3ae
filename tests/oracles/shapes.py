"""Records of many shapes, sorted by content, on which a kernel must agree with its oracle."""

from __future__ import annotations

import numpy as np


def by_content(X: np.ndarray) -> np.ndarray:
    """Sort the rows, as the callers of the kernels do."""
    return np.ascontiguousarray(X[np.lexsort(X.T[::-1])])


def shapes(n: int, d: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return normal, lognormal, clustered, tied, duplicated, collinear and constant records."""
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=(n, d))
    centres = rng.normal(scale=20.0, size=(5, d))
    found = {
        "normal": normal,
        "lognormal": np.exp(2.0 * normal),
        "clustered": centres[rng.integers(5, size=n)] + 0.1 * normal,
        "tied": rng.integers(0, 3, size=(n, d)).astype(np.float64),
        "duplicated": normal[rng.integers(max(1, n // 4), size=n)],
        "collinear": np.outer(rng.integers(0, 40, size=n), np.arange(1.0, d + 1)),
        "constant": np.full((n, d), 3.25),
        "far from zero": 1e6 + normal,
    }
    return {name: by_content(X) for name, X in found.items()}

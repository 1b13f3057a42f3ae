"""How is a regenerated graph drawn small?  As far as a drawing shows anything, from its middle.

A drawing is made from the released edges alone, so it costs no privacy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import covey

MOST_NODES = 300
"""So many nodes are drawn: the one with most neighbours, and those nearest to it."""

ROUNDS = 80
SIZE = 320


def drawn_release(release: covey.Release) -> str:
    """Return the regenerated graph of a release as SVG; an empty text if it has none."""
    edges = release.extras.get("edges") if release.extras else None
    if edges is None or not edges.height:
        return ""
    return draw_graph(edges.to_numpy())


def draw_graph(edges: NDArray[np.int64]) -> str:
    """Return a drawing of the part of a graph around its largest node, as SVG.

    Examples
    --------
    >>> draw_graph(np.array([[0, 1], [1, 2]])).count("<circle")
    3
    """
    names, codes = np.unique(edges, return_inverse=True)
    pairs = codes.reshape(-1, 2)
    kept = _middle(pairs, len(names))
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    inside = place[pairs]
    inside = inside[(inside >= 0).all(axis=1)]
    points = _laid_out(inside, len(kept))
    degrees = np.bincount(inside.ravel(), minlength=len(kept))
    lines = "".join(
        f'<line x1="{a[0]:.0f}" y1="{a[1]:.0f}" x2="{b[0]:.0f}" y2="{b[1]:.0f}"/>'
        for a, b in points[inside]
    )
    dots = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{1.2 + 0.5 * np.sqrt(degree):.1f}"/>'
        for (x, y), degree in zip(points, degrees, strict=True)
    )
    return (
        f'<svg class="graph" viewBox="0 0 {SIZE} {SIZE}" role="img" '
        f'aria-label="The new graph"><g>{lines}</g>{dots}</svg>'
    )


def _middle(pairs: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return the node with most neighbours and those nearest to it."""
    degrees = np.bincount(pairs.ravel(), minlength=n)
    near = np.zeros(n, dtype=bool)
    near[degrees.argmax()] = True
    found = [int(degrees.argmax())]
    while len(found) < min(n, MOST_NODES):
        touched = np.unique(pairs[near[pairs].any(axis=1)])
        new = touched[~near[touched]]
        if not len(new):  # the next part of the graph
            rest = np.flatnonzero(~near)
            new = rest[[degrees[rest].argmax()]]
        new = new[np.argsort(-degrees[new], kind="stable")][: MOST_NODES - len(found)]
        near[new] = True
        found += new.tolist()
    return np.array(found)


def _laid_out(pairs: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Return places of nodes: edges pull, nodes push (Fruchterman and Reingold, 1991)."""
    rng = np.random.default_rng(n)
    points = rng.normal(size=(n, 2))
    ideal = 1 / np.sqrt(max(n, 1))
    for step in range(ROUNDS):
        apart = points[:, None] - points[None]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-6)
        force = (apart * (ideal**2 / distance**2)[:, :, None]).sum(axis=1)
        along = points[pairs[:, 0]] - points[pairs[:, 1]]
        pull = along * (np.sqrt((along**2).sum(axis=1)) / ideal)[:, None]
        np.add.at(force, pairs[:, 0], -pull)
        np.add.at(force, pairs[:, 1], pull)
        force -= 0.5 * points
        size = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
        heat = 0.2 * (1 - step / ROUNDS)
        points = points + force / size[:, None] * np.minimum(size, heat)[:, None]
    low, high = points.min(axis=0), points.max(axis=0)
    scaled: NDArray[np.float64] = (points - low) / np.maximum(high - low, 1e-9)
    return 8 + scaled * (SIZE - 16)

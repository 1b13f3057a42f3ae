"""How much of a graph's structure does its release still have?  For the curator's eyes only.

Distances compare degree distributions (1K) and joint degrees (2K); errors compare what analysts
look at.  All of them see the original graph, so none may be published beside a release with a
differential guarantee.  No score is ever NaN.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError, PlanError
from covey.evaluate.metric import Metric, by_name
from covey.evaluate.result import Evaluation
from covey.evaluate.structure import PROPERTIES, structure
from covey.graph import DK, Graph, degree_distribution, from_edges, joint_degrees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release import Release

    Floats = NDArray[np.float64]


def evaluate_graph(
    original: Graph,
    released: Graph | DK,
    *,
    generator: np.random.Generator,
    same_nodes: bool = False,
    clusters: NDArray[np.int64] | None = None,
    sources: int = 100,
) -> Evaluation:
    """Compare a released graph, or released degree counts, with the original graph.

    Parameters
    ----------
    original : Graph
    released : Graph or DK
        A graph is compared in everything; a DK of order 1 or 2 in its own distribution alone, and
        its counts may be noisy: fractions, or below 0.
    generator : numpy.random.Generator
        Draws the nodes from which path lengths are measured.
    same_nodes : bool
        Whether the ids of the released graph are those of the original, as after a projection.
    clusters : array of int, optional
        The cluster of each pair of ``joint_degrees(original)``, which adds ``sae``.
    sources : int
        From how many nodes path lengths are measured.

    Returns
    -------
    Evaluation
        Names of ``NETWORK_METRICS`` to numbers; a property such as ``triangles`` is given twice,
        as ``triangles[original]`` and ``triangles[released]``.
    """
    scores: dict[str, float] = {}
    if clusters is not None:
        scores["sae"] = sae(joint_degrees(original).keys, clusters)
    if isinstance(released, DK):
        if released.order not in (1, 2):
            raise PlanError(
                "counts of wedges and triangles (3K) have no metric, so the release cannot be "
                "evaluated. Give degrees (1K), joint degrees (2K) or a graph."
            )
        mine = degree_distribution(original) if released.order == 1 else joint_degrees(original)
        return Evaluation(scores=scores | _distances(mine, released))
    scores |= _distances(degree_distribution(original), degree_distribution(released))
    scores |= _distances(joint_degrees(original), joint_degrees(released))
    # The same draws for both, so that equal graphs have equal values.
    seed = int(generator.integers(2**63))
    here, there = (
        structure(graph, generator=np.random.default_rng(seed), sources=sources)
        for graph in (original, released)
    )
    for name, bounded in PROPERTIES.items():
        change = abs(there[name] - here[name])
        scores[f"{name}_error"] = change if bounded else _relative(change, abs(here[name]))
        scores[f"{name}[original]"] = here[name]
        scores[f"{name}[released]"] = there[name]
    if same_nodes:
        scores["preserved_edges"] = preserved_edges(original, released)
    return Evaluation(scores=scores)


def evaluate_release(original: Graph, release: Release) -> Evaluation:
    """Compare what was published about a graph with the graph.

    A graph that was made from the published degrees is compared in everything, otherwise the
    degrees alone are.  Clusters of pairs of degrees, where a release shows them, are compared with
    the pairs.
    """
    found = _compared(original, release)
    clusters = release.extras.get("clusters")
    if clusters is None or clusters.width != 3:  # noqa: PLR2004  # two degrees and their cluster
        return found
    *pairs, labels = (clusters[name].to_numpy().astype(np.int64) for name in clusters.columns)
    return Evaluation(scores={**found, "sae": sae(np.column_stack(pairs), labels)})


def _compared(original: Graph, release: Release) -> Evaluation:
    generator = np.random.default_rng(PATHS_SEED)
    edges = release.extras.get("edges")
    if edges is not None and edges.height:
        pairs = edges.to_numpy().astype(np.int64)
        # Isolated nodes have the first numbers, so the largest one tells how many there are.
        made = from_edges(pairs, ids=int(pairs.max()) + 1)
        scores = dict(evaluate_graph(original, made, generator=generator))
        published = evaluate_graph(original, _published(release), generator=generator)
        return Evaluation(scores=scores | dict(published))
    return evaluate_graph(original, _published(release), generator=generator)


def _published(release: Release) -> DK:
    *degrees, counts = (release.frame[name].to_numpy() for name in release.frame.columns)
    return DK(
        order=len(degrees),
        keys=np.column_stack(degrees).astype(np.int64),
        counts=counts.astype(np.int64),
    )


PATHS_SEED = 20261116
"""Path lengths are measured from nodes drawn from this seed, the same for all releases."""


def l1_distance(p: DK, q: DK) -> float:
    """Sum |p - q| over all degrees, or pairs of degrees i <= j; paper 002, equations 7.2, 8.1."""
    _, here, there = _side_by_side(p, q)
    return float(np.abs(here - there).sum())


def euclidean_distance(p: DK, q: DK) -> float:
    """Return the root of the sum of (p - q)² over all degrees or pairs; paper 002, section 6.6."""
    _, here, there = _side_by_side(p, q)
    return float(np.sqrt(np.square(here - there).sum()))


def ks_distance(p: DK, q: DK) -> float:
    """Return the largest difference of cumulative distributions; paper 002, equations 7.3, 8.2.

    For degrees, the share of nodes of degree i or less.  For pairs of degrees the paper leaves
    open how they are cumulated; here it is the share of edges whose smaller degree is at most i
    and whose larger is at most j, which needs no order of the pairs.  Counts below 0 are taken as
    0, and without any count all shares are 0.
    """
    keys, here, there = _side_by_side(p, q)
    shares = [_shares(np.maximum(counts, 0.0)) for counts in (here, there)]
    gaps = shares[0] - shares[1]
    if p.order == 1:
        return float(np.abs(np.cumsum(gaps)).max(initial=0.0))
    columns, places = np.unique(keys[:, 1], return_inverse=True)
    running, largest = np.zeros(columns.size), 0.0
    # Row by row: one row of the table of cumulated gaps is all that is ever held.
    for row in np.split(np.arange(len(keys)), np.flatnonzero(np.diff(keys[:, 0])) + 1):
        running[places.ravel()[row]] += gaps[row]
        largest = max(largest, float(np.abs(np.cumsum(running)).max(initial=0.0)))
    return min(largest, 1.0)


def sae(pairs: NDArray[np.int64], labels: NDArray[np.int64]) -> float:
    """Sum the Euclidean distances of degree pairs to the mean of their cluster.

    Paper 002, equation 6.2.

    Parameters
    ----------
    pairs : array of shape (cells, 2)
        Degrees of the ends of edges, each pair once.
    labels : array of shape (cells,)
        The cluster of each pair: 0, 1, ….
    """
    sizes = np.maximum(np.bincount(labels), 1)
    means = np.column_stack([np.bincount(labels, weights=column) / sizes for column in pairs.T])
    return float(np.sqrt(np.square(pairs - means[labels]).sum(axis=1)).sum())


def preserved_edges(original: Graph, projected: Graph) -> float:
    """Return the share of the original edges that a projection kept; paper 002, section 7.5.

    Nodes correspond by their ids.  Without edges nothing can be lost, and the share is 1.
    """
    if original.n_edges == 0:
        return 1.0
    if original.ids.dtype.kind != projected.ids.dtype.kind:
        raise DataError(
            "the two graphs call their nodes by different kinds of ids, so their edges cannot be "
            "matched. Give a projection of the original graph."
        )
    ids = np.unique(np.concatenate([original.ids, projected.ids]))
    here, there = (_named_edges(graph, ids) for graph in (original, projected))
    return float(np.isin(here, there, assume_unique=True).mean())


def _named_edges(graph: Graph, ids: NDArray[np.generic]) -> NDArray[np.int64]:
    ends = np.sort(np.searchsorted(ids, graph.ids)[graph.edges()], axis=1)
    return np.asarray(ends[:, 0] * len(ids) + ends[:, 1])


def _distances(p: DK, q: DK) -> dict[str, float]:
    kind = f"{p.order}k"
    return {
        f"l1_{kind}": l1_distance(p, q),
        f"euclidean_{kind}": euclidean_distance(p, q),
        f"ks_{kind}": ks_distance(p, q),
    }


def _side_by_side(p: DK, q: DK) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return the cells of either, sorted, and the counts of both with 0 where one has none."""
    if p.order != q.order or p.order not in (1, 2):
        raise PlanError(
            "degree counts of different or unknown orders have no distance. "
            "Give two DK of order 1, or two of order 2."
        )
    cells = np.concatenate([p.keys, q.keys])
    width = int(cells.max(initial=0)) + 1
    codes, places = np.unique(cells @ width ** np.arange(p.order)[::-1], return_inverse=True)
    split = len(p.keys)
    here = np.bincount(places.ravel()[:split], weights=p.counts, minlength=codes.size)
    there = np.bincount(places.ravel()[split:], weights=q.counts, minlength=codes.size)
    keys = codes[:, None] if p.order == 1 else np.column_stack(np.divmod(codes, width))
    return keys.astype(np.int64), here.astype(np.float64), there.astype(np.float64)


def _shares(counts: Floats) -> Floats:
    total = counts.sum()
    return np.asarray(counts / total if total > 0 else np.zeros(counts.size))


def _relative(change: float, base: float) -> float:
    if base > 0:
        return change / base
    return inf if change > 0 else 0.0


_score = partial(Metric, better="lower", low=0.0, high=inf, aligned=False, kind="utility")
_property = partial(Metric, better="neither", low=0.0, high=inf, aligned=False, kind="utility")

_DISTANCES = (
    _score(
        name=f"{name}_{kind}",
        title=f"{title} of {what}",
        explanation=f"{explanation}, for the numbers of {what}.",
        high=high,
    )
    for kind, what in (("1k", "nodes by degree"), ("2k", "edges by the degrees of their ends"))
    for name, title, explanation, high in (
        ("l1", "L1 distance", "The absolute differences of all counts, added up", inf),
        ("euclidean", "Euclidean distance", "The root of the summed squared differences", inf),
        ("ks", "KS distance", "The largest error of a cumulated share", 1.0),
    )
)
_WORDS = {
    "average_degree": ("Average degree", "the average number of neighbours"),
    "max_degree": ("Largest degree", "the largest number of neighbours"),
    "assortativity": ("Assortativity", "the correlation of the degrees of neighbours"),
    "local_clustering": ("Local clustering", "the average share of neighbours that are joined"),
    "global_clustering": ("Global clustering", "the share of paths of two edges that are closed"),
    "triangles": ("Triangles", "the number of triangles"),
    "components": ("Components", "the number of connected parts"),
    "largest_component": ("Largest component", "the share of nodes in the largest connected part"),
    "path_length": ("Path length", "the average distance inside the largest connected part"),
    "spectral_radius": ("Spectral radius", "the largest eigenvalue of the adjacency matrix"),
    "spectral_gap": ("Spectral gap", "the difference of the two largest eigenvalues"),
}

NETWORK_METRICS = by_name(
    *_DISTANCES,
    *(
        _score(
            name=f"{name}_error",
            title=f"Error of {title[0].lower()}{title[1:]}",
            explanation=f"By how much {words} has changed"
            + ("." if PROPERTIES[name] else ", as a fraction of itself."),
            high=(2.0 if name == "assortativity" else 1.0) if PROPERTIES[name] else inf,
        )
        for name, (title, words) in _WORDS.items()
    ),
    *(
        _property(
            name=name,
            title=title,
            explanation=f"{words[0].upper()}{words[1:]}, of the original and of the release.",
            low=-1.0 if name == "assortativity" else 0.0,
            high=1.0 if PROPERTIES[name] else inf,
        )
        for name, (title, words) in _WORDS.items()
    ),
    _score(
        name="sae",
        title="Sum of absolute errors",
        explanation="How far pairs of degrees are from the mean of their cluster, added up over "
        "all pairs that occur.",
    ),
    Metric(
        name="preserved_edges",
        title="Preserved edges",
        explanation="The share of the original edges that the released graph still has.",
        better="higher",
        low=0.0,
        high=1.0,
        aligned=True,
        kind="utility",
    ),
)

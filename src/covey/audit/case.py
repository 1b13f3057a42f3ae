"""What is audited: a claim about one pair of neighbours, or about the worst that a search finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.law import RecordedLaw
from covey.audit.neighbours import table_pair
from covey.audit.pairs import Pair, Recorded, pair_loss, recorded, unordered_loss
from covey.audit.runs import RealRuns, Statistic
from covey.audit.sampling import SHRINK
from covey.audit.search import Arrays, Found, Graphs, flip_edge, move_records, worst_pair
from covey.errors import CoveyError
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.audit.subject import Subject
    from covey.systems import Progress

REAL_SHARE = 0.004
"""A system is run from beginning to end for one in so many of the runs asked for."""

GRAPH_STEPS = 30
"""So many changes of a graph are tried from each seed."""


class Promise(StrEnum):
    """Who says that the loss is at most epsilon."""

    COVEY = "covey"
    PAPER = "the paper"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One claim to be refuted.

    Parameters
    ----------
    name : str
        What is audited, in a few words.
    epsilon : float
        The loss that is allowed.
    promise : Promise
        Who promises it.  That a paper's claim is refuted is no fault of covey.
    build : callable
        ``build(rng, progress)`` returns the mechanism with its two inputs, tables or graphs or
        plain numbers; a search for the worst pair happens here.
    share : float
        How many runs, as a share of those asked for.
    shrink : int
        By what the noise of the copy that must be refuted is divided; a pair that is far from
        attaining its bound needs more than 2.
    """

    name: str
    epsilon: float
    promise: Promise
    build: Callable[[np.random.Generator, Progress | None], Subject]
    share: float = 1.0
    shrink: int = SHRINK


def law_case(
    name: str,
    system: str,
    pair: Callable[[], Pair],
    *,
    promise: Promise,
    epsilon: float = 1.0,
    unordered: bool = False,
    shrink: int = SHRINK,
    **parameters: Any,
) -> Case:
    """Audit a system on a pair by the law that its recorded requests for noise have.

    The system's own code computes what gets noise, with ``epsilon`` and the other parameters.
    """
    settings = {"epsilon": epsilon, **parameters}

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del rng, progress
        return _law(system, pair(), settings, unordered=unordered)

    return Case(name=name, epsilon=epsilon, promise=promise, build=build, shrink=shrink)


def real_case(
    name: str,
    system: str,
    pair: Callable[[], Pair],
    statistic: Statistic,
    *,
    promise: Promise,
    parameters: Mapping[str, Any],
    epsilon: float = 1.0,
    exact: Callable[[Pair], float] | None = None,
    weakened: Mapping[str, Any] | None = None,
    shrink: int = SHRINK,
    share: float = REAL_SHARE,
) -> Case:
    """Audit a system on a pair by running it from beginning to end."""

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del rng, progress
        given = pair()
        loss = _exact_loss(system, given, parameters) if exact is None else exact(given)
        return RealRuns(
            system=SYSTEMS[system],
            parameters=parameters,
            pair=given,
            statistic=statistic,
            exact=loss,
            weakened=weakened or {},
        )

    return Case(
        name=name,
        epsilon=epsilon,
        promise=promise,
        build=build,
        share=share,
        shrink=shrink,
    )


def search_case(
    system: str,
    seeds: Callable[[np.random.Generator], Sequence[tuple[str, Arrays]]],
    *,
    promise: Promise,
    epsilon: float = 1.0,
    unordered: bool = False,
    **parameters: Any,
) -> Case:
    """Audit a system on the worst pair of tables that an adversarial search finds."""
    settings = {"epsilon": epsilon, **parameters}
    compared = unordered_loss if unordered else pair_loss

    def loss(arrays: Arrays) -> float:
        here, there = _records(system, table_pair("", arrays), settings)
        return compared(here, there)

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        found = worst_pair(seeds(rng), loss, move_records, rng=rng, progress=progress)
        pair = table_pair(in_words(found), found.pair)
        return _law(system, pair, settings, unordered=unordered)

    return Case(name="worst pair found by a search", epsilon=epsilon, promise=promise, build=build)


def graph_search_case(
    system: str,
    seeds: Callable[[np.random.Generator], Sequence[tuple[str, Graphs]]],
    *,
    promise: Promise,
    name: str = "worst pair found by a search",
    epsilon: float = 1.0,
    shrink: int = SHRINK,
    **parameters: Any,
) -> Case:
    """Audit a system on the worst pair of graphs that an adversarial search finds."""
    takes = {parameter.name for parameter in SYSTEMS[system].parameters}
    settings = {**({"epsilon": epsilon} if "epsilon" in takes else {}), **parameters}

    def loss(graphs: Graphs) -> float:
        pair = Pair(words="", here=graphs[0], there=graphs[1])
        try:
            return pair_loss(*_records(system, pair, settings))
        except CoveyError:
            # A graph that the system refuses, such as one without edges, tells nothing here.
            return 0.0

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        found = worst_pair(
            seeds(rng), loss, flip_edge, rng=rng, steps=GRAPH_STEPS, progress=progress
        )
        words = (
            f"graphs of {found.pair[0].n_nodes} nodes with {found.pair[0].n_edges} and "
            f"{found.pair[1].n_edges} edges; the worst of {found.tried} pairs, climbed from "
            f"{found.seed}"
        )
        pair = Pair(words=words, here=found.pair[0], there=found.pair[1])
        return _law(system, pair, settings, unordered=False)

    return Case(name=name, epsilon=epsilon, promise=promise, build=build, shrink=shrink)


def in_words(found: Found[Arrays]) -> str:
    """Say how the worst pair of a search differs; its records are made up, so they may be told."""
    here, there = found.pair
    rows = np.flatnonzero((here != there).any(axis=1))
    if rows.size == 0:
        return f"no difference among {found.tried} pairs"
    old, new = (", ".join(f"{value:.7g}" for value in X[rows[0]]) for X in found.pair)
    return (
        f"{len(here)} records, one of which changes from ({old}) to ({new}); the worst of "
        f"{found.tried} pairs, climbed from {found.seed}"
    )


def _law(system: str, pair: Pair, parameters: Mapping[str, Any], *, unordered: bool) -> RecordedLaw:
    here, there = _records(system, pair, parameters)
    return RecordedLaw(words=pair.words, here=here, there=there, unordered=unordered)


def _exact_loss(system: str, pair: Pair, parameters: Mapping[str, Any]) -> float:
    return pair_loss(*_records(system, pair, parameters))


def _records(system: str, pair: Pair, parameters: Mapping[str, Any]) -> tuple[Recorded, Recorded]:
    """Record both inputs; a system for pairs is given each as the neighbour of the other."""
    chosen = SYSTEMS[system]
    names = {parameter.name for parameter in chosen.parameters}
    sides = []
    for mine, other in ((pair.here, pair.there), (pair.there, pair.here)):
        neighbour = {"neighbour": other} if "neighbour" in names else {}
        sides.append(recorded(chosen, mine, {**parameters, **neighbour}))
    return sides[0], sides[1]

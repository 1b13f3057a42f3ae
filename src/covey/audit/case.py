"""What is audited: a claim about some pairs of neighbours, or the worst that a search finds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from covey.audit.instruments.blind import interference, sees_a_difference
from covey.audit.instruments.law import Apart, Law
from covey.audit.instruments.search import worst_pair
from covey.audit.instruments.weak import WEAKER
from covey.audit.report import Claimant
from covey.audit.subject import (
    BLIND,
    OUTPUTS,
    SPECIMEN,
    Audited,
    LossMeasure,
    Neighbours,
    Subject,
)
from covey.core import Budget
from covey.core.budget import TOLD_DELTA
from covey.errors import CoveyError

if TYPE_CHECKING:
    from covey.systems import Progress

Start = TypeVar("Start")

_RHO: LossMeasure = "rho"
_DELTA: LossMeasure = "delta"

TEN_PERCENT = Fraction(10, 9)
"""A copy whose noise is divided by this has noise that is 10 % too small."""

SEARCH_OUTPUTS = 1
"""So many outputs of each input are replayed while neighbours are searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One claim to be refuted.

    Parameters
    ----------
    name : str
        What is audited, in a few words.
    epsilon : float
        The loss that is allowed.
    measure : "epsilon", "rho" or "delta"
        What kind of loss that is.
    promise : Claimant
        Who promises it.  That a paper's claim is refuted is no fault of covey.
    build : callable
        ``build(rng, progress)`` returns the mechanism with its two inputs; a search for the
        worst pair happens here.
    share : float
        How many runs are sampled, as a share of those asked for.
    shrink : Fraction
        By what the noise of the copy that must be refuted is divided; more than 5/4 only where
        no pair comes near the bound that the noise is made for.
    """

    name: str
    epsilon: float
    promise: Claimant
    build: Callable[[np.random.Generator, Progress | None], Subject]
    share: float = 1.0
    shrink: Fraction = WEAKER
    measure: LossMeasure = "epsilon"


def law_case(
    name: str,
    words: str,
    law: Callable[[], Law],
    *,
    promise: Claimant,
    epsilon: float = 1.0,
) -> Case:
    """Audit draws that are no system of covey; with too little noise they tell more."""

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del rng, progress
        found = law()
        weak = found.exact * float(WEAKER)
        return Subject(words=words, how=SPECIMEN, exact=found.exact, weak=weak, laws=(found,))

    return Case(name=name, epsilon=epsilon, promise=promise, build=build)


def pair_case(
    name: str,
    system: str,
    *pairs: Callable[[], Neighbours],
    promise: Claimant = Claimant.COVEY,
    epsilon: float = 1.0,
    unordered: bool = False,
    shrink: Fraction = WEAKER,
    outputs: int = OUTPUTS,
    **parameters: Any,
) -> Case:
    """Audit a system on some pairs of neighbours; the worst of them counts."""
    audited = Audited(
        system=system,
        parameters=parameters,
        epsilon=epsilon,
        unordered=unordered,
        shrink=shrink,
        outputs=outputs,
    )

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del progress
        return audited.subject([pair() for pair in pairs], rng)

    return Case(name=name, epsilon=epsilon, promise=promise, build=build, shrink=shrink)


def concentrated_case(
    name: str,
    system: str,
    *pairs: Callable[[], Neighbours],
    rho: str,
    told: bool = False,
    **parameters: Any,
) -> Case:
    """Audit Gaussian noise by its Rényi divergences, against a copy whose noise is 10 % too small.

    ``told``: by the delta that is told for the epsilon which this rho implies.
    """
    whole = Budget.of(rho=rho)
    given, allowed, measure = {"rho": float(whole.rho)}, float(whole.rho), _RHO
    if told:
        given = {"epsilon": float(whole.implied), "delta": float(TOLD_DELTA)}
        allowed, measure = float(TOLD_DELTA), _DELTA
    audited = Audited(
        system=system,
        parameters={**given, **parameters},
        epsilon=allowed,
        measure=measure,
        shrink=TEN_PERCENT,
    )

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del progress
        return audited.subject([pair() for pair in pairs], rng)

    return Case(
        name=f"{name}, by its {measure}",
        epsilon=allowed,
        promise=Claimant.COVEY,
        build=build,
        shrink=TEN_PERCENT,
        measure=measure,
    )


def search_case(
    system: str,
    seeds: Callable[[np.random.Generator], Sequence[tuple[str, Start]]],
    pair_of: Callable[[str, Start], Neighbours],
    move: Callable[[Start, np.random.Generator], Start],
    *,
    steps: int,
    name: str = "worst pair found by a search",
    promise: Claimant = Claimant.COVEY,
    unordered: bool = False,
    **parameters: Any,
) -> Case:
    """Audit a system on the worst pair that an adversarial search finds.

    ``pair_of(words, start)`` makes neighbours of what the search climbs on.
    """
    audited = Audited(system=system, parameters=parameters, unordered=unordered)

    def loss(start: Start) -> float:
        try:
            # The same outputs for all pairs, so that losses can be compared.
            again = np.random.default_rng(0)
            return audited.told(pair_of("", start), again, SEARCH_OUTPUTS)[0].loss
        except CoveyError:
            # Data that the system refuses, such as a graph without edges, tell nothing here.
            return 0.0

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        found = worst_pair(seeds(rng), loss, move, rng=rng, steps=steps, progress=progress)
        words = f"the worst of {found.tried} pairs, climbed from {found.seed}"
        return audited.subject([pair_of(words, found.pair)], rng)

    return Case(name=name, epsilon=audited.epsilon, promise=promise, build=build)


def blind_case(system: str, unrelated: Callable[[], Neighbours], **parameters: Any) -> Case:
    """Audit that unrelated inputs lead to the same release if no noise looks at its values."""
    audited = Audited(system=system, parameters=parameters)

    def build(rng: np.random.Generator, progress: Progress | None) -> Subject:
        del rng, progress
        pair = unrelated()
        tells = interference(*audited.on(pair))
        return Subject(
            words=pair.words,
            how=BLIND,
            exact=math.inf if tells else 0.0,
            weak=math.inf if sees_a_difference(*audited.on(pair)) else 0.0,
            laws=(Apart(),) if tells else (),
            tells=tells,
        )

    name = "inputs with nothing in common"
    return Case(name=name, epsilon=audited.epsilon, promise=Claimant.COVEY, build=build)

"""What does a system do with two neighbouring inputs?  Its outputs, replayed and compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.law import Apart, DrawLaw, Law, UnorderedLaw
from covey.audit.instruments.recording import SilentNoise
from covey.audit.instruments.renyi import attained_delta, attained_rho
from covey.audit.instruments.replay import Shipped, Told, record, replay, worst_output
from covey.audit.instruments.weak import WEAKER
from covey.systems import SYSTEMS
from covey.systems.persons import persons_of

LossMeasure = Literal["epsilon", "rho", "delta"]

RECORDED, BLIND, SPECIMEN = "recorded runs", "blind noise", "specimen"
COMPARED = "compared laws"
"""The system is run from beginning to end, and replayed on its neighbour; it is run with noise that
does not look; or a mechanism is no system of covey, written down to be audited."""

OUTPUTS = 16
"""So many outputs of each input are replayed on the other."""

TESTS = 3
"""So many rounds of tests are sampled by themselves, those that tell most."""

ROUNDING = 1e-9
"""Exact losses are sums of logarithms in floats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Two inputs, tables or graphs, how they differ in words, and settings that come with each."""

    words: str
    here: Any
    there: Any
    own: tuple[Mapping[str, Any], Mapping[str, Any]] = field(default=({}, {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A mechanism on two inputs, and what was computed about it.

    Parameters
    ----------
    words : str
        How the inputs differ.
    how : str
        `RECORDED`, `COMPARED`, `BLIND` or `SPECIMEN`.
    exact : float
        The loss of the pair, at the outputs that were looked at.
    weak : float
        The same for a copy whose noise is too small.
    laws : sequence of Law
        What can be sampled; none of them may show more than its own exact loss.
    at_least : bool
        Whether other outputs may tell more.
    tells : str
        What differs although all draws are the same, if the loss is infinite.
    """

    words: str
    how: str
    exact: float
    weak: float
    laws: Sequence[Law] = ()
    at_least: bool = False
    tells: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """A system with parameters, and how closely it is looked at.

    Parameters
    ----------
    system : str
        Its name; it is looked up when it is run.
    parameters : mapping
        But for epsilon.
    epsilon : float
        The loss that is allowed.
    measure : "epsilon", "rho" or "delta"
        What is allowed: a pure epsilon; a rho; or the delta for the ``epsilon`` of the parameters.
    unordered : bool
        Whether its releases do not say which cluster is which.
    shrink : Fraction
        By what the noise of the copy is divided.
    outputs : int
        How many outputs of each input are replayed.
    """

    system: str
    parameters: Mapping[str, Any]
    epsilon: float = 1.0
    measure: LossMeasure = "epsilon"
    unordered: bool = False
    shrink: Fraction = WEAKER
    outputs: int = OUTPUTS

    def on(self, pair: Neighbours) -> tuple[Shipped, Shipped]:
        """Put the system on both inputs; one for pairs gets each as the neighbour of the other."""
        system = SYSTEMS[self.system]
        takes = {parameter.name for parameter in system.parameters}
        pure = self.measure == "epsilon" and "epsilon" in takes
        given = {**({"epsilon": self.epsilon} if pure else {}), **self.parameters}
        sides = []
        for data, other, own in zip(
            (pair.here, pair.there), (pair.there, pair.here), pair.own, strict=True
        ):
            neighbour = {"neighbour": other} if "neighbour" in takes else {}
            wanted, persons = persons_of(
                system, {**given, **neighbour, **own}, getattr(data, "schema", None)
            )
            settings = system.settings(wanted)
            sides.append(Shipped(system=system, data=data, settings=settings, persons=persons))
        return sides[0], sides[1]

    def told(self, pair: Neighbours, rng: np.random.Generator, outputs: int) -> tuple[Told, bool]:
        """Return what the outputs of a pair tell, and whether all of them do so for sure."""
        sides = self.on(pair)
        if not self.unordered:
            return worst_output(*sides, outputs=outputs, rng=rng)
        why, drawn = _draws(*sides)
        if why:
            return Told(loss=math.inf, why=why), True
        return Told(loss=UnorderedLaw.of(drawn).exact), False

    def subject(self, pairs: Sequence[Neighbours], rng: np.random.Generator) -> Subject:
        """Replay outputs of all pairs, and say what the worst one tells."""
        if self.measure != "epsilon":
            return self._of_gaussians(pairs)
        found = [(*self.told(pair, rng, self.outputs), pair) for pair in pairs]
        told, certain, worst = max(found, key=lambda each: each[0].loss)
        weak = 0.0
        if told.loss <= self.epsilon * (1 + ROUNDING):
            copies = (side.weakened(self.shrink) for side in self.on(worst))
            weak = worst_output(*copies, outputs=self.outputs, rng=rng)[0].loss
        apart = (Apart(),) if certain else ()
        return Subject(
            words=worst.words,
            how=RECORDED,
            exact=told.loss,
            weak=weak,
            laws=self._laws(worst) if math.isfinite(told.loss) else apart,
            at_least=math.isfinite(told.loss),
            tells=told.why,
        )

    def _of_gaussians(self, pairs: Sequence[Neighbours]) -> Subject:
        """Compare the draws of the output without noise by what Gaussian noise promises."""
        found = [(*self._attained(*self.on(pair)), pair) for pair in pairs]
        exact, why, worst = max(found, key=lambda each: each[0])
        copies = (side.weakened(self.shrink) for side in self.on(worst))
        return Subject(
            words=worst.words,
            how=COMPARED,
            exact=exact,
            weak=self._attained(*copies)[0],
            # What is sampled shows whether the sampler has the law; its loss is no rho.
            laws=() if why else self._laws(worst),
            at_least=math.isfinite(exact),
            tells=why,
        )

    def _attained(self, here: Shipped, there: Shipped) -> tuple[float, str]:
        why, draws = _draws(here, there)
        if why:
            return math.inf, why
        if self.measure == "rho":
            return attained_rho(draws), ""
        return attained_delta(draws, float(self.parameters["epsilon"])), ""

    def _laws(self, pair: Neighbours) -> tuple[Law, ...]:
        """Return what can be sampled: all draws together, and tests round by round.

        Tests of one tree cannot be sampled together: which of them come later depends on results.
        """
        _, drawn = _draws(*self.on(pair))
        if self.unordered:
            return (UnorderedLaw.of(drawn),)
        tests = [DrawLaw([both]) for both in drawn if both[0].mechanism == "cut"]
        tests.sort(key=lambda law: -law.exact)
        together = DrawLaw([both for both in drawn if both[0].mechanism != "cut"])
        return tuple(law for law in (together, *tests[:TESTS]) if law.entries)


def _draws(here: Shipped, there: Shipped) -> tuple[str, list[tuple[Drawn, Drawn]]]:
    """Replay the output without noise; return what differs, or the draws of both sides."""
    output = record(here, SilentNoise())
    likelihood, why, asked = replay(there, output)
    if likelihood == -math.inf:
        return why, []
    # With coins there are many ways to an output, and no draw has a law of its own.
    tossed = math.isnan(output.log_likelihood)
    return "", [] if tossed else list(zip(output.script, asked, strict=True))

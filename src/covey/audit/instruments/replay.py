"""By how much does one output tell two inputs apart, exactly?

A system is run as it ships, from beginning to end, and what it draws is recorded.  It is run once
more on the neighbouring input with the same results: then everything that is released must be the
same, or the loss is infinite.  Otherwise the loss of this output is the logarithm of the ratio of
its probabilities on the two inputs, which the exact values of both runs tell.

Coins that decide who takes part are secret, so an output's probability is a sum over all ways in
which they can fall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.recording import (
    AuditNoise,
    ExploringNoise,
    RecordingNoise,
    SilentNoise,
)
from covey.audit.instruments.weak import WEAKER, WeakNoise
from covey.core.exact import COIN_PARTS
from covey.engines.memory.engine import MemoryEngine
from covey.errors import CoveyError, InternalError
from covey.plan import Plan
from covey.publish import publish_with
from covey.systems.base import as_mapping
from covey.systems.persons import with_persons

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource, Persons
    from covey.graph import Graph
    from covey.release import Release
    from covey.systems import System
    from covey.table import Table

MOST_COINS = 10
"""Beyond so many coins that can fall either way, adding up over all of them takes too long."""

OF_AN_INPUT = ("neighbour", "preferences")
"""Settings that come with an input, and are not compared between inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A system as it ships, on one input; with ``shrink`` above 1, on noise that is too small."""

    system: System
    data: Table | Graph
    settings: Any
    shrink: Fraction = Fraction(1)
    persons: Persons | None = None

    def release(self, source: NoiseSource) -> Release:
        """Publish as `covey.publish` does, with the noise of a source."""
        engine = MemoryEngine(self.data)
        parameters = with_persons(as_mapping(self.settings), self.persons)
        plan = Plan(system=self.system.name, parameters=parameters, schema=engine.schema)
        noise = source if self.shrink == 1 else WeakNoise(source, self.shrink)
        made = publish_with(engine, self.system, self.settings, plan, noise, persons=self.persons)
        return made[0]

    def weakened(self, shrink: Fraction = WEAKER) -> Shipped:
        """Return a copy whose noise is too small."""
        return replace(self, shrink=shrink)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What one run drew, coins aside, what it released, and how likely that was.

    The likelihood is known from the run itself unless coins were tossed: nan.
    """

    script: tuple[Drawn, ...]
    release: Release
    log_likelihood: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an output tells about two inputs: the loss, and why it is infinite if it is."""

    loss: float
    why: str = ""


class DivergedError(Exception):
    """Another input leads to another question although all answers were the same."""


@dataclass(slots=True)
class ReplayedNoise(AuditNoise):
    """Gives the results of a recorded run, and ends the run if it is asked something else.

    ``fall`` says by its binary digits how those coins fall that are not certain.
    """

    script: Sequence[Drawn]
    fall: int = 0
    uncertain: int = 0
    asked: list[Drawn] = field(default_factory=list)
    log_likelihood: float = 0.0

    def draw(self, mechanism: str, exact: NDArray[Any], **public: Any) -> NDArray[Any]:
        """Return what was drawn before."""
        if mechanism == "coins":
            drawn = Drawn(mechanism, exact, public, self._tossed(exact))
        else:
            if len(self.asked) >= len(self.script):
                raise DivergedError("the number of questions")
            drawn = Drawn(mechanism, exact.copy(), public, self.script[len(self.asked)].result)
            if drawn.request != self.script[len(self.asked)].request:
                raise DivergedError("a question, or the scale of its noise")
            self.asked.append(drawn)
        self.log_likelihood += drawn.log_likelihood
        return np.asarray(drawn.result).copy()

    def _tossed(self, parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        kept = parts >= COIN_PARTS
        open_ = np.flatnonzero((parts > 0) & ~kept)
        if self.uncertain + open_.size > MOST_COINS:
            raise InternalError("so many uncertain coins cannot be added up over.")
        digits = self.uncertain + np.arange(open_.size)
        kept[open_] = (self.fall >> digits) & 1 == 1
        self.uncertain += open_.size
        return kept


def record(shipped: Shipped, source: NoiseSource) -> Output:
    """Run a system once, and remember the output."""
    recording = RecordingNoise(source)
    release = shipped.release(recording)
    script = tuple(drawn for drawn in recording.asked if drawn.mechanism != "coins")
    known = sum(drawn.log_likelihood for drawn in script)
    tossed = len(script) < len(recording.asked)
    return Output(script=script, release=release, log_likelihood=math.nan if tossed else known)


def replay(shipped: Shipped, output: Output) -> tuple[float, str, Sequence[Drawn]]:
    """Return the log likelihood of an output on an input, and of the last way to it, its draws.

    If the input cannot lead there, the likelihood is 0, and the text says why.
    """
    logs, why, fall, asked = list[float](), "", 0, list[Drawn]()
    uncertain = 0
    while fall < 2**uncertain:
        source = ReplayedNoise(output.script, fall)
        try:
            release = shipped.release(source)
        except DivergedError as error:
            why = str(error)
        except InternalError:
            raise
        except CoveyError:
            why = "whether anything is released"
        else:
            why = "the number of questions"
            if len(source.asked) == len(output.script):
                why = difference(output.release, release)
            if not why:
                logs.append(source.log_likelihood)
                asked = source.asked
        uncertain, fall = source.uncertain, fall + 1
    return float(np.logaddexp.reduce(logs or [-math.inf])), why, asked


def output_loss(here: Shipped, there: Shipped, output: Output) -> Told:
    """Return what an output of one input tells about the two."""
    mine = output.log_likelihood
    if math.isnan(mine):
        mine, _, _ = replay(here, output)
    other, why, _ = replay(there, output)
    return Told(loss=math.inf, why=why) if other == -math.inf else Told(loss=abs(mine - other))


def worst_output(
    here: Shipped, there: Shipped, *, outputs: int, rng: np.random.Generator
) -> tuple[Told, bool]:
    """Return what tells most among some outputs of either input, and whether all tell for sure.

    The first has no noise at all, the others have some; every other one begins like the worst
    one so far.
    """
    worst, certain = Told(loss=0.0), True
    for mine, other in ((here, there), (there, here)):
        best, script = -1.0, tuple[Drawn, ...]()
        for number in range(outputs):
            start = script[: rng.integers(len(script), endpoint=True)] if number % 2 else ()
            output = record(mine, ExploringNoise(rng, start) if number else SilentNoise())
            told = output_loss(mine, other, output)
            certain &= told.loss == math.inf
            if told.loss > best:
                best, script = told.loss, output.script
            worst = told if told.loss > worst.loss else worst
            if worst.loss == math.inf and not certain:
                return worst, certain
    return worst, certain


def difference(here: Release, there: Release) -> str:
    """Name what differs between two releases of the same draws; nothing, if nothing does."""
    mine, other = here.frame, there.frame
    compared: dict[str, tuple[Any, Any]] = {
        "the types of the rows": (mine.schema, other.schema),
        "the guarantee": (here.guarantee.to_dict(), there.guarantee.to_dict()),
        "the settings that were chosen": (_chosen(here), _chosen(there)),
        "the schema": (here.plan.schema, there.plan.schema),
        "how it is written": (here.format, there.format),
        "which tables there are": (list(here.extras), list(there.extras)),
    }
    for what, (one, another) in compared.items():
        if one != another:
            return what
    if not mine.equals(other):
        return "the rows"
    for name, extra in here.extras.items():
        if extra.schema != there.extras[name].schema or not extra.equals(there.extras[name]):
            return f"the table {name!r}"
    return ""


def _chosen(release: Release) -> dict[str, Any]:
    parameters = release.plan.parameters
    return {name: value for name, value in parameters.items() if name not in OF_AN_INPUT}

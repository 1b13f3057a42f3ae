"""What follows from exact losses and from sampling?"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from covey.audit.instruments.law import DrawLaw, Law
from covey.audit.instruments.sampling import ERROR, exceeds_its_law, lower_bound
from covey.audit.report import CaseResult, Claimant, Verdict
from covey.audit.subject import ROUNDING
from covey.seeded import SeededNoise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from covey.audit.case import Case
    from covey.audit.subject import Subject
    from covey.core import NoiseSource

MOST_SECURE = 200_000
"""So many numbers are drawn at most from the operating system's generator for one event."""


def judge(case: Case, subject: Subject, *, runs: int, source: NoiseSource) -> CaseResult:
    """Sample what can be sampled, and say what follows from that and from the exact losses.

    A claim is refuted if a loss exceeds epsilon, or if a sampler draws less noise than the law says
    that exact losses are computed with.
    """
    own = case.promise is Claimant.COVEY
    # Only what covey promises is sampled as it is published; the papers' noise is drawn faster.
    sampler = source if own else SeededNoise(source.placement())
    wanted = max(1, round(case.share * runs))
    bound, fewest, tells, error = 0.0, 0, subject.tells, ERROR / max(1, len(subject.laws))
    for law in subject.laws:
        slow = sampler.secure and law.entries > 0
        count = min(wanted, max(1, MOST_SECURE // law.entries)) if slow else wanted
        draw = partial(_drawn, law, sampler)
        bound = max(bound, lower_bound(draw, count, error=error))
        fewest = count if fewest == 0 else min(fewest, count)
        if own and isinstance(law, DrawLaw) and math.isfinite(law.exact):
            beyond = exceeds_its_law(draw, count, exact=law.exact, error=error)
            tells = "noise that is smaller than its law" if beyond else tells
    if case.measure != "epsilon":
        bound = 0.0  # a bound on a pure loss, of which Gaussian noise has none
    most = case.epsilon * (1 + ROUNDING)
    if tells or max(subject.exact, bound) > most:
        verdict = Verdict.REFUTED
    else:
        verdict = Verdict.NOT_REFUTED if subject.weak > most else Verdict.NO_POWER
    return CaseResult(
        name=case.name,
        pair=subject.words,
        how=subject.how,
        epsilon=case.epsilon,
        measure=case.measure,
        promise=case.promise,
        exact=subject.exact,
        at_least=subject.at_least,
        tells=tells,
        bound=bound,
        power=None if verdict is Verdict.REFUTED else subject.weak,
        shrink=float(case.shrink),
        runs=fewest,
        verdict=verdict,
    )


def _drawn(law: Law, source: NoiseSource, side: int, runs: int) -> NDArray[np.float64]:
    return law.draw(side, runs, source)

"""Step 7, audit: try to refute what a system claims.  An audit never verifies a claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.audit.report import AuditReport, CaseResult
from covey.audit.sampling import Verdict, sampled
from covey.errors import PlanError, suggest
from covey.perturb import SecureNoise, SeededNoise
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.audit.case import Case
    from covey.perturb import NoiseSource
    from covey.systems import Progress

RUNS = 200_000


def audit(
    system: str,
    *,
    runs: int = RUNS,
    random_state: int | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Try to refute the claims about a system on pairs of neighbours made up for it.

    For each case the exact loss of the pair is computed where the law of the release is known,
    and a lower bound is estimated by sampling.  No data of yours are involved.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    runs : int
        Runs on each input, once to choose an event and once more to count it; fewer for
        systems that are run from beginning to end.
    random_state : int, optional
        Seed, to repeat an audit.  Without one, real runs draw the noise of real releases.
    progress : callable, optional
        Called with (what is being done, done, total).

    Returns
    -------
    AuditReport
        ``report.cases``, ``report.worst``, ``report.bound`` and ``report.verdict``.
    """
    from covey.audit.cases import AUDITS

    if system not in SYSTEMS:
        raise PlanError(
            f"there is no system {system!r}, so nothing was audited. {suggest(system, SYSTEMS)}"
        )
    if system not in AUDITS:
        raise PlanError(
            f"system {system!r} has no audit, so nothing was said about it. "
            f"{suggest(system, AUDITS)}"
        )
    results = audit_cases(AUDITS[system], runs=runs, random_state=random_state, progress=progress)
    return AuditReport(subject=system, guarantee=str(SYSTEMS[system].kind), cases=results)


def audit_cases(
    cases: Sequence[Case],
    *,
    runs: int = RUNS,
    random_state: int | None = None,
    progress: Progress | None = None,
) -> tuple[CaseResult, ...]:
    """Audit some cases one after the other; the parameters are those of `audit`."""
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise PlanError(
            f"runs = {runs!r} is not a whole number of at least 1, so nothing can be counted. "
            f"Give some hundred thousand."
        )
    results = []
    for done, case in enumerate(cases):
        if progress is not None:
            progress(case.name, done, len(cases))
        # Every case starts afresh, so that its result does not depend on the others.
        rng = np.random.default_rng(random_state)
        source: NoiseSource = SecureNoise() if random_state is None else SeededNoise(rng)
        results.append(_result(case, runs, rng, source, progress))
    return tuple(results)


def _result(
    case: Case,
    runs: int,
    rng: np.random.Generator,
    source: NoiseSource,
    progress: Progress | None,
) -> CaseResult:
    subject = case.build(rng, progress)
    found = sampled(
        subject,
        epsilon=case.epsilon,
        runs=max(1, round(case.share * runs)),
        source=source,
        shrink=case.shrink,
    )
    return CaseResult(
        name=case.name,
        pair=subject.words,
        how=subject.how,
        epsilon=case.epsilon,
        promise=case.promise,
        exact=subject.exact,
        at_least=subject.at_least,
        bound=found.bound,
        power=found.power,
        shrink=case.shrink,
        runs=found.runs,
        verdict=found.verdict,
    )


__all__ = ["AuditReport", "CaseResult", "Verdict", "audit", "audit_cases"]

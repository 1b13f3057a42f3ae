"""Step 7, audit: try to refute what a system claims.  An audit never verifies a claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.audit.report import AuditReport, CaseResult, Verdict
from covey.core import SecureNoise
from covey.errors import PlanError, suggest
from covey.seeded import SeededNoise
from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.audit.case import Case
    from covey.systems import Progress

RUNS = 200_000
"""Runs of each input to be sampled, unless told otherwise."""


def audit(
    system: str,
    *,
    runs: int = RUNS,
    random_state: int | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Try to refute the claims about a system on pairs of neighbours made up for it.

    For each case the system is run as it ships, and its outputs are replayed on the neighbour:
    that gives exact losses.  A lower bound is estimated by sampling the same draws.  No data of
    yours are involved.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    runs : int
        Runs on each input to be sampled, once to choose an event and once more to count it;
        fewer where many numbers are drawn for one run.
    random_state : int, optional
        Seed, to repeat an audit.  Without one, the noise of real releases is sampled.
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
    from covey.audit.judge import judge

    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise PlanError(
            f"runs = {runs!r} is not a whole number of at least 1, so nothing can be counted. "
            f"Give some hundred thousand."
        )
    if random_state is not None and random_state < 0:
        raise PlanError(
            f"random_state = {random_state!r} is below 0, so it starts no generator. Give a whole "
            f"number of at least 0, or none."
        )
    results = []
    for done, case in enumerate(cases):
        if progress is not None:
            progress(case.name, done, len(cases))
        # Every case starts afresh, so that its result does not depend on the others.
        rng = np.random.default_rng(random_state)
        source = SecureNoise() if random_state is None else SeededNoise(rng)
        results.append(judge(case, case.build(rng, progress), runs=runs, source=source))
    return tuple(results)


__all__ = ["AuditReport", "CaseResult", "Verdict", "audit", "audit_cases"]

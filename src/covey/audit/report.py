"""What did an audit find?"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from covey.audit.case import Promise
from covey.audit.sampling import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The result of one case.

    Parameters
    ----------
    name : str
        What was audited.
    pair : str
        The neighbours in words.
    how : str
        Where the draws came from: the recorded law, real runs, or a specimen.
    epsilon : float
        What is allowed.
    promise : Promise
        Who promises it.
    exact : float
        The exact loss of the pair, or a lower bound on it; nan if it was not computed.
    at_least : bool
        Whether ``exact`` is a lower bound.
    bound : float
        Lower bound on the loss by sampling, 99.9 %.
    power : float or None
        The bound for a copy with too little noise; None if none was needed.
    shrink : int
        By what the noise of that copy was divided.
    runs : int
        Fresh runs on each input.
    verdict : Verdict
        What follows.
    """

    name: str
    pair: str
    how: str
    epsilon: float
    promise: Promise
    exact: float
    at_least: bool
    bound: float
    power: float | None
    shrink: int
    runs: int
    verdict: Verdict

    @property
    def breaks_a_promise(self) -> bool:
        """Return whether something that covey itself promises was refuted."""
        return self.promise is Promise.COVEY and self.verdict is Verdict.REFUTED


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """What was tried against a system, and what came of it.

    Parameters
    ----------
    subject : str
        The system.
    guarantee : str
        The kind of guarantee that it carries.
    cases : tuple of CaseResult
        One for each claim.
    """

    subject: str
    guarantee: str
    cases: tuple[CaseResult, ...]

    @property
    def worst(self) -> CaseResult:
        """Return the case with the largest loss, by computation or by sampling."""
        return max(self.cases, key=_largest_loss)

    @property
    def bound(self) -> float:
        """Return the largest lower bound on the loss that sampling found."""
        return max(case.bound for case in self.cases)

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on what covey promises, or on what others claim if it is nothing."""
        own = [case for case in self.cases if case.promise is Promise.COVEY] or self.cases
        verdicts = {case.verdict for case in own}
        for verdict in (Verdict.REFUTED, Verdict.NO_POWER):
            if verdict in verdicts:
                return verdict
        return Verdict.NOT_REFUTED

    @property
    def breaks_a_promise(self) -> bool:
        """Return whether something that covey itself promises was refuted."""
        return any(case.breaks_a_promise for case in self.cases)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "subject": self.subject,
            "guarantee": self.guarantee,
            "verdict": str(self.verdict),
            "breaks_a_promise": self.breaks_a_promise,
            "bound": self.bound,
            "worst_pair": self.worst.pair,
            "cases": [
                {**asdict(case), "promise": str(case.promise), "verdict": str(case.verdict)}
                for case in self.cases
            ],
        }


def _largest_loss(case: CaseResult) -> float:
    return case.bound if math.isnan(case.exact) else max(case.exact, case.bound)

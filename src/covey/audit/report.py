"""What did an audit find?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Claimant(StrEnum):
    """Who says that the loss is at most epsilon."""

    COVEY = "covey"
    PAPER = "the paper"
    NOBODY = "nobody"


class Verdict(StrEnum):
    """What an audit can say.  It can never say that a claim is true."""

    REFUTED = "refuted"
    NOT_REFUTED = "not refuted"
    NO_POWER = "no power"


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
        What was run: recorded runs, runs with blind noise, or a specimen.
    epsilon : float
        What is allowed.
    measure : str
        What kind of loss: a pure epsilon, a rho, or a delta.
    promise : Claimant
        Who promises it.
    exact : float
        The largest exact loss of the outputs that were looked at.
    at_least : bool
        Whether other outputs may have a larger one.
    tells : str
        What differs although all draws are the same, if the loss is infinite.
    bound : float
        Lower bound on the loss by sampling, 99.9 %; 0 if nothing was sampled.
    power : float or None
        The exact loss of a copy with too little noise; None if the claim was refuted.
    shrink : float
        By what the noise of that copy was divided.
    runs : int
        Fresh runs on each input that were sampled.
    verdict : Verdict
        What follows.
    """

    name: str
    pair: str
    how: str
    epsilon: float
    promise: Claimant
    exact: float
    at_least: bool
    tells: str
    bound: float
    power: float | None
    shrink: float
    runs: int
    verdict: Verdict
    measure: str = "epsilon"

    @property
    def breaks_a_promise(self) -> bool:
        """Return whether something that covey itself promises was refuted."""
        return self.promise is Claimant.COVEY and self.verdict is Verdict.REFUTED


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
        """Return the case whose loss, computed or sampled, exceeds what is allowed by most."""
        return max(self.cases, key=lambda case: max(case.exact, case.bound) / case.epsilon)

    @property
    def bound(self) -> float:
        """Return the largest lower bound on the loss that sampling found."""
        return max(case.bound for case in self.cases)

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on what covey promises, or on what others claim if it is nothing."""
        own = [case for case in self.cases if case.promise is Claimant.COVEY] or self.cases
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

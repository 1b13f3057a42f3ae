"""Which method of paper 003 is asked for?  Its 26 methods, 8 baselines, and what they set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError

if TYPE_CHECKING:
    from covey.systems.papers.p003.settings import CrossMomentSettings

COEFFICIENTS, EIGEN, EIGEN_INDIVIDUAL = "coefficients", "eigen", "eigen-individual"
JOINT, SEPARATE = "joint", "separate"
ALL, VARIANCES = "all", "variances"
MDAV, INDIVIDUAL_RANKING = "mdav", "individual-ranking"
RECORDS, MOMENTS = "records", "moments"

STRATEGIES: dict[tuple[int, int], tuple[Fraction, ...]] = {
    (1, 1): (Fraction(50, 100), Fraction(50, 100)),
    (1, 2): (Fraction(75, 100), Fraction(25, 100)),
    (2, 1): (Fraction(50, 100), Fraction(30, 100), Fraction(20, 100)),
    (2, 2): (Fraction(75, 100), Fraction(15, 100), Fraction(10, 100)),
}
"""(m, strategy): the shares of mean, covariance and coskewness (section 5.1)."""

_LETTERS = {
    "C": COEFFICIENTS,
    "E": EIGEN,
    "M": MDAV,
    "I": INDIVIDUAL_RANKING,
    "J": JOINT,
    "S": SEPARATE,
    "P": ALL,
    "V": VARIANCES,
}
_FIGURE_4 = {
    "m": "0 1 1 1 1 1 1 2 2 2 2 2 2 1 1 1 2 2 2 0 1 1 1 2 2 2",
    "basis": "- C C C C C C C C C C C C E E E E E E - C C C C C C",
    "partition": "M M M M M M M M M M M M M M M M M M M I I I I I I I",
    "noise": "- J J S S S S J J S S S S J S S J S S - J S S J S S",
    "moments": "- P V P P V V P V P P V V P P P P P P - V V V V V V",
    "strategy": "- - - 1 2 1 2 - - 1 2 1 2 - 1 2 - 1 2 - - 1 2 - 1 2",
}
_FIGURE_5 = {
    "m": "0 1 1 2 2 0 1 2",
    "partition": "M M M M M I I I",
    "moments": "- P V P V - V V",
}


def _read_figure(figure: Mapping[str, str], prefix: str) -> dict[str, dict[str, Any]]:
    rows = {name: row.split() for name, row in figure.items()}
    return {
        f"{prefix}{number + 1}": {
            name: int(row[number]) if row[number].isdigit() else _LETTERS[row[number]]
            for name, row in rows.items()
            if row[number] != "-"
        }
        for number in range(len(rows["m"]))
    }


METHODS: dict[str, dict[str, Any]] = {
    **_read_figure(_FIGURE_4, ""),
    **_read_figure(_FIGURE_5, "B"),
}
"""Methods 1 … 26 of Figure 4 and the baselines B1 … B8 of Figure 5, by what they set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is published of each cluster, and how the budget is spent on it.

    Parameters
    ----------
    m : int
        How many central cross moments follow the mean.
    basis, noise, moments, partition : str
        As the system's settings.
    weights : tuple of Fraction
        Shares of the budget for mean, covariance, coskewness; with joint noise they share one.
    noiseless : bool
        Whether this is a baseline of Figure 5.
    resolved : mapping
        What to write into the plan.
    """

    m: int
    basis: str
    noise: str
    moments: str
    partition: str
    weights: tuple[Fraction, ...]
    noiseless: bool
    resolved: Mapping[str, Any]

    @property
    def cross(self) -> bool:
        """Return whether coefficients of different attributes are published, too."""
        return self.moments == ALL

    @property
    def eigen(self) -> bool:
        """Return whether covariances are given by eigenvalues and eigenvectors."""
        return self.m > 0 and self.basis != COEFFICIENTS


_DEFAULTS = {
    "m": 1,
    "basis": COEFFICIENTS,
    "noise": SEPARATE,
    "moments": ALL,
    "partition": MDAV,
    "strategy": None,
}


def design_of(settings: CrossMomentSettings) -> Design:
    """Settle the settings with those of the method, or explain what contradicts what."""
    method = settings.method
    set_by_method = {} if method is None else METHODS[method]
    settled: dict[str, Any] = {}
    for name, default in _DEFAULTS.items():
        given, fixed = getattr(settings, name), set_by_method.get(name)
        if given is not None and fixed is not None and given != fixed:
            raise PlanError(
                f"method {method} of paper 003 has {name} = {fixed} and {name} = {given} was "
                f"given, so it would be another method. Leave out {name!r}, or 'method'."
            )
        settled[name] = fixed if given is None else given
        if settled[name] is None:
            settled[name] = default
    noiseless = method is not None and method.startswith("B")
    _refuse_contradictions(settled, settings, noiseless=noiseless)
    if settings.k <= settled["m"]:
        raise PlanError(
            f"k = {settings.k} is too small for m = {settled['m']}: the moments of a cluster "
            f"need at least {settled['m'] + 1} records. Give a larger k or a smaller m."
        )
    weights: tuple[Fraction, ...] = (Fraction(1),)
    if settled["noise"] == SEPARATE and settled["m"] > 0 and not noiseless:
        if settings.weights is None:
            settled["strategy"] = settled["strategy"] or 1
        weights = _weights(settled, settings.weights)
    return Design(
        weights=weights,
        noiseless=noiseless,
        resolved=settled,
        **{name: value for name, value in settled.items() if name != "strategy"},
    )


def _refuse_contradictions(
    settled: Mapping[str, Any], settings: CrossMomentSettings, *, noiseless: bool
) -> None:
    strategy, weights = settled["strategy"], settings.weights
    if settled["basis"] != COEFFICIENTS and settled["m"] > 0:
        if settled["moments"] == VARIANCES:
            raise PlanError(
                "variances alone have no eigenvectors but the attributes themselves, so "
                'moments = "variances" cannot go with an eigenvalue basis. Choose one.'
            )
        if settled["partition"] == INDIVIDUAL_RANKING:
            raise PlanError(
                "individual ranking takes one attribute at a time, which has no eigenvectors. "
                'Choose basis = "coefficients", or partition = "mdav".'
            )
    if weights is not None and strategy is not None:
        raise PlanError(
            "both a strategy and weights were given, and each of them divides the budget. "
            "Leave one of them out."
        )
    divided = strategy is not None or weights is not None
    if divided and (settled["noise"] == JOINT or settled["m"] == 0 or noiseless):
        raise PlanError(
            "a strategy or weights divide the budget among the moments, and here there is nothing "
            'to divide: they need noise = "separate" and m = 1 or 2. Leave them out.'
        )
    if not noiseless and settings.epsilon is None:
        raise PlanError(
            "system 'cross-moment' needs 'epsilon', the bound on the privacy loss, so nothing was "
            "published. Give it (command line: --epsilon), or a baseline without noise (B1 to B8)."
        )


def _weights(settled: Mapping[str, Any], given: Sequence[float] | None) -> tuple[Fraction, ...]:
    m = settled["m"]
    if given is None:
        return STRATEGIES[m, settled["strategy"]]
    weights = tuple(Fraction(str(weight)) for weight in given)
    if len(weights) != m + 1:
        raise PlanError(
            f"{len(weights)} weights were given, and m = {m} publishes {m + 1} moments, so they "
            f"cannot be matched. Give one share of epsilon for each: mean, covariance, coskewness."
        )
    if sum(weights) != 1:
        raise PlanError(
            f"the weights add up to {float(sum(weights)):g}, so the moments would not cost epsilon "
            f"together. Let them add up to 1."
        )
    return weights


def expected_log2_sse(n: int, widths: Sequence[float], epsilon: float) -> float:
    """Return log₂ of the expected SSE of plain Laplace noise, Table 1 of paper 003.

    Each of n·d values gets noise of scale d·Λ_j/ε, whose variance is twice its square; nothing
    is truncated.

    Examples
    --------
    >>> round(expected_log2_sse(1, [1.0], 1.0), 6)
    1.0
    """
    squares = sum(width**2 for width in widths)
    return math.log2(2.0 * n * len(widths) ** 2 * squares / epsilon**2)

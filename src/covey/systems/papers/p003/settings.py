"""What may be set in the system of paper 003, and how is it read?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from covey.systems.base import columns_setting, epsilon_setting, k_setting, setting
from covey.systems.papers.p000.groups import groups_setting, split_setting
from covey.systems.papers.p003.methods import (
    ALL,
    COEFFICIENTS,
    EIGEN,
    EIGEN_INDIVIDUAL,
    INDIVIDUAL_RANKING,
    JOINT,
    MDAV,
    METHODS,
    MOMENTS,
    RECORDS,
    SEPARATE,
    VARIANCES,
)


def read_method(value: Any) -> str | None:
    """Read the name of a method: 1 … 26, or B1 … B8.

    Examples
    --------
    >>> read_method(6), read_method("b1"), read_method(27)
    ('6', 'B1', None)
    """
    name = str(value).strip().upper() if isinstance(value, (int, str)) else ""
    return name if name in METHODS else None


def read_weights(value: Any) -> tuple[float, ...] | None:
    """Read shares of a budget: ``"0.5,0.3,0.2"`` or a list of positive numbers.

    Examples
    --------
    >>> read_weights("0.75, 0.25")
    (0.75, 0.25)
    """
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not parts:
        return None
    try:
        weights = tuple(float(part) for part in parts)
    except (TypeError, ValueError):
        return None
    return weights if all(0 < weight < math.inf for weight in weights) else None


def read_number_among(*allowed: int) -> Any:
    """Return a reader of whole numbers that accepts these."""

    def read(value: Any) -> int | None:
        text = str(value).strip() if isinstance(value, (int, str)) else ""
        return int(text) if text in {str(number) for number in allowed} else None

    return read


def _choice(meaning: str, *choices: str) -> Any:
    return setting(meaning, default=None, choices=choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossMomentSettings:
    """What may be set."""

    epsilon: float | None = epsilon_setting(default=None)
    k: int = k_setting()
    m: int | None = setting(
        "how many central cross moments follow the mean: none, covariance (unless given), or also "
        "coskewness",
        default=None,
        read=read_number_among(0, 1, 2),
        form="0, 1 or 2",
    )
    basis: str | None = _choice(
        "whether covariances are given by coefficients (unless given), by the eigenvectors of "
        "the noisy ones, or by eigenvectors with noise of their own",
        COEFFICIENTS,
        EIGEN,
        EIGEN_INDIVIDUAL,
    )
    noise: str | None = _choice(
        "whether all moments get noise together (Algorithm 1) or each its own (Algorithm 2, "
        "unless given)",
        JOINT,
        SEPARATE,
    )
    moments: str | None = _choice(
        "whether all coefficients are published (unless given) or those of single attributes",
        ALL,
        VARIANCES,
    )
    strategy: int | None = setting(
        "how separate noise divides the budget among the moments: 1 balanced (unless given), 2 "
        "mostly for the mean",
        default=None,
        read=read_number_among(1, 2),
        form="1 or 2",
    )
    weights: tuple[float, ...] | None = setting(
        "shares of the budget for mean, covariance and coskewness, instead of a strategy",
        default=None,
        read=read_weights,
        form="positive numbers that add up to 1, such as '0.5,0.3,0.2'",
    )
    partition: str | None = _choice(
        "whether clusters are formed by MDAV (unless given) or for each column by rank",
        MDAV,
        INDIVIDUAL_RANKING,
    )
    method: str | None = setting(
        "a method of Figure 4 or a baseline of Figure 5 of the paper, which sets the parameters "
        "above",
        default=None,
        read=read_method,
        form="a number from 1 to 26, or B1 to B8",
    )
    output: str = setting(
        "whether to publish sampled records alone, or the noisy moments of each cluster beside "
        "them",
        default=RECORDS,
        choices=(RECORDS, MOMENTS),
    )
    groups: tuple[tuple[str, ...], ...] | None = groups_setting()
    split: str | tuple[float, ...] = split_setting()
    columns: tuple[str, ...] | None = columns_setting()
    paper: bool = setting(
        "whether to repeat the paper's evaluation, which carries no guarantee", default=False
    )

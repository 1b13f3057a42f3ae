"""What is to be expected of a plan, in words and in the units of its columns?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.lights import THRESHOLDS, Light, threshold_light

if TYPE_CHECKING:
    from covey.choose.pilot import ExpectedColumn, Pilot

USABLE_PAIR = THRESHOLDS["tv_2way"][0]
"""A two-way table is usable if at most this share of the records is in a wrong cell."""


def expectation(column: ExpectedColumn) -> str:
    """Say the error to expect of one column.

    Examples
    --------
    >>> from covey.choose.pilot import ExpectedColumn
    >>> expectation(ExpectedColumn(name="age", unit="years", measure="mean", error=0.412, gap=0.1))
    'mean ± 0.41 years'
    >>> expectation(ExpectedColumn(name="sex", unit="", measure="share", error=0.012, gap=0.1))
    'shares ± 1.2 points'
    """
    if column.measure == "share":
        return f"shares ± {_short(100 * column.error)} points"
    return f"mean ± {_short(column.error)}" + (f" {column.unit}" if column.unit else "")


def column_light(column: ExpectedColumn) -> Light:
    """Return how near the distribution of a column will be, as a traffic light."""
    return threshold_light("tv_1way" if column.measure == "share" else "ks", column.gap)


def usable_pairs(pilot: Pilot) -> tuple[int, int]:
    """Return how many pairs of columns will be usable, and of how many."""
    return sum(error <= USABLE_PAIR for error in pilot.pairs.values()), len(pilot.pairs)


def pilot_sentence(pilot: Pilot) -> str:
    """Say in a sentence or two what to expect of a release."""
    if "count_error" in pilot.scores:
        return (
            f"A count is off by about {_short(pilot.scores['count_error'])} of {pilot.n:,} records."
        )
    if "ks_2k" in pilot.scores:
        return (
            f"Cumulated shares of nodes by degree are off by up to "
            f"{100 * pilot.scores['ks_1k']:.2g} %, those of edges by the degrees of their ends by "
            f"up to {100 * pilot.scores['ks_2k']:.2g} %."
        )
    if "ks_1k" in pilot.scores:
        error = 100 * pilot.scores["ks_1k"]
        return f"Cumulated shares of nodes by degree are off by up to {error:.2g} %."
    good = sum(column_light(each).colour == "green" for each in pilot.columns)
    said = f"{good} of {len(pilot.columns)} columns will be near the originals"
    usable, pairs = usable_pairs(pilot)
    return f"{said}, and {usable:,} of {pairs:,} pairs of columns usable." if pairs else f"{said}."


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"  # noqa: PLR2004

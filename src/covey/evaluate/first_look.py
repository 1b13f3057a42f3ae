"""What does a curator want to see first: each column before and after, and what went worst?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from covey.table.attribute import MISSING_CATEGORY
from covey.table.calendar import told_place
from covey.table.grid import Grid

if TYPE_CHECKING:
    from covey.aggregate.summary import Summary
    from covey.table import Attribute, Schema

FREQUENT = 3
"""So many of the most frequent categories are shown."""

WORST = 3
"""So many of the worst columns and pairs are told in words."""

NEGLIGIBLE = 0.005
"""Errors below half a percentage point are not worth a sentence."""

LARGE_NUMBER, HUGE_NUMBER = 1e4, 1e12
"""Between these, numbers are written out."""

MISSING_ROW = "missing"
NUMBER_TITLES = ("mean", "median", "sd")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLook:
    """One column, the original and the released side by side.

    Parameters
    ----------
    name, unit : str
        Of the column.
    rows : tuple of (str, float, float)
        What is compared, the original's first: mean, median and sd of a number, the shares of the
        most frequent categories of a nominal one, and the shares of special and of missing values
        if there are any.  Special values outside the bounds are in no mean, median or sd.
    weighted : tuple of (str, float, float)
        The same of what records stand for, if there is a survey weight: a mean, or one share.
    shares : bool
        Whether the rows are shares, of categories.
    error : float
        The total variation of the frequencies, or the Kolmogorov-Smirnov distance of a number.
    attribute : Attribute, optional
        Tells how numbers are written that stand for dates or grades.
    """

    name: str
    unit: str
    rows: tuple[tuple[str, float, float], ...]
    shares: bool
    error: float
    attribute: Attribute | None = field(default=None, repr=False)
    weighted: tuple[tuple[str, float, float], ...] = ()

    @property
    def share_rows(self) -> tuple[tuple[str, float, float], ...]:
        """Return the rows that are shares."""
        if self.shares:
            return (*self.rows, *self.weighted)
        return tuple(row for row in self.rows if row[0] not in NUMBER_TITLES)

    def text(self, title: str, value: float) -> str:
        """Return a number of a row for people: a share, a date, a grade, four figures."""
        if self.shares or title not in NUMBER_TITLES:
            return f"{100 * value:.1f} %"
        known = self.attribute
        if isnan(value):
            return "–"
        if known is not None and known.kind is not None:
            return f"{_figure(value)} {known.step}s" if title == "sd" else told_place(known, value)
        if known is not None and known.categories is not None and title == "median":
            return known.categories[min(max(round(value), 0), len(known.categories) - 1)]
        return _figure(value)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if LARGE_NUMBER <= abs(value) < HUGE_NUMBER else f"{value:.4g}"


def look_at_columns(
    schema: Schema,
    numbers: Sequence[str],
    before: Summary,
    after: Summary,
    errors: Mapping[str, float],
) -> tuple[ColumnLook, ...]:
    """Put the columns of two tables side by side, in the order of the schema.

    Parameters
    ----------
    schema : Schema
        Tells order and units.
    numbers : sequence of str
        The columns with an order, as in the summaries.
    before, after : Summary
        Of originals and release.
    errors : mapping
        How wrong the distribution of each column is.
    """
    looks = {name: _number(schema[name], j, before, after) for j, name in enumerate(numbers)}
    looks |= {name: _category(name, before, after) for name in before.frequencies}
    return tuple(
        ColumnLook(
            name=name,
            unit=schema[name].unit,
            rows=looks[name],
            shares=name in before.frequencies,
            error=errors[name],
            attribute=schema[name],
        )
        for name in schema.names
        if name in looks
    )


def worst_in_words(
    looks: Sequence[ColumnLook], pairs: Mapping[tuple[str, str], float]
) -> tuple[str, ...]:
    """Say which columns and which pairs of columns are farthest from the originals."""
    columns = sorted(looks, key=lambda look: (-look.error, look.name))[:WORST]
    told = [_words(look) for look in columns if look.error >= NEGLIGIBLE]
    worst = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:WORST]
    told += [
        f"{one} and {other} together: {100 * error:.1f} % of the records are in the wrong cell of "
        f"their two-way table."
        for (one, other), error in worst
        if error >= NEGLIGIBLE
    ]
    return tuple(told)


def _words(look: ColumnLook) -> str:
    title, *pair = max(look.rows, key=lambda row: abs(row[2] - row[1]) / _size(look, row))
    before, after = (look.text(title, value) for value in pair)
    if look.shares:
        return (
            f"{look.name}: {100 * look.error:.1f} % of the records would have to change their "
            f"category; {title} went from {before} to {after}."
        )
    unit = f" {look.unit}" if look.unit else ""
    if title == MISSING_ROW:
        moved = f"{before} were missing, and {after} are"
    elif title not in NUMBER_TITLES:
        moved = f"{before} were {title}, and {after} are"
    else:
        moved = f"its {title} went from {before} to {after}{unit}"
    return (
        f"{look.name}: the share of records below some value is wrong by up to "
        f"{100 * look.error:.1f} percentage points; {moved}."
    )


def _size(look: ColumnLook, row: tuple[str, float, float]) -> float:
    """Return in which unit the move of a row is measured, so that moves can be compared."""
    if look.shares or row[0] not in NUMBER_TITLES:
        return 1.0
    spread = next(before for title, before, _ in look.rows if title == "sd")
    return spread or 1.0


def _number(
    attribute: Attribute, j: int, before: Summary, after: Summary
) -> tuple[tuple[str, float, float], ...]:
    found = [_middle(summary, j, attribute.special_codes) for summary in (before, after)]
    rows = [(title, *pair) for title, *pair in zip(NUMBER_TITLES, *found, strict=True)]
    for value in attribute.special_values:
        shares = [_share_at(summary, j, value) for summary in (before, after)]
        if any(shares):
            rows.append((attribute.told(value), *shares))
    lacking = [float(each.moments.missing[j]) / max(each.moments.n, 1) for each in (before, after)]
    if any(lacking):
        rows.append((MISSING_ROW, *lacking))
    return tuple((title, first, second) for title, first, second in rows)


def _middle(summary: Summary, j: int, apart: Sequence[float]) -> tuple[float, float, float]:
    """Return mean, median and standard deviation, without values that stand apart if cells tell."""
    histogram, moments = summary.histograms[j], summary.moments
    cells = histogram.cells
    if not apart or isinstance(cells, Grid):
        return float(moments.means[j]), histogram.quantile(0.5), sqrt(moments.variances[j])
    counts = np.where(np.isin(cells, apart), 0, histogram.counts[1:-1])
    total = int(counts.sum())
    if not total:
        return nan, nan, nan
    mean = float((counts * cells).sum()) / total
    spread = sqrt(float((counts * (cells - mean) ** 2).sum()) / total)
    ordinary = replace(histogram, counts=np.concatenate([[0], counts, [0]]))
    return mean, ordinary.quantile(0.5), spread


def _share_at(summary: Summary, j: int, value: float) -> float:
    """Return the share of records at one value, where it has a cell of its own."""
    histogram = summary.histograms[j]
    cells = histogram.cells
    if isinstance(cells, Grid):
        return 0.0
    return int(histogram.counts[1:-1][cells == value].sum()) / max(summary.moments.n, 1)


def _category(name: str, before: Summary, after: Summary) -> tuple[tuple[str, float, float], ...]:
    here, there = before.frequencies[name], after.frequencies.get(name, {})
    totals = max(sum(here.values()), 1), max(sum(there.values()), 1)
    both = {
        MISSING_ROW if text == MISSING_CATEGORY else text: (
            here.get(text, 0) / totals[0],
            there.get(text, 0) / totals[1],
        )
        for text in {*here, *there}
    }
    frequent = sorted(both, key=lambda text: (-both[text][0], text))[:FREQUENT]
    moved = max(both, key=lambda text: (abs(both[text][1] - both[text][0]), text))
    shown = frequent if moved in frequent else [*frequent, moved]
    return tuple((text, *both[text]) for text in shown)

"""What does each column look like: how its values are spread, how many are missing, how written?

For whoever holds the data, and for nobody else.  Values of texts are shown by their pattern alone.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.table.attribute import Attribute, Scale
from covey.table.calendar import unreadable
from covey.table.calendar_facts import is_in_time
from covey.table.listed import codes_removed
from covey.table.table import numbers_of

if TYPE_CHECKING:
    from covey.table.schema import Schema

BARS = 24
"""Numbers are counted in so many bins, if there are more different ones."""

MOST_SHOWN = 8
"""So many categories, and so many patterns, are told with their counts."""

COUNTED_EXACTLY = 1_000_000
"""The distinct values of more records are estimated."""

PATTERNS_OF = 10_000
"""Patterns are those of the first values."""

_LONGEST_RUN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """What one column looks like.

    Parameters
    ----------
    name : str
        Of the column.
    n, gaps, distinct : int
        How many records there are, how many lack a value, and how many different values occur;
        the last one is an estimate for very many records.
    bars : tuple of int
        How many values lie in each of `BARS` bins of equal width between the two ends, or how many
        records have each value if there are fewer; of categories, each of the most frequent ones.
    ends : tuple of str
        The smallest and the largest value, of numbers and points in time.
    frequent : tuple of (str, int)
        The most frequent categories, with their counts.
    patterns : tuple of (str, int)
        How the first `PATTERNS_OF` texts are written: A is a capital, a a letter, 9 a digit.
    """

    name: str
    n: int
    gaps: int
    distinct: int
    bars: tuple[int, ...] = ()
    ends: tuple[str, ...] = ()
    frequent: tuple[tuple[str, int], ...] = ()
    patterns: tuple[tuple[str, int], ...] = ()


def profile_columns(frame: pl.DataFrame, schema: Schema) -> tuple[ColumnProfile, ...]:
    """Return what each described column of a frame looks like, in the schema's order."""
    return tuple(
        _profile(frame[attribute.name], attribute)
        for attribute in schema
        if attribute.name in frame.columns
    )


def pattern_of(text: str) -> str:
    """Return how a text is written, and not what it says; long runs are cut short.

    Examples
    --------
    >>> pattern_of("Miller, J."), pattern_of("+49 30 1234567"), pattern_of("I10.9")
    ('Aaaaaa, A.', '+99 99 999999…', 'A99.9')
    """
    masked = "".join(_MASKS[(c.isdigit(), c.isalpha(), c.isupper())] or c for c in text[:200])
    return re.sub(rf"(A|a|9)\1{{{_LONGEST_RUN},}}", lambda m: m[1] * _LONGEST_RUN + "…", masked)


_MASKS = {
    (True, False, False): "9",
    (False, True, True): "A",
    (False, True, False): "a",
    (False, False, False): "",
    (False, False, True): "A",  # such as Ⓐ
}


def _profile(column: pl.Series, attribute: Attribute) -> ColumnProfile:
    known = _known(codes_removed(column, attribute))
    found = ColumnProfile(
        name=column.name,
        n=len(column),
        gaps=len(column) - len(known),
        distinct=_distinct(known),
    )
    numbers = _numbers(known, attribute)
    if numbers is not None:
        return _of_numbers(numbers, attribute, found)
    texts = known.cast(pl.String)
    frequent = () if attribute.is_hidden else _most_frequent(texts)
    counts = tuple(count for _, count in frequent)
    return replace(found, bars=counts, frequent=frequent, patterns=_patterns(texts))


def _distinct(known: pl.Series) -> int:
    if len(known) <= COUNTED_EXACTLY:
        return known.n_unique()
    return int(known.to_frame().select(pl.all().approx_n_unique()).item())


def _known(column: pl.Series) -> pl.Series:
    return column.drop_nulls().drop_nans() if column.dtype.is_float() else column.drop_nulls()


def _numbers(known: pl.Series, attribute: Attribute) -> NDArray[np.float64] | None:
    """Return values that have a place between two ends, or None if they are names."""
    if attribute.kind is not None:
        if is_in_time(known, attribute) or unreadable(known, attribute):
            return None
        return numbers_of(attribute, known)
    numeric = attribute.scale is not Scale.NOMINAL and known.dtype.is_numeric()
    if not numeric or attribute.categories is not None or not len(known):
        return None
    values = numbers_of(attribute, known)
    return values[np.isfinite(values)]


def _of_numbers(
    values: NDArray[np.float64], attribute: Attribute, profile: ColumnProfile
) -> ColumnProfile:
    ordinary = values[~np.isin(values, attribute.special_values)]
    if not len(ordinary):
        return profile
    low, high = float(ordinary.min()), float(ordinary.max())
    different, counts = np.unique(ordinary, return_counts=True)
    if len(different) > BARS:
        counts = np.histogram(ordinary, bins=BARS, range=(low, high))[0]
    apart = tuple(
        (attribute.told(value), int((values == value).sum())) for value in attribute.special_values
    )
    return replace(
        profile,
        bars=tuple(int(count) for count in counts),
        ends=(attribute.told(low), attribute.told(high)),
        frequent=tuple((text, count) for text, count in apart if count),
    )


def _most_frequent(texts: pl.Series) -> tuple[tuple[str, int], ...]:
    counted = texts.alias("value").value_counts(name="(count)")
    first = counted.sort(["(count)", "value"], descending=[True, False]).head(MOST_SHOWN)
    return tuple((str(value), int(count)) for value, count in first.iter_rows())


def _patterns(texts: pl.Series) -> tuple[tuple[str, int], ...]:
    found = Counter(map(pattern_of, texts.head(PATTERNS_OF)))
    return tuple(sorted(found.items(), key=lambda each: (-each[1], each[0]))[:MOST_SHOWN])

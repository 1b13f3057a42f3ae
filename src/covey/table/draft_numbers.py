"""What would a person start from for a column of numbers: bounds, steps, codes, special values?"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey.table.attribute import Attribute, Missing, Role
from covey.table.column_words import is_clock, is_weight
from covey.table.dialect import Dialect
from covey.table.numerals import as_type
from covey.table.step import decimals_in, on_steps, step_of_decimals
from covey.table.value_shapes import MISSING_AMONG_NUMBERS, MISSING_NUMBERS

_SPIKE = 0.2
"""A share of records at one value that a mean would blur."""

_DISTINCT = 20
_OFTEN = 3
_MANY_NUMBERS = 100
_FEW_PLACES = 6
_NINES = (99.0, 999.0, 9999.0, 99999.0, 999999.0, 98.0, 998.0, 88.0, 888.0)


_COARSE = (1000.0, 500.0, 100.0, 50.0, 10.0, 5.0, 0.5, 0.25, 0.2, 0.05)
"""Steps that people round to, the coarsest first."""

_LATEST = 2400
_MINUTES = 60
_EIGHT_DIGITS = (18_000_101, 21_991_231)


def numbers_among(texts: pl.Series, reading: Dialect) -> tuple[pl.Series | None, tuple[str, ...]]:
    """Return the numbers of a column, and the words for "no value" that stand among them."""
    bare = texts.str.strip_chars()
    words = bare.str.to_lowercase().is_in(list(MISSING_AMONG_NUMBERS)).fill_null(value=False)
    found = bare.filter(words).unique().sort().to_list()
    left = bare.set(words, None)
    numbers = as_type(left, pl.Float64(), reading)
    padded = left.str.contains(r"^[+-]?0[0-9]").any()
    if padded or numbers.null_count() > left.null_count() or numbers.null_count() == len(numbers):
        return None, ()
    return numbers, tuple(found)


def taken_for_missing(codes: tuple[str, ...]) -> str:
    """Say which words a draft takes for "no value"."""
    return f"Taken for missing: {', '.join(map(repr, codes))}."


def draft_number(column: pl.Series, codes: tuple[str, ...]) -> tuple[Attribute, tuple[str, ...]]:
    """Draft an attribute of numbers, with its reasons.

    Parameters
    ----------
    column : Series
        The numbers.
    codes : tuple of str
        Words for "no value" that stood among them.
    """
    name, reasons = column.name, []
    finite = column.cast(pl.Float64)
    finite = finite.filter(finite.is_finite().fill_null(value=False))
    lacking = len(finite) < len(column)
    if codes:
        reasons.append(taken_for_missing(codes))
    negative = _negative_codes(finite)
    if negative:
        codes = (*codes, *(f"{value:g}" for value in negative))
        finite = finite.filter(~finite.is_in(negative))
        reasons.append(
            f"All other numbers are at least 0, so {', '.join(f'{v:g}' for v in negative)} is "
            f"taken for a code for missing."
        )
    special = _special(finite)
    if special:
        reasons.append(
            f"So many records have {' and '.join(f'{v:g}' for v in special)} that it is proposed "
            f"as a value with a meaning of its own."
        )
    far = [value for value in special if value]
    ordinary = finite.filter(~finite.is_in(far)) if far else finite
    integer, step = _steps(column, finite)
    bounds = _bounds(ordinary, step)
    facts: list[str] = ["bounds", "integer", "missing", "scale"]
    facts += ["step"] * bool(step) + ["special"] * bool(special) + ["missing_codes"] * bool(codes)
    role: dict[str, Any] = {}
    if finite.n_unique() == 1 and len(finite) > 1:
        role = {"role": Role.IDENTIFIER}
        facts.append("role")
        reasons.append(
            "All records have the same number, so publishing it tells nothing and it is left out. "
            "State bounds and a role if it can vary."
        )
    mean = finite.mean()
    spread = finite.std()
    near_one = isinstance(mean, float) and 0.5 <= mean <= 2 and not integer  # noqa: PLR2004
    # Bodies do not differ so much, and samples do.
    near_one |= isinstance(mean, float) and isinstance(spread, float) and spread > mean > 0
    hint = _hint(name, finite) if integer else None
    if hint is not None:
        reasons.append(hint)
    if not role and is_weight(name, near_one=near_one) and bounds is not None and bounds[0] >= 0:
        return _weight(name, bounds, integer=integer, step=step, codes=codes, lacking=lacking)
    attribute = Attribute(
        name,
        bounds=bounds,
        integer=integer,
        step=step,
        special=special or None,
        missing=Missing.CATEGORY if lacking or codes else None,
        missing_codes=codes,
        drafted=tuple(facts),
        **role,
    )
    return attribute, tuple(reasons)


def _weight(
    name: str,
    bounds: tuple[float, float],
    *,
    integer: bool,
    step: float | None,
    codes: tuple[str, ...],
    lacking: bool,
) -> tuple[Attribute, tuple[str, ...]]:
    """Draft a survey weight: from 0 on, and a record without one counts nothing."""
    gaps = lacking or bool(codes)
    facts = ["bounds", "integer", "missing", "role", "scale"]
    facts += ["step"] * bool(step) + ["missing_codes"] * bool(codes)
    attribute = Attribute(
        name,
        role=Role.WEIGHT,
        bounds=(0.0, bounds[1]),
        integer=integer,
        step=step,
        missing=Missing.IMPUTE if gaps else None,
        impute=0 if gaps else None,
        missing_codes=codes,
        drafted=tuple(facts),
    )
    reasons = [taken_for_missing(codes)] if codes else []
    reasons.append(
        "It looks like a survey weight, the number of people that a record stands for. Write the "
        "largest weight of the design as its upper bound. `covey tabulate --weighted-by` adds it "
        "up; other systems publish it as a number, and count each record once."
    )
    return attribute, tuple(reasons)


def _hint(name: str, finite: pl.Series) -> str | None:
    """Say what whole numbers would rather be, which nobody but a person can decide."""
    if finite.n_unique() <= _DISTINCT:
        return None
    numbers = finite.to_numpy()
    if is_clock(name) and _looks_like_clock(numbers):
        return (
            "They look like times of day such as 838 for 8:38. As numbers, times that do not exist "
            "would be released, such as 872: write them as 08:38 in the file."
        )
    if _looks_like_dates(numbers):
        return (
            "They look like dates such as 20190131. As numbers, dates that do not exist would be "
            'released. In a text file write kind = "date", format = "%Y%m%d" and bounds; elsewhere '
            "store them as dates."
        )
    return None


def _looks_like_clock(numbers: NDArray[np.float64]) -> bool:
    inside = numbers.min() >= 0 and _MINUTES < numbers.max() <= _LATEST
    return bool(inside and (numbers % 100 < _MINUTES).all() and (numbers % 100 > 0).any())


def _looks_like_dates(numbers: NDArray[np.float64]) -> bool:
    low, high = _EIGHT_DIGITS
    if numbers.min() < low or numbers.max() > high:
        return False
    texts = pl.Series(numbers).cast(pl.Int64).cast(pl.String)
    return texts.str.to_date("%Y%m%d", strict=False).null_count() == 0


def _bounds(finite: pl.Series, step: float | None) -> tuple[float, float] | None:
    low, high = finite.min(), finite.max()
    if not (isinstance(low, float) and isinstance(high, float) and low < high):
        return None
    if step is not None:
        low, high = on_steps(np.array([low, high]), 0.0, step).tolist()
    return (low, high)


def _negative_codes(finite: pl.Series) -> list[float]:
    """Return negative numbers that stand for "no value", if all others are at least 0."""
    negative = finite.filter(finite < 0)
    found = sorted(set(negative.to_list()))
    if not found or not set(found) <= set(MISSING_NUMBERS) or len(negative) == len(finite):
        return []
    return found if len(negative) >= _OFTEN and (finite.n_unique() - len(found)) > 1 else []


def _special(finite: pl.Series) -> tuple[float, ...]:
    """Return a spike at 0, and nines far above all others."""
    distinct = finite.n_unique()
    special = []
    zeros = int((finite == 0).sum())
    if distinct > _DISTINCT and zeros >= _SPIKE * len(finite) and float(str(finite.min())) == 0:
        special.append(0.0)
    top = finite.max()
    if isinstance(top, float) and top in _NINES and distinct > _OFTEN:
        rest = finite.filter(finite < top).max()
        often = int((finite == top).sum()) >= _OFTEN
        if often and isinstance(rest, float) and rest <= top / 2:
            special.append(top)
    return tuple(special)


def _steps(column: pl.Series, known: pl.Series) -> tuple[bool, float | None]:
    """Return whether all numbers are whole, and the step that they lie on.

    One gap makes floats of whole numbers in most programs, so the type alone does not tell.
    """
    numbers = known.to_numpy()
    if column.dtype.is_integer():
        return True, _coarse(numbers, 1.0)
    if isinstance(column.dtype, pl.Decimal):
        decimals: int | None = column.dtype.scale
    else:
        decimals = decimals_in(numbers) if numbers.size else None
    if decimals is None:
        return False, None
    if decimals == 0 and bool((numbers == np.rint(numbers)).all()):
        return True, _coarse(numbers, 1.0)
    if not decimals:
        return False, None
    step = step_of_decimals(column.name, decimals)
    return False, _coarse(numbers, step) or step


def _coarse(numbers: NDArray[np.float64], finest: float) -> float | None:
    """Return the coarsest step that people round to and all of many numbers lie on, if any."""
    if numbers.size < _MANY_NUMBERS:
        return None
    distinct = np.unique(numbers)
    for step in _COARSE:
        # A few places are a scale of their own, and would all lie on some step by chance.
        if step <= finest or distinct.size < (_DISTINCT if step > 1 else _FEW_PLACES):
            continue
        places = distinct / step
        if np.allclose(places, np.rint(places), rtol=0.0, atol=1e-9):
            return step
    return None

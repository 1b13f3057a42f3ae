"""What would a person start from for a column of numbers: bounds, steps, codes, special values?"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from covey.table.attribute import Attribute, Missing, Role
from covey.table.column_words import is_weight
from covey.table.dialect import Dialect
from covey.table.numerals import as_type
from covey.table.step import decimals_in, on_steps, step_of_decimals
from covey.table.value_shapes import MISSING_AMONG_NUMBERS, MISSING_NUMBERS

_SPIKE = 0.2
"""A share of records at one value that a mean would blur."""

_DISTINCT = 20
_OFTEN = 3
_NINES = (99.0, 999.0, 9999.0, 99999.0, 999999.0, 98.0, 998.0, 88.0, 888.0)


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
    near_one = isinstance(mean, float) and 0.5 <= mean <= 2 and not integer  # noqa: PLR2004
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
    """Return whether all numbers are whole, and the step that their decimals mean.

    One gap makes floats of whole numbers in most programs, so the type alone does not tell.
    """
    if not column.dtype.is_float():
        return column.dtype.is_integer(), None
    numbers = known.to_numpy()
    decimals = decimals_in(numbers) if numbers.size else None
    whole = decimals == 0 and bool((numbers == np.rint(numbers)).all())
    return whole, step_of_decimals(column.name, decimals) if decimals else None

"""What can a column of a type hold?"""

from __future__ import annotations

import numpy as np
import polars as pl
from polars.datatypes import IntegerType


def is_unusual(dtype: pl.DataType) -> bool:
    """Return whether values of this type are neither numbers nor texts nor truth values."""
    return dtype.is_temporal() or dtype.is_nested() or dtype in (pl.Binary, pl.Object)


def as_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with its extension types as what they are stored as, such as JSON as text."""
    extended = [each for each in frame if isinstance(each.dtype, pl.BaseExtension)]
    return frame.with_columns(each.ext.storage() for each in extended) if extended else frame


def cast_texts(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Return texts as values of a type; those that are none become missing values."""
    if dtype == pl.Boolean:
        words = {"true": True, "false": False}
        return texts.replace_strict(words, default=None, return_dtype=pl.Boolean)
    return texts.cast(dtype, strict=False)


def range_of(dtype: pl.DataType) -> tuple[float, float]:
    """Return the smallest and the largest number of a type, which is as public as its name.

    Examples
    --------
    >>> range_of(pl.Int8())
    (-128.0, 127.0)
    """
    if isinstance(dtype, pl.Decimal):
        high = 10.0 ** ((dtype.precision or 38) - dtype.scale) - 10.0**-dtype.scale
        return -high, high
    if dtype == pl.Float32:
        high = float(np.finfo(np.float32).max)
        return -high, high
    if not isinstance(dtype, IntegerType):
        return -np.inf, np.inf
    low, largest = pl.select(low=dtype.min(), high=dtype.max()).row(0)
    high = float(largest)
    # The largest whole number of 64 bits has no float of its own: the next one is too large.
    return float(low), high if int(high) <= largest else float(np.nextafter(high, 0.0))

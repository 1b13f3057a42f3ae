"""What do draws make of one piece of the records?  Values drawn anew, or records that take part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.core.questions import RecordValues, Sample
from covey.table import Scale, from_values
from covey.table.dtypes import cast_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core.meter import Draw
    from covey.postprocess.rows import Values
    from covey.table import Table


def drawn_values(table: Table, draw: Draw) -> tuple[NDArray[np.int64], Values]:
    """Draw a column of single records anew: its steps or chosen candidates, and what they mean."""
    question, name = draw.question, draw.question.name
    if isinstance(question, RecordValues):
        noisy = draw(question.grid.integers(table.values(name)))
        return noisy, question.grid.values(noisy)
    chosen = draw(table.taxonomy(name).codes(table.texts(name), attribute=name))
    return chosen, np.array(question.candidates, dtype=object)[chosen]


def sampled_table(table: Table, question: Sample, kept: NDArray[np.bool_]) -> Table:
    """Return the records that take part, and a public record in the place of the others, if any."""
    attributes = tuple(table.schema[name] for name in question.columns)
    taking, frame = pl.Series(kept, dtype=pl.Boolean), table.frame.select(question.columns)
    table = replace(table, schema=replace(table.schema, attributes=attributes), frame=frame)
    if question.default is None:
        return replace(table, frame=frame.filter(taking))
    columns = [
        frame[name].zip_with(taking, _typed(table, name, value).new_from_index(0, table.n))
        for name, value in question.default.items()
    ]
    return replace(table, frame=pl.DataFrame(columns))


def _typed(table: Table, name: str, value: float | str) -> pl.Series:
    """Return a public value in the type of its column."""
    dtype = table.dtype(name)
    if table.schema[name].scale is Scale.NOMINAL:
        return cast_texts(pl.Series(name, [str(value)]), dtype)
    number = table.domain(name).index(value) if isinstance(value, str) else value
    return from_values(table, name, np.array([float(number)])).cast(dtype)

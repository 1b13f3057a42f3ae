"""How much privacy loss does each person of a table allow?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.core.budget import LARGEST, SMALLEST
from covey.errors import DataError, PlanError, suggest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Table


def preferences_of(table: Table, name: str) -> NDArray[np.float64]:
    """Return the public preferences, or explain what is wrong with them."""
    if name not in table.schema.names:
        raise PlanError(
            f"there is no column {name!r}, so nobody's preference is known and nothing was "
            f"published. {suggest(name, table.schema.names)}"
        )
    column = table.frame[name]
    if not column.dtype.is_numeric():
        raise DataError(
            f"column {name!r} holds other things than numbers, so it names nobody's preference. "
            f"Write the largest privacy loss that each person allows, such as 0.5."
        )
    values = column.cast(pl.Float64).to_numpy().astype(np.float64)
    if np.isnan(values).any():
        raise DataError(
            f"column {name!r} lacks the preference of a record, so nothing bounds the loss of "
            f"that person. Give every record a preference; a small one protects most."
        )
    if not ((values >= float(SMALLEST)) & (values <= float(LARGEST))).all():
        raise DataError(
            f"column {name!r} holds a preference that is not a positive number between "
            f"{float(SMALLEST):g} and {float(LARGEST):g}, so it bounds nothing. Give every record "
            f"a number above 0; 0.1 to 2 is usual, and smaller protects more."
        )
    return values

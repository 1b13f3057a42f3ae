"""How many columns do so many records carry at this epsilon, and which ones are left out first?

From public facts alone: the rules by which a column model measures pairs, or columns at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice, takewhile
from typing import TYPE_CHECKING

from covey.core import Budget, PrivacyUnit
from covey.partition.axis import axis_of
from covey.systems.sound.column_model.ask import carries
from covey.systems.sound.column_model.shares import Purse, layout_of
from covey.table import Head

if TYPE_CHECKING:
    from covey.table import Schema

MOST_CARRIED = 60
"""A column model is made for up to so many columns."""

MOST_LISTED = 8
"""So many columns are named; of others their number is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedColumns:
    """Up to how many columns pairs are measured, and up to how many anything is published."""

    pairs: int
    alone: int


def carried_columns(
    schema: Schema, ranking: Sequence[str], *, n: int, epsilon: float
) -> CarriedColumns:
    """Count columns in the order of what matters; beyond the last, more columns like these."""
    head = Head(schema=schema, n=n, kind="csv")
    own = [axis_of(head, schema[name]) for name in ranking]
    axes = list(islice(cycle(own), max(MOST_CARRIED, len(own))))
    purse = Purse(Budget.of(epsilon), PrivacyUnit.REPLACE_RECORD)

    def alone(count: int) -> bool:
        return carries(axes[:count], purse, n)

    def paired(count: int) -> bool:
        together = layout_of(purse, axes[:count], n, target=None).model != "columns"
        return alone(count) and together

    return CarriedColumns(
        # A single column has no pair.
        pairs=max(takewhile(paired, range(2, len(axes) + 1)), default=0),
        alone=max(takewhile(alone, range(1, len(axes) + 1)), default=0),
    )


def carried_note(
    schema: Schema, ranking: Sequence[str], *, n: int, epsilon: float, ranked: bool
) -> str:
    """Say how many columns are carried, and which to leave out first if these are too many.

    ``ranked`` says that the order is the steward's own, and not that of the schema.
    """
    found = carried_columns(schema, ranking, n=n, epsilon=epsilon)
    begin = f"With column-model, {n:,} records at epsilon = {epsilon:g} carry"
    if not found.alone:
        return f"{begin} none of these columns: noise would drown the first already."
    at_all = f"{_up_to(found.alone)} columns"
    if found.pairs:
        said = [f"{begin} tables of pairs of {_up_to(found.pairs)} columns, and {at_all} at all."]
    else:
        said = [f"{begin} no tables of pairs, and {at_all} by themselves."]
    if len(ranking) > found.alone:
        fewer = _left_out(ranking, found.alone, ranked=ranked)
        said.append(f"All {len(ranking)} are refused: {fewer}.")
    elif found.pairs < len(ranking):
        said.append(f"All {len(ranking)} come out independent of each other.")
    if 0 < found.pairs < len(ranking):
        fewer = _left_out(ranking, found.pairs, ranked=ranked)
        said.append(f"To keep what columns say together, {fewer}.")
    if not ranked and min(found.alone, found.pairs or found.alone) < len(ranking):
        said.append("List --columns, what matters most first, to see which.")
    return " ".join(said)


def _up_to(count: int) -> str:
    return f"{count} or more" if count >= MOST_CARRIED else f"up to {count}"


def _left_out(ranking: Sequence[str], kept: int, *, ranked: bool) -> str:
    """Name what goes first, the last of the ranking; without one, say how many."""
    names = list(reversed(ranking[kept:]))
    if not ranked:
        return f"leave out about {len(names)} of them"
    more = len(names) - MOST_LISTED
    listed = ", ".join(names[:MOST_LISTED])
    return f"leave out first {listed}" + (f" and the {more} before these" if more > 0 else "")

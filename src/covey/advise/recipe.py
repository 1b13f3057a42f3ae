"""Which parameters does a system get, as a function of public numbers?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from covey.partition.hilbert import MOST_ATTRIBUTES
from covey.privacy import Budget
from covey.systems.insensitive import default_cluster_size
from covey.systems.rank_blocks import default_block_size
from covey.table import Scale, Schema

SIZES = (1.0, 0.5, 2.0)
"""Sizes of clusters are tried at these multiples of their default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A system whose parameters follow n and epsilon.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    size : float, optional
        The size of clusters, as a multiple of the system's own default; None if it has none.
    order : str, optional
        The public order of records, for systems that need one.
    """

    system: str
    size: float | None = None
    order: str | None = None

    def parameters(self, schema: Schema, n: int, epsilon: float) -> dict[str, Any]:
        """Return the parameters for so many records, without epsilon itself."""
        found: dict[str, Any] = {}
        if self.size is not None:
            default = _default_size(self.system, len(schema.names), n, epsilon)
            # Twice the default may not leave two clusters, and half of it not two records.
            changed = max(2, min(n // 2, round(self.size * default)))
            found["k"] = default if self.size == 1.0 else changed
        if self.order is not None:
            found["order"] = self.order
        return found


def recipes(systems: Sequence[str], schema: Schema) -> list[Recipe]:
    """Return what is worth trying for the columns of a schema."""
    nominal = any(attribute.scale is Scale.NOMINAL for attribute in schema)
    found: list[Recipe] = []
    for system in systems:
        if system == "rank-blocks":
            # Ranks are of numbers; categories by themselves are for the other systems.
            found += [] if nominal else [Recipe(system=system, size=size) for size in SIZES]
        elif system == "insensitive":
            orders = ["corners"]
            if not nominal and len(schema.names) <= MOST_ATTRIBUTES:
                orders.append("hilbert")
            found += [
                Recipe(system=system, size=size, order=order) for order in orders for size in SIZES
            ]
        else:
            found.append(Recipe(system=system))
    return found


def _default_size(system: str, columns: int, n: int, epsilon: float) -> int:
    if system == "insensitive":
        return default_cluster_size(n, columns, epsilon)
    share = Budget.of(epsilon).split([1] * columns)[0]
    return default_block_size(n, share.value)

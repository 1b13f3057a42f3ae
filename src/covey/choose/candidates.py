"""Which plans are worth trying, as functions of public numbers?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from covey.core import Budget
from covey.partition.hilbert import MOST_ATTRIBUTES
from covey.systems.sound.insensitive import default_cluster_size
from covey.systems.sound.rank_blocks import default_block_size
from covey.table import Scale, Schema

MODEL_COLUMNS = 4
"""Fewer columns are better served by boxes, which hold what three columns say together."""

_SIZES = (1.0, 0.5, 2.0)
"""Sizes of clusters are tried at these multiples of their default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A system whose parameters follow n and epsilon.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS`.
    size : float, optional
        The size of clusters, as a multiple of the system's own default; None if it has none.
    fixed : mapping
        Parameters that follow from nothing, such as the public order of records.
    """

    system: str
    size: float | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self, n: int, columns: int, epsilon: float) -> dict[str, Any]:
        """Return the parameters for so many records of so many columns."""
        found: dict[str, Any] = {"epsilon": epsilon}
        if self.size is not None:
            default = _default_size(self.system, columns, n, epsilon)
            # Twice the default may not leave two clusters, and half of it not two records.
            changed = max(2, min(n // 2, round(self.size * default)))
            found["k"] = default if self.size == 1.0 else changed
        return {**found, **self.fixed}


def candidates(systems: Sequence[str], schema: Schema) -> list[Candidate]:
    """Return what is worth trying for the columns of a schema."""
    nominal = any(attribute.scale is Scale.NOMINAL for attribute in schema)
    found: list[Candidate] = []
    for system in systems:
        if system == "rank-blocks":
            # Ranks are of numbers; categories by themselves are for the other systems.
            found += [] if nominal else [Candidate(system=system, size=size) for size in _SIZES]
        elif system == "insensitive":
            curve = not nominal and len(schema.names) <= MOST_ATTRIBUTES
            found += [
                Candidate(system=system, size=size, fixed={"order": order})
                for order in ("corners", *(["hilbert"] if curve else []))
                for size in _SIZES
            ]
        elif system != "column-model" or len(schema.names) >= MODEL_COLUMNS:
            found.append(Candidate(system=system))
    return found


def _default_size(system: str, columns: int, n: int, epsilon: float) -> int:
    if system == "insensitive":
        return default_cluster_size(n, columns, epsilon)
    share = Budget.of(epsilon).split([1] * columns)[0]
    return default_block_size(n, share.value)

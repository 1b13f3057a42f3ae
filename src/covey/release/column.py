"""What kinds of column may a release hold, and what does each say about its origin?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.perturb import Accounted


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyColumn:
    """Values computed from noisy statistics and public numbers only.

    Columns that were computed from one joint mechanism share its account as their origin.
    """

    values: NDArray[np.float64]
    origin: Accounted


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptColumn:
    """Categories or concepts of a taxonomy, chosen at random from public candidates."""

    concepts: tuple[str, ...]
    origin: Accounted


@dataclass(frozen=True, slots=True, kw_only=True)
class CountColumn:
    """Degrees and counts of a graph's release, computed from noisy counts only."""

    values: NDArray[np.int64]
    origin: Accounted


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedColumn:
    """Centroids of clusters without noise; codes if the attribute has categories."""

    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class UntouchedColumn:
    """The original values of a column that the system does not protect."""


Column = NoisyColumn | ConceptColumn | CountColumn | GroupedColumn | UntouchedColumn

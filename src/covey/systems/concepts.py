"""Which concepts may stand for categories, and how far apart are they, in whole steps?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Head, Table, Taxonomy

DISTANCE_STEPS = 2**20
"""Semantic distances lie in 0 … 1 and are rounded to this many steps."""


def distance_steps(taxonomy: Taxonomy) -> NDArray[np.int64]:
    """Return the distances of all concepts in steps."""
    return np.rint(taxonomy.distances * DISTANCE_STEPS).astype(np.int64)


def candidate_codes(head: Head | Table, name: str, taxonomy: Taxonomy) -> NDArray[np.int64]:
    """Return the concepts that the column's type can hold: all of them if it holds texts.

    The root of a flat list of categories says nothing and is no candidate.
    """
    flat = head.schema[name].taxonomy is None
    texts = head.dtype(name) in (pl.String, pl.Categorical)
    if texts and not flat:
        return np.arange(len(taxonomy.concepts))
    allowed = set(head.domain(name)) if flat else set(head.schema[name].categories or ())
    codes = [code for code, concept in enumerate(taxonomy.concepts) if concept in allowed]
    return np.array(codes or taxonomy.leaves)

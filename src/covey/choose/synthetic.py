"""How could such records, or such a graph, look, if nobody looked at the real ones?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.errors import SchemaError
from covey.graph import Graph, from_edges
from covey.table import Attribute, Missing, Scale, Schema, Table, Taxonomy, read_table
from covey.table.calendar import from_places, released_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAPES = ("uniform", "normal", "skewed")
"""Records spread evenly over the public range, heaped in its middle, or crowded at its low end."""

IN_COMMON = ("normal",)
"""Shapes in which all columns go together by one thing that they have in common.  In the others
each goes with one other: in wide tables most pairs have little to do with each other, and what
suits the one kind of dependence need not suit the other."""

CORRELATION = 0.5
"""How strongly any two columns go together that have something in common, before their shapes are
given to them."""

PARTNERS = 0.7
"""How strongly a column goes with its partner."""

HEAP = 8.0
"""The standard deviation of the heap is the width over this; the mean of the crowd, too."""

GRAPH_SHAPES = ("even", "heavy tail")
"""Degrees all alike, or a few nodes with a great many."""

TAIL = 1.4
"""Exponent of the weights of nodes in the heavy tail (degrees fall with power 2.4)."""


def synthetic(schema: Schema, n: int, shape: str, seed: int) -> Table:
    """Draw records from the public facts of a schema: bounds, categories, taxonomies.

    Examples
    --------
    >>> schema = Schema((Attribute("age", bounds=(0, 120), integer=True),))
    >>> synthetic(schema, 3, "uniform", 1).frame["age"].is_between(0, 120).all()
    True
    """
    rng = np.random.default_rng(seed)
    own = rng.standard_normal((len(schema.names), n))
    together = _by_common(own, rng) if shape in IN_COMMON else _by_partner(own, rng)
    columns = [
        _column(attribute, schema, normal, shape)
        for attribute, normal in zip(schema, together, strict=True)
    ]
    return read_table(pl.DataFrame(columns), schema)


def synthetic_tables(schema: Schema, n: int) -> dict[str, Table]:
    """Draw records of every shape."""
    public = without_gaps(schema)
    return {shape: synthetic(public, n, shape, seed) for seed, shape in enumerate(SHAPES)}


def without_gaps(schema: Schema) -> Schema:
    """Return the schema without its policies for missing values, which nothing made up needs."""
    attributes = tuple(
        replace(attribute, missing=Missing.REFUSE, impute=None) for attribute in schema.attributes
    )
    return replace(schema, attributes=attributes)


def synthetic_graph(n: int, degree: float, shape: str) -> Graph:
    """Draw a graph with about so many neighbours for each node.

    Examples
    --------
    >>> round(synthetic_graph(500, 5.0, "even").degrees.mean())
    5
    """
    rng = np.random.default_rng(GRAPH_SHAPES.index(shape))
    weights = np.ones(n) if shape == "even" else (1 - rng.random(n)) ** (-1 / TAIL)
    weights = np.minimum(weights, np.sqrt(weights.sum()))
    ends = rng.choice(n, size=(round(n * degree / 2), 2), p=weights / weights.sum())
    ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    return from_edges(ends.astype(np.int64), ids=n)


def _by_common(own: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    common = rng.standard_normal(own.shape[1])
    return np.asarray(np.sqrt(CORRELATION) * common + np.sqrt(1.0 - CORRELATION) * own)


def _by_partner(own: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Give each column a partner among those before it, in an order that is none of the schema."""
    order = rng.permutation(own.shape[0])
    found = own.copy()
    for place in range(1, order.size):
        partner = found[order[rng.integers(place)]]
        mixed = PARTNERS * partner + np.sqrt(1.0 - PARTNERS**2) * own[order[place]]
        found[order[place]] = mixed
    return found


def _column(
    attribute: Attribute, schema: Schema, normal: NDArray[np.float64], shape: str
) -> pl.Series:
    if attribute.scale is Scale.NOMINAL:
        categories = _categories(attribute, schema)
        codes = _codes(normal, len(categories), shape)
        return pl.Series(attribute.name, np.array(categories, dtype=object)[codes], dtype=pl.String)
    low, high = attribute.public_bounds
    values = low + (high - low) * _shares(normal, shape)
    if attribute.categories is not None:
        names = np.array(attribute.categories, dtype=object)
        return pl.Series(attribute.name, names[np.rint(values).astype(np.int64)], dtype=pl.String)
    if attribute.is_numeric_ordinal:
        return pl.Series(attribute.name, np.clip(np.rint(values), low, high))
    values = np.clip(attribute.rounded(values), low, high)
    if attribute.kind is not None:
        return from_places(values, attribute, released_dtype(attribute))
    return pl.Series(attribute.name, values)


def _shares(normal: NDArray[np.float64], shape: str) -> NDArray[np.float64]:
    """Turn normal variables into places between the bounds, 0 … 1."""
    from scipy.special import ndtr

    if shape == "normal":
        return np.asarray(np.clip(0.5 + normal / HEAP, 0.0, 1.0))
    even = np.asarray(ndtr(normal))
    if shape == "uniform":
        return even
    return np.asarray(np.clip(-np.log1p(-even) / HEAP, 0.0, 1.0))


def _codes(normal: NDArray[np.float64], categories: int, shape: str) -> NDArray[np.int64]:
    """Turn normal variables into categories, equally frequent or rarer and rarer."""
    from scipy.special import ndtr

    weights = np.ones(categories) if shape == "uniform" else 1.0 / np.arange(1, categories + 1)
    edges = np.cumsum(weights / weights.sum())
    found = np.searchsorted(edges, ndtr(normal), side="right")
    return np.asarray(np.minimum(found, categories - 1), dtype=np.int64)


def _categories(attribute: Attribute, schema: Schema) -> tuple[str, ...]:
    if attribute.categories is not None:
        return attribute.categories
    if attribute.taxonomy is None:
        raise SchemaError(
            f"attribute {attribute.name!r} lists neither categories nor a taxonomy, so nothing is "
            f"publicly known about its values. Give `categories = [...]` or "
            f'`taxonomy = "file.csv"`, or leave it out with --columns.'
        )
    taxonomy = Taxonomy.load(schema.folder / attribute.taxonomy, name=attribute.name)
    return tuple(taxonomy.concepts[leaf] for leaf in taxonomy.leaves)

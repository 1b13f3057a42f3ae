"""How do published columns, pairs and correlations become rows?  Post-processing of noisy tables.

Columns are corrected by the margins of their pairs, tables are fitted and raked to the columns,
rows are drawn from the model of largest entropy, and the ranks of numbers are coupled anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from covey.postprocess.clique_rows import Clique
from covey.postprocess.leaves import onto_simplex, whole_counts
from covey.postprocess.model_rows import ModelColumn, ModelRows
from covey.postprocess.raking import clique_of, conditional
from covey.postprocess.recouple import coupling, pair_means, shrunken
from covey.postprocess.table_fit import fitted_table
from covey.postprocess.triple_fit import fitted_triple
from covey.systems.base import Built
from covey.systems.sound.column_model.counted import margin_of
from covey.systems.sound.column_model.tables import (
    accuracy_table,
    cell_names,
    correlation_table,
    published_tables,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.systems.sound.column_model.ask import AskedModel
    from covey.systems.sound.column_model.coarse import CoarseColumn
    from covey.systems.sound.column_model.correlations import MeasuredCorrelations
    from covey.systems.sound.column_model.counted import Structure
    from covey.systems.sound.column_model.measure import MeasuredModel

SAMPLED_ROWS = 2**16
"""Correlations are fitted on so many rows."""

MODELS = {
    "columns": (
        "The columns of the rows are independent of each other: for so few records and so small "
        "an epsilon, tables of pairs would be noise."
    ),
    "named": (
        "Columns of the rows depend on each other by the tables that the plan names alone: for so "
        "few records and so small an epsilon, tables of other pairs would be noise."
    ),
    "tree": "Each column of the rows depends on one other, chosen privately.",
    "two parents": "Each column of the rows depends on two others, chosen privately.",
    "target": "Each column of the rows depends on the target and on one other, chosen privately.",
}
"""What is said about the rows of each model."""


def build(asked: AskedModel, measured: MeasuredModel, rng: np.random.Generator) -> Built:
    """Make a model of what was published, rows of the model, and the tables beside them."""
    n = asked.n if asked.n is not None else max(1, round(measured.n))
    coarse = [_corrected(j, column, measured, n) for j, column in enumerate(measured.columns)]
    fitted = _fitted(coarse, measured.structure, float(n))
    columns = [_model_column(column, n) for column in coarse]
    rows = ModelRows(
        columns=columns,
        cliques=_cliques(coarse, measured.structure, fitted),
        coupled=(),
        coupling=None,
        total=n,
    )
    if measured.correlations is not None:
        rows = _recoupled(rows, measured.correlations, rng)
    extras = {
        "accuracy": accuracy_table(coarse, columns, measured, n, known_n=asked.n is not None),
        "tables": published_tables(
            coarse,
            columns,
            [cell_names(*each) for each in zip(asked.attributes, coarse, strict=True)],
            measured.structure,
            fitted,
            n=n,
        ),
    }
    if measured.correlations is not None:
        extras["correlations"] = correlation_table(coarse, measured.correlations)
    return Built(rows=rows, extras=extras, facts=(MODELS[measured.layout.model], *_apart(measured)))


def _apart(measured: MeasuredModel) -> tuple[str, ...]:
    """Say which tables the rows do not follow."""
    if measured.structure is None:
        return ()
    structure = measured.structure
    followed = {tuple(sorted((child, *parents))) for child, parents in structure.order}
    triples = [table.columns for table in structure.triples if table.columns not in followed]
    if not structure.apart and not triples:
        return ()
    names = [column.column.axis.name for column in measured.columns]
    told = ["*".join(names[j] for j in table) for table in (*structure.apart, *triples)]
    return (
        f"Rows were not made to follow these tables, which stand beside them: {', '.join(told)}.",
    )


def _corrected(j: int, column: CoarseColumn, measured: MeasuredModel, n: int) -> CoarseColumn:
    """Return the inverse-variance mean of a column and of its margins in the measured tables."""
    if measured.structure is None:
        return column
    precise = 1.0 / column.variance
    total = column.mass * n * precise
    for table in measured.structure.asked:
        if j in table.columns:
            margin = margin_of(table, (j,))
            weight = 1.0 / margin.noise**2
            total = total + margin.noisy * weight
            precise = precise + weight
    mean = total / precise
    # A cell that the column itself found empty stays empty.
    mean = np.where(column.mass > 0, mean, 0.0)
    mass = onto_simplex(mean, float(n)) / n if mean.max() > 0 else column.mass
    return replace(column, counts=mean, variance=1.0 / precise, mass=mass / mass.sum())


def _fitted(
    coarse: Sequence[CoarseColumn], structure: Structure | None, n: float
) -> dict[tuple[int, ...], NDArray[np.float64]]:
    """Return the shares of each pair and of each table of three columns."""
    if structure is None:
        return {}
    found: dict[tuple[int, ...], NDArray[np.float64]] = {
        (i, j): fitted_table(
            pair.noisy,
            pair.noise,
            coarse[i].mass,
            coarse[j].mass,
            n=n,
            ordered=(coarse[i].ordered, coarse[j].ordered),
        )
        for (i, j), pair in structure.measured.items()
    }
    for table in structure.triples:
        i, j, k = table.columns
        pairs = (found[i, j], found[i, k], found[j, k])
        found[table.columns] = fitted_triple(table.noisy, table.noise, pairs, n=n)
    return found


def _model_column(column: CoarseColumn, n: int) -> ModelColumn:
    """Return a column with its corrected coarse masses, inside as it was published."""
    published, of = column.column, column.cells.of
    if published.density is not None:
        cuts = np.searchsorted(of, np.arange(column.cells.size))
        density = published.density.reweighted(cuts, column.mass)
        return ModelColumn(axis=published.axis, of=of, mass=column.mass, density=density)
    before = np.bincount(of, weights=published.mass, minlength=column.cells.size)
    size = np.bincount(of, minlength=column.cells.size)
    inside = np.where(before[of] > 0, published.mass / np.maximum(before[of], 1e-300), 1 / size[of])
    counts = whole_counts(inside * column.mass[of] * n, n)
    return ModelColumn(axis=published.axis, of=of, mass=column.mass, counts=counts)


def _cliques(
    coarse: Sequence[CoarseColumn],
    structure: Structure | None,
    fitted: Mapping[tuple[int, ...], NDArray[np.float64]],
) -> list[Clique]:
    """Return the shares of each column given its parents: of largest entropy, if these are two.

    Unless a table of all three was measured.
    """
    if structure is None:
        return [Clique(column=j, parents=(), shares=column.mass) for j, column in enumerate(coarse)]

    def table(*columns: int) -> NDArray[np.float64]:
        ascending = sorted(columns)
        return fitted[tuple(ascending)].transpose([ascending.index(j) for j in columns])

    found = []
    for child, parents in structure.order:
        mass = coarse[child].mass
        if not parents:
            shares = mass
        elif len(parents) == 1:
            shares = conditional(table(parents[0], child), mass)
        elif tuple(sorted((child, *parents))) in fitted:
            shares = conditional(table(*parents, child), mass)
        else:
            first, second = parents
            joint = clique_of(table(first, child), table(second, child), table(first, second))
            shares = conditional(joint, mass)
        found.append(Clique(column=child, parents=parents, shares=shares))
    return found


def _recoupled(
    rows: ModelRows, measured: MeasuredCorrelations, rng: np.random.Generator
) -> ModelRows:
    """Couple the ranks of numbers so that rows have the measured correlations, or stay near."""
    size = min(rows.total, SAMPLED_ROWS)
    codes = rows.codes(size, rng, {})
    scores = rows.scores(codes, rng)
    together = np.column_stack([scores[j] for j in measured.columns]).astype(np.float64)
    at = (np.arange(size) + 0.5) / size
    sorted_ranks = []
    for place, j in enumerate(measured.columns):
        density = rows.columns[j].density
        assert density is not None  # noqa: S101 — numeric columns have one
        sorted_ranks.append(measured.ranks[place][measured.of[place][density.at_ranks(at)]])

    def statistic(changed: NDArray[np.float64]) -> NDArray[np.float64]:
        found = []
        for values, ranks in zip(changed.T, sorted_ranks, strict=True):
            column = np.empty(size)
            column[np.argsort(values)] = ranks
            found.append(column)
        return pair_means(found)

    implied = statistic(together)
    upper = np.triu_indices(len(measured.columns), 1)
    wanted = np.zeros_like(implied)
    wanted[upper] = shrunken(
        measured.means[upper], implied[upper], measured.noise, chance=measured.chance
    )
    found = coupling(together, wanted + wanted.T, statistic)
    return replace(rows, coupled=measured.columns, coupling=found)

"""Add noise to the centroids of stable clusters of a pair of data sets (paper 002).

S-MDAV (`2-stable`) and the alpha-stable algorithms cluster the data by MDAV and derive clusters
for one given neighbour, so that at most alpha clusters differ by one record each.  Noise for
alpha records then bounds the loss between these two data sets.

Unlike paper 002, which claims differential privacy: the clusters of the data never depended on
the neighbour, and a release of the neighbour would start from its own MDAV, which may lead to
quite other clusters.  These systems serve to repeat the paper's experiments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_sums
from covey.core import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit
from covey.errors import CoveyError, PlanError
from covey.partition.stable import StablePair
from covey.systems.base import Outcome, Progress, setting
from covey.systems.columns import assumptions, choose_columns, dropped, on_grids
from covey.systems.papers.noise import add_laplace
from covey.systems.papers.p000.groups import shares
from covey.table import Table, read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.core import NoiseSource
    from covey.systems.papers.p002.alpha_stable import AlphaStableSettings
    from covey.systems.papers.p002.two_stable import TwoStableSettings
    from covey.table import Attribute

Derive = Callable[["NDArray[np.float64]", "NDArray[np.float64]"], StablePair]
"""Clusters the data, and derives clusters for the neighbour."""


def publish_pair(
    table: Table,
    system: str,
    settings: TwoStableSettings | AlphaStableSettings,
    source: NoiseSource,
    progress: Progress | None,
    *,
    alpha: int,
    derive: Derive,
) -> Outcome:
    """Add noise for ``alpha`` records to the clusters of the data, which ``derive`` has formed."""
    attributes = choose_columns(table.schema, settings.columns)
    grids = on_grids(attributes, system)
    budget = Budget.of(settings.epsilon)
    budgets = shares(budget, (attributes,), settings.split)
    if progress is not None:
        progress(f"{system}: forming clusters", 0, 1)
    pair = stable_pair(table, settings.neighbour, attributes, derive)
    sizes = np.bincount(pair.here).astype(np.int64)
    columns = {}
    for name, grid in grids.items():
        noisy = add_laplace(
            cluster_sums(grid.integers(table.values(name)), pair.here, sizes.size),
            grid=grid,
            # αΔ/(kε) on the mean of k records.  Unlike [002, 5.3] a larger cluster gets less: its
            # sum moves no further.
            sensitivity=alpha * grid.steps,
            budget=budgets[name],
            source=source,
        )
        columns[name] = noisy.means(sizes)[pair.here]
    guarantee = Guarantee(
        kind=GuaranteeKind.PAIR_ONLY,
        unit=PrivacyUnit.NONE,
        epsilon=budget.epsilon,
        columns=tuple(columns),
        dropped=dropped(table.schema, attributes),
        assumes=assumptions(attributes, grids),
        conditions=_conditions(settings.neighbour, alpha),
        arithmetic=EXACT,
    )
    return Outcome(
        columns=columns,
        guarantee=guarantee,
        aligned=columns,
        resolved={"neighbour": _name(settings.neighbour)},
    )


def stable_pair(
    table: Table, neighbour: Any, attributes: Sequence[Attribute], derive: Derive
) -> StablePair:
    """Cluster the data and the neighbour, whose rows are brought into the order of the data.

    Values are standardised by the mean and the standard deviation of the data, as in the
    experiments of paper 002.
    """
    names = [attribute.name for attribute in attributes]
    low, high = np.array([attribute.public_bounds for attribute in attributes]).T
    here = np.clip(table.matrix(names), low, high)
    there = _in_order(here, np.clip(_table(neighbour, table).matrix(names), low, high))
    ordered = np.sort(here, axis=0)
    spread = ordered.std(axis=0)
    centre, spread = ordered.mean(axis=0), np.where(spread > 0, spread, 1.0)
    return derive((here - centre) / spread, (there - centre) / spread)


def _table(neighbour: Any, table: Table) -> Table:
    if isinstance(neighbour, Table):
        found = neighbour.complete_in([each.name for each in table.schema if each.drops])
    else:
        try:
            found = read_table(neighbour, table.schema)
        except CoveyError as error:
            raise PlanError(
                f"the neighbour cannot be read like the data, so there is no pair: {error}"
            ) from error
    if found.schema.names != table.schema.names:
        raise PlanError(
            "the neighbour does not have the same columns as the data, so there is no pair. Give "
            "a neighbour with the same columns."
        )
    return found


def _in_order(X: NDArray[np.float64], Y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the records of Y in the rows of X; the one that is not in X stands for the other."""
    if X.shape != Y.shape:
        raise PlanError(
            "the neighbour does not have as many records as the data, so it does not arise by "
            "replacing one. Give a neighbour with the same number of records."
        )
    left = Counter(map(tuple, X.tolist())) - Counter(map(tuple, Y.tolist()))
    right = Counter(map(tuple, Y.tolist())) - Counter(map(tuple, X.tolist()))
    if left.total() > 1:
        raise PlanError(
            "the neighbour differs from the data in more than one record, so no bound holds for "
            "the pair. Give a neighbour in which one record is replaced."
        )
    Z = X.copy()
    for old, new in zip(left, right, strict=True):
        Z[int(np.flatnonzero((np.array(old) == X).all(axis=1))[0])] = new
    return Z


def _name(neighbour: Any) -> str | None:
    return neighbour if isinstance(neighbour, str) else None


def _read_neighbour(value: Any) -> Any:
    # Whatever it is, it is kept: a message about it could quote its records.
    return str(value) if isinstance(value, Path) else value


def _conditions(neighbour: Any, alpha: int) -> tuple[str, ...]:
    named = _name(neighbour)
    which = f"the file {Path(named).name}" if named is not None else "the neighbour given in memory"
    return (
        (
            f"The pair: the published data and {which}. The bound was computed for this pair; it "
            f"is not a property of this release."
        ),
        (
            f"At most {alpha} clusters differ between the clusters of the data and those derived "
            f"for the neighbour. A release of the neighbour itself may have quite other clusters."
        ),
        (
            "The clusters come from the original records by MDAV, and their sizes can be read off "
            "the release."
        ),
    )


def neighbour_setting() -> Any:
    """Declare the other data set of the pair."""
    return setting(
        "the other data set of the pair, with one record replaced: a file, a table or a frame",
        read=_read_neighbour,
        form="a file, a table or a frame",
    )

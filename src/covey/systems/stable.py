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
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import cluster_sums
from covey.errors import CoveyError, PlanError
from covey.partition.stable import SEARCHES, alpha_stable, s_mdav
from covey.perturb import add_laplace
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, as_printed
from covey.release import Column, NoisyColumn
from covey.systems.base import COLUMNS, EPSILON, K, Outcome, Parameter, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data, on_grids
from covey.systems.groups import SPLIT, shares
from covey.table import Table, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.partition.stable import StablePair
    from covey.perturb import NoiseSource
    from covey.table import Attribute


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    attributes = chosen(table, parameters)
    grids = on_grids(attributes, parameters["system"])
    budget = Budget.of(parameters["epsilon"])
    budgets = shares(budget, (attributes,), parameters["split"])
    if progress is not None:
        progress(f"{parameters['system']}: forming clusters", 0, 1)
    pair = stable_pair(table, parameters["neighbour"], attributes, parameters)
    alpha = parameters.get("alpha", 2)
    sizes = np.bincount(pair.here).astype(np.int64)
    columns: dict[str, Column] = {}
    aligned = {}
    for attribute in attributes:
        name, grid = attribute.name, grids[attribute.name]
        noisy = add_laplace(
            cluster_sums(grid.integers(table.values(name)), pair.here, sizes.size),
            grid=grid,
            # αΔ/(kε) on the mean of k records.  Unlike [002, 5.3] a larger cluster gets less: its
            # sum moves no further.
            sensitivity=as_printed(alpha * grid.steps),
            budget=budgets[name],
            source=source,
        )
        aligned[name] = noisy.means(sizes)[pair.here]
        columns[name] = NoisyColumn(values=aligned[name], origin=noisy)
    guarantee = Guarantee(
        kind=GuaranteeKind.PAIR_ONLY,
        unit=PrivacyUnit.NONE,
        epsilon=budget.epsilon,
        columns=tuple(columns),
        dropped=dropped(table, attributes),
        assumes=assumptions(attributes, grids),
        conditions=_conditions(parameters["neighbour"], alpha),
        arithmetic=EXACT,
    )
    reason = from_the_data(attributes)
    if reason:
        guarantee = guarantee.downgraded(reason)
    return Outcome(
        columns=columns,
        guarantee=guarantee,
        aligned=aligned,
        resolved={"neighbour": _name(parameters["neighbour"])},
    )


def stable_pair(
    table: Table, neighbour: Any, attributes: Sequence[Attribute], parameters: Mapping[str, Any]
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
    X, Y = (here - centre) / spread, (there - centre) / spread
    if "alpha" not in parameters:
        return s_mdav(X, Y, k=parameters["k"])
    return alpha_stable(
        X, Y, k=parameters["k"], alpha=parameters["alpha"], search=parameters["search"]
    )


def _table(neighbour: Any, table: Table) -> Table:
    if isinstance(neighbour, Table):
        found = neighbour
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


def _system(name: str, *, summary: str, paper: str, parameters: tuple[Parameter, ...]) -> System:
    def publish(
        table: Table, settings: Mapping[str, Any], source: NoiseSource, progress: Progress | None
    ) -> Outcome:
        return _publish(table, {**settings, "system": name}, source, progress)

    return System(
        name=name,
        summary=summary,
        paper=paper,
        kind=GuaranteeKind.PAIR_ONLY,
        unit=PrivacyUnit.NONE,
        parameters=(EPSILON, K, NEIGHBOUR, *parameters, SPLIT, COLUMNS),
        run=publish,
    )


NEIGHBOUR = Parameter(
    name="neighbour",
    meaning="the other data set of the pair, with one record replaced: a file, a table or a frame",
    kind=str,
    read=_read_neighbour,
    form="a file, a table or a frame",
)
STABLE_SYSTEMS = (
    _system(
        "2-stable",
        summary="MDAV clusters, noise for a given neighbour whose clusters differ in two at most.",
        paper="002, algorithm 1",
        parameters=(),
    ),
    _system(
        "alpha-stable",
        summary="MDAV clusters, noise for a given neighbour whose clusters differ in few at most.",
        paper="002, algorithms 2 and 3",
        parameters=(
            Parameter(
                name="alpha",
                meaning="the most clusters that may differ between the pair, from 1 to n/k",
                kind=int,
            ),
            Parameter(
                name="search",
                meaning="whether records are exchanged after a look at all of them, or at one "
                "cluster",
                kind=str,
                default="sequential",
                choices=tuple(SEARCHES),
            ),
        ),
    ),
)

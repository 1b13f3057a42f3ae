"""What does noise on centroids promise if the clusters were chosen from the records?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.core import EXACT, Guarantee, GuaranteeKind, PrivacyUnit
from covey.systems.columns import assumptions, dropped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.core import Budget
    from covey.systems.papers.p000.groups import Group
    from covey.table import Attribute, Schema
    from covey.table.grid import Grid

OPTIMAL = "opt-dp"


def perturbation_guarantee(
    schema: Schema,
    system: str,
    groups: Sequence[Group],
    grids: Mapping[str, Grid],
    *,
    budget: Budget,
    centroid: str,
    blocks: Sequence[Attribute] = (),
) -> Guarantee:
    """Return what noise on centroids promises, whichever engine has formed the clusters.

    Neighbours that lead to the same clusters have their records in the same blocks, so that the
    columns that separate blocks are the same for both; nothing is promised about them.

    Parameters
    ----------
    schema : Schema
        For the names of the columns that are not published.
    system : str
        Which system has chosen the clusters.
    groups : sequence of Group
        The attributes that were clustered together.
    grids : mapping
        The public grid of each of them.
    budget : Budget
        What all centroids together cost.
    centroid : "mean" or "medoid"
        What stands for a cluster.
    blocks : sequence of Attribute
        What separates the records.
    """
    attributes = [attribute for group in groups for attribute in group]
    names = ", ".join(attribute.name for attribute in blocks)
    facts = (f"Which block of equal {names} each record belongs to is public.",) if blocks else ()
    return Guarantee(
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        epsilon=budget.epsilon,
        columns=tuple(attribute.name for attribute in attributes),
        untouched=tuple(attribute.name for attribute in blocks),
        dropped=dropped(schema, [*attributes, *blocks]),
        assumes=(*assumptions(attributes, grids), *facts),
        conditions=_conditions(groups, system, centroid, names),
        arithmetic=EXACT,
        claim="fixed-partition",
    )


def _conditions(
    groups: Sequence[Group], system: str, centroid: str, blocks: str
) -> tuple[str, ...]:
    how = "the optimal partition" if system == OPTIMAL else "MDAV"
    parts = "; ".join(", ".join(a.name for a in group) for group in groups)
    chosen = "; they were chosen from the records, and alone can give a record away"
    conditions = [
        (
            f"Partition source: the original records themselves, by {how} over {parts}"
            f"{f' inside blocks of equal {blocks}' if blocks else ''}. "
            f"Neighbours that lead to other clusters are not covered, and moving one record by a "
            f"hair can lead to other clusters."
        ),
        (
            f"The sizes of the clusters can be read off the release, because each centroid is "
            f"repeated for the records of its cluster{chosen if system == OPTIMAL else ''}."
        ),
    ]
    if blocks:
        conditions.append(
            f"Published as they are, without noise: {blocks}. Which block a record belongs to, and "
            f"how many records each block has, is public and not protected."
        )
    if len(groups) > 1:
        conditions.append(
            "Rows are combinations of centroids: they reveal, for each record, its cluster in "
            "every group of columns, and few records or only one may share a combination."
        )
    if centroid == "medoid":
        conditions.append(
            "A medoid can jump across the whole range when one record changes, so its noise is "
            "not divided by the size of the cluster."
        )
    return tuple(conditions)

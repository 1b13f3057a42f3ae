"""What does noise on centroids promise if the clusters were chosen from the records?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit
from covey.systems.blocks import block_attributes
from covey.systems.columns import assumptions, dropped, from_the_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.perturb import Grid
    from covey.systems.groups import Group
    from covey.table import Table

OPTIMAL = "opt-dp"


def perturbation_guarantee(
    table: Table,
    system: str,
    parameters: Mapping[str, Any],
    groups: Sequence[Group],
    grids: Mapping[str, Grid],
) -> Guarantee:
    """Return what noise on centroids promises, whichever engine has formed the clusters.

    Neighbours that lead to the same clusters have their records in the same blocks, so that the
    columns that separate blocks are the same for both; nothing is promised about them.
    """
    attributes = [attribute for group in groups for attribute in group]
    blocks = block_attributes(table, parameters)
    names = ", ".join(attribute.name for attribute in blocks)
    facts = (f"Which block of equal {names} each record belongs to is public.",) if blocks else ()
    guarantee = Guarantee(
        kind=GuaranteeKind.PARTITION_CONDITIONAL,
        unit=PrivacyUnit.SAME_PARTITION,
        epsilon=Budget.of(parameters["epsilon"]).epsilon,
        columns=tuple(attribute.name for attribute in attributes),
        untouched=tuple(attribute.name for attribute in blocks),
        dropped=dropped(table, [*attributes, *blocks]),
        assumes=(*assumptions(attributes, grids), *facts),
        conditions=_conditions(groups, system, parameters["centroid"], names),
        arithmetic=EXACT,
        claim="fixed-partition",
    )
    reason = from_the_data(attributes)
    return guarantee.downgraded(reason) if reason else guarantee


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

"""Which words around a guarantee stand in every report, by its class?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.privacy import GuaranteeKind

if TYPE_CHECKING:
    from covey.privacy import Guarantee


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """The class of a guarantee as a coloured word."""

    colour: str
    text: str


BADGES: dict[GuaranteeKind, Badge] = {
    GuaranteeKind.PURE_DP: Badge(colour="green", text="differential privacy"),
    GuaranteeKind.LOCAL_DP: Badge(colour="green", text="local differential privacy"),
    GuaranteeKind.EDGE_DP: Badge(colour="green", text="edge differential privacy"),
    GuaranteeKind.NODE_DP: Badge(colour="green", text="node differential privacy"),
    GuaranteeKind.PERSONALISED: Badge(colour="green", text="personalised differential privacy"),
    GuaranteeKind.PARTITION_CONDITIONAL: Badge(colour="amber", text="conditional on the clusters"),
    GuaranteeKind.PAIR_ONLY: Badge(colour="amber", text="one pair of data sets only"),
    GuaranteeKind.INDIVIDUAL_DP: Badge(colour="amber", text="around the actual data only"),
    GuaranteeKind.K_ANONYMITY: Badge(colour="amber", text="k-anonymity"),
    GuaranteeKind.NONE: Badge(colour="red", text="no guarantee"),
}

EVERYONE = (
    "What is true of people because it is true of everyone like them can be learned from any "
    "useful release, also about those who took no part."
)
READERS = (
    "Whoever can read the original data, or the memory of the machine that holds them, needs no "
    "release."
)
RECORDS = "A person with several records is covered with a bound that many times larger."
TOGETHER = "Other releases of the same data add to the loss; their epsilons must be added up."
LAST_ONE = "Someone who knows all but one member of a group can compute the values of the last one."


def not_covered(guarantee: Guarantee) -> list[str]:
    """Return what a reader might believe to be covered, and is not."""
    kind = guarantee.kind
    lines = []
    if guarantee.untouched:
        names = ", ".join(guarantee.untouched)
        lines.append(f"Published as they were, and so not protected: {names}.")
    if not guarantee.joint and len(guarantee.columns) > 1:
        lines.append("How columns go together: each was published by itself.")
    if kind in (GuaranteeKind.PURE_DP, GuaranteeKind.LOCAL_DP):
        lines.append(RECORDS)
    if kind.is_differential_privacy:
        lines.append(TOGETHER)
    if kind is GuaranteeKind.K_ANONYMITY:
        lines.append(LAST_ONE)
    return [*lines, EVERYONE, READERS]

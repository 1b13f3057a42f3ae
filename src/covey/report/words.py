"""Which words around a guarantee stand in every report?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.kinds import KINDS, SEVERAL_NAMES

if TYPE_CHECKING:
    from covey.core import Guarantee

MARK = "do not publish: computed on the originals"
"""On every page for the curator alone."""

EVERYONE = (
    "What is true of people because it is true of everyone like them can be learned from any "
    "useful release, also about those who took no part."
)
READERS = (
    "Whoever can read the original data, or the memory of the machine that holds them, needs no "
    "release."
)
TOGETHER = "Other releases of the same data add to the loss; their epsilons must be added up."


def not_covered(guarantee: Guarantee) -> list[str]:
    """Return what a reader might believe to be covered, and is not."""
    lines = []
    if guarantee.untouched:
        names = ", ".join(guarantee.untouched)
        lines.append(f"Published as they were, and so not protected: {names}.")
    if guarantee.incomplete:
        names = " or ".join(guarantee.incomplete)
        lines.append(f"Whether a record is complete: those without {names} were left out.")
    if not guarantee.joint and len(guarantee.columns) > 1:
        lines.append("How columns go together: each was published by itself.")
    kind = KINDS[guarantee.kind]
    own = [kind.not_covered] if kind.not_covered else []
    if kind.differential and guarantee.contributions is not None:
        own = [SEVERAL_NAMES]
    return [*lines, *own, *([TOGETHER] if kind.differential else []), EVERYONE, READERS]

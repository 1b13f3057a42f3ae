"""What do epsilon, k and the kinds of guarantee mean, for someone who does not compute?"""

from __future__ import annotations

import math

from covey.privacy import GuaranteeKind

REASONS: dict[GuaranteeKind, str] = {
    GuaranteeKind.PARTITION_CONDITIONAL: "The clusters are chosen from the records without noise, "
    "so the published values can tell who is in the data.",
    GuaranteeKind.PAIR_ONLY: "The bound holds for one pair of data sets that you would have to "
    "name, not for every person.",
    GuaranteeKind.INDIVIDUAL_DP: "The noise depends on the actual data, and its size tells "
    "something about them.",
    GuaranteeKind.NONE: "The paper's argument has a gap that Covey can show by an example.",
}
"""Why a system is for research only."""

SOUND = frozenset(kind for kind in GuaranteeKind if kind not in REASONS)


UNPROVEN = "Here epsilon only sets the noise: it bounds nothing for the original records."


def epsilon_in_words(epsilon: float, subject: str = "a person’s record") -> str:
    """Say what a proven bound on the privacy loss means to one person.

    Examples
    --------
    >>> epsilon_in_words(1.0)
    'With or without a person’s record, the odds of any conclusion change at most 2.7 times. Usual.'
    """
    factor = math.exp(min(epsilon, 700.0))
    judged = next(words for most, words in _JUDGED if epsilon <= most)
    if factor >= 1e6:  # noqa: PLR2004 — nobody reads such a number
        return f"The bound is so wide that it says nothing. {judged}"
    text = f"{factor:.2g}" if factor < 100 else f"{factor:,.0f}"  # noqa: PLR2004
    change = f"the odds of any conclusion change at most {text} times"
    return f"With or without {subject}, {change}. {judged}"


_JUDGED = (
    (0.3, "Very protective."),
    (2.0, "Usual."),
    (5.0, "Weak; ask your privacy officer."),
    (math.inf, "Hardly a protection; ask your privacy officer."),
)


def k_in_words(k: int) -> str:
    """Say what the smallest group means.

    Examples
    --------
    >>> k_in_words(5)
    'Values are averaged over groups of at least 5 records.'
    """
    return f"Values are averaged over groups of at least {k:,} records."

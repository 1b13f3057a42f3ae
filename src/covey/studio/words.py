"""What do epsilon, k and the kinds of guarantee mean, for someone who does not compute?"""

from __future__ import annotations

import math

from covey.studio.plain import plain

UNPROVEN = "Here epsilon only sets the noise: it bounds nothing for the original records."


def epsilon_in_words(epsilon: float, change: str = "Whatever one person’s record says") -> str:
    """Say what a proven bound on the privacy loss means to one person.

    Examples
    --------
    >>> epsilon_in_words(1.0)
    'Whatever one person’s record says, the odds of any conclusion change at most 2.7 times. Usual.'
    """
    factor = math.exp(min(epsilon, 700.0))
    judged = next(words for most, words in _JUDGED if epsilon <= most)
    if factor >= 1e6:  # noqa: PLR2004 — nobody reads such a number
        return f"The bound is so wide that it says nothing. {judged}"
    text = f"{factor:.2g}" if factor < 100 else f"{factor:,.0f}"  # noqa: PLR2004
    return f"{change}, the odds of any conclusion change at most {text} times. {judged}"


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


SETTING_TITLES = {
    "k": "Smallest group (k)",
    "unit": "What is hidden",
    "theta": "Most neighbours that count (theta), where nodes are hidden",
    "delta": "Probability that anything may become known (delta)",
}
"""What settings are called that have a short name in the literature."""

CHOICE_WORDS = {
    "replace": "what one record says; their number is public",
    "add-remove": "whether a record is there at all",
    "person": "all records of one person; their number is public",
    "add-remove-person": "whether a person is there at all",
    "edge": "one edge",
    "node": "a node with all its edges",
    "true": "yes",
    "false": "no",
}
"""What may be hidden, by the names in plans."""

STOPPED = "You stopped it. Nothing was released."
STOPPED_UNPAID = "You stopped it. Nothing was released, and nothing was spent."
STOPPED_LATE = "You stopped the comparison. The release itself is complete."


def explain_failure(kind: str, content: object, *, released: bool) -> str:
    """Say what became of a job that failed, and of the release that it may have made before."""
    if kind == "refused":
        return plain(str(content))
    if kind == "ended":
        left = (
            "before the release was compared with the original; the release itself is complete"
            if released
            else "so nothing was done"
        )
        return (
            f"the process that did the work has ended, perhaps for want of memory, {left}. Close "
            f"other programs, or try a part of the data."
        )
    left = "the release itself is complete" if released else "nothing was released"
    return (
        f"this is a bug in covey ({content}), not a mistake of yours; {left}. Try it on the "
        f"command line with COVEY_DEBUG=1, and report it."
    )

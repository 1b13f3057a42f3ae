"""Errors of covey.

CoveyError
├── DataError          the data cannot be read as a table
├── SchemaError        the description of the data is incomplete or contradicts itself
│   ├── BoundsError    a numeric attribute lacks usable public bounds
│   └── TaxonomyError  a taxonomy is not one, or a value is missing in it
├── PlanError          the release that was asked for does not make sense
├── PartitionError     the requested clusters cannot be formed
├── PrivacyError       the release would not carry the guarantee that was asked for
│   ├── WeakerError    the guarantee is less than the caller requires
│   ├── UnprovenError  no reviewed proof covers this combination
│   └── BudgetError    the ledger has less left than the step needs
│       └── LedgerError  the ledger cannot be read or written, so what is left is unknown
├── ReleaseError       the release cannot be written or read
└── InternalError      a bug in covey

DraftWarning           public facts look as if they were read off the data; for whoever publishes
RecoveryWarning        a release that was interrupted has been finished or undone

Messages say what is wrong with which named thing, what follows, and what to do.
They name attributes, parameters and public bounds.  They never quote a record,
a count of records, or a number that depends on the data: an error may reach people
who must not see the data.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class CoveyError(Exception):
    """Anything that covey can explain; ``exit_code`` is the command line's."""

    exit_code = 2

    def __init__(self, message: object = "") -> None:
        super().__init__(readable(str(message)))


class DataError(CoveyError):
    """The data cannot be read as a table."""

    exit_code = 6


class SchemaError(CoveyError):
    """The description of the data is incomplete or contradicts itself."""

    exit_code = 6

    @classmethod
    def nothing_to_publish(cls) -> SchemaError:
        """Explain that identifiers alone are no release."""
        return cls(
            "all attributes are identifiers, so there is nothing to publish. "
            "Give another role to the attributes that matter."
        )

    @classmethod
    def without_categories(cls, name: str) -> SchemaError:
        """Explain that the possible values of ``name`` must be public, and how to give them."""
        return cls(
            f"attribute {name!r} lists neither categories nor a taxonomy, so its possible values "
            f'would come from the data. Give `categories = [...]` or `taxonomy = "file.csv"`, '
            f"from public knowledge."
        )


class BoundsError(SchemaError):
    """A numeric attribute lacks usable public bounds."""

    @classmethod
    def missing(cls, name: str) -> BoundsError:
        """Explain that ``name`` needs bounds, and how to give them."""
        return cls(
            f"attribute {name!r} has no public bounds, so no noise can be calibrated. "
            f"Set `bounds = [low, high]` for {name!r} in the schema, from knowledge that does "
            f"not come from this data."
        )


class TaxonomyError(SchemaError):
    """A taxonomy is not one, or a value is missing in it."""


class PlanError(CoveyError):
    """The release that was asked for does not make sense."""


class PartitionError(CoveyError):
    """The requested clusters cannot be formed."""


class PrivacyError(CoveyError):
    """The release would not carry the guarantee that was asked for."""


class WeakerError(PrivacyError):
    """The guarantee is less than the caller requires."""

    exit_code = 4


class UnprovenError(PrivacyError):
    """No reviewed proof covers this combination."""


class BudgetError(PrivacyError):
    """The ledger has less left than the step needs."""

    exit_code = 3


class LedgerError(BudgetError):
    """The ledger cannot be read or written, so what is left is unknown."""

    exit_code = 2


class ReleaseError(CoveyError):
    """The release cannot be written or read."""


class InternalError(CoveyError):
    """A bug in covey, not a mistake of the caller."""

    exit_code = 1


class DraftWarning(UserWarning):
    """Public facts equal exactly what occurs in the data.  Not for publication."""


class RecoveryWarning(UserWarning):
    """A release that was interrupted has been finished or undone."""


_LONGEST, _LONGEST_WORD = 2_000, 400
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def readable(message: str) -> str:
    """Return a message that a terminal can show: names come from files, and may be anything.

    Signs that steer a terminal are spelled out, and what fills pages is cut in the middle.
    """
    message = re.sub(rf"\S{{{_LONGEST_WORD + 1},}}", _cut_word, message)
    message = _CONTROL.sub(lambda sign: repr(sign[0])[1:-1], message)
    if len(message) <= _LONGEST:
        return message
    return f"{message[: _LONGEST - 600]} … {message[-500:]}"


def _cut_word(word: re.Match[str]) -> str:
    return f"{word[0][:60]}…{word[0][-20:]}"


_MOST_KNOWN = 50


def suggest(wrong: str, known: Iterable[str]) -> str:
    """Return a sentence that names the nearest known words, or all of them if they are few."""
    known = sorted(known)
    near = get_close_matches(wrong[:100], known, n=2, cutoff=0.55)
    if near:
        return "Did you mean " + " or ".join(repr(word) for word in near) + "?"
    more = f", … ({len(known)} in all)" if len(known) > _MOST_KNOWN else ""
    return "Known: " + ", ".join(known[:_MOST_KNOWN]) + f"{more}."

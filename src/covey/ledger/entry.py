"""What did one release cost, in which unit, and how much is that in another unit?

Two inputs that differ in one record replaced are two steps apart where a step adds or removes a
record, so a bound for such steps counts double for a replacement; in the same way a bound for a
node counts double for an edge (take a node out, put it back with one edge less).  A record that
is added makes its person another one: she goes with her old records and comes with the new ones,
two steps of persons who come and go, and a record that is replaced can change two persons so.
Nothing follows the other way: a release with a public number of records may depend on that number
as it likes, and one that hides an edge may show a node with its thousand edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any

from covey.core import PrivacyUnit
from covey.core.budget import read_exact
from covey.kinds import GuaranteeKind

UNKNOWN = "unknown"
"""The kind of entries that a version of covey wrote which did not note it."""

STEPS_BETWEEN: Mapping[tuple[str, str], int] = {
    (PrivacyUnit.ADD_REMOVE_RECORD, PrivacyUnit.REPLACE_RECORD): 2,
    (PrivacyUnit.NODE, PrivacyUnit.EDGE): 2,
    (PrivacyUnit.ADD_REMOVE_PERSON, PrivacyUnit.PERSON): 2,
    (PrivacyUnit.ADD_REMOVE_PERSON, PrivacyUnit.ADD_REMOVE_RECORD): 2,
    (PrivacyUnit.ADD_REMOVE_PERSON, PrivacyUnit.REPLACE_RECORD): 4,
}
"""How many steps of the first unit make one of the second; persons of one and the same column."""

NAMED_BY = " named by "
"""Between a unit of persons and the column that names them: patients are no households."""


class EntryState(StrEnum):
    """Whether a release was published, may still be, or was given up before anyone saw it."""

    PAID = "paid"
    OPEN = "open"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One expense: which system spent how much, when, for which plan.

    Parameters
    ----------
    when, system, plan : str
        The moment, the system's name, and the fingerprint of the plan.
    epsilon : str, optional
        An exact fraction; what a weaker guarantee calls epsilon is noted and never added up.
    delta, rho : str, optional
        Exact fractions, if the loss is a rho, which implies epsilon for this delta.
    unit : str
        What may differ between neighbours, a `PrivacyUnit`.
    kind : str
        A `GuaranteeKind`, or "unknown" in files of old versions.
    person : str
        The column that names persons, if the unit speaks of them.
    covers : tuple of str
        The columns that the guarantee covers.
    columns : tuple of str
        The columns of the data; a graph has none.
    id : str
        Random, given when the entry is written.
    generation : int
        In which generation of the file it was written.
    state : EntryState
        Open and paid entries count.
    folder : str
        Where the release was to be written, for the operator alone.
    staged : str
        The private folder that it waits in until it is complete, for the operator alone.
    """

    when: str
    system: str
    epsilon: str | None
    unit: str
    plan: str
    kind: str = UNKNOWN
    delta: str | None = None
    rho: str | None = None
    person: str = ""
    covers: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    id: str = ""
    generation: int = 0
    state: EntryState = EntryState.PAID
    folder: str = ""
    staged: str = ""

    @classmethod
    def now(
        cls, *, system: str, epsilon: Fraction | None, unit: str, plan: str, **more: Any
    ) -> Entry:
        """Return an expense of this moment."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        text = None if epsilon is None else str(epsilon)
        return cls(when=when, system=system, epsilon=text, unit=unit, plan=plan, **more)

    @property
    def protects(self) -> str:
        """Return the unit, and of persons the column that names them."""
        return f"{self.unit}{NAMED_BY}{self.person}" if self.person else self.unit

    @property
    def counts(self) -> bool:
        """Return whether this is a release that somebody has seen or will see."""
        return self.state is not EntryState.CANCELLED

    @property
    def stated(self) -> Fraction | None:
        """Return what the guarantee calls epsilon, whether it bounds the loss or not."""
        return None if self.epsilon is None else Fraction(self.epsilon)

    @property
    def promised(self) -> bool:
        """Return whether epsilon is a promise; of old entries nothing else is known."""
        return self.kind == UNKNOWN or GuaranteeKind(self.kind).is_differential_privacy

    @property
    def bound(self) -> Fraction | None:
        """Return the privacy loss in its own unit, or None if nothing bounds it."""
        return self.stated if self.promised else None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain JSON values."""
        content = asdict(self)
        return content | {name: list(content[name]) for name in ("covers", "columns")}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Entry:
        """Read an entry; what an old version did not write has its default."""
        epsilon = content["epsilon"]
        if epsilon is not None:
            read_exact(epsilon)
        entry = cls(
            **{name: str(content[name]) for name in ("when", "system", "unit", "plan")},
            epsilon=None if epsilon is None else str(epsilon),
            kind=str(content.get("kind", UNKNOWN)),
            delta=_text(content.get("delta")),
            rho=_text(content.get("rho")),
            person=str(content.get("person", "")),
            covers=tuple(map(str, content.get("covers", ()))),
            columns=tuple(map(str, content.get("columns", ()))),
            id=str(content.get("id", "")),
            generation=int(content.get("generation", 0)),
            state=EntryState(content.get("state", EntryState.PAID)),
            folder=str(content.get("folder", "")),
            staged=str(content.get("staged", "")),
        )
        if (entry.promised and entry.stated is None) or (entry.stated or 0) < 0:
            raise ValueError
        amounts = [read_exact(each) for each in (entry.rho, entry.delta) if each is not None]
        if len(amounts) == 1 or any(each < 0 for each in amounts):
            raise ValueError
        return entry


ENTRY_KEYS = tuple(each.name for each in fields(Entry))
"""What a ledger file says about an expense."""


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def in_unit(unit: str, other: str) -> int | None:
    """Return how often a bound for ``unit`` counts towards one for ``other``; None if never.

    Examples
    --------
    >>> in_unit("add-remove-record", "replace-record")
    2
    >>> in_unit("replace-record", "add-remove-record") is None
    True
    """
    if unit == other:
        return 1
    (own, _, person), (theirs, _, named) = unit.partition(NAMED_BY), other.partition(NAMED_BY)
    same = not named or person == named
    return STEPS_BETWEEN.get((own, theirs)) if same else None

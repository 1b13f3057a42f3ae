"""What exactly does a release promise, to whom, and under which conditions?

The kinds and what each must print are a fixed vocabulary (docs/guide/guarantees.md).
The words "differential privacy" appear only for the five kinds that earn them.  A name,
once published in a ``guarantee.json``, keeps its meaning forever: add kinds, never change one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any


class PrivacyUnit(StrEnum):
    """What may differ between two neighbouring inputs."""

    REPLACE_RECORD = "replace-record"
    ADD_REMOVE_RECORD = "add-remove-record"
    EDGE = "edge"
    NODE = "node"
    SAME_PARTITION = "same-partition"
    NONE = "none"

    @property
    def words(self) -> str:
        """Return the neighbour relation in plain words."""
        return _UNIT_WORDS[self]


_UNIT_WORDS = {
    PrivacyUnit.REPLACE_RECORD: "one record replaced by another, the number of records public",
    PrivacyUnit.ADD_REMOVE_RECORD: "one record added or removed",
    PrivacyUnit.EDGE: "one edge added or removed, the set of nodes public",
    PrivacyUnit.NODE: "one node added or removed with all its edges",
    PrivacyUnit.SAME_PARTITION: "one record replaced by another that leaves the clusters the same",
    PrivacyUnit.NONE: "no neighbour relation",
}


class GuaranteeKind(StrEnum):
    """The classes of guarantee, strongest idea first."""

    PURE_DP = "pure-dp"
    LOCAL_DP = "local-dp"
    EDGE_DP = "edge-dp"
    NODE_DP = "node-dp"
    PERSONALISED = "personalised"
    PARTITION_CONDITIONAL = "partition-conditional"
    PAIR_ONLY = "pair-only"
    INDIVIDUAL_DP = "individual-dp"
    K_ANONYMITY = "k-anonymity"
    NONE = "none"

    @property
    def is_differential_privacy(self) -> bool:
        """Return whether the words "differential privacy" may be used."""
        return self in _DIFFERENTIAL

    @property
    def may_be_row_aligned(self) -> bool:
        """Return whether row i of the release may come from row i of the data."""
        return self is GuaranteeKind.LOCAL_DP


_DIFFERENTIAL = frozenset(
    {
        GuaranteeKind.PURE_DP,
        GuaranteeKind.LOCAL_DP,
        GuaranteeKind.EDGE_DP,
        GuaranteeKind.NODE_DP,
        GuaranteeKind.PERSONALISED,
    }
)

EXACT = "exact: integer grid, discrete noise, the operating system's random generator"
IDEALISED = "float64 (idealised): the guarantee is proven for real numbers, not for floats"
REPEATABLE = "repeatable: integer grid, discrete noise, a generator that started from a seed"
NO_NOISE = "no noise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """A promise that says exactly what it covers; ``str()`` is one sentence for a data officer.

    Parameters
    ----------
    kind : GuaranteeKind
        The class of guarantee.
    unit : PrivacyUnit
        The neighbour relation.
    epsilon : Fraction, optional
        Total privacy loss bound over everything published.
    k : int, optional
        Smallest group, for k-anonymity.
    columns : tuple of str
        The columns that the promise covers.
    joint : bool
        Whether the columns were published together, so that rows mean something.
    untouched : tuple of str
        Columns that are published as they were.
    dropped : tuple of str
        Columns that are not published.
    assumes : tuple of str
        Public facts that the promise relies on.
    conditions : tuple of str
        What must hold when publishing, and what the promise does not cover.
    arithmetic : str
        How the noise was computed.
    claim : str
        Name of the proof page in ``docs/proofs``.
    reasons : tuple of str
        Why the guarantee is weaker than the system's own, or none at all.
    """

    kind: GuaranteeKind
    unit: PrivacyUnit = PrivacyUnit.NONE
    epsilon: Fraction | None = None
    k: int | None = None
    columns: tuple[str, ...] = ()
    joint: bool = True
    untouched: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    arithmetic: str = NO_NOISE
    claim: str = ""
    reasons: tuple[str, ...] = ()

    def downgraded(self, reason: str) -> Guarantee:
        """Return what is left of this guarantee when one of its assumptions fails.

        Bounds from the data, a known seed and the like void every differential guarantee
        and everything that builds on calibrated noise.  k-anonymity rests on group sizes
        alone and survives.
        """
        if self.kind is GuaranteeKind.K_ANONYMITY:
            return replace(self, reasons=(*self.reasons, reason))
        # What was assumed is no longer claimed; listing it would contradict the reason.
        reasons = (*self.reasons, reason)
        return replace(self, kind=GuaranteeKind.NONE, assumes=(), reasons=reasons)

    def __str__(self) -> str:
        """Say the guarantee in one sentence for a data officer."""
        return _SENTENCES[self.kind](self)

    def to_dict(self) -> dict[str, Any]:
        """Return the guarantee as plain JSON values."""
        return {
            "kind": str(self.kind),
            "sentence": str(self),
            "differential_privacy": self.kind.is_differential_privacy,
            "unit": str(self.unit),
            "neighbours": self.unit.words,
            "epsilon": None if self.epsilon is None else float(self.epsilon),
            "k": self.k,
            "columns": list(self.columns),
            "joint": self.joint,
            "untouched": list(self.untouched),
            "dropped": list(self.dropped),
            "assumes": list(self.assumes),
            "conditions": list(self.conditions),
            "arithmetic": self.arithmetic,
            "claim": self.claim,
            "reasons": list(self.reasons),
        }

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Guarantee:
        """Read a guarantee back from JSON; keys that this version does not know are ignored."""
        lists = ("columns", "untouched", "dropped", "assumes", "conditions", "reasons")
        epsilon = content["epsilon"]
        return cls(
            kind=GuaranteeKind(content["kind"]),
            unit=PrivacyUnit(content["unit"]),
            epsilon=None if epsilon is None else Fraction(str(epsilon)),
            k=content["k"],
            joint=bool(content["joint"]),
            arithmetic=str(content["arithmetic"]),
            claim=str(content["claim"]),
            **{name: tuple(content[name]) for name in lists},
        )


_SEPARATE = ", each column by itself: how columns go together is not published"


def _number(value: Fraction | None) -> str:
    return "?" if value is None else f"{float(value):g}"


def _columns(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "no column"


def _pure(guarantee: Guarantee) -> str:
    return (
        f"Pure differential privacy with epsilon = {_number(guarantee.epsilon)} for each record: "
        f"whatever anyone computes from this release changes in probability by a factor of at "
        f"most exp({_number(guarantee.epsilon)}) between two inputs that differ in "
        f"{guarantee.unit.words}; it covers {_columns(guarantee.columns)}"
        f"{'' if guarantee.joint else _SEPARATE}."
    )


def _local(guarantee: Guarantee) -> str:
    return (
        f"Local differential privacy with epsilon = {_number(guarantee.epsilon)}: every record "
        f"was perturbed on its own, so that any two possible records lead to the published row "
        f"with probabilities within a factor of exp({_number(guarantee.epsilon)}); it covers "
        f"{_columns(guarantee.columns)}."
    )


def _graph(guarantee: Guarantee) -> str:
    what = "edge" if guarantee.kind is GuaranteeKind.EDGE_DP else "node"
    return (
        f"Pure {what} differential privacy with epsilon = {_number(guarantee.epsilon)}: the "
        f"probabilities of every output of two graphs that differ in {guarantee.unit.words}, are "
        f"within a factor of exp({_number(guarantee.epsilon)})."
    )


def _personalised(guarantee: Guarantee) -> str:
    return (
        f"Personalised differential privacy: the loss of each person is at most the public "
        f"preference that she gave; neighbours differ in {guarantee.unit.words}."
    )


def _partition_conditional(guarantee: Guarantee) -> str:
    blocks = (
        f" Clusters lie inside blocks of equal {_columns(guarantee.untouched)}, published without "
        f"noise: which block a record belongs to is public and not protected."
        if guarantee.untouched
        else ""
    )
    return (
        f"Conditional on the partition only, with epsilon = {_number(guarantee.epsilon)}: two "
        f"inputs that lead to the same clusters cannot be told apart beyond that bound. "
        f"Not differential privacy for the original records, because the clusters were chosen "
        f"from them.{blocks}"
    )


def _pair_only(guarantee: Guarantee) -> str:
    return (
        f"A bound for one named pair of data sets, epsilon = {_number(guarantee.epsilon)}: it "
        f"was computed for this pair and is not a property of this release."
    )


def _individual(guarantee: Guarantee) -> str:
    return (
        f"Individual indistinguishability around the actual data only, epsilon = "
        f"{_number(guarantee.epsilon)}: the noise scale is data dependent; no DP, which would "
        f"cover all data sets, follows."
    )


def _k_anonymity(guarantee: Guarantee) -> str:
    several = len(guarantee.columns) > 1
    joint = "each combination of" if several and guarantee.joint else "each value of"
    alone = ", each column by itself; combinations of columns are not k-anonymous"
    untouched = (
        f"; published as they were, and so open to attribute disclosure: "
        f"{_columns(guarantee.untouched)}"
        if guarantee.untouched
        else ""
    )
    return (
        f"k-anonymity with k = {guarantee.k}: {joint} {_columns(guarantee.columns)} is shared "
        f"by at least {guarantee.k} records"
        f"{alone if several and not guarantee.joint else ''}{untouched}."
    )


def _none(guarantee: Guarantee) -> str:
    why = " ".join(guarantee.reasons) or "This system makes none."
    return f"No privacy guarantee. {why}"


_SENTENCES = {
    GuaranteeKind.PURE_DP: _pure,
    GuaranteeKind.LOCAL_DP: _local,
    GuaranteeKind.EDGE_DP: _graph,
    GuaranteeKind.NODE_DP: _graph,
    GuaranteeKind.PERSONALISED: _personalised,
    GuaranteeKind.PARTITION_CONDITIONAL: _partition_conditional,
    GuaranteeKind.PAIR_ONLY: _pair_only,
    GuaranteeKind.INDIVIDUAL_DP: _individual,
    GuaranteeKind.K_ANONYMITY: _k_anonymity,
    GuaranteeKind.NONE: _none,
}

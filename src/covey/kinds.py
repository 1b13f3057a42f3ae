"""Which kinds of guarantee are there, and what does each one say?  One table for all readers.

The kinds and what each must print are a fixed vocabulary (docs/guide/guarantees.md).
The words "differential privacy" appear only for the six kinds that earn them.  A name,
once published in a ``guarantee.json``, keeps its meaning forever: add kinds, never change one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Literal, Protocol


class GuaranteeKind(StrEnum):
    """The classes of guarantee, strongest idea first."""

    PURE_DP = "pure-dp"
    ZCDP = "zcdp"
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
        return KINDS[self].differential

    @property
    def may_be_row_aligned(self) -> bool:
        """Return whether row i of the release may come from row i of the data."""
        return KINDS[self].local


class _Unit(Protocol):
    @property
    def words(self) -> str: ...


class _Guarantee(Protocol):
    """What the sentences read of a guarantee."""

    @property
    def unit(self) -> _Unit: ...

    @property
    def epsilon(self) -> Fraction | None: ...

    @property
    def delta(self) -> Fraction | None: ...

    @property
    def rho(self) -> Fraction | None: ...

    @property
    def k(self) -> int | None: ...

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def joint(self) -> bool: ...

    @property
    def untouched(self) -> tuple[str, ...]: ...

    @property
    def reasons(self) -> tuple[str, ...]: ...

    @property
    def incomplete(self) -> tuple[str, ...]: ...

    @property
    def person(self) -> str: ...

    @property
    def contributions(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class KindWords:
    """What is said about every guarantee of a kind.

    Parameters
    ----------
    badge : str
        The kind in a few words.
    colour : "green", "amber" or "red"
        Of the badge: as protective as one may believe, less than that, nothing.
    sentence : callable
        Says a guarantee of this kind in one sentence for a data officer.
    differential : bool
        Whether it is differential privacy.
    local : bool
        Whether every record was perturbed on its own, so that nobody need be trusted with all of
        them, and rows may stay in the order of the records.
    not_covered : str
        What a reader might believe of this kind in particular, and is not so.
    caution : str
        Why systems of this kind are for research only; empty if one may publish with them.
    """

    badge: str
    colour: Literal["green", "amber", "red"]
    sentence: Callable[[_Guarantee], str]
    differential: bool = False
    local: bool = False
    not_covered: str = ""
    caution: str = ""


_SEVERAL = "A person with several records is covered with a bound that many times larger."
_SQUARED = (
    "A person with several records is covered with a rho that grows with the square of their "
    "number."
)
SEVERAL_NAMES = (
    "Whoever stands under several identifiers counts as several persons, and is covered with a "
    "larger bound."
)
"""Where a guarantee speaks of persons, in the place of what is not covered for records."""

_ALL_EDGES = "All edges of a person together are covered with a bound that many times larger."
_LAST_ONE = (
    "Someone who knows all but one member of a group can compute the values of the last one."
)
_SEPARATE = ", each column by itself: how columns go together is not published"


def sentence(guarantee: _Guarantee, kind: GuaranteeKind) -> str:
    """Say a guarantee for a data officer, and on which records it rests."""
    said = KINDS[kind].sentence(guarantee)
    if guarantee.contributions is not None and KINDS[kind].differential:
        said = f"{said} {_of_persons(guarantee)}"
    if not guarantee.incomplete:
        return said
    return (
        f"{said} Incomplete records, those without {' or '.join(guarantee.incomplete)}, were left "
        f"out: whether a record is complete is not protected."
    )


def _who(guarantee: _Guarantee) -> str:
    return "record" if guarantee.contributions is None else "person"


def _of_persons(guarantee: _Guarantee) -> str:
    most = guarantee.contributions
    used = "one record of each is" if most == 1 else f"{most} records of each are"
    return (
        f"Records with the same {guarantee.person} are one person's, and at most {used} used, "
        f"chosen at random."
    )


MOST_DIGITS = 10
"""Longer numbers are not read by people."""


MOST_WRITTEN = 1_000
"""The factor of a larger epsilon bounds nothing, and has hundreds of digits."""

MOST_READ = 1_000_000
"""Larger numbers are written with a power of ten."""


def amount(value: Fraction) -> str:
    """Return an amount as a person would write it, exactly: a bound is never rounded down.

    Examples
    --------
    >>> amount(Fraction(1, 4)), amount(Fraction(1, 3)), amount(Fraction(10000049, 10000000))
    ('0.25', '1/3', '1.0000049')
    """
    for text in (f"{float(value):g}", repr(float(value))):
        if Fraction(text) == value:
            return text
    return str(value)


def bound(value: Fraction | None) -> str:
    """Say a bound for people: as it is if that is short, and otherwise rounded up.

    Examples
    --------
    >>> bound(Fraction(1, 4)), bound(Fraction(1, 3))
    ('0.25', '0.333334')
    """
    if value is None:
        return "?"
    exact = amount(value)
    if len(exact) <= MOST_DIGITS and "/" not in exact:
        return exact
    upwards = Context(prec=6, rounding=ROUND_CEILING)
    above = upwards.divide(Decimal(value.numerator), Decimal(value.denominator))
    return amount(Fraction(above))


def below(value: Fraction) -> str:
    """Say what may be spent for people: six digits, rounded down.

    Examples
    --------
    >>> below(Fraction(2, 3))
    '0.666666'
    """
    downwards = Context(prec=6, rounding=ROUND_FLOOR)
    return amount(Fraction(downwards.divide(Decimal(value.numerator), Decimal(value.denominator))))


def loss_words(guarantee: _Guarantee) -> str:
    """Say what bounds the loss: epsilon, or rho and what it implies."""
    said = f"epsilon = {bound(guarantee.epsilon)}"
    if guarantee.rho is None:
        return said
    return f"rho = {bound(guarantee.rho)}, so {said} with delta = {bound(guarantee.delta)}"


def _epsilon(guarantee: _Guarantee) -> str:
    return bound(guarantee.epsilon)


def _factor(guarantee: _Guarantee) -> str:
    """Return e to the power of epsilon for people, rounded up."""
    if guarantee.epsilon is None:
        return "?"
    if guarantee.epsilon > MOST_WRITTEN:
        return f"e to the power of {_epsilon(guarantee)}"
    exact, value = Context(prec=30, rounding=ROUND_CEILING), guarantee.epsilon
    power = exact.exp(exact.divide(Decimal(value.numerator), Decimal(value.denominator)))
    above = Context(prec=3, rounding=ROUND_CEILING).plus(exact.next_plus(power))
    return f"{above:,f}" if above < MOST_READ else f"{above:.2e}"


def _columns(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "no column"


def _pure(guarantee: _Guarantee) -> str:
    return (
        f"Pure differential privacy with epsilon = {_epsilon(guarantee)} for each "
        f"{_who(guarantee)}: whatever anyone computes from this release changes in probability by "
        f"a factor of at most {_factor(guarantee)} between two inputs that differ in "
        f"{guarantee.unit.words}; it covers {_columns(guarantee.columns)}"
        f"{'' if guarantee.joint else _SEPARATE}."
    )


def _zcdp(guarantee: _Guarantee) -> str:
    delta = bound(guarantee.delta)
    covered = f"; it covers {_columns(guarantee.columns)}" if guarantee.columns else ""
    return (
        f"Zero-concentrated differential privacy with rho = {bound(guarantee.rho)} for each "
        f"{_who(guarantee)}, which implies an epsilon for every delta; for instance epsilon = "
        f"{_epsilon(guarantee)} with delta = {delta}: the probability of whatever anyone computes "
        f"from this release changes by at most a factor of {_factor(guarantee)} and "
        f"{delta} more between two inputs that differ in {guarantee.unit.words}"
        f"{covered}{'' if guarantee.joint else _SEPARATE}."
    )


def _local(guarantee: _Guarantee) -> str:
    return (
        f"Local differential privacy with epsilon = {_epsilon(guarantee)}: every record "
        f"was perturbed on its own, so that any two possible records lead to the published row "
        f"with probabilities within a factor of {_factor(guarantee)}; it covers "
        f"{_columns(guarantee.columns)}."
    )


def _graph(what: str, guarantee: _Guarantee) -> str:
    return (
        f"Pure {what} differential privacy with epsilon = {_epsilon(guarantee)}: the "
        f"probabilities of every output of two graphs that differ in {guarantee.unit.words}, are "
        f"within a factor of {_factor(guarantee)}."
    )


def _personalised(guarantee: _Guarantee) -> str:
    return (
        f"Personalised differential privacy: the loss of each person is at most the public "
        f"preference that she gave; neighbours differ in {guarantee.unit.words}."
    )


def _partition_conditional(guarantee: _Guarantee) -> str:
    blocks = (
        f" Clusters lie inside blocks of equal {_columns(guarantee.untouched)}, published without "
        f"noise: which block a record belongs to is public and not protected."
        if guarantee.untouched
        else ""
    )
    return (
        f"Conditional on the partition only, with epsilon = {_epsilon(guarantee)}: two "
        f"inputs that lead to the same clusters cannot be told apart beyond that bound. "
        f"Not differential privacy for the original records, because the clusters were chosen "
        f"from them.{blocks}"
    )


def _pair_only(guarantee: _Guarantee) -> str:
    return (
        f"A bound for one named pair of data sets, epsilon = {_epsilon(guarantee)}: it "
        f"was computed for this pair and is not a property of this release."
    )


def _individual(guarantee: _Guarantee) -> str:
    return (
        f"Individual indistinguishability around the actual data only, epsilon = "
        f"{_epsilon(guarantee)}: the noise scale is data dependent; no DP, which would "
        f"cover all data sets, follows."
    )


def _k_anonymity(guarantee: _Guarantee) -> str:
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


def _none(guarantee: _Guarantee) -> str:
    why = " ".join(guarantee.reasons) or "This system makes none."
    return f"No privacy guarantee. {why}"


KINDS: dict[GuaranteeKind, KindWords] = {
    GuaranteeKind.PURE_DP: KindWords(
        "differential privacy", "green", _pure, differential=True, not_covered=_SEVERAL
    ),
    GuaranteeKind.ZCDP: KindWords(
        "concentrated differential privacy",
        "green",
        _zcdp,
        differential=True,
        not_covered=_SQUARED,
    ),
    GuaranteeKind.LOCAL_DP: KindWords(
        "local differential privacy",
        "green",
        _local,
        differential=True,
        local=True,
        not_covered=_SEVERAL,
    ),
    GuaranteeKind.EDGE_DP: KindWords(
        "edge differential privacy",
        "green",
        partial(_graph, "edge"),
        differential=True,
        not_covered=_ALL_EDGES,
    ),
    GuaranteeKind.NODE_DP: KindWords(
        "node differential privacy", "green", partial(_graph, "node"), differential=True
    ),
    GuaranteeKind.PERSONALISED: KindWords(
        "personalised differential privacy", "green", _personalised, differential=True
    ),
    GuaranteeKind.PARTITION_CONDITIONAL: KindWords(
        "conditional on the clusters",
        "amber",
        _partition_conditional,
        caution="The clusters are chosen from the records without noise, so the published values "
        "can tell who is in the data.",
    ),
    GuaranteeKind.PAIR_ONLY: KindWords(
        "one pair of data sets only",
        "amber",
        _pair_only,
        caution="The bound holds for one pair of data sets that you would have to name, not for "
        "every person.",
    ),
    GuaranteeKind.INDIVIDUAL_DP: KindWords(
        "around the actual data only",
        "amber",
        _individual,
        caution="The noise depends on the actual data, and its size tells something about them.",
    ),
    GuaranteeKind.K_ANONYMITY: KindWords(
        "k-anonymity", "amber", _k_anonymity, not_covered=_LAST_ONE
    ),
    GuaranteeKind.NONE: KindWords(
        "no guarantee",
        "red",
        _none,
        caution="The paper's argument has a gap that Covey can show by an example.",
    ),
}

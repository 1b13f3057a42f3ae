"""What will a private tree ask?  Axes, budgets and refusals, from public facts alone.

A public domain is cut in two again and again; a randomised test on the number of records
decides whether to go on.  Each final box publishes its count and its sums at once, with noise
that is uniform in a cube; what follows is post-processing (docs/proofs/private-tree.md).
There is no k, no depth and nothing to tune: boxes become small where records are many.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.core import Budget, PrivacyUnit, Promise
from covey.core.meter import largest_structure
from covey.errors import PlanError, SchemaError
from covey.partition.axis import Axis, axis_of
from covey.systems.base import columns_setting, epsilon_setting, setting
from covey.systems.columns import assumptions, choose_columns, dropped
from covey.systems.sound.private_tree.measure import COLUMN_LEAVES_SHARE, COLUMN_STRUCTURE_SHARE

if TYPE_CHECKING:
    from covey.table import Attribute, Head

STRUCTURE_SHARE = 20
LEAVES_SHARE = 80
SIZE_SHARE = 2
CATEGORY_SHARE = 10
MARGINAL_SHARE = 120
"""Parts of epsilon: for the cuts and the boxes; for n, where it is not public; for the
frequencies of categories; or for the distributions of all columns, if they are many."""

MANY_COLUMNS = 5
"""From here on the distributions of the columns are published first (over half of epsilon)."""

LEAST_WITHOUT_N = Fraction(1, 100)
"""Where n is not public, the noise on it would exceed some thousands below this epsilon."""

MOST_ROOTS = 256
"""Special values of several columns combine; each combination is a box with noise of its own."""

LEAST_SIGNAL = 4.0
"""Fewer records than this many standard deviations of a count's noise are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    columns: tuple[str, ...] | None = columns_setting()
    output: str = setting(
        "whether rows repeat the centroids of clusters or are spread inside the boxes",
        default="spread",
        choices=("spread", "centroids"),
    )
    unit: str = setting(
        "whether neighbours replace a record (n public) or add or remove one",
        default="replace",
        choices=("replace", "add-remove"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTree:
    """What a private tree is going to ask; ``first`` are the columns that it asks by themselves."""

    head: Head
    attributes: tuple[Attribute, ...]
    axes: Sequence[Axis]
    first: Sequence[int]
    budget: Budget
    budgets: Mapping[str, Budget]
    unit: PrivacyUnit
    promise: Promise
    spread: bool

    @property
    def n(self) -> int | None:
        """Return the number of records, where it is public."""
        return self.head.n


def unit_of(settings: TreeSettings) -> PrivacyUnit:
    """Return the neighbour relation."""
    replaced = settings.unit == "replace"
    return PrivacyUnit.REPLACE_RECORD if replaced else PrivacyUnit.ADD_REMOVE_RECORD


def ask(head: Head, settings: TreeSettings) -> AskedTree:
    """Lay out axes and budgets, or explain what public knowledge is missing or out of range."""
    attributes = choose_columns(head.schema, settings.columns)
    if not attributes:
        raise SchemaError.nothing_to_publish()
    axes = [axis_of(head, attribute) for attribute in attributes]
    _refuse_too_many_special(axes)
    unit, whole = unit_of(settings), Budget.of(settings.epsilon)
    known_n = unit is PrivacyUnit.REPLACE_RECORD
    budgets = _budgets(whole, axes, known_n=known_n)
    _refuse_too_much(whole, budgets["structure"], largest_structure(unit))
    if not known_n and whole.epsilon < LEAST_WITHOUT_N:
        raise PlanError(
            f"epsilon = {whole.value:g} is too small to publish the number of records with any "
            f"meaning. Give an epsilon of at least {float(LEAST_WITHOUT_N):g}, or unit = "
            f'"replace" if the number is public.'
        )
    if head.n is not None:
        _refuse_too_little(axes, whole, head.n)
    many = len(axes) >= MANY_COLUMNS
    first = [j for j, axis in enumerate(axes) if many or axis.grid is None]
    return AskedTree(
        head=head,
        attributes=attributes,
        axes=axes,
        first=first,
        budget=whole,
        budgets=budgets,
        unit=unit,
        promise=_promise(head, axes, attributes, known_n=known_n),
        spread=settings.output == "spread",
    )


def _budgets(whole: Budget, axes: Sequence[Axis], *, known_n: bool) -> dict[str, Budget]:
    shares = {"structure": STRUCTURE_SHARE, "leaves": LEAVES_SHARE}
    if len(axes) >= MANY_COLUMNS:
        shares["columns"] = MARGINAL_SHARE
    elif not all(axis.measured for axis in axes):
        shares["columns"] = CATEGORY_SHARE
    if not known_n:
        shares["size"] = SIZE_SHARE
    return dict(zip(shares, whole.split(list(shares.values())), strict=True))


def _refuse_too_many_special(axes: Sequence[Axis]) -> None:
    roots = math.prod(len(axis.special) + 1 for axis in axes)
    if len(axes) < MANY_COLUMNS and roots > MOST_ROOTS:
        raise SchemaError(
            f"the special values of these columns combine to {roots} boxes, each with noise of its "
            f"own, so nothing was published. List fewer special values, or publish fewer columns."
        )


def _refuse_too_much(whole: Budget, structure: Budget, most: Fraction) -> None:
    if structure.epsilon > most:
        covered = math.floor(10 * most * whole.epsilon / structure.epsilon) / 10
        raise PlanError(
            f"epsilon = {whole.value:g} is too large for the proof of the private tree, so nothing "
            f"was published. Give an epsilon of at most {covered:g}; there is little noise left "
            f"to save."
        )


def _refuse_too_little(axes: Sequence[Axis], whole: Budget, n: int) -> None:
    """Say what is achievable with n records, in public numbers."""
    needed = _least_signal(axes)
    # What is recommended must not be refused again: two digits, rounded up, and a hair of slack.
    if n * whole.value * (1 + 1e-9) >= needed:
        return
    fewer = [c for c in range(1, len(axes)) if _least_signal(axes[:c]) <= n * whole.value]
    columns = f"Publish the first {fewer[-1]} of them alone (--columns), " if fewer else "Publish "
    raise PlanError(
        f"epsilon = {whole.value:g} is too small for this many records and {len(axes)} columns: "
        f"the noise would drown them all. {columns}{'or ' if fewer else ''}these columns of at "
        f"least {_two_digits(needed / whole.value):g} records, or give an epsilon of at least "
        f"{_two_digits(needed / n):g}."
    )


def _least_signal(axes: Sequence[Axis]) -> float:
    """Return the smallest n times epsilon at which a count of all records exceeds its noise."""
    sides = sum(axis.measured for axis in axes)
    shares = {name: part.value for name, part in _budgets(Budget.of(1), axes, known_n=True).items()}
    noise = 2.0 / shares["leaves"] * math.sqrt((sides + 2) * (sides + 3) / 3.0)
    if len(axes) >= MANY_COLUMNS and sides:
        leaves = shares["columns"] / len(axes) * COLUMN_LEAVES_SHARE
        noise = max(noise, 4.0 / (leaves / (COLUMN_STRUCTURE_SHARE + COLUMN_LEAVES_SHARE)))
    return LEAST_SIGNAL * noise


def _two_digits(needed: float) -> float:
    digits = 1 - math.floor(math.log10(needed))
    return math.ceil(needed * 10.0**digits) / 10.0**digits


def _promise(
    head: Head, axes: Sequence[Axis], attributes: Sequence[Attribute], *, known_n: bool
) -> Promise:
    grids = {axis.name: axis.grid for axis in axes if axis.grid is not None}
    facts = list(assumptions(attributes, grids))
    if not known_n:
        facts.remove("The number of records is public.")
    facts += [
        f"The possible values of {axis.name} and their taxonomy are known without these data."
        for axis in axes
        if axis.grid is None
    ]
    facts += [
        f"The special values of {axis.name}, "
        f"{', '.join(map(head.schema[axis.name].told, axis.special))}, "
        f"are known without these data."
        for axis in axes
        if axis.special
    ]
    return Promise(
        columns=tuple(axis.name for axis in axes),
        dropped=dropped(head.schema, attributes),
        assumes=tuple(facts),
        conditions=(
            "Rows are made from published boxes, counts and means; none of them is a record.",
        ),
    )

"""What will a column model ask?  Axes, budgets and refusals, from public facts alone.

Every column is published by counts on two levels of a public grid; pairs of columns are chosen
by the exponential mechanism and published by one table each; numeric columns publish all their
rank correlations in one vector.  What follows is post-processing (docs/proofs/column-model.md).
Columns are asked in the order of their names, so the order of the table has no influence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.core import Budget, PrivacyUnit, Promise
from covey.errors import PlanError, SchemaError, suggest
from covey.partition.axis import Axis, axis_of
from covey.systems.base import (
    budget_of,
    columns_setting,
    delta_setting,
    epsilon_setting,
    rho_setting,
    setting,
)
from covey.systems.columns import assumptions, choose_columns, dropped
from covey.systems.sound.column_model.named import NamedTables, read_named
from covey.systems.sound.column_model.shares import (
    EPSILON_PARTS,
    Purse,
    column_parts,
    layout_of,
    values_of,
)
from covey.systems.sound.tables.settings import read_products

if TYPE_CHECKING:
    from covey.table import Attribute, Head

LEAST_EPSILON = Fraction(1, 10**4)
"""Below, noise would not fit into 64-bit integers; no table has so many records."""

LEAST_WITH_N = Fraction(1, 100)
"""Where n is not public, the noise on it would exceed some thousands below this epsilon."""

LEAST_COLUMN_SIGNAL = 4.0
"""Fewer records than this many standard deviations of a count's noise are refused."""

MOST_TABLE_CELLS = 2**22
"""A table of three columns with more cells is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What may be set."""

    epsilon: float | None = epsilon_setting()
    columns: tuple[str, ...] | None = columns_setting()
    target: tuple[str, ...] | None = setting(
        "the columns that matter most, the first of which all others are measured with",
        default=None,
    )
    tables: tuple[str, ...] | None = setting(
        "tables of two or three columns to measure for sure, before pairs are chosen",
        default=None,
        read=read_products,
        form="a list of products of two or three columns, such as 'region*sex, age*sex*income'",
    )
    unit: str = setting(
        "whether neighbours replace a record (n public) or add or remove one",
        default="replace",
        choices=("replace", "add-remove"),
    )
    delta: float | None = delta_setting()
    rho: float | None = rho_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedModel:
    """What a column model is going to ask; axes in the order of their names."""

    n: int | None
    axes: Sequence[Axis]
    attributes: Sequence[Attribute]
    targets: tuple[int, ...]
    named: NamedTables
    budget: Budget
    unit: PrivacyUnit
    promise: Promise

    @property
    def purse(self) -> Purse:
        """Return the budget in parts."""
        return Purse(self.budget, self.unit)


def unit_of(settings: ModelSettings) -> PrivacyUnit:
    """Return the neighbour relation."""
    replaced = settings.unit == "replace"
    return PrivacyUnit.REPLACE_RECORD if replaced else PrivacyUnit.ADD_REMOVE_RECORD


def ask(head: Head, settings: ModelSettings) -> AskedModel:
    """Lay out axes and budgets, or explain what public knowledge is missing or out of range."""
    attributes = choose_columns(head.schema, settings.columns)
    if not attributes:
        raise SchemaError.nothing_to_publish()
    axes = sorted((axis_of(head, each) for each in attributes), key=lambda axis: axis.name)
    unit, whole = unit_of(settings), budget_of(settings)
    _refuse_small_epsilon(whole, unit)
    named = read_named(settings.tables or (), [axis.name for axis in axes])
    _refuse_large_triples(axes, named)
    if head.n is not None:
        _refuse_too_little(axes, Purse(whole, unit), head.n)
        _refuse_named_noise(axes, Purse(whole, unit), head.n, named)
    return AskedModel(
        n=head.n,
        axes=axes,
        attributes=[head.schema[axis.name] for axis in axes],
        targets=_targets(axes, settings.target or ()),
        named=named,
        budget=whole,
        unit=unit,
        promise=_promise(head, attributes, axes, known_n=unit is PrivacyUnit.REPLACE_RECORD),
    )


def _targets(axes: Sequence[Axis], names: Sequence[str]) -> tuple[int, ...]:
    known = [axis.name for axis in axes]
    for name in names:
        if name not in known:
            raise PlanError(
                f"the target {name!r} is none of the published columns, so nothing was published. "
                f"{suggest(name, known)}"
            )
    return tuple(dict.fromkeys(known.index(name) for name in names))


def _refuse_small_epsilon(whole: Budget, unit: PrivacyUnit) -> None:
    known_n = unit is PrivacyUnit.REPLACE_RECORD
    least = LEAST_EPSILON if known_n else LEAST_WITH_N
    if whole.implied < least:
        other = "" if known_n else ', or unit = "replace" if the number of records is public'
        raise PlanError(
            f"{whole.told} is too small to publish anything with a meaning, so "
            f"nothing was published. Give an epsilon of at least {float(least):g}{other}."
        )


def _refuse_too_little(axes: Sequence[Axis], purse: Purse, n: int) -> None:
    """Say what is achievable with n records, in public numbers."""
    if carries(axes, purse, n):
        return
    fewer = [c for c in range(1, len(axes)) if carries(axes[:c], purse, n)]
    columns = f"Publish at most {fewer[-1]} of them (--columns), " if fewer else "Publish "
    more = _two_digits_up(
        next(n * 1.02**i for i in range(2000) if carries(axes, purse, n * 1.02**i))
    )
    larger = _two_digits_up(
        next(
            each.value
            for each in _larger(purse.budget)
            if carries(axes, Purse(each, purse.unit), n)
        )
    )
    raise PlanError(
        f"{purse.budget.told} is too small for this many records and {len(axes)} columns: "
        f"the noise would drown them all. {columns}{'or ' if fewer else ''}these columns of at "
        f"least {more:g} records, or give an epsilon of at least {larger:g}."
    )


def carries(axes: Sequence[Axis], purse: Purse, n: float) -> bool:
    """Return whether so many records exceed the noise on the counts of each column."""
    shares = column_parts(purse, axes, EPSILON_PARTS, n)
    return n >= LEAST_COLUMN_SIGNAL * max(purse.noise(share) for share in shares)


def _refuse_large_triples(axes: Sequence[Axis], named: NamedTables) -> None:
    """Refuse tables of three columns with more cells than memory should hold."""
    for triple in named.triples:
        cells = math.prod(values_of(axes[j]) for j in triple)
        if cells > MOST_TABLE_CELLS:
            text = "*".join(axes[j].name for j in triple)
            raise PlanError(
                f"the table {text!r} may have {cells:,} cells, and at most {MOST_TABLE_CELLS:,} "
                f"are counted, so nothing was published. Name its pairs instead, or give columns "
                f"with fewer categories."
            )


def _refuse_named_noise(axes: Sequence[Axis], purse: Purse, n: int, named: NamedTables) -> None:
    """Refuse named tables that would be noise, or that leave the columns too little."""
    if not named or _carries_named(axes, purse, n, named):
        return
    larger = _two_digits_up(
        next(
            each.value
            for each in _larger(purse.budget)
            if _carries_named(axes, Purse(each, purse.unit), n, named)
        )
    )
    raise PlanError(
        f"{purse.budget.told} is too small for this many records, {len(axes)} columns and "
        f"{len(named)} tables that the plan names: noise would drown some of them. Name fewer "
        f"tables, publish fewer columns, or give an epsilon of at least {larger:g}."
    )


def _larger(budget: Budget) -> Iterator[Budget]:
    """Try larger and larger budgets."""
    return (budget.times(Fraction(1.02**i)) for i in range(4000))


def _carries_named(axes: Sequence[Axis], purse: Purse, n: int, named: NamedTables) -> bool:
    layout = layout_of(purse, axes, n, target=None, named=named)
    smallest = min(*column_parts(purse, axes, layout.columns, n), layout.pairs // layout.tables)
    return layout.model != "named" or n >= LEAST_COLUMN_SIGNAL * purse.noise(smallest)


def _two_digits_up(needed: float) -> float:
    digits = 1 - math.floor(math.log10(needed))
    return math.ceil(needed * 10.0**digits) / 10.0**digits


def _promise(
    head: Head, attributes: Sequence[Attribute], axes: Sequence[Axis], *, known_n: bool
) -> Promise:
    grids = {axis.name: axis.grid for axis in axes if axis.grid is not None}
    facts = list(assumptions(attributes, grids))
    if not known_n:
        facts.remove("The number of records is public.")
    by_name = {axis.name: axis for axis in axes}
    ordered = [by_name[attribute.name] for attribute in attributes]
    facts += [
        f"The possible values of {axis.name} are known without these data."
        for axis in ordered
        if axis.grid is None
    ]
    facts += [
        f"The special values of {axis.name}, "
        f"{', '.join(map(head.schema[axis.name].told, axis.special))}, "
        f"are known without these data."
        for axis in ordered
        if axis.special
    ]
    return Promise(
        columns=tuple(axis.name for axis in ordered),
        dropped=dropped(head.schema, attributes),
        assumes=tuple(facts),
        conditions=("Rows are drawn from published tables of columns; none of them is a record.",),
    )

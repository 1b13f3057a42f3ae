"""Which cells will be counted, and at which share of epsilon?  From public facts alone.

A table gets a part of epsilon in proportion to the square root of the number of its cells, or of
rho to the power 2/3 of it, which makes the sum of all expected errors smallest, times what the
steward says that it matters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from covey.core import Budget, PrivacyUnit, Promise, WeightedCounts
from covey.core.questions import CellCounts, ColumnCells
from covey.errors import PlanError, suggest
from covey.partition.bins import TableBins, bins_of
from covey.postprocess.controlled_rounding import RoundingStep, rounding_order
from covey.postprocess.tidy_tables import ALL_RECORDS, RESERVED
from covey.systems.base import budget_of
from covey.systems.columns import choose_columns, dropped
from covey.systems.sound.tables.weighing import weighing_of

if TYPE_CHECKING:
    from covey.postprocess.interactions import Names
    from covey.systems.sound.tables.settings import TableSettings
    from covey.table import Head

MOST_COLUMNS = 4
"""Columns of one table."""

MOST_TABULATED = 2**21
"""Cells of all tables together: noise is drawn one by one."""

FINE = 10**6
"""Square roots are taken to so many parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTables:
    """Which tables are going to be asked for.

    Parameters
    ----------
    tables : mapping
        The columns of each table, and what the steward calls it.
    questions, shares
        What is asked about each, and what that costs.
    bins : mapping
        The cells of each column.
    steps : sequence
        The order in which tables are made whole.
    n : int, optional
        What all cells of a table add up to, where it is public: the number of records.
    step : float
        What one step of the answers is worth: 1 for records, less for some weights.
    """

    tables: Mapping[Names, str]
    questions: Sequence[CellCounts | WeightedCounts] = field(repr=False)
    shares: Sequence[Budget]
    bins: Mapping[str, TableBins] = field(repr=False)
    steps: Sequence[RoundingStep]
    n: int | None
    step: float
    structure: str
    budget: Budget
    unit: PrivacyUnit
    promise: Promise


def unit_of(settings: TableSettings) -> PrivacyUnit:
    """Return the neighbour relation."""
    replaced = settings.unit == "replace"
    return PrivacyUnit.REPLACE_RECORD if replaced else PrivacyUnit.ADD_REMOVE_RECORD


def ask(head: Head, settings: TableSettings) -> AskedTables:
    """Lay out the cells of all tables, or explain why they cannot be published."""
    tables = _tables(head, settings)
    names = list(dict.fromkeys(name for table in tables for name in table))
    attributes = {each.name: each for each in choose_columns(head.schema, names)}
    wanted = settings.bins or {}
    for name in wanted:
        if name not in attributes:
            raise PlanError(
                f"bins were given for {name!r}, which is in none of the tables, so nothing was "
                f"published. {suggest(name, names)}"
            )
    bins = {name: bins_of(head, attributes[name], wanted.get(name)) for name in names}
    sizes = [math.prod(bins[name].size for name in table) for table in tables]
    _refuse_too_large(tables, sizes)
    whole, unit = budget_of(settings), unit_of(settings)
    weights = _weights(settings.weights, sizes, whole)
    shares = whole.split(weights)
    if head.n is not None:
        _refuse_too_little(tables, sizes, [float(each) for each in weights], whole, head.n)
    steps = rounding_order(tables)
    if steps is None:
        raise PlanError(
            "these tables share so many margins all round that whole numbers which agree on all "
            "of them may not exist, so nothing was published. Ask for one table of all their "
            "columns, or leave one of them out."
        )
    cells = {name: ColumnCells(each.axis, each.of, each.size) for name, each in bins.items()}
    crossed = [tuple(cells[name] for name in table) for table in tables]
    weighing = None if settings.weighted_by is None else weighing_of(head, settings.weighted_by)
    facts = _facts(head, bins)
    conditions = ["Counts are made from noisy tables; no row of a person is published."]
    if weighing is not None:
        attributes[weighing.attribute.name] = weighing.attribute
        facts, conditions = (*facts, weighing.fact), [*conditions, weighing.condition]
    return AskedTables(
        tables=dict(zip(tables, settings.tables, strict=True)),
        questions=[
            CellCounts(each) if weighing is None else WeightedCounts(each, weighing.cells)
            for each in crossed
        ],
        shares=shares,
        bins=bins,
        steps=steps,
        n=head.n if weighing is None else None,
        step=1.0 if weighing is None else weighing.step,
        structure=settings.structure,
        budget=whole,
        unit=unit,
        promise=Promise(
            columns=tuple(attributes),
            dropped=dropped(head.schema, list(attributes.values())),
            assumes=facts,
            conditions=tuple(conditions),
        ),
    )


def _tables(head: Head, settings: TableSettings) -> list[Names]:
    """Return the columns of each table, all of them in the same order."""
    known = [each.name for each in head.schema if not each.is_hidden]
    products = [tuple(table.split("*")) for table in settings.tables]
    for table, text in zip(products, settings.tables, strict=True):
        for name in table:
            if name not in known:
                raise PlanError(
                    f"there is no column {name!r} to tabulate, so nothing was published. "
                    f"{suggest(name, known)}"
                )
            if name in RESERVED or name == ALL_RECORDS:
                raise PlanError(
                    f"a column {name!r} cannot be told apart from that of the released tables, "
                    f"so nothing was published. Call it something else than {', '.join(RESERVED)}."
                )
        if len(set(table)) != len(table) or len(table) > MOST_COLUMNS:
            raise PlanError(
                f"the table {text!r} must have up to {MOST_COLUMNS} columns, each of them once, "
                f"so nothing was published. Leave some out."
            )
    sets = [frozenset(table) for table in products]
    for at, columns in enumerate(sets):
        if columns in sets[:at]:
            raise PlanError(
                f"the table {settings.tables[at]!r} is listed twice and would be paid for twice, "
                f"so nothing was published. List it once; give it a larger weight if it matters."
            )
    order = list(settings.columns)
    return [tuple(sorted(table, key=order.index)) for table in products]


def _weights(given: Sequence[float] | None, sizes: Sequence[int], whole: Budget) -> list[Fraction]:
    if given is not None and len(given) != len(sizes):
        raise PlanError(
            f"there are {len(sizes)} tables and {len(given)} weights, so it is unclear what each "
            f"matters. Give one weight for each table, in their order."
        )
    if whole.delta is None:
        roots = [math.isqrt(size * FINE**2) for size in sizes]
    else:
        roots = [round(FINE * size ** (2 / 3)) for size in sizes]
    matter = [Fraction(str(weight)) for weight in given or [1] * len(sizes)]
    return [Fraction(root, FINE) * each for root, each in zip(roots, matter, strict=True)]


def _refuse_too_large(tables: Sequence[Names], sizes: Sequence[int]) -> None:
    if sum(sizes) > MOST_TABULATED:
        largest = "*".join(tables[sizes.index(max(sizes))])
        raise PlanError(
            f"the tables have {sum(sizes):,} cells together, most of them in {largest!r}, and at "
            f"most {MOST_TABULATED:,} can be published. Leave columns out, put categories into "
            f"groups, or use fewer bins."
        )


def _refuse_too_little(
    tables: Sequence[Names], sizes: Sequence[int], weights: Sequence[float], whole: Budget, n: int
) -> None:
    """Refuse tables in which the average cell would hold more noise than records."""
    if whole.delta is not None:
        _refuse_too_little_rho(tables, sizes, weights, whole, n)
        return
    given = sum(weights)
    for table, size, weight in zip(tables, sizes, weights, strict=True):
        needed = 2.0 * size * given / weight
        # What is recommended must not be refused again.
        if n * whole.value * (1 + 1e-9) >= needed:
            continue
        matters, others = weight / math.sqrt(size), given - weight
        # 2 c (m √c + others) / (m √c) ≤ n ε, solved for √c.
        share = others / matters
        root = (-share + math.sqrt(share**2 + 2.0 * n * whole.value)) / 2.0
        carried = math.floor(root**2)
        fewer = f"at most {carried:,}" if carried > 1 else "none at all"
        raise PlanError(
            f"the table {'*'.join(table)!r} has {size:,} cells, and {n:,} records at epsilon = "
            f"{whole.value:g} carry {fewer} beside the other tables: the average cell would hold "
            f"more noise than records, so nothing was published. Use fewer columns, groups or "
            f"bins, ask for fewer tables, or give an epsilon of at least "
            f"{_two_digits(needed / n):g}."
        )


def _refuse_too_little_rho(
    tables: Sequence[Names], sizes: Sequence[int], weights: Sequence[float], whole: Budget, n: int
) -> None:
    """Refuse the same where noise is Gaussian, of variance 1 / rho of the table."""
    given = sum(weights)
    factors = [
        (size / n) ** 2 / (float(whole.rho) * weight / given)
        for size, weight in zip(sizes, weights, strict=True)
    ]
    worst = max(factors)
    if worst <= 1 + 1e-9:
        return
    at = factors.index(worst)
    enough = whole.times(Fraction(worst)).value
    raise PlanError(
        f"the table {'*'.join(tables[at])!r} has {sizes[at]:,} cells, and with {n:,} records at "
        f"{whole.told} the average cell would hold more noise than records, so nothing was "
        f"published. Use fewer columns, groups or bins, ask for fewer tables, or give an epsilon "
        f"of at least {_two_digits(enough):g} with this delta."
    )


def _two_digits(needed: float) -> float:
    digits = 1 - math.floor(math.log10(needed))
    return math.ceil(needed * 10.0**digits) / 10.0**digits


def _facts(head: Head, bins: Mapping[str, TableBins]) -> tuple[str, ...]:
    facts = [] if head.n is None else ["The number of records is public."]
    facts.append("Each person owns one record.")
    for name, each in bins.items():
        grid, told = each.axis.grid, head.schema[name].told
        if each.cuts is not None and grid is not None:
            facts.append(
                f"The bounds of {name}, {told(grid.low)} to {told(grid.high)}, and its bins are "
                f"known without these data; values outside are moved to the nearer bound."
            )
        else:
            facts.append(f"The possible values of {name} are known without these data.")
        if each.special:
            listed = ", ".join(map(told, each.axis.special))
            facts.append(f"The special values of {name}, {listed}, are known without these data.")
    return tuple(facts)

"""Which attributes are clustered together, and which part of the budget does each get?"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from covey.core import Budget
from covey.errors import PlanError, suggest
from covey.systems.base import setting
from covey.systems.columns import choose_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.table import Attribute, Schema

Group = tuple["Attribute", ...]


def grouped(
    schema: Schema,
    groups: Sequence[Sequence[str]] | None,
    *,
    columns: Sequence[str] | None,
    blocks: Sequence[str] = (),
) -> tuple[Group, ...]:
    """Return the groups asked for, or one group of all published attributes.

    Groups name what is published; they are disjoint, as Algorithm 2 of paper 000 requires.
    """
    attributes = choose_columns(schema, columns, blocks)
    if groups is None:
        return (attributes,)
    known = {attribute.name: attribute for attribute in attributes}
    named = Counter(name for group in groups for name in group)
    for name, times in named.items():
        if name not in known:
            raise PlanError(
                f"the groups name a column {name!r} that is not published, so nothing was. "
                f"{suggest(name, known)}"
            )
        if times > 1:
            raise PlanError(
                f"column {name!r} is in several groups or twice in one, so it would be published "
                f"twice and cost twice. Name each column once."
            )
    if columns is not None and len(named) < len(known):
        left = next(name for name in known if name not in named)
        raise PlanError(
            f"column {left!r} is to be published and is in no group. Add it to a group (alone, if "
            f"it is to be clustered by itself), or leave it out of `columns`."
        )
    return tuple(tuple(known[name] for name in group) for group in groups)


def shares(
    budget: Budget, groups: Sequence[Group], split: str | Sequence[float]
) -> dict[str, Budget]:
    """Divide the budget over all attributes of all groups, exactly.

    ``even`` gives each attribute the same (the variants ``_1`` of paper 000), ``range`` a share
    in proportion to its public width (``_2``, and Algorithm 1: the same noise in raw units for
    all).  Numbers are the budgets of the groups themselves (Algorithm 2), divided by range inside
    each.  The parts add up to the whole, so the parts' guarantees compose to it.
    """
    attributes = [attribute for group in groups for attribute in group]
    if split == "even":
        parts = budget.split([1] * len(attributes))
    elif split == "range":
        parts = budget.split([attribute.width for attribute in attributes])
    else:
        parts = tuple(
            part
            for whole, group in zip(_given(budget, groups, split), groups, strict=True)
            for part in whole.split([attribute.width for attribute in group])
        )
    return {attribute.name: part for attribute, part in zip(attributes, parts, strict=True)}


def _given(
    budget: Budget, groups: Sequence[Group], split: str | Sequence[float]
) -> tuple[Budget, ...]:
    parts = tuple(Budget.of(part) for part in split)
    if len(parts) != len(groups):
        raise PlanError(
            f"the split has {len(parts)} parts for {len(groups)} groups of columns, so they cannot "
            f"be matched. Give one part of epsilon for each group, in the same order."
        )
    whole = sum((part.epsilon for part in parts), Fraction(0))
    if whole != budget.epsilon:
        raise PlanError(
            f"the parts of the split add up to {float(whole):g} and epsilon is "
            f"{float(budget.epsilon):g}, so the release would cost something else than it says. "
            f'Let the parts add up to epsilon, or write split = "even".'
        )
    return parts


def read_groups(value: Any) -> tuple[tuple[str, ...], ...] | None:
    """Read groups of columns: ``"a,b;c"`` or a list of lists of names.

    Examples
    --------
    >>> read_groups("age, income; town")
    (('age', 'income'), ('town',))
    """
    if isinstance(value, str):
        value = [[name.strip() for name in part.split(",")] for part in value.split(";")]
    if not isinstance(value, (list, tuple)) or not value:
        return None
    for group in value:
        plain = isinstance(group, (list, tuple)) and group
        if not plain or not all(isinstance(name, str) and name for name in group):
            return None
    return tuple(tuple(group) for group in value)


def read_split(value: Any) -> str | tuple[float, ...] | None:
    """Read how a budget is divided: a word, or the parts themselves.

    Examples
    --------
    >>> read_split("0.25, 0.75")
    (0.25, 0.75)
    """
    if value in ("even", "range"):
        return str(value)
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, (list, tuple)) or not value:
        return None
    try:
        parts = tuple(float(part) for part in value)
    except (TypeError, ValueError):
        return None
    return parts if all(math.isfinite(part) and part > 0 for part in parts) else None


def groups_setting() -> Any:
    """Declare which columns are clustered together."""
    return setting(
        "the groups of columns that are clustered together; all in one unless given",
        default=None,
        read=read_groups,
        form="groups of column names such as 'age,income;town' or [['age', 'income'], ['town']]",
    )


def split_setting() -> Any:
    """Declare how a budget is divided."""
    return setting(
        "how epsilon is divided: evenly over the columns, in proportion to the widths of their "
        "public bounds, or as given for each group",
        default="even",
        read=read_split,
        form="'even', 'range', or positive numbers that add up to epsilon, one for each group",
    )

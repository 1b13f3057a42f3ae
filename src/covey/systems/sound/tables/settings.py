"""What may be set when tables are published: which ones, in which bins, at which shares?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from covey.systems.base import delta_setting, epsilon_setting, rho_setting, setting


def read_products(value: Any) -> tuple[str, ...] | None:
    """Read tables: products of columns, in a list or separated by commas.

    Examples
    --------
    >>> read_products("region * sex, age")
    ('region*sex', 'age')
    """
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not parts:
        return None
    if not all(isinstance(part, str) and part.strip() for part in parts):
        return None
    products = [[name.strip() for name in part.split("*")] for part in parts]
    return None if any("" in names for names in products) else tuple(map("*".join, products))


def read_bins(value: Any) -> dict[str, int | list[float] | list[str]] | None:
    """Read bins of columns: how many, or where they are cut.

    Examples
    --------
    >>> read_bins("age=10; income=10000,50000")
    {'age': 10, 'income': [10000.0, 50000.0]}
    """
    if isinstance(value, str):
        pairs = [part.partition("=") for part in value.split(";")]
        if not all(equals for _, equals, _ in pairs):
            return None
        value = {name.strip(): cuts.strip() for name, _, cuts in pairs}
    if not isinstance(value, Mapping):
        return None
    found = {str(name): _read_cuts(cuts) for name, cuts in value.items()}
    known = {name: cuts for name, cuts in found.items() if cuts is not None}
    return known if len(known) == len(found) else None


def _read_cuts(value: Any) -> int | list[float] | list[str] | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        if value.isdigit():
            return int(value)
        value = value.split(",")
    if not isinstance(value, list | tuple) or not value:
        return None
    try:
        cuts = [float(cut) for cut in value]
    except (TypeError, ValueError):
        # Dates; whether they can be read is known where their attribute is.
        return [str(cut).strip() for cut in value]
    return cuts if all(map(math.isfinite, cuts)) else None


def read_shares(value: Any) -> tuple[float, ...] | None:
    """Read weights: a list of positive numbers, or such separated by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    try:
        shares = tuple(float(part) for part in parts)
    except (TypeError, ValueError):
        return None
    return shares if shares and all(0 < share < math.inf for share in shares) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What may be set."""

    epsilon: float | None = epsilon_setting()
    tables: tuple[str, ...] = setting(
        "the tables to publish, each a product of columns; all of their margins come with them",
        read=read_products,
        form="a list of products of columns, such as 'region*sex, age'",
    )
    bins: dict[str, Any] | None = setting(
        "how many equal bins a number has between its bounds, or where it is cut; about ten "
        "of a round width unless given",
        default=None,
        read=read_bins,
        form="bins by column, such as 'age=10; income=10000,50000' (how many, or cut points)",
    )
    weights: tuple[float, ...] | None = setting(
        "how much each table matters; all alike unless given",
        default=None,
        read=read_shares,
        form="a positive number for each table, such as '2,1'",
    )
    weighted_by: str | None = setting(
        "the survey weight that cells add up, a column with the role weight; every record counts "
        "once unless given",
        default=None,
    )
    unit: str = setting(
        "whether neighbours replace a record (n public) or add or remove one",
        default="replace",
        choices=("replace", "add-remove"),
    )
    structure: str = setting(
        "the identifier of the dataflow in the SDMX file", default="COVEY:TABLES(1.0)"
    )
    delta: float | None = delta_setting()
    rho: float | None = rho_setting()

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of all tables, and the weight: all that is looked at."""
        names = [name for table in self.tables for name in table.split("*")]
        return tuple(dict.fromkeys([*names, *([self.weighted_by] if self.weighted_by else [])]))

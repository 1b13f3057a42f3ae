"""Which columns does a differentially private system publish, on which public grids?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from covey.errors import InternalError, PlanError, SchemaError, suggest
from covey.partition.axis import grid_of
from covey.table import Attribute, Head, Scale, Schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.table.grid import Grid


def choose_columns(
    schema: Schema, names: Sequence[str] | None, blocks: Sequence[str] = ()
) -> tuple[Attribute, ...]:
    """Return the attributes to publish with noise: those asked for, or all but identifiers.

    Those that separate blocks are not among them; they are published as they are.
    """
    publishable = [attribute for attribute in schema if not attribute.is_hidden]
    # What a rule computes from other columns needs no noise of its own.
    blocks = (*blocks, *schema.derived)
    known = [attribute.name for attribute in publishable]
    for name, times in Counter(names or ()).items():
        if times > 1:
            raise PlanError(
                f"the column {name!r} is named more than once, so nothing was published. Name "
                f"each column once."
            )
        if name not in known:
            raise PlanError(
                f"there is no column {name!r} to publish, so nothing was. {suggest(name, known)}"
            )
    wanted = set(known if names is None else names) - set(blocks)
    return tuple(attribute for attribute in publishable if attribute.name in wanted)


def on_grids(attributes: Sequence[Attribute], system: str) -> dict[str, Grid]:
    """Return the public grid of each attribute, or explain which one cannot be noised."""
    if not attributes:
        raise SchemaError.nothing_to_publish()
    grids = {}
    for attribute in attributes:
        if attribute.scale is Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is nominal and {system!r} adds noise to numbers, "
                f"so it cannot be published. Leave it out with --columns, or use a system for "
                f"categories (see `covey systems`)."
            )
        refuse_kept_missing(attribute, f"system {system!r}")
        grids[attribute.name] = grid_of(attribute)
    return grids


def refuse_kept_missing(attribute: Attribute, what: str) -> None:
    """Refuse missing values as values of their own, where a system has no place for them."""
    if attribute.keeps_missing:
        raise SchemaError(
            f"attribute {attribute.name!r} keeps missing values as a value of their own, for which "
            f"{what} has no place, so nothing was published. Use 'column-model' or "
            f"'private-tree', which publish them as missing, or set "
            f'missing = "drop", or missing = "impute" with a '
            f"public value."
        )


def dropped(schema: Schema, published: Sequence[Attribute]) -> tuple[str, ...]:
    """Return the names of the columns that are not published."""
    names = {attribute.name for attribute in published}
    return tuple(name for name in schema.names if name not in names)


def assumptions(attributes: Sequence[Attribute], grids: Mapping[str, Grid]) -> tuple[str, ...]:
    """Return the public facts that noise on these attributes relies on."""
    facts = ["The number of records is public.", "Each person owns one record."]
    for attribute in attributes:
        grid = grids.get(attribute.name)
        if grid is None:  # categories have no bounds
            continue
        unit = f" {attribute.unit}" if attribute.unit else ""
        facts.append(
            f"The bounds of {attribute.name}, {attribute.told(grid.low)} to "
            f"{attribute.told(grid.high)}{unit}, are known "
            f"without these data; values outside are moved to the nearer bound."
        )
    return tuple(facts)


def known_n(head: Head) -> int:
    """Return the number of records, which is public where records are replaced."""
    if head.n is None:
        raise InternalError("a system for replaced records was not told the public n.")
    return head.n

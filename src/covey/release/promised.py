"""What may a release promise, all things considered: facts from the data, seeds, choices, gaps?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from covey.core import REPEATABLE, Guarantee, GuaranteeKind, NoiseSource
from covey.errors import PlanError, WeakerError, suggest
from covey.plan import Plan
from covey.systems import System
from covey.table import Role, Schema
from covey.table.provenance import from_the_data, told_facts
from covey.table.rules import usable_rules

COMPLETE = (
    "Whether a record is complete is public: incomplete records were dropped, and replacing a "
    "complete record by an incomplete one is not covered."
)

UNRULED = (
    "Rows may break the rules of the schema: this system does not enforce them, because that could "
    "tell the records of a group apart."
)

NODES_OF_EDGES = (
    "The nodes were read off the edges, so one edge more can show as one node more, and whoever "
    "leaves takes along those who had no other contact; give all nodes, or their number (--nodes)."
)

CHOSEN = (
    "The system or its parameters were chosen by looking at these data, and the choice itself "
    "tells about the records; ask `covey advise` without --look."
)

NEED_NO_FACTS = (GuaranteeKind.K_ANONYMITY, GuaranteeKind.NONE)
"""Kinds that rely on no public fact about a column."""

SEEDED = "Not for publication: seeded. Whoever knows the seed can subtract the noise."


def promised_by(
    guarantee: Guarantee, plan: Plan, system: System, source: NoiseSource, schema: Schema | None
) -> tuple[Guarantee, Plan]:
    """Return what a release may promise, and the plan that may be published with it.

    ``schema`` is that of the table; a graph has none.
    """
    if schema is not None:
        guarantee = _about_weights(guarantee, plan, schema)
    if schema is not None and schema.rules and system.releases == "rows":
        guarantee = _with_rules(guarantee, schema)
    if schema is not None and guarantee.kind not in NEED_NO_FACTS:
        named = plan.parameters.get("columns", ()) is not None
        reason = from_the_data(schema, guarantee.columns, named=named)
        told = told_facts(schema, guarantee.columns)
        guarantee = replace(guarantee, assumes=(*guarantee.assumes, *told))
        guarantee = guarantee.downgraded(reason) if reason else guarantee
    if not source.secure and not system.deterministic:
        guarantee = seeded(guarantee)
    if plan.chosen_on_data:
        guarantee = guarantee.downgraded(CHOSEN)
    if schema is None:
        return guarantee, plan
    incomplete = tuple(attribute.name for attribute in schema if attribute.drops)
    guarantee = replace(guarantee, incomplete=incomplete)
    if incomplete and guarantee.kind not in NEED_NO_FACTS:
        guarantee = replace(guarantee, assumes=(*guarantee.assumes, COMPLETE))
    # Clusters without noise need no bounds; noise needs those of the columns that it covers.
    needed = () if guarantee.kind is GuaranteeKind.K_ANONYMITY else guarantee.columns
    published = {*guarantee.columns, *guarantee.untouched}
    return guarantee, replace(plan, schema=schema.for_plan(published, needed))


def _about_weights(guarantee: Guarantee, plan: Plan, schema: Schema) -> Guarantee:
    """Say what a survey weight is not used for, where it is not."""
    weights = [each.name for each in schema.with_role(Role.WEIGHT)]
    if not weights or plan.parameters.get("weighted_by"):
        return guarantee
    told = (
        f"Records count once each, whatever they stand for: {', '.join(weights)} is not used as a "
        f"survey weight."
    )
    if told in guarantee.conditions:
        return guarantee
    return replace(guarantee, conditions=(*guarantee.conditions, told))


def _with_rules(guarantee: Guarantee, schema: Schema) -> Guarantee:
    """Say which rules rows obey, and cover the columns that they compute."""
    published = (*guarantee.columns, *guarantee.untouched)
    rules = usable_rules(schema.parsed_rules, published)
    if not guarantee.kind.is_differential_privacy:
        told = (UNRULED,) if rules else ()
        return replace(guarantee, conditions=(*guarantee.conditions, *told))
    computed = [rule.derives for rule in rules if rule.derives and rule.derives not in published]
    facts = tuple(f"The rule {rule.text} holds for every possible record." for rule in rules)
    return replace(
        guarantee,
        columns=(*guarantee.columns, *computed),
        dropped=tuple(name for name in guarantee.dropped if name not in computed),
        assumes=(*guarantee.assumes, *facts),
    )


ANY_DIFFERENTIAL = "differential-privacy"
"""What may be required beside the kinds themselves: any of those that earn the words."""


def checked_requirement(require: str | None) -> str | None:
    """Return the kind that is required, or explain which there are."""
    kinds = [ANY_DIFFERENTIAL, *map(str, GuaranteeKind)]
    if require is not None and require not in kinds:
        raise PlanError(
            f"there is no kind of guarantee {require!r} that could be required, so nothing was "
            f"published. {suggest(require, kinds)}"
        )
    return require


def refuse_weaker(guarantee: Guarantee, require: str | None) -> None:
    """Refuse a release whose guarantee is another than the one that is required."""
    differential = require == ANY_DIFFERENTIAL and guarantee.kind.is_differential_privacy
    if require is None or differential or guarantee.kind == require:
        return
    why = " ".join(guarantee.reasons)
    raise WeakerError(
        f"the guarantee would be {str(guarantee.kind)!r} and {require!r} is required, so nothing "
        f"was published and nothing was spent. {why or 'Choose another system (covey systems).'}"
    )


def for_given_nodes(guarantee: Guarantee, head: Any) -> Guarantee:
    """Return what is left of a promise about a graph whose nodes nobody has given."""
    return guarantee if getattr(head, "given", True) else guarantee.downgraded(NODES_OF_EDGES)


def seeded(guarantee: Guarantee) -> Guarantee:
    """Stamp the guarantee of a seeded experiment."""
    if guarantee.kind is GuaranteeKind.NONE and SEEDED in guarantee.reasons:
        return guarantee
    return replace(guarantee.downgraded(SEEDED), arithmetic=REPEATABLE)

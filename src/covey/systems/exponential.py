"""Replace every category by a random one, near ones more often: the plain baseline for categories.

Local differential privacy, as `laplace` is for numbers (docs/proofs/record-choices.md): each row
is protected without the help of the others, and may stay where the original record was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import SchemaError
from covey.perturb import choose
from covey.privacy import EXACT, Budget, Guarantee, GuaranteeKind, PrivacyUnit, sensitivity
from covey.release import Column, ConceptColumn
from covey.release.accuracy import Interval, as_frame, choice_intervals
from covey.systems.base import COLUMNS, EPSILON, Outcome, Progress, System
from covey.systems.columns import assumptions, chosen, dropped, from_the_data
from covey.systems.insensitive import DISTANCE_STEPS, candidate_codes
from covey.table import Attribute, Scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.perturb import NoiseSource
    from covey.table import Table

_CONDITIONS = (
    (
        "Rows keep the order of the original records, which no other guarantee allows; without "
        "this guarantee they are sorted by their released values."
    ),
    "Single values mean little, because most of them were drawn anew; frequencies do.",
)


def _publish(
    table: Table, parameters: Mapping[str, Any], source: NoiseSource, progress: Progress | None
) -> Outcome:
    attributes = chosen(table, parameters)
    _refuse(attributes)
    whole = Budget.of(parameters["epsilon"])
    shares = whole.split([1] * len(attributes))
    columns: dict[str, Column] = {}
    aligned = {}
    intervals: list[Interval] = []
    for done, (attribute, share) in enumerate(zip(attributes, shares, strict=True)):
        if progress is not None:
            progress("exponential: drawing columns", done, len(attributes))
        name = attribute.name
        drawn, counted = _drawn(table, name, budget=share, source=source)
        intervals += counted
        columns[name] = drawn
        code = {concept: position for position, concept in enumerate(table.domain(name))}
        aligned[name] = np.array([code[concept] for concept in drawn.concepts], dtype=np.float64)
    facts = tuple(
        f"The possible values of {attribute.name} and their taxonomy are known without these data."
        for attribute in attributes
    )
    guarantee = Guarantee(
        kind=GuaranteeKind.LOCAL_DP,
        unit=PrivacyUnit.REPLACE_RECORD,
        epsilon=whole.epsilon,
        columns=tuple(columns),
        dropped=dropped(table, attributes),
        assumes=(*assumptions(attributes, {}), *facts),
        conditions=_CONDITIONS,
        arithmetic=EXACT,
        claim="record-choices",
    )
    reason = from_the_data(attributes)
    if reason:
        guarantee = guarantee.downgraded(reason)
    return Outcome(
        columns=columns,
        guarantee=guarantee,
        aligned=aligned,
        extras={"accuracy": as_frame(intervals)},
    )


def _refuse(attributes: Sequence[Attribute]) -> None:
    if not attributes:
        raise SchemaError(
            "all attributes are identifiers, so there is nothing to publish. "
            "Give another role to the attributes that matter."
        )
    for attribute in attributes:
        if attribute.scale is not Scale.NOMINAL:
            raise SchemaError(
                f"attribute {attribute.name!r} is {attribute.scale} and 'exponential' draws "
                f"categories, so it cannot be published. Leave it out with --columns, or publish "
                f"numbers with 'laplace'."
            )
        if attribute.taxonomy is None and attribute.categories is None:
            raise SchemaError(
                f"attribute {attribute.name!r} lists neither categories nor a taxonomy, so the "
                f"candidates to publish would come from the data. Give `categories = [...]` or "
                f'`taxonomy = "file.csv"`, from public knowledge.'
            )


def _drawn(
    table: Table, name: str, *, budget: Budget, source: NoiseSource
) -> tuple[ConceptColumn, list[Interval]]:
    """Draw a concept for each record, and count the categories from what was drawn."""
    taxonomy = table.taxonomy(name)
    distances = np.rint(taxonomy.distances * DISTANCE_STEPS).astype(np.int64)
    candidates = candidate_codes(table, name, taxonomy)
    codes = taxonomy.codes(table.texts(name), attribute=name)
    domain = list(taxonomy.domain)
    bound = sensitivity("exponential", "distance", steps=int(distances[:, domain].max()))
    selected = choose(
        distances[np.ix_(codes, candidates)],
        sensitivity=bound,
        budget=budget,
        source=source,
        touched="one",
    )
    concepts = taxonomy.values(candidates[selected.codes])
    values = [code for code in domain if taxonomy.concepts[code] in table.domain(name)]
    rate = budget.value / (2 * bound.l1)
    weights = np.exp(-rate * distances[values][:, candidates])
    counted = choice_intervals(
        name,
        [taxonomy.concepts[code] for code in values],
        weights / weights.sum(axis=1, keepdims=True),
        selected.codes,
    )
    return ConceptColumn(concepts=tuple(concepts), origin=selected), counted


EXPONENTIAL = System(
    name="exponential",
    summary="A random category for every category of every record, near ones more often.",
    paper="baseline of 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    parameters=(EPSILON, COLUMNS),
    run=_publish,
)

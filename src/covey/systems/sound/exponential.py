"""Replace every category by a random one, near ones more often: the plain baseline for categories.

Local differential privacy, as `laplace` is for numbers (docs/proofs/record-choices.md): each row
is protected without the help of the others, and may stay where the original record was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import RecordConcepts
from covey.errors import SchemaError
from covey.postprocess.intervals import Interval, as_frame, choice_intervals
from covey.postprocess.rows import Perturbed
from covey.systems.base import Built, SoundSystem, columns_setting, epsilon_setting
from covey.systems.columns import assumptions, choose_columns, dropped
from covey.systems.concepts import candidate_codes, distance_steps
from covey.table import Attribute, Scale

if TYPE_CHECKING:
    from covey.core import Meter
    from covey.table import Head

_CONDITIONS = (
    (
        "Rows keep the order of the original records, which no other guarantee allows; without "
        "this guarantee they are sorted by their released values."
    ),
    "Single values mean little, because most of them were drawn anew; frequencies do.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExponentialSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    columns: tuple[str, ...] | None = columns_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedConcepts:
    """Which columns of single records are asked, and what they may cost."""

    head: Head
    questions: Sequence[RecordConcepts]
    budget: Budget
    promise: Promise
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD


def ask(head: Head, settings: ExponentialSettings) -> AskedConcepts:
    """Lay out candidates and their distances."""
    attributes = choose_columns(head.schema, settings.columns)
    _refuse(attributes)
    facts = known_concepts(attributes)
    return AskedConcepts(
        head=head,
        questions=[concept_question(head, attribute.name) for attribute in attributes],
        budget=Budget.of(settings.epsilon),
        promise=Promise(
            columns=tuple(attribute.name for attribute in attributes),
            dropped=dropped(head.schema, attributes),
            assumes=(*assumptions(attributes, {}), *facts),
            conditions=_CONDITIONS,
        ),
    )


def measure(meter: Meter, asked: AskedConcepts) -> Any:
    """Let every category of every record be drawn anew, an equal share for each column."""
    return meter.perturbed(asked.questions, asked.budget.split([1] * len(asked.questions)))


def build(asked: AskedConcepts, measured: Any, rng: np.random.Generator) -> Built:
    """Release the drawn records, and say how accurate their frequencies are."""
    del rng
    intervals: list[Interval] = []
    shares = asked.budget.split([1] * len(asked.questions))
    for question, share in zip(asked.questions, shares, strict=True):
        drawn = measured.drawn[question.name]
        intervals += frequency_intervals(asked.head, question, share, drawn)
    return Built(rows=Perturbed(measured), extras={"accuracy": as_frame(intervals)})


def frequency_intervals(
    head: Head, question: RecordConcepts, share: Budget, drawn: Any
) -> list[Interval]:
    """Say how often each category occurs, from what was drawn and how likely each draw was."""
    taxonomy, possible = head.taxonomy(question.name), head.domain(question.name)
    values = [code for code in taxonomy.domain if taxonomy.concepts[code] in possible]
    rate = share.value / (2 * question.largest)
    weights = np.exp(-rate * np.asfortranarray(question.distances[values]))
    return choice_intervals(
        question.name,
        [taxonomy.concepts[code] for code in values],
        weights / weights.sum(axis=1, keepdims=True),
        drawn,
    )


def known_concepts(attributes: Sequence[Attribute]) -> tuple[str, ...]:
    """Return the public facts that drawing categories relies on, or say what lacks them."""
    for attribute in attributes:
        if attribute.taxonomy is None and attribute.categories is None:
            raise SchemaError(
                f"attribute {attribute.name!r} lists neither categories nor a taxonomy, so the "
                f"candidates to publish would come from the data. Give `categories = [...]` or "
                f'`taxonomy = "file.csv"`, from public knowledge.'
            )
    return tuple(
        f"The possible values of {attribute.name} and their taxonomy are known without these data."
        for attribute in attributes
    )


def concept_question(head: Head, name: str) -> RecordConcepts:
    """Ask for a concept in the place of each category of a column."""
    taxonomy = head.taxonomy(name)
    distances = distance_steps(taxonomy)
    candidates = candidate_codes(head, name, taxonomy)
    largest = int(distances[:, np.array(taxonomy.domain)].max())
    return RecordConcepts(
        name, tuple(taxonomy.values(candidates)), distances[:, candidates], largest
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


EXPONENTIAL = SoundSystem(
    name="exponential",
    summary="A random category for every category of every record, near ones more often.",
    paper="baseline of 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=ExponentialSettings,
    ask=ask,
    measure=measure,
    build=build,
)

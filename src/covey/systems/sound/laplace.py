"""Perturb every record by itself: local differential privacy, the plain baseline.

Numbers get Laplace noise; categories, where there are any, are drawn anew as `exponential` draws
them, so that a mixed table has a baseline too (paper 004, section 5.2).  Rows may stay in the order
of the original records, because each row is protected without the help of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import RecordConcepts, RecordValues
from covey.postprocess.intervals import Interval, as_frame, sum_quantile, total_interval
from covey.postprocess.rows import Perturbed
from covey.systems.base import Built, SoundSystem, columns_setting, epsilon_setting
from covey.systems.columns import assumptions, choose_columns, dropped, known_n, on_grids
from covey.systems.sound.exponential import concept_question, frequency_intervals, known_concepts
from covey.table import Scale

if TYPE_CHECKING:
    import numpy as np

    from covey.core import Meter
    from covey.table import Attribute, Head

_CONDITIONS = (
    (
        "Rows keep the order of the original records, which no other guarantee allows; without "
        "this guarantee they are sorted by their released values."
    ),
    "Single values mean little, because the noise is wider than the bounds; averages do.",
)
_CATEGORIES = (
    "Single categories mean little, because most of them were drawn anew; frequencies do.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceSettings:
    """What may be set."""

    epsilon: float = epsilon_setting()
    columns: tuple[str, ...] | None = columns_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedValues:
    """Which columns of single records are asked, and what they may cost."""

    head: Head
    attributes: tuple[Attribute, ...]
    questions: Sequence[RecordValues | RecordConcepts]
    budget: Budget
    promise: Promise
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD


def ask(head: Head, settings: LaplaceSettings) -> AskedValues:
    """Lay out the grids."""
    attributes = choose_columns(head.schema, settings.columns)
    nominal = [attribute for attribute in attributes if attribute.scale is Scale.NOMINAL]
    numeric = [attribute for attribute in attributes if attribute.scale is not Scale.NOMINAL]
    grids = on_grids(numeric, "laplace") if numeric or not nominal else {}
    concepts = known_concepts(nominal)
    return AskedValues(
        head=head,
        attributes=attributes,
        questions=[
            RecordValues(a.name, grids[a.name])
            if a.name in grids
            else concept_question(head, a.name)
            for a in attributes
        ],
        budget=Budget.of(settings.epsilon),
        promise=Promise(
            columns=tuple(attribute.name for attribute in attributes),
            dropped=dropped(head.schema, attributes),
            assumes=(*assumptions(attributes, grids), *concepts),
            conditions=_CONDITIONS + (_CATEGORIES if nominal else ()),
        ),
    )


def measure(meter: Meter, asked: AskedValues) -> Any:
    """Let every value of every record be perturbed, an equal share for each column."""
    return meter.perturbed(asked.questions, asked.budget.split([1] * len(asked.questions)))


def build(asked: AskedValues, measured: Any, rng: np.random.Generator) -> Built:
    """Release the noisy records, and say how accurate their means are."""
    del rng
    n = known_n(asked.head)
    intervals: list[Interval] = []
    shares = asked.budget.split([1] * len(asked.questions))
    for attribute, question, share in zip(asked.attributes, asked.questions, shares, strict=True):
        name = attribute.name
        if isinstance(question, RecordConcepts):
            intervals += frequency_intervals(asked.head, question, share, measured.drawn[name])
            continue
        intervals.append(
            total_interval(
                name,
                measured.totals[name],
                n,
                noise=float(measured.scales[name]) * sum_quantile(n),
                grid=question.grid,
                whole=attribute.is_whole,
            )
        )
    return Built(rows=Perturbed(measured), extras={"accuracy": as_frame(intervals)})


LAPLACE = SoundSystem(
    name="laplace",
    summary="Laplace noise on every number of every record, a drawn category for every category.",
    paper="baseline of 000, 002, 003 and 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=LaplaceSettings,
    ask=ask,
    measure=measure,
    build=build,
)

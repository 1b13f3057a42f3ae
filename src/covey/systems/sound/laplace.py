"""Perturb every record by itself: local differential privacy, the plain baseline.

The only system whose rows may stay in the order of the original records, because each row
is protected without the help of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.core import Budget, GuaranteeKind, PrivacyUnit, Promise
from covey.core.questions import RecordValues
from covey.postprocess.intervals import as_frame, total_interval
from covey.postprocess.rows import Perturbed
from covey.systems.base import Built, SoundSystem, columns_setting, epsilon_setting
from covey.systems.columns import assumptions, choose_columns, dropped, known_n, on_grids

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
    questions: Sequence[RecordValues]
    budget: Budget
    promise: Promise
    unit: PrivacyUnit = PrivacyUnit.REPLACE_RECORD


def ask(head: Head, settings: LaplaceSettings) -> AskedValues:
    """Lay out the grids."""
    attributes = choose_columns(head.schema, settings.columns)
    grids = on_grids(attributes, "laplace")
    return AskedValues(
        head=head,
        attributes=attributes,
        questions=[RecordValues(name, grid) for name, grid in grids.items()],
        budget=Budget.of(settings.epsilon),
        promise=Promise(
            columns=tuple(grids),
            dropped=dropped(head.schema, attributes),
            assumes=assumptions(attributes, grids),
            conditions=_CONDITIONS,
        ),
    )


def measure(meter: Meter, asked: AskedValues) -> Any:
    """Let every value of every record be perturbed, an equal share for each column."""
    return meter.perturbed(asked.questions, asked.budget.split([1] * len(asked.questions)))


def build(asked: AskedValues, measured: Any, rng: np.random.Generator) -> Built:
    """Release the noisy records, and say how accurate their means are."""
    del rng
    n = known_n(asked.head)
    intervals = [
        total_interval(
            attribute.name,
            measured.totals[attribute.name],
            n,
            n,
            scale=measured.scales[attribute.name],
            grid=question.grid,
            whole=attribute.is_whole,
        )
        for attribute, question in zip(asked.attributes, asked.questions, strict=True)
    ]
    return Built(rows=Perturbed(measured), extras={"accuracy": as_frame(intervals)})


LAPLACE = SoundSystem(
    name="laplace",
    summary="Discrete Laplace noise on every value of every record; no clusters.",
    paper="baseline of 000, 002, 003 and 004",
    kind=GuaranteeKind.LOCAL_DP,
    unit=PrivacyUnit.REPLACE_RECORD,
    takes=LaplaceSettings,
    ask=ask,
    measure=measure,
    build=build,
)

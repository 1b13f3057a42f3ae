"""How far are published tables from those of the originals?  For the curator's eyes only."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from covey.core import PrivacyUnit
from covey.engines.memory.engine import MemoryEngine
from covey.evaluate.metric import Metric, by_name
from covey.evaluate.result import Evaluation
from covey.systems import SYSTEMS, SoundSystem
from covey.systems.persons import persons_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release import Release, SavedRelease
    from covey.table import Table

TABLE_METRICS = by_name(
    Metric(
        name="count_error",
        title="Error of a count",
        explanation="By how many records a published count is off, on average over all cells.",
        better="lower",
        low=0.0,
        high=inf,
        aligned=False,
        kind="utility",
    ),
    Metric(
        name="table_error",
        title="Misplaced records",
        explanation="The share of records that stand in a wrong cell, on average over all tables.",
        better="lower",
        low=0.0,
        high=1.0,
        aligned=False,
        kind="utility",
    ),
    Metric(
        name="intervals_that_hold",
        title="Intervals that hold",
        explanation="The share of published intervals that hold the true count; 0.95 is promised.",
        better="higher",
        low=0.0,
        high=1.0,
        aligned=False,
        kind="utility",
    ),
)
"""Scores of releases that are tables; those of one table are called ``table_error[region*sex]``."""


def releases_cells(release: Release | SavedRelease) -> bool:
    """Return whether a release is cells of tables, and no rows."""
    return release.plan.system in SYSTEMS and SYSTEMS[release.plan.system].releases == "cells"


def evaluate_tables(table: Table, release: Release) -> Evaluation:
    """Compare published counts with those of the original records."""
    system = SYSTEMS[release.plan.system]
    assert isinstance(system, SoundSystem)  # noqa: S101 — cells are of sound systems alone
    engine = MemoryEngine(table)
    # As if n were not public: that the tables are not too large was found when they were made.
    head = engine.head(PrivacyUnit.ADD_REMOVE_RECORD, "")
    own, _ = persons_of(system, release.plan.parameters, table.schema)
    asked = system.ask(head, system.settings(own))
    scores: dict[str, float] = {}
    errors, holds = [], []
    # Of weighted tables, what records stand for is compared, not records.
    for names, steps in zip(asked.tables, engine.records.answers(asked.questions), strict=True):
        published, exact = release.table(*names), steps * asked.step
        off = np.abs(published["count"].to_numpy() - exact)
        held = (published["lower"].to_numpy() <= exact) & (exact <= published["upper"].to_numpy())
        errors.append(off)
        holds.append(held)
        scores[f"table_error[{asked.tables[names]}]"] = _share(off, exact)
    return Evaluation(
        scores={
            "count_error": float(np.concatenate(errors).mean()),
            "table_error": float(np.mean(list(scores.values()))),
            "intervals_that_hold": float(np.concatenate(holds).mean()),
            **scores,
        }
    )


def _share(off: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    return min(1.0, float(off.sum()) / 2.0 / max(float(exact.sum()), 1.0))

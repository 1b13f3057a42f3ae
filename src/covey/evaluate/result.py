"""Which scores, notes and first looks does an evaluation hold, and which columns are in none?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from covey.evaluate.crossed import CROSSED_METRICS
from covey.evaluate.first_look import worst_in_words
from covey.evaluate.prediction import PREDICTION_METRICS
from covey.evaluate.queries import QUERY_METRICS
from covey.evaluate.risk import RISK_METRICS
from covey.evaluate.utility import UTILITY_METRICS
from covey.notebook import notebook_html

if TYPE_CHECKING:
    from covey.core import Guarantee
    from covey.evaluate.first_look import ColumnLook
    from covey.evaluate.metric import Metric
    from covey.table import Schema

METRICS: dict[str, Metric] = {
    **UTILITY_METRICS,
    **CROSSED_METRICS,
    **QUERY_METRICS,
    **PREDICTION_METRICS,
    **RISK_METRICS,
}

_AT_ONCE = [m.name for m in METRICS.values() if m.memory_only and not m.target]
NOT_HERE = (
    f"Not computed piece by piece: {', '.join(_AT_ONCE)}, which look at many records at once."
)
NO_FACTORS = (
    "sse_f, rl_f and score need what became of each record in both releases, and it is not known "
    "for one of them: keep the trace (`covey publish --keep-trace FILE`)."
)
NOT_CROSSED = (
    f"Not computed on this engine: {', '.join(CROSSED_METRICS)}. Use the engine 'memory' or "
    f"'stream'."
)
NO_LINK = (
    "Scores that compare record with record (sse, il1s, rl, …) are missing: this release holds no "
    "link to the original records."
)
INEXACT = (
    "ks and wasserstein are counted on grids: that of a column can be larger by up to {:.2g} (ks), "
    "or off by up to {:.2g} (wasserstein)."
)
AS_IT_WAS = "published as it was"
NOT_PUBLISHED = "not published"
IDENTIFIER = "an identifier, not published"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Mapping[str, float]):
    """Scores by name; a score of one column is called ``ks[age]``.

    Parameters
    ----------
    scores : mapping
        Name to value.
    notes : tuple of str
        What was not computed, and why.
    outside_bounds : mapping
        How many values of each column were moved to a public bound.
    dropped : int
        How many incomplete records were left out.
    columns : tuple of str
        The columns that were measured: all that the guarantee covers.
    unlinked : tuple of str
        Those of them for which it is not known what became of each record, while it is for others:
        scores that compare record with record leave them out.
    left_out : mapping
        Every other column of the data, and why it is in no score.
    looks : tuple of ColumnLook
        Each column, the original and the released side by side.
    pairs : mapping
        The error of the two-way table of each pair of columns.
    """

    scores: Mapping[str, float]
    notes: tuple[str, ...] = ()
    outside_bounds: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0
    columns: tuple[str, ...] = ()
    unlinked: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    looks: tuple[ColumnLook, ...] = field(default=(), repr=False)
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> float:
        """Return a score."""
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the scores."""
        return iter(self.scores)

    def __len__(self) -> int:
        """Return the number of scores."""
        return len(self.scores)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each score."""
        kinds = {"score": pl.String(), "value": pl.Float64()}
        return pl.DataFrame(list(self.scores.items()), schema=kinds, orient="row")

    def _repr_html_(self) -> str:
        """Show the scores of the whole in a notebook; those of single columns are in the frame."""
        rows = [(name, value) for name, value in self.scores.items() if "[" not in name]
        lines = ("For the curator alone: computed on the original records.", *self.worst)
        return notebook_html("Evaluation", lines, ("score", "value"), rows)

    @property
    def worst(self) -> tuple[str, ...]:
        """Return which columns and pairs went worst, in words."""
        return worst_in_words(self.looks, self.pairs)

    @property
    def coverage(self) -> tuple[str, ...]:
        """Return which columns all scores of risk are measured over, and which not, in words."""
        if not self.columns:
            return ()
        linked = [name for name in self.columns if name not in self.unlinked]
        lines = [f"Loss and risk are measured over {', '.join(linked)}."]
        if self.unlinked:
            lines.append(
                f"Not part of loss and linkage, because it is not known what became of each "
                f"record there: {', '.join(self.unlinked)}. The risk may be higher than stated."
            )
        for why in sorted(set(self.left_out.values())):
            names = [name for name, reason in self.left_out.items() if reason == why]
            lines.append(f"In no score of loss or linkage, because {why}: {', '.join(names)}.")
        return tuple(lines)


def left_out(schema: Schema, guarantee: Guarantee) -> dict[str, str]:
    """Return why columns of the data are in no score."""
    why = {}
    for attribute in schema:
        name = attribute.name
        if name in guarantee.columns:
            continue
        if name in guarantee.untouched:
            why[name] = AS_IT_WAS
        else:
            why[name] = IDENTIFIER if attribute.is_hidden else NOT_PUBLISHED
    return why


def without_link(names: Sequence[str]) -> list[str]:
    """Say which covered columns are not compared record by record."""
    if not names:
        return []
    said = (
        f"Scores that compare record with record (sse, il1s, rl, …) leave out {', '.join(names)}: "
        f"it is not known there what became of each record. The risk may be higher than they say."
    )
    return [said]


def of_numbers_alone(scores: Mapping[str, float], nominal: Sequence[str]) -> list[str]:
    """Say which scores do not look at categories without an order."""
    some = [name for name in scores if name in METRICS and METRICS[name].columns == "numbers"]
    if not some or not nominal:
        return []
    without = ", ".join(nominal)
    return [f"{', '.join(some)} look at numbers and ordered categories alone, not at {without}."]

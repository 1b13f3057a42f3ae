"""What was lost, told by what adds up over pieces of both tables?  For the curator's eyes only.

A table in memory is one piece; files and Spark have many.  Every score is computed on the
original records, so none of them may be published beside a release with a differential guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.histogram import counting_grid
from covey.aggregate.summary import Summary
from covey.errors import DataError
from covey.evaluate.queries import QUERY_METRICS
from covey.evaluate.risk import RISK_METRICS
from covey.evaluate.utility import (
    UTILITY_METRICS,
    column_scales,
    correlation_error,
    il1s,
    il1s_sum,
    il_percent,
    ks,
    mean_error,
    sd_error,
    sse,
    variance_error,
    wasserstein,
)
from covey.table import Scale

if TYPE_CHECKING:
    from covey.aggregate.deviations import Deviations
    from covey.aggregate.histogram import Cells
    from covey.aggregate.running_moments import RunningMoments
    from covey.core import Guarantee
    from covey.evaluate.metric import Metric
    from covey.evaluate.utility import Floats, Scaling
    from covey.table import Table
    from covey.table.grid import Grid

METRICS: dict[str, Metric] = {**UTILITY_METRICS, **QUERY_METRICS, **RISK_METRICS}

NOT_HERE = (
    f"Not computed piece by piece: {', '.join(m.name for m in METRICS.values() if m.memory_only)}, "
    f"which look at many records at once."
)
NO_LINK = (
    "Scores that compare record with record (sse, il1s, rl, …) are missing: this release holds no "
    "link to the original records."
)
INEXACT = (
    "ks and wasserstein are counted on grids: that of a column can be larger by up to {:.2g} (ks), "
    "or off by up to {:.2g} (wasserstein)."
)


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
    """

    scores: Mapping[str, float]
    notes: tuple[str, ...] = ()
    outside_bounds: Mapping[str, int] = field(default_factory=dict)
    dropped: int = 0

    def __getitem__(self, name: str) -> float:
        """Return a score."""
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the scores."""
        return iter(self.scores)

    def __len__(self) -> int:
        """Return the number of scores."""
        return len(self.scores)


Look = Callable[[Sequence[str], Sequence["Cells"]], Summary]
"""Looks at all records once: some attributes, and the cells to count them in, if any."""


def evaluate_pieces(
    head: Table,
    guarantee: Guarantee,
    original: Look,
    released: Look,
    *,
    scaling: Scaling,
    deviations: Callable[[Sequence[str]], Deviations] | None = None,
    cells: Callable[[Sequence[str]], Sequence[Cells]] | None = None,
    together: Callable[[Sequence[str], Floats], Mapping[str, float]] | None = None,
) -> Evaluation:
    """Compare originals and release by one look at each, or two where bounds are missing.

    Parameters
    ----------
    head : Table
        The original table, with or without its records.
    guarantee : Guarantee
        Names the attributes to compare.
    original, released : callable
        Look at all records of a table.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    deviations : callable, optional
        Compares some attributes of each record with what was released for it.
    cells : callable, optional
        In which cells some attributes are counted; on grids unless given.
    together : callable, optional
        The scores that look at many records at once, from some attributes and their scales.
    """
    names = [n for n in guarantee.columns if head.schema[n].scale is not Scale.NOMINAL]
    widths = [head.schema[n].public_bounds for n in names] if scaling == "bounds" else None
    # An unknown scaling is refused before the records are read.
    column_scales(np.ones(len(names)), scaling, widths)
    chosen = _grids(head, names, original, released) if cells is None else cells(names)
    before = original(names, chosen)
    scales = column_scales(before.moments.variances, scaling, widths)
    scores, notes = dict[str, float](), list[str]()
    if names:
        after = released(names, chosen)
        _refuse_empty(before, after)
        scores, inexact = _of_tables(names, before, after)
        notes += [inexact] if inexact else []
        if deviations is None:
            notes.append(NO_LINK)
        else:
            scores |= _of_records(deviations(names), before.moments, scales)
    if together is None:
        notes.append(NOT_HERE)
    else:
        scores |= together(names, scales)
    return Evaluation(
        scores=scores, notes=tuple(notes), outside_bounds=before.outside, dropped=before.dropped
    )


def _grids(head: Table, names: Sequence[str], original: Look, released: Look) -> list[Grid]:
    ends: dict[str, tuple[float, float]] = {}
    for name in names:
        attribute = head.schema[name]
        if attribute.bounds is not None or attribute.categories is not None:
            ends[name] = attribute.public_bounds
    free = [name for name in names if name not in ends]
    if free:
        here, there = original(free, ()), released(free, ())
        _refuse_empty(here, there)
        both = here.moments.merged(there.moments)
        ends |= {n: (float(both.low[j]), float(both.high[j])) for j, n in enumerate(free)}
    return [counting_grid(*ends[name], whole=_whole(head, name)) for name in names]


def _whole(head: Table, name: str) -> bool:
    attribute = head.schema[name]
    by_type = head.frame[name].dtype.is_integer()
    return attribute.is_whole or by_type


def _of_tables(
    names: Sequence[str], before: Summary, after: Summary
) -> tuple[dict[str, float], str]:
    """Return the scores of two tables as wholes, and how far off those of counts can be."""
    old, new = before.moments, after.moments
    pairs = list(zip(before.histograms, after.histograms, strict=True))
    # Of each a distance and its error, in columns.
    distances = np.array([ks(*pair) for pair in pairs]).T
    moves = np.array([wasserstein(*pair) for pair in pairs]).T
    moves /= column_scales(old.variances, "standard")
    scores = {
        "mean_error": mean_error(old, new),
        "variance_error": variance_error(old, new),
        "sd_error": sd_error(old, new),
        "correlation_error": correlation_error(old, new),
        "ks": float(distances[0].mean()),
        "wasserstein": float(moves[0].mean()),
    }
    for name, distance, move in zip(names, distances[0], moves[0], strict=True):
        scores[f"ks[{name}]"] = float(distance)
        scores[f"wasserstein[{name}]"] = float(move)
    off = distances[1].max(), moves[1].max()
    return scores, INEXACT.format(*off) if any(off) else ""


def _of_records(errors: Deviations, moments: RunningMoments, scales: Floats) -> dict[str, float]:
    if errors.n != moments.n:
        raise DataError(
            "the originals are not as many records as the release was made from, so records "
            "cannot be compared with what was released for them. Give the data of the release."
        )
    variances = moments.variances
    return {
        "sse": sse(errors, scales),
        "il_percent": il_percent(errors, variances, scales),
        "il1s": il1s(errors, variances),
        "il1s_sum": il1s_sum(errors, variances),
    }


def _refuse_empty(before: Summary, after: Summary) -> None:
    if not before.moments.n or not after.moments.n:
        raise DataError(
            "the original or the release holds no complete record, so there is nothing to "
            "compare. Check the files, and the `missing` policies in the schema."
        )

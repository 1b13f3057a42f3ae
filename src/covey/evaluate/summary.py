"""What must be known of tables that cannot be held, so that they can be compared?

Moments and counts add up over pieces, wherever these are.  The scores that follow from them are
those of `covey.evaluate`, for the curator's eyes only like all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import DataError
from covey.evaluate.evaluation import Evaluation
from covey.evaluate.histogram import (
    beyond,
    cell_count,
    cells_of,
    counted_ks,
    counted_wasserstein,
    counting_grid,
    has_whole_cells,
)
from covey.evaluate.moments import Moments
from covey.evaluate.utility import relative_error, scales_of
from covey.table import Scale, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.evaluate.deviations import Deviations
    from covey.evaluate.utility import Scaling
    from covey.perturb import Grid
    from covey.privacy import Guarantee

NOT_HERE = (
    "Not computed piece by piece: range_query_error, rl, k_achieved, l_diversity and t_closeness, "
    "which look at many records at once."
)
NO_LINK = (
    "Scores that compare record with record (sse, il1s, …) are missing: this release holds no "
    "link to the original records."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is known of some records; d attributes are compared.

    Parameters
    ----------
    moments : Moments
        Of the attributes.
    whole : array of bool, shape (d,)
        Whether all values are whole numbers.
    beyond : array of shape (d, 2)
        How far values lie below and above their grid, added up.
    counts : tuple of arrays
        How many values lie in each cell of an attribute's grid; empty without grids.
    dropped, outside
        As in `Evaluation`.
    """

    moments: Moments
    whole: NDArray[np.bool_]
    beyond: NDArray[np.float64]
    counts: tuple[NDArray[np.int64], ...] = field(default=(), repr=False)
    dropped: int = 0
    outside: Mapping[str, int] = field(default_factory=dict)

    def merged(self, other: Summary) -> Summary:
        """Return what is known of both sets of records together."""
        # Counters drop what is 0 when they are added, but not when they are updated.
        outside = Counter(self.outside)
        outside.update(other.outside)
        return Summary(
            moments=self.moments.merged(other.moments),
            whole=self.whole & other.whole,
            beyond=self.beyond + other.beyond,
            counts=tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)),
            dropped=self.dropped + other.dropped,
            outside=dict(outside),
        )


Summarise = Callable[[Sequence[str], Sequence["Grid"]], Summary]
"""Looks at all records once: some attributes, and the grids to count them on, if any."""


def summarise(tables: Iterable[Table], names: Sequence[str], grids: Sequence[Grid]) -> Summary:
    """Look at some attributes of tables, one table after the other.

    Parameters
    ----------
    tables : iterable of Table
        Each of the same schema.
    names : sequence of str
        What to look at.
    grids : sequence of Grid
        One for each of the names, or none at all.
    """
    moments = Moments.of(np.empty((0, len(names))))
    whole = np.ones(len(names), dtype=np.bool_)
    tails = np.zeros((len(names), 2))
    # In place: a grid may have many more cells than a table has records.
    counts = tuple(np.zeros(cell_count(grid), dtype=np.int64) for grid in grids)
    dropped, outside = 0, Counter[str]()
    for table in tables:
        values = table.matrix(names)
        moments = moments.merged(Moments.of(values))
        whole &= (values == np.rint(values)).all(axis=0)
        for j, grid in enumerate(grids):
            np.add.at(counts[j], cells_of(values[:, j], grid), 1)
            tails[j] += beyond(values[:, j], grid)
        dropped += table.dropped
        outside.update(table.outside_bounds())
    return Summary(
        moments=moments,
        whole=whole,
        beyond=tails,
        counts=counts,
        dropped=dropped,
        outside=dict(outside),
    )


def evaluate_pieces(
    head: Table,
    guarantee: Guarantee,
    original: Summarise,
    released: Summarise,
    *,
    scaling: Scaling,
    deviations: Callable[[Sequence[str]], Deviations] | None = None,
) -> Evaluation:
    """Compare originals and release by one look at each, or two where bounds are missing.

    Parameters
    ----------
    head : Table
        The original table without its records.
    guarantee : Guarantee
        Names the attributes to compare.
    original, released : callable
        Look at all records of a table.
    scaling : {"standard", "raw", "bounds"}
        As in `covey.evaluate`.
    deviations : callable, optional
        Compares some attributes of each record with what was released for it.
    """
    names = [n for n in guarantee.columns if head.schema[n].scale is not Scale.NOMINAL]
    widths = [head.schema[n].public_bounds for n in names] if scaling == "bounds" else None
    # An unknown scaling is refused before the records are read.
    scales_of(np.ones(len(names)), scaling, widths)
    grids = _grids(head, names, original, released)
    before, after = original(names, grids), released(names, grids)
    _refuse_empty(before, after)
    scores, notes = dict[str, float](), [NOT_HERE]
    if names:
        variances = before.moments.variances
        scales = scales_of(variances, scaling, widths)
        scores, inexact = _as_wholes(before, after, names, grids)
        notes.append(inexact)
        if deviations is None:
            notes.append(NO_LINK)
        else:
            found = deviations(names)
            _refuse_others(found.n, before.moments.n)
            scores |= found.scores(variances, scales)
    return Evaluation(
        scores=scores, notes=tuple(notes), outside_bounds=before.outside, dropped=before.dropped
    )


def released_head(head: Table, names: Sequence[str]) -> Table:
    """Return the head of released tables of which only some attributes are read."""
    attributes = tuple(head.schema[name] for name in names)
    schema = replace(head.schema, attributes=attributes)
    return replace(head, schema=schema, frame=head.frame.select(names))


def _grids(
    head: Table, names: Sequence[str], original: Summarise, released: Summarise
) -> list[Grid]:
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


def _refuse_empty(before: Summary, after: Summary) -> None:
    if not before.moments.n or not after.moments.n:
        raise DataError(
            "the original or the release holds no complete record, so there is nothing to "
            "compare. Check the files, and the `missing` policies in the schema."
        )


def _refuse_others(compared: int, n: int) -> None:
    if compared != n:
        raise DataError(
            "the originals are not as many records as the release was made from, so records "
            "cannot be compared with what was released for them. Give the data of the release."
        )


def _whole(head: Table, name: str) -> bool:
    attribute = head.schema[name]
    by_type = head.frame[name].dtype.is_integer()
    return attribute.integer or attribute.scale is Scale.ORDINAL or by_type


def _as_wholes(
    before: Summary, after: Summary, names: Sequence[str], grids: Sequence[Grid]
) -> tuple[dict[str, float], str]:
    old, new = before.moments, after.moments
    scales = scales_of(old.variances, "standard")
    distances, moves = [], []
    for j, grid in enumerate(grids):
        x, y = before.counts[j], after.counts[j]
        alone = bool(before.whole[j] and after.whole[j]) and has_whole_cells(grid)
        distances.append(counted_ks(x, y, alone=alone))
        tails = before.beyond[j], after.beyond[j]
        move, error = counted_wasserstein(x, y, *tails, grid, alone=alone)
        moves.append((move / scales[j], error / scales[j]))
    scores = {
        "mean_error": float(np.max(np.abs(new.means - old.means) / scales)),
        "variance_error": relative_error(old.variances, new.variances),
        "sd_error": relative_error(np.sqrt(old.variances), np.sqrt(new.variances)),
        "correlation_error": float(np.max(np.abs(new.correlations - old.correlations))),
        "ks": float(np.mean([distance for distance, _ in distances])),
        "wasserstein": float(np.mean([move for move, _ in moves])),
    }
    for name, (distance, _), (move, _) in zip(names, distances, moves, strict=True):
        scores[f"ks[{name}]"] = distance
        scores[f"wasserstein[{name}]"] = move
    off_ks, off_moves = (max(error for _, error in found) for found in (distances, moves))
    return scores, (
        f"ks and wasserstein are counted on grids: that of a column can be larger by up to "
        f"{off_ks:.2g} (ks), or off by up to {off_moves:.2g} (wasserstein)."
    )

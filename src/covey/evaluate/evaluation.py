"""What was lost, told by what adds up over pieces of both tables?  For the curator's eyes only.

A table in memory is one piece; files and Spark have many.  Every score is computed on the
original records, so none of them may be published beside a release with a differential guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations
from covey.aggregate.histogram import counting_grid
from covey.aggregate.summary import Summary
from covey.errors import DataError
from covey.evaluate.crossed import frequency_error
from covey.evaluate.crossing import compare_crossed
from covey.evaluate.first_look import look_at_columns
from covey.evaluate.result import (
    INEXACT,
    NO_LINK,
    NOT_HERE,
    Evaluation,
    left_out,
    of_numbers_alone,
    without_link,
)
from covey.evaluate.utility import (
    column_scales,
    correlation_error,
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
    from covey.aggregate.histogram import Cells
    from covey.core import Guarantee
    from covey.evaluate.mixed import CategoryErrors
    from covey.evaluate.utility import Floats, Scaling
    from covey.table import Table
    from covey.table.grid import Grid

Look = Callable[[Sequence[str], Sequence["Cells"], Sequence[str]], Summary]
"""Looks at all records once: ordered attributes, cells to count them in if any, nominal ones."""

Pieces = Callable[[Sequence[str]], Iterable["Table"]]
"""Reads some attributes of all records, piece by piece."""


def evaluate_pieces(
    head: Table,
    guarantee: Guarantee,
    original: Look,
    released: Look,
    *,
    scaling: Scaling,
    deviations: Callable[[Sequence[str]], Deviations] | None = None,
    linked: Collection[str] | None = None,
    categories: Callable[[Summary], Sequence[CategoryErrors]] | None = None,
    cells: Callable[[Sequence[str]], Sequence[Cells]] | None = None,
    pieces: tuple[Pieces, Pieces] | None = None,
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
        Compares some ordered attributes of each record with what was released for it.
    linked : collection of str, optional
        For which attributes it is known what was released for each record; the ordered ones
        unless given.
    categories : callable, optional
        The same for nominal attributes, from what is known of the originals.
    cells : callable, optional
        In which cells some attributes are counted; on grids unless given.
    pieces : (callable, callable), optional
        Read originals and released rows once more, for tables of several columns.
    together : callable, optional
        The scores that look at many records at once, from the ordered attributes and their scales.
    """
    names = [n for n in guarantee.columns if head.schema[n].scale is not Scale.NOMINAL]
    nominal = [n for n in guarantee.columns if n not in names]
    widths = [head.schema[n].public_bounds for n in names] if scaling == "bounds" else None
    # An unknown scaling is refused before the records are read.
    column_scales(np.ones(len(names)), scaling, widths)
    chosen = _grids(head, names, original, released) if cells is None else cells(names)
    before = original(names, chosen, nominal)
    scales = column_scales(before.moments.variances, scaling, widths)
    after = released(names, chosen, nominal)
    _refuse_empty(before, after)
    scores, notes = _of_tables(names, before, after)
    errors = {name: scores[f"ks[{name}]"] for name in names}
    errors |= {n: frequency_error(before.frequencies[n], after.frequencies[n]) for n in nominal}
    pairs: Mapping[tuple[str, str], float] = {}
    if pieces is not None:
        found = compare_crossed(head, guarantee.columns, (before, after), pieces)
        scores, pairs, notes = {**scores, **found.scores}, found.pairs, [*notes, *found.notes]
    unlinked: tuple[str, ...] = ()
    if deviations is None:
        notes.append(NO_LINK)
    else:
        known = {*names} if linked is None else {*linked}
        places = [j for j, name in enumerate(names) if name in known]
        sums = deviations([names[j] for j in places])
        _refuse_others(sums, before)
        of_nominal = [] if categories is None else categories(before)
        variances = before.moments.variances[places]
        scores |= _of_records(sums, variances, scales[places], of_nominal)
        if categories is None:
            known -= {*nominal}
        unlinked = tuple(n for n in guarantee.columns if n not in known)
        notes += without_link(unlinked)
    if together is None:
        notes.append(NOT_HERE)
    else:
        scores |= together(names, scales)
    why = left_out(head.schema, guarantee)
    return Evaluation(
        scores=scores,
        notes=(*notes, *of_numbers_alone(scores, nominal)),
        outside_bounds=before.outside,
        dropped=before.dropped,
        columns=tuple(guarantee.columns),
        unlinked=unlinked,
        left_out=why,
        looks=look_at_columns(head.schema, names, before, after, errors),
        pairs=pairs,
    )


def _grids(head: Table, names: Sequence[str], original: Look, released: Look) -> list[Grid]:
    ends: dict[str, tuple[float, float]] = {}
    for name in names:
        attribute = head.schema[name]
        if attribute.bounds is not None or attribute.categories is not None:
            ends[name] = attribute.public_bounds
    free = [name for name in names if name not in ends]
    if free:
        here, there = original(free, (), ()), released(free, (), ())
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
) -> tuple[dict[str, float], list[str]]:
    """Return the scores of ordered columns as wholes, and how far off those of counts can be."""
    if not names:
        return {}, []
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
    return scores, [INEXACT.format(*off)] if any(off) else []


def _of_records(
    errors: Deviations, variances: Floats, scales: Floats, nominal: Sequence[CategoryErrors]
) -> dict[str, float]:
    """Return the scores that compare record with record, numbers and categories together."""
    columns = variances.size + sum(not each.of_number for each in nominal)
    if not columns:
        return {}
    errors = Deviations.beside([errors, *(each.errors for each in nominal)])
    scales = np.append(scales, [each.unit for each in nominal])
    to_centre = np.append(variances, [each.to_centre for each in nominal])
    of_pairs = np.append(variances, [each.of_pairs for each in nominal])
    total = il1s_sum(errors, of_pairs)
    return {
        "sse": sse(errors, scales),
        "il_percent": il_percent(errors, to_centre, scales),
        "il1s": total / (errors.n * columns),
        "il1s_sum": total,
    }


def _refuse_others(errors: Deviations, before: Summary) -> None:
    if errors.n != before.moments.n:
        raise DataError(
            "the originals are not as many records as the release was made from, so records "
            "cannot be compared with what was released for them. Give the data of the release."
        )


def _refuse_empty(before: Summary, after: Summary) -> None:
    if not before.moments.n or not after.moments.n:
        raise DataError(
            "the original or the release holds no complete record, so there is nothing to "
            "compare. Check the files, and the `missing` policies in the schema."
        )

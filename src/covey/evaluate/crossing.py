"""Which tables of one, two and three columns does a release keep?  Read from pieces of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.evaluate.crossed import (
    CROSSED_CATEGORIES,
    ONE_CELL,
    WAY_BINS,
    Bins,
    Crossed,
    associations,
    cross,
    crossed_sets,
    frequency_error,
    total_variation,
)
from covey.table import Scale

if TYPE_CHECKING:
    from covey.aggregate.summary import Summary
    from covey.table import Table

    Pieces = Callable[[Sequence[str]], Iterable[Table]]

NEARLY_ALL = 0.9
"""So many originals in one public bin hide what happens inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedErrors:
    """Scores of tables, the error of each pair of columns, and what was not compared."""

    scores: Mapping[str, float]
    pairs: Mapping[tuple[str, str], float]
    notes: Sequence[str]


def compare_crossed(
    head: Table,
    columns: Sequence[str],
    summaries: tuple[Summary, Summary],
    pieces: tuple[Pieces, Pieces],
) -> CrossedErrors:
    """Compare the frequencies, two-way and three-way tables of some columns.

    Parameters
    ----------
    head : Table
        Tells what the columns are.
    columns : sequence of str
        Of any kind.
    summaries : (Summary, Summary)
        Of originals and release, with their frequencies.
    pieces : (callable, callable)
        Read originals and released rows.
    """
    before, after = summaries
    numbers = [name for name in columns if head.schema[name].scale is not Scale.NOMINAL]
    means = dict(zip(numbers, before.moments.means.tolist(), strict=True))
    bins = {name: _bins(head, name, numbers, summaries) for name in columns}
    sets, notes = crossed_sets(columns)
    here, there = (cross(read(columns), bins, sets, means) for read in pieces)
    errors = {names: total_variation(here.counts[names], there.counts[names]) for names in sets}
    # Long lists are counted whole where one column is looked at by itself.
    errors |= {
        (name,): frequency_error(counts, after.frequencies[name])
        for name, counts in before.frequencies.items()
    }
    scores: dict[str, float] = {}
    for way in WAY_BINS:
        found = [error for names, error in errors.items() if len(names) == way]
        if found:
            scores[f"tv_{way}way"] = float(np.mean(found))
    scores |= {f"tv_1way[{name}]": errors[name,] for name in columns}
    old, new = associations(here, bins), associations(there, bins)
    if old:
        scores["association_error"] = max(abs(new[names] - old[names]) for names in old)
    pairs = {(n[0], n[1]): error for n, error in errors.items() if len(n) == 2}  # noqa: PLR2004
    return CrossedErrors(scores=scores, pairs=pairs, notes=[*notes, *_blind(here, numbers)])


def _bins(
    head: Table, name: str, numbers: Sequence[str], summaries: tuple[Summary, Summary]
) -> Bins:
    attribute = head.schema[name]
    if attribute.scale is Scale.NOMINAL:
        counts = summaries[0].frequencies[name]
        frequent = sorted(counts, key=lambda text: (-counts[text], text))[:CROSSED_CATEGORIES]
        return Bins(name=name, texts=tuple(sorted(frequent)))
    if attribute.bounds is not None or attribute.categories is not None:
        low, high = attribute.public_bounds
    else:
        # A system that needs no public bounds: the curator's own range will do.
        j = numbers.index(name)
        low = float(min(each.moments.low[j] for each in summaries))
        high = float(max(each.moments.high[j] for each in summaries))
    if not low < high:
        low, high = (low, low + 1.0) if np.isfinite(low) else (0.0, 1.0)
    return Bins(name=name, ends=(low, high), special=attribute.special_values)


def _blind(crossed: Crossed, numbers: Sequence[str]) -> list[str]:
    """Say in which columns public bins are too wide to see anything."""
    blind = []
    for name in numbers:
        counts = crossed.counts[name,]
        bins = counts[: WAY_BINS[1]]
        if bins.max() > NEARLY_ALL * counts.sum() and np.count_nonzero(bins) > 1:
            blind.append(name)
    return [ONE_CELL.format(names=", ".join(blind))] if blind else []

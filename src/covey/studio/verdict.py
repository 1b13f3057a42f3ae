"""What does a steward want to see first of a release: its rows, and how near the originals it is?

The rows of a release are public.  The verdict is computed on the originals: it is for the steward
alone, and whoever has seen it has chosen every later plan with these data in mind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from covey.evaluate import METRICS
from covey.evaluate.network import NETWORK_METRICS
from covey.evaluate.tabulated import TABLE_METRICS
from covey.report.lights import Light, light, threshold_light
from covey.report.pilot_words import USABLE_PAIR

if TYPE_CHECKING:
    import covey
    from covey.evaluate import Evaluation
    from covey.evaluate.first_look import ColumnLook

ROWS_LOOKED_AT = 500
"""So many rows of a release are kept to be looked at, and as many of the originals."""

WORST_TOLD = 3
"""So many of the worst things are told first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeRows:
    """Some rows of a table as texts, drawn at random if there are more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n: int

    @classmethod
    def of(cls, frame: pl.DataFrame) -> SomeRows:
        """Take some rows of a frame, in their order."""
        shown = frame
        if frame.height > ROWS_LOOKED_AT:
            drawn = np.random.default_rng().choice(frame.height, ROWS_LOOKED_AT, replace=False)
            shown = frame[np.sort(drawn)]
        texts = tuple(tuple(map(_text, row)) for row in shown.iter_rows())
        return cls(columns=tuple(frame.columns), rows=texts, n=frame.height)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedColumn:
    """One column before and after; each part as (what, before, after)."""

    name: str
    parts: tuple[tuple[str, str, str], ...]
    light: Light


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedScore:
    """A score with a threshold."""

    title: str
    meaning: str
    value: str
    light: Light


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseVerdict:
    """How near a release is to its originals, the worst first.

    Parameters
    ----------
    headline : str
        In a sentence or two.
    worst : tuple of str
        The worst things.
    columns : tuple of JudgedColumn
        Each column before and after; none of a graph or of cells.
    scores : tuple of JudgedScore
        Scores that have a threshold.
    originals : SomeRows, optional
        SomeRows of the originals; a graph has none.
    """

    headline: str
    worst: tuple[str, ...]
    columns: tuple[JudgedColumn, ...]
    scores: tuple[JudgedScore, ...]
    originals: SomeRows | None = None


def judge_release(data: Any, evaluation: Evaluation, columns: list[str]) -> ReleaseVerdict:
    """Return the verdict of an evaluation; ``columns`` are those that were published."""
    judged = tuple(map(_judged, evaluation.looks))
    frame = getattr(data, "frame", None)
    there = [] if frame is None else [name for name in columns if name in frame.columns]
    return ReleaseVerdict(
        headline=_headline(evaluation, judged),
        worst=evaluation.worst[:WORST_TOLD] or _worst_scores(_scores(evaluation)),
        columns=judged,
        scores=_scores(evaluation),
        originals=SomeRows.of(frame.select(there)) if frame is not None and there else None,
    )


def released_rows(release: covey.Release) -> SomeRows:
    """Return some rows of a release."""
    return SomeRows.of(release.frame)


def _judged(look: ColumnLook) -> JudgedColumn:
    parts = tuple(
        (title, look.text(title, before), look.text(title, after))
        for title, before, after in look.rows
    )
    measure = "tv_1way" if look.shares else "ks"
    return JudgedColumn(name=look.name, parts=parts, light=threshold_light(measure, look.error))


def _headline(evaluation: Evaluation, judged: tuple[JudgedColumn, ...]) -> str:
    if not judged:
        rated = _scores(evaluation)
        good = sum(each.light.colour == "green" for each in rated)
        return f"{good} of {len(rated)} scores are good." if rated else "Nothing could be compared."
    count = {colour: sum(each.light.colour == colour for each in judged) for colour in LAMPS}
    rest = [f"{count[colour]} {word}" for colour, word in LAMPS.items() if count[colour]]
    said = f"Of {len(judged)} columns, {', '.join(rest)}."
    if evaluation.pairs:
        usable = sum(error <= USABLE_PAIR for error in evaluation.pairs.values())
        said += f" {usable:,} of {len(evaluation.pairs):,} pairs of columns are usable together."
    return said


LAMPS = {
    "green": "near the originals",
    "amber": "fairly near",
    "red": "far from them",
}
"""How the lights of columns are told in a sentence."""


def _scores(evaluation: Evaluation) -> tuple[JudgedScore, ...]:
    known = METRICS | NETWORK_METRICS | TABLE_METRICS
    partly = bool(evaluation.unlinked)
    found = []
    for name, value in evaluation.items():
        if name not in known or known[name].better == "neither":
            continue
        lamp = light(known[name], value, partly=partly)
        if lamp.colour != "grey":
            metric = known[name]
            found.append(
                JudgedScore(
                    title=metric.title, meaning=metric.explanation, value=f"{value:.3g}", light=lamp
                )
            )
    return tuple(found)


def _worst_scores(scores: tuple[JudgedScore, ...]) -> tuple[str, ...]:
    """Say which scores are poor, where there are no columns that could be."""
    poor = [each for each in scores if each.light.colour == "red"]
    return tuple(
        f"{each.title}: {each.value}, which is poor ({each.light.thresholds})."
        for each in poor[:WORST_TOLD]
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)

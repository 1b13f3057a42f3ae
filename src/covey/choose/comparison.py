"""Which plan is best, and for what?  The results of a comparison, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from covey.choose.trial import Trial, average
from covey.notebook import notebook_html
from covey.plan import Plan
from covey.systems import SYSTEMS

LOSS = {
    "table": ("ks", "range_query_error", "wasserstein", "tv_1way", "tv_2way"),
    "graph": ("ks_2k", "ks_1k"),
}
"""What the loss of a plan is ranked by: how far the released data are from the originals as a
whole, which every system has, row aligned or not."""

RISK = {"table": "rl", "graph": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Trial):
    """What one plan achieves, averaged over its runs.

    Parameters
    ----------
    label : str
        The plan in a few words.
    kind : str
        The guarantee that the system can carry on these data.
    sound : bool
        Whether that is differential privacy for the original records, edges or nodes.
    loss : float
        The mean rank of the plan by the scores in `LOSS`, between 0 (best) and 1.
    frontier : bool
        Whether no other plan has both less loss and less risk.
    """

    label: str
    kind: str
    sound: bool
    loss: float
    frontier: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Plans with their scores, best first.  For the curator: computed on the originals.

    Parameters
    ----------
    rows : tuple of Row
        One for each plan that could be run.
    failed : mapping
        Plans that could not, and why.
    data : "table" or "graph"
        What was published.
    """

    rows: tuple[Row, ...]
    failed: Mapping[str, str]
    data: str

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each plan with all of its scores, best first."""
        return pl.DataFrame([_cells(row) for row in self.rows], infer_schema_length=None)

    def _repr_html_(self) -> str:
        """Show the plans in a notebook, best first."""
        headers = ("plan", "guarantee", "loss", "on the frontier")
        rows = [(row.label, row.kind, row.loss, "yes" * row.frontier) for row in self.rows]
        failed = [f"{plan} could not be run." for plan in self.failed]
        return notebook_html(f"Comparison of {len(self.rows)} plans", failed, headers, rows)

    @property
    def answer(self) -> str:
        """Say in one paragraph which plan to take for the whole file."""
        return _answer(self)


def _cells(row: Row) -> dict[str, Any]:
    facts = {"plan": row.label, "guarantee": row.kind, "loss": row.loss, "seconds": row.seconds}
    return {**facts, "frontier": row.frontier, **row.scores}


def summarise_trials(trials: Sequence[Trial], data: str) -> Comparison:
    """Average the runs of each plan, rank the plans, and find the frontier."""
    runs: dict[tuple[Any, ...], list[Trial]] = {}
    failed: dict[str, str] = {}
    for trial in trials:
        if trial.refused:
            failed.setdefault(plan_label(trial.plan), trial.refused)
        else:
            runs.setdefault((trial.system, *trial.parameters.items()), []).append(trial)
    plans = [average(group) for group in runs.values()]
    risks = [_risk(plan, data) for plan in plans]
    places = list(zip(_losses(plans, LOSS[data]), risks, strict=True))
    rows = [
        _row(plan, place[0], frontier=not any(_beats(other, place) for other in places))
        for plan, place in zip(plans, places, strict=True)
    ]
    rows.sort(key=lambda row: (row.loss, row.label))
    return Comparison(rows=tuple(rows), failed=failed, data=data)


def plan_label(plan: Plan) -> str:
    """Return a plan in a few words, without its columns."""
    given = [
        f"{name} = {value:g}" if isinstance(value, int | float) else f"{name} = {value}"
        for name, value in plan.parameters.items()
        if name != "columns"
    ]
    return ", ".join([plan.system, *given])


def _row(trial: Trial, loss: float, *, frontier: bool) -> Row:
    kind = SYSTEMS[trial.system].kind
    spoiled = bool(trial.faults) and kind.is_differential_privacy
    return Row(
        plan=trial.plan,
        scores=trial.scores,
        seconds=trial.seconds,
        faults=trial.faults if spoiled else (),
        label=plan_label(trial.plan),
        kind="none" if spoiled else str(kind),
        sound=kind.is_differential_privacy and not spoiled,
        loss=loss,
        frontier=frontier,
    )


def _losses(plans: Sequence[Trial], names: Sequence[str]) -> list[float]:
    """Return the mean rank of each plan, as a fraction of the plans that are better."""
    shares: list[list[float]] = [[] for _ in plans]
    for name in names:
        have = [place for place, plan in enumerate(plans) if name in plan.scores]
        for place in have:
            mine = plans[place].scores[name]
            better = sum(plans[other].scores[name] < mine for other in have)
            shares[place].append(better / max(1, len(have) - 1))
    return [sum(share) / len(share) if share else 1.0 for share in shares]


def _risk(plan: Trial, data: str) -> float:
    name = RISK[data]
    return plan.scores.get(name, 0.0) if name else plan.epsilon


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether a plan has no more loss and risk than another, and less of one."""
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def _answer(comparison: Comparison) -> str:
    if not comparison.rows:
        return "No plan could be run, so there is nothing to recommend."
    best = comparison.rows[0]
    sound = next((row for row in comparison.rows if row.sound), None)
    whole = "file" if comparison.data == "table" else "graph"
    spoiled = next((row for row in comparison.rows if row.faults), None)
    if sound is None and spoiled is not None:
        return (
            f"For the whole {whole}, {spoiled.label} would be the choice "
            f"({_scores(spoiled, comparison.data)}), but nothing protects these originals yet: "
            f"{spoiled.faults[0]}"
        )
    if sound is None:
        return (
            f"For the whole {whole}, {best.label} loses least, with the guarantee {best.kind}. No "
            f"plan here protects the originals with differential privacy; add a sound system, such "
            f"as {'private-tree' if whole == 'file' else 'joint-degree-boxes'}."
        )
    text = (
        f"For the whole {whole}, take {sound.label}: of the plans with differential privacy for "
        f"the originals it loses least ({_scores(sound, comparison.data)})."
    )
    if best is not sound:
        text += (
            f" {best.label} loses less ({_scores(best, comparison.data)}), but its guarantee is "
            f"{best.kind}: take it only if that is enough."
        )
    return text + (
        " This choice was made by looking at the data: a release with these parameters carries no "
        "guarantee of noise unless they were fixed before, or are the system's defaults."
    )


def _scores(row: Row, data: str) -> str:
    return ", ".join(f"{name} {row.scores[name]:.3g}" for name in LOSS[data] if name in row.scores)

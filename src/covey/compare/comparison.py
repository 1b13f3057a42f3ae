"""Which plan is best, and for what?  The results of a comparison, ranked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from covey.systems import SYSTEMS

if TYPE_CHECKING:
    from covey.compare.grid import Trial
    from covey.compare.run import Result

LOSS = {"table": ("ks", "range_query_error", "wasserstein"), "graph": ("ks_2k", "ks_1k")}
"""What the loss of a plan is ranked by: how far the released data are from the originals as a
whole, which every system has, row aligned or not."""

RISK = {"table": "rl", "graph": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one plan achieves, averaged over its runs.

    Parameters
    ----------
    system : str
        Its name.
    label : str
        The plan in a few words.
    parameters : mapping
        What was set.
    kind : str
        The guarantee that the system can carry on these data.
    sound : bool
        Whether that is differential privacy for the original records, edges or nodes.
    faults : tuple of str
        What spoils the system's own guarantee on these data, such as bounds read off them.
    scores : mapping
        Means over the runs.
    loss : float
        The mean rank of the plan by the scores in `LOSS`, between 0 (best) and 1.
    frontier : bool
        Whether no other plan has both less loss and less risk.
    """

    system: str
    label: str
    parameters: Mapping[str, Any]
    kind: str
    sound: bool
    faults: tuple[str, ...] = ()
    scores: Mapping[str, float]
    loss: float = math.nan
    frontier: bool = False


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

    @property
    def answer(self) -> str:
        """Say in one paragraph which plan to take for the whole file."""
        return _answer(self)


def summarise(results: Mapping[Trial, Result], data: str) -> Comparison:
    """Average the runs of each plan, rank the plans, and find the frontier."""
    groups: dict[tuple[str, Any], list[tuple[Trial, Result]]] = {}
    failed: dict[str, str] = {}
    for trial, result in results.items():
        if "error" in result:
            failed.setdefault(trial.label, str(result["error"]))
        else:
            groups.setdefault((trial.system, trial.parameters), []).append((trial, result))
    rows = [_row(group) for group in groups.values()]
    losses = _losses(rows, LOSS[data])
    risks = [_risk(row, data) for row in rows]
    ranked = [
        replace(
            row,
            loss=loss,
            frontier=not any(
                (other <= loss and risk2 <= risk) and (other < loss or risk2 < risk)
                for other, risk2 in zip(losses, risks, strict=True)
            ),
        )
        for row, loss, risk in zip(rows, losses, risks, strict=True)
    ]
    ranked.sort(key=lambda row: (row.loss, row.label))
    return Comparison(rows=tuple(ranked), failed=failed, data=data)


def _row(group: Sequence[tuple[Trial, Result]]) -> Row:
    trial, first = group[0]
    names = [
        name for name in first["scores"] if all(name in result["scores"] for _, result in group)
    ]
    system = SYSTEMS[trial.system]
    spoiled = bool(first["faults"]) and system.kind.is_differential_privacy
    return Row(
        system=trial.system,
        label=trial.label,
        parameters=trial.settings,
        kind="none" if spoiled else str(system.kind),
        sound=system.kind.is_differential_privacy and not spoiled,
        faults=tuple(first["faults"]) if spoiled else (),
        scores={
            name: sum(result["scores"][name] for _, result in group) / len(group) for name in names
        },
    )


def _losses(rows: Sequence[Row], names: Sequence[str]) -> list[float]:
    """Return the mean rank of each row, as a fraction of the rows that are better."""
    shares: list[list[float]] = [[] for _ in rows]
    for name in names:
        have = [place for place, row in enumerate(rows) if name in row.scores]
        for place in have:
            mine = rows[place].scores[name]
            better = sum(rows[other].scores[name] < mine for other in have)
            shares[place].append(better / max(1, len(have) - 1))
    return [sum(share) / len(share) if share else 1.0 for share in shares]


def _risk(row: Row, data: str) -> float:
    name = RISK[data]
    return row.scores.get(name, 0.0) if name else float(row.parameters.get("epsilon", math.inf))


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

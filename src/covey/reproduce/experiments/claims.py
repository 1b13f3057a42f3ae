"""Does what a paper says about its figure hold?  Each sentence, with the numbers that decide.

A comparison of two means is too close to tell where the runs are too few to tell them apart (99 %).
A claim fails if it fails anywhere, holds if it holds in most places, and is open otherwise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from covey.errors import PlanError
from covey.reproduce.experiments.experiment import PaperClaim, axis_label

if TYPE_CHECKING:
    from covey.reproduce.experiments.points import Cell, Findings

    _Placed = tuple[Mapping[str, Any], Cell]

HOLDS, FAILS, OPEN, NOT_RUN = "holds", "fails", "open", "not run"
MOST_PLACES = 0.75
"""In so many places a claim must hold, if it is too close to tell in the others."""

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """What became of a claim.

    Parameters
    ----------
    claim : PaperClaim
        The sentence.
    word : str
        "holds", "fails", "open" or "not run".
    numbers : str
        What decided, in words.
    """

    claim: PaperClaim
    word: str
    numbers: str

    @property
    def colour(self) -> str:
        """Return the colour of the word."""
        return {HOLDS: "green", FAILS: "red"}.get(self.word, "grey")


@dataclass(frozen=True, slots=True)
class _Compared:
    """One comparison: where, the two means, and how far their difference may be off."""

    at: Mapping[str, Any]
    less: float
    than: float
    margin: float

    @property
    def word(self) -> str:
        gap = self.than - self.less
        if gap == 0 or abs(gap) <= self.margin:
            return OPEN
        return HOLDS if gap > 0 else FAILS


def check_claims(findings: Findings) -> list[CheckedClaim]:
    """Return what became of each claim of an experiment."""
    return [_CHECKS[claim.kind](claim, findings) for claim in findings.experiment.claims]


def matches(at: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """Return whether a point lies where a claim or a panel looks; axes it lacks do not count."""
    return all(axis not in at or _fits(at[axis], wanted) for axis, wanted in where.items())


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list | tuple):
        return value in wanted
    if isinstance(wanted, str) and wanted[:1] in "<>":
        sign = wanted[:2] if wanted[1:2] == "=" else wanted[:1]
        try:
            return _COMPARE[sign](value, float(wanted[len(sign) :]))
        except (TypeError, ValueError):
            raise PlanError(
                f"{wanted!r} compares with something that is no number, so no point can be "
                f'chosen. Write it like ">=20".'
            ) from None
    return bool(value == wanted)


def _measure(claim: PaperClaim, findings: Findings) -> str:
    return claim.measure or findings.experiment.measures[0]


def _sides(side: Any) -> list[Any]:
    return list(side) if isinstance(side, list) else [side]


def _cells(side: Any, claim: PaperClaim, findings: Findings) -> list[_Placed]:
    """Return the points of one side by the axes that are left to be shared."""
    named = {"line": side} if isinstance(side, str) else dict(side)
    line, best, fixed = named.pop("line"), named.pop("best", None), named
    measure = _measure(claim, findings)
    # A place that a side names itself is its own; the claim's is for the others.
    where = {axis: wanted for axis, wanted in claim.where.items() if axis not in fixed}
    found: list[_Placed] = []
    for cell in findings.cells:
        if cell.line == line and measure in cell.values and matches(cell.at, {**where, **fixed}):
            left = {axis: value for axis, value in cell.at.items() if axis not in fixed}
            found.append((left, cell))
    return found if best is None else _best(found, best, measure)


def _best(found: list[_Placed], axis: str, measure: str) -> list[_Placed]:
    """Keep the lowest point along an axis, one for each other place."""
    lowest: dict[tuple[Any, ...], _Placed] = {}
    for at, cell in found:
        rest = {name: value for name, value in at.items() if name != axis}
        key = tuple(sorted((name, str(value)) for name, value in rest.items()))
        if key not in lowest or cell.mean(measure) < lowest[key][1].mean(measure):
            lowest[key] = (rest, cell)
    return list(lowest.values())


def _comparisons(claim: PaperClaim, findings: Findings) -> Iterator[_Compared]:
    measure, allowed = _measure(claim, findings), 1.0 + claim.slack
    for left in _sides(claim.what):
        for right in _sides(claim.than):
            if isinstance(left, int | float):
                for at, cell in _cells(right, claim, findings):
                    limit = cell.mean(measure) * allowed
                    yield _Compared(at, float(left), limit, cell.margin(measure))
                continue
            for at, cell in _cells(left, claim, findings):
                if isinstance(right, int | float):
                    limit = float(right) * allowed
                    yield _Compared(at, cell.mean(measure), limit, cell.margin(measure))
                    continue
                for there, other in _cells(right, claim, findings):
                    if all(there[axis] == at[axis] for axis in there.keys() & at.keys()):
                        gap = cell.margin_of_gap(other, measure, allowed)
                        limit = other.mean(measure) * allowed
                        yield _Compared({**there, **at}, cell.mean(measure), limit, gap)


def _check_less(claim: PaperClaim, findings: Findings) -> CheckedClaim:
    found = list(_comparisons(claim, findings))
    by_word = {word: [each for each in found if each.word == word] for word in (HOLDS, OPEN, FAILS)}
    if not found:
        return CheckedClaim(claim=claim, word=NOT_RUN, numbers="no such points were run")
    parts = []
    total = len(found)
    if len(by_word[HOLDS]) == total:
        nearest = min(found, key=_ratio)
        parts.append(f"in {_all(total)}; closest at {_told(nearest)}")
    else:
        parts += [f"holds in {len(by_word[HOLDS])} of {total}"]
        if by_word[OPEN]:
            parts.append(f"too close to tell in {len(by_word[OPEN])}")
        if by_word[FAILS]:
            worst = min(by_word[FAILS], key=_ratio)
            parts.append(f"fails in {len(by_word[FAILS])}, most at {_told(worst)}")
    word = FAILS if by_word[FAILS] else HOLDS
    if word == HOLDS and len(by_word[HOLDS]) < MOST_PLACES * total:
        word = OPEN
    return CheckedClaim(claim=claim, word=word, numbers="; ".join(parts))


def _all(total: int) -> str:
    return "the one place" if total == 1 else f"all {total} places"


def _ratio(each: _Compared) -> float:
    """Return how far above the one is: more is better, below 1 is wrong."""
    return each.than / each.less if each.less > 0 else math.inf


def _told(each: _Compared) -> str:
    where = said(each.at)
    return f"{where}: {figure(each.less)} against {figure(each.than)}"


def said(at: Mapping[str, Any]) -> str:
    """Return a place in words, such as "Census, k = 20, ε = 0.1"."""
    words = [
        str(value) if axis == "data" else f"{axis_label(axis)} = {figure(value)}"
        for axis, value in at.items()
    ]
    return ", ".join(words)


def figure(value: Any) -> str:
    """Return a number as people write it: thousands in full, more than a million as 1.2e9."""
    if isinstance(value, bool | str) or value is None:
        return str(value)
    if isinstance(value, int) and abs(value) < 10**6:
        return str(value)
    return f"{value:.4g}"


def _series(claim: PaperClaim, findings: Findings) -> list[tuple[Mapping[str, Any], list[Cell]]]:
    """Return the points of the claim's lines along its axis, one list for each other place."""
    grouped: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[Cell]]] = {}
    for side in _sides(claim.what):
        for at, cell in _cells(side, claim, findings):
            if claim.x not in at:
                continue
            rest = {axis: value for axis, value in at.items() if axis != claim.x}
            key = (cell.line, *sorted((axis, str(value)) for axis, value in rest.items()))
            grouped.setdefault(key, (rest, []))[1].append(cell)
    for _, cells in grouped.values():
        cells.sort(key=lambda cell: cell.at[claim.x])
    return list(grouped.values())


def _check_falls(claim: PaperClaim, findings: Findings) -> CheckedClaim:
    measure, steps, wrong, ends = _measure(claim, findings), 0, [], []
    for rest, cells in _series(claim, findings):
        means = [cell.mean(measure) for cell in cells]
        for before, after in pairwise(cells):
            first, second = before.mean(measure), after.mean(measure)
            steps += 1
            allowed = before.margin_of_gap(after, measure) + claim.slack * first
            if second - first > allowed:
                wrong.append(f"{said(after.at)}: {figure(first)} to {figure(second)}")
        if len(cells) > 1:
            first, last = cells[0].at[claim.x], cells[-1].at[claim.x]
            name = axis_label(claim.x)
            told = f"from {figure(means[0])} ({name} = {figure(first)}) to {figure(means[-1])}"
            ends.append(f"{told} ({name} = {figure(last)})" + (f", {said(rest)}" if rest else ""))
    if not steps:
        return CheckedClaim(claim=claim, word=NOT_RUN, numbers="no such points were run")
    if wrong:
        numbers = f"rises in {len(wrong)} of {steps} steps, such as {wrong[0]}"
        return CheckedClaim(claim=claim, word=FAILS, numbers=numbers)
    shown = "; ".join(ends[:2]) + (f"; and {len(ends) - 2} more lines" if len(ends) > 2 else "")  # noqa: PLR2004
    return CheckedClaim(claim=claim, word=HOLDS, numbers=f"{steps} steps: {shown}")


def _check_lowest(claim: PaperClaim, findings: Findings) -> CheckedClaim:
    measure, words, found = _measure(claim, findings), [], []
    for rest, cells in _series(claim, findings):
        best = min(cells, key=lambda cell: cell.mean(measure))
        ours = float(best.at[claim.x])
        near = [
            cell.at[claim.x]
            for cell in cells
            if cell.mean(measure) - best.mean(measure) <= cell.margin_of_gap(best, measure)
        ]
        word, told = _against_print(claim, findings, rest, ours)
        printed = _printed(claim, findings, rest)
        if printed is not None and min(near) <= printed <= max(near):
            word = HOLDS
        found.append(word)
        if len(near) > 1:
            told += f", no worse from {figure(min(near))} to {figure(max(near))}"
        words.append(f"{said(rest)}: {axis_label(claim.x)} = {figure(ours)}{told}")
    return _together(claim, found, words)


def _check_crossing(claim: PaperClaim, findings: Findings) -> CheckedClaim:
    """Find from where on a line stays below another one, along an axis."""
    words, found = [], []
    grouped: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[_Compared]]] = {}
    for each in _comparisons(claim, findings):
        rest = {axis: value for axis, value in each.at.items() if axis != claim.x}
        key = tuple(sorted((axis, str(value)) for axis, value in rest.items()))
        grouped.setdefault(key, (rest, []))[1].append(each)
    for place, compared in grouped.values():
        compared.sort(key=lambda each: each.at[claim.x])
        above = [each.at[claim.x] for each in compared if each.less >= each.than]
        below = [each.at[claim.x] for each in compared if each.less < each.than]
        name = axis_label(claim.x)
        if not below or (above and above[-1] == compared[-1].at[claim.x]):
            last = figure(compared[-1].at[claim.x])
            found.append(FAILS if _printed(claim, findings, place) is not None else OPEN)
            words.append(f"{said(place)}: not up to {name} = {last}")
            continue
        ours = middle(below, above)
        word, told = _against_print(claim, findings, place, ours)
        printed = _printed(claim, findings, place)
        ends = sorted((min(below), max(above, default=ours)))
        # Between two points of the grid nothing more can be said.
        found.append(HOLDS if printed is not None and ends[0] <= printed <= ends[1] else word)
        words.append(f"{said(place)}: from {name} = {figure(ours)}{told}")
    return _together(claim, found, words)


def middle(below: Sequence[float], above: Sequence[float]) -> float:
    """Return where two lines cross, given where the one is below and where it is not.

    Noise lets them cross more than once: then it is the middle of where they do.
    """
    return (min(below) + max(above)) / 2 if above else float(min(below))


def _printed(claim: PaperClaim, findings: Findings, rest: Mapping[str, Any]) -> float | None:
    return None if findings.own else claim.prints.get(str(rest.get("data")))


def _against_print(
    claim: PaperClaim, findings: Findings, rest: Mapping[str, Any], ours: float
) -> tuple[str, str]:
    printed = _printed(claim, findings, rest)
    if printed is None:
        return OPEN, ""
    near = abs(ours / printed - 1.0) <= claim.within
    return HOLDS if near else FAILS, f" (printed {figure(printed)})"


def _together(claim: PaperClaim, found: list[str], words: list[str]) -> CheckedClaim:
    if not found:
        return CheckedClaim(claim=claim, word=NOT_RUN, numbers="no such points were run")
    word = _word(found)
    near = (
        ""
        if word == OPEN
        else f" ({100 * claim.within:.0f} % off may be, or what the runs cannot tell)"
    )
    return CheckedClaim(claim=claim, word=word, numbers="; ".join(words) + near)


def _word(found: Iterable[str]) -> str:
    """Return the worst word of several; one that holds is enough where the others are open."""
    words = set(found)
    return next(word for word in (FAILS, HOLDS, OPEN) if word in words)


_CHECKS: dict[str, Callable[[PaperClaim, Findings], CheckedClaim]] = {
    "less": _check_less,
    "falls": _check_falls,
    "lowest": _check_lowest,
    "crossing": _check_crossing,
}

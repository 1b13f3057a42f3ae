"""How near do we come to a published number, and what does that prove?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from covey.reproduce.entries import PaperEntry

CLOSE = 0.03
"""Within this share of the printed value a number counts as close."""

FROM_K_ON = ("smallest-k-above-opt", "smallest-k-above-clamped-opt")
"""The paper says "from k on": what is smaller confirms it."""

LOGARITHMS = ("expected-log2-sse", "log2-sse")
"""Compared on the scale of what they are logarithms of."""

_COLOURS = dict.fromkeys(
    ("exact", "last digit", "close", "consistent", "holds"), "green"
) | dict.fromkeys(("differs", "impossible"), "red")
"""Of what a number says about the printed one; grey where it says nothing."""

MARKS = {
    "exact": "=",
    "last digit": "=",
    "close": "≈",
    "consistent": "~",
    "holds": "≤",
    "differs": "≠",
    "impossible": "!",
}
"""How a status is shown where there is no room for a word."""

MATCHES = tuple(word for word, colour in _COLOURS.items() if colour == "green")


@dataclass(frozen=True, slots=True)
class Spread:
    """A random quantity: its mean over some runs, and where a mean of a few would lie.

    Parameters
    ----------
    mean, low, high : float
        What was found, and the interval for what the paper did.
    runs : int
        How many runs of ours there are.
    """

    mean: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float], *, of: int) -> Spread:
        """Return the interval in which a mean of so many further runs lies, 99.7 times in 100.

        Student's, so that few runs of ours make it wide.
        """
        from scipy import stats

        runs = len(values)
        mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
        reach = float(stats.t.ppf(0.9985, runs - 1)) * sd * math.sqrt(1.0 / of + 1.0 / runs)
        return cls(mean, mean - reach, mean + reach, runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A published number beside ours."""

    entry: PaperEntry
    ours: float | None
    status: str
    spread: Spread | None = None

    @property
    def paper(self) -> str:
        """Return the short name of the paper that prints it."""
        return self.entry.paper

    @property
    def word(self) -> str:
        """Return the status without its explanation."""
        return self.status.partition(":")[0]

    @property
    def reproduced(self) -> bool:
        """Return whether the printed value was found again, by a convention not fitted to it."""
        return bool(self.entry.text) and self.word in MATCHES and self.entry.basis != "fitted"

    @property
    def difference(self) -> float | None:
        """Return the relative difference from the printed value, on the natural scale."""
        printed = self.entry.printed
        if self.ours is None or not printed or math.isnan(self.ours):
            return None
        if self.entry.recipe in LOGARITHMS:
            return float(2.0 ** (self.ours - printed)) - 1.0
        return self.ours / printed - 1.0

    @property
    def interval(self) -> str:
        """Return where the printed value may lie, for random quantities."""
        if self.spread is None:
            return ""
        return f"{three_figures(self.spread.low)}–{three_figures(self.spread.high)}"

    @property
    def shown_status(self) -> str:
        """Return the status, and that it proves nothing where the convention was fitted."""
        fitted = self.entry.basis == "fitted" and self.word in MATCHES
        return f"{self.status}, but fitted" if fitted else self.status

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the row of a list: where, what, parameters, both numbers, status, basis."""
        entry, difference = self.entry, self.difference
        return (
            *(entry.table, entry.data, entry.method, entry.quantity, entry.label),
            entry.text or "–",
            six_figures(self.ours),
            self.interval,
            "–" if difference is None else f"{100 * difference:+.2f} %",
            self.shown_status,
            entry.basis,
        )

    @property
    def colour(self) -> str:
        """Return the colour of the status: a fitted match is none."""
        if self.word in MATCHES and not self.reproduced:
            return "grey"
        return _COLOURS.get(self.word, "grey")

    @property
    def mark(self) -> str:
        """Return the status as one character, in brackets where the convention was fitted."""
        mark = MARKS.get(self.word, "")
        return f"({mark})" if self.word in MATCHES and self.entry.basis == "fitted" else mark


def six_figures(value: float | None) -> str:
    """Return a number in six figures, or a dash."""
    return "–" if value is None or math.isnan(value) else f"{value:.6g}"


def three_figures(value: float) -> str:
    """Return a number in three figures."""
    return "∞" if value == math.inf else f"{value:.3g}"


def reproduce(
    entries: Sequence[PaperEntry], progress: Callable[[str, int, int], None] | None = None
) -> Iterator[Result]:
    """Compute the entries one after the other."""
    from covey.reproduce.data import available
    from covey.reproduce.recipes import RECIPES

    for done, entry in enumerate(entries):
        if progress is not None:
            progress(f"{entry.paper} {entry.table}", done, len(entries))
        if entry.recipe == "none":
            yield Result(entry=entry, ours=None, status=f"not reproducible: {entry.reason}")
        elif not available(entry.data):
            yield Result(entry=entry, ours=None, status="not run: the reference data are missing")
        else:
            yield judged(entry, RECIPES[entry.recipe](entry))


def judged(entry: PaperEntry, found: float | Spread) -> Result:
    """Put what was found beside the printed number."""
    spread = found if isinstance(found, Spread) else None
    ours = found.mean if isinstance(found, Spread) else found
    return Result(entry=entry, ours=ours, status=status(entry, ours, spread), spread=spread)


def status(  # noqa: PLR0911 — one return for each word
    entry: PaperEntry, ours: float, spread: Spread | None = None
) -> str:
    """Say how near our value is to the printed one.

    *exact*: it rounds to what is printed; *last digit*: one more or less in the last digit;
    *close*: within 3 %; *consistent*: a random quantity, and the printed value lies in the
    interval from our runs; *differs* otherwise; *derived* where nothing is printed.
    *holds*: the paper says "from k on", and ours is not larger.
    *impossible*: more is printed than any method can reach.
    """
    printed = entry.printed
    if math.isnan(ours):
        return "not reproduced: there is no such k up to n/2"
    if entry.most is not None:
        return f"impossible: at most {entry.most:g} can be reached"
    if printed is None:
        return "derived"
    if entry.recipe in FROM_K_ON:
        return "holds" if ours <= printed else "differs"
    # A little more than half a unit, for the dust of floats.
    half = 0.5000001 * entry.unit
    if spread is not None:
        inside = spread.low - half <= printed <= spread.high + half
        if inside:
            return "consistent"
    elif abs(ours - printed) <= half:
        return "exact"
    elif abs(ours - printed) <= 3.0 * half:
        return "last digit"
    logarithm = entry.recipe in LOGARITHMS
    away = 2.0 ** (ours - printed) - 1.0 if logarithm else (ours - printed) / (printed or math.inf)
    return "close" if abs(away) <= CLOSE and ours else "differs"


def summary(results: Sequence[Result]) -> str:
    """Return in a sentence how many numbers came out how; fitted ones are counted apart."""
    printed = [result for result in results if result.entry.text]
    again = Counter(result.word for result in printed if result.reproduced)
    fitted = sum(result.word in MATCHES and not result.reproduced for result in printed)
    other = Counter(result.word for result in printed if result.word not in MATCHES)
    words = [f"{word} {count}" for word, count in again.most_common()]
    parts = [f"{again.total()} reproduced" + (f" ({', '.join(words)})" if words else "")]
    if fitted:
        parts.append(f"{fitted} matched by a convention that was fitted to them")
    parts += [f"{word} {count}" for word, count in other.most_common()]
    beside = len(results) - len(printed)
    also = f" Beside them {beside} that the paper does not print." if beside else ""
    return f"{len(printed)} printed numbers: {', '.join(parts)}.{also}"

"""Which published numbers are there, and how near do we come?"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from covey.errors import PlanError, suggest

THRESHOLD = "smallest-k-above-opt"
APPROXIMATE = ("best-k", "k-min", "ratio-to-insensitive")
"""Read off figures or said in words, so that rounding to them means nothing."""

QUANTITIES = {
    "sse": "SSE",
    "sse-scattered": "SSE",
    "il-percent": "IL %",
    "il1s-sum": "IL1s",
    "rl-raw": "RL %",
    "domain-sse": "SSE",
    "domain-rl": "RL %",
    "domain-change": "change",
    "noise-sse": "SSE",
    "noise-rl": "RL %",
    "noise-change": "change",
    "expected-sse": "SSE",
    "expected-log2-sse": "log2 SSE",
    "log2-sse": "log2 SSE",
    "best-k": "best k",
    "k-min": "k_min",
    "smallest-k-above-opt": "from k",
    "ratio-to-insensitive": "SSE ratio",
    "degree-pairs": "degree pairs",
    "clusters": "clusters",
    "sae": "SAE",
    "kept-edges": "kept",
    "none": "SSE",
}
"""What the number of each recipe is."""

_DECIMALS = {"kept-edges": 2}
"""Where a table has as many for all its numbers, zeros at the end included."""

_COLOURS = dict.fromkeys(("exact", "close", "consistent", "holds"), "green") | dict.fromkeys(
    ("differs", "impossible"), "red"
)
"""Of what a number says about the printed one; grey where it says nothing."""

CLOSE = 0.03
"""Within this share of the printed value a number counts as close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """One published number.

    Parameters
    ----------
    paper, table, data, method : str
        Where it is printed and what it is about.
    recipe : str
        How it is computed: a name in `covey.reproduce.recipes.RECIPES`, or "none".
    settings : mapping
        Parameters of the recipe: k, epsilon, column, …
    printed : float, optional
        The value in the document.
    expected : float, optional
        What an independent implementation found under the same convention.
    tolerance : float
        Relative distance from ``expected`` within which ours must lie.
    most : float, optional
        The largest value that is possible at all, where more than that is printed.
    reason : str
        Why it cannot be reproduced, for the recipe "none".
    """

    paper: str
    table: str
    data: str
    method: str
    recipe: str
    settings: dict[str, Any] = field(default_factory=dict)
    printed: float | None = None
    expected: float | None = None
    tolerance: float = CLOSE
    most: float | None = None
    reason: str = ""

    @property
    def quantity(self) -> str:
        """Return what the number is."""
        return QUANTITIES[self.recipe]

    @property
    def label(self) -> str:
        """Return the parameters in short."""
        short = {"epsilon": "ε", "tau": "τ", "theta": "θ"}
        words = [
            str(value) if name in ("statistic", "column") else f"{short.get(name, name)}={value}"
            for name, value in self.settings.items()
        ]
        return " ".join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A published number beside ours."""

    entry: PaperEntry
    ours: float | None
    status: str

    @property
    def paper(self) -> str:
        """Return the short name of the paper that prints it."""
        return self.entry.paper

    @property
    def difference(self) -> float | None:
        """Return the relative difference from the printed value."""
        if self.ours is None or not self.entry.printed:
            return None
        return self.ours / self.entry.printed - 1.0

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the row of a table: where, what, with which parameters, both numbers, status."""
        entry, difference = self.entry, self.difference
        return (
            *(entry.table, entry.data, entry.method, entry.quantity, entry.label),
            six_figures(entry.printed),
            six_figures(self.ours),
            "–" if difference is None else f"{100 * difference:+.2f} %",
            self.status,
        )

    @property
    def colour(self) -> str:
        """Return the colour of the status."""
        return _COLOURS.get(self.status.partition(":")[0], "grey")


def six_figures(value: float | None) -> str:
    """Return a number in six figures, or a dash."""
    return "–" if value is None else f"{value:.6g}"


def load_entries(paper: str | None = None, table: str | None = None) -> list[PaperEntry]:
    """Read the published numbers of one paper, or of all."""
    folder = files("covey.reproduce") / "expected"
    known = sorted(file.name.removesuffix(".toml") for file in folder.iterdir())
    if paper is not None and paper not in known:
        raise PlanError(f"there is no paper {paper!r} to reproduce. {suggest(paper, known)}")
    entries = [
        _entry(name, item)
        for name in known
        if paper in (None, name)
        for item in tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))["entry"]
    ]
    if table is None:
        return entries
    chosen = [entry for entry in entries if entry.table.lower() == table.lower()]
    if not chosen:
        tables = sorted({entry.table for entry in entries})
        raise PlanError(f"there is no table {table!r} among them. {suggest(table, tables)}")
    return chosen


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
            ours = RECIPES[entry.recipe](entry)
            yield Result(entry=entry, ours=ours, status=status(entry, ours))


def status(entry: PaperEntry, ours: float) -> str:  # noqa: PLR0911 — one return for each word
    """Say how near our value is to the printed one.

    *exact*: it rounds to what is printed; *close*: within 3 %; *consistent*: a random quantity
    within the stated spread of an independent reproduction; *differs* otherwise; *derived* where
    nothing is printed.  *holds*: the paper says "from k on", and ours is not larger.
    *impossible*: more is printed than any method can reach.
    """
    if math.isnan(ours):
        return "not reproduced: there is no such k up to n/2"
    if entry.most is not None:
        return f"impossible: at most {entry.most:g} can be reached"
    if entry.printed is None:
        return "derived"
    if entry.recipe == THRESHOLD:
        return "holds" if ours <= entry.printed else "differs"
    rounded = round(ours, _DECIMALS.get(entry.recipe, _digits(entry.printed)))
    exactly = math.isclose(rounded, entry.printed, rel_tol=1e-12, abs_tol=1e-12)
    if exactly and entry.recipe not in APPROXIMATE:
        return "exact"
    if abs(ours - entry.printed) <= CLOSE * abs(entry.printed):
        return "close"
    # Random quantities have a wide tolerance around an independent run, or the printed one.
    centre = entry.printed if entry.expected is None else entry.expected
    if entry.tolerance > CLOSE and abs(ours - centre) <= entry.tolerance * abs(centre):
        return "consistent"
    return "differs"


def _digits(printed: float) -> int:
    """Return how many decimals the document shows; large numbers have three figures."""
    if abs(printed) >= 1e6:  # noqa: PLR2004
        return 2 - math.floor(math.log10(abs(printed)))
    text = f"{printed!r}"
    return len(text.partition(".")[2]) if "." in text and not text.endswith(".0") else 0


def _entry(paper: str, item: dict[str, Any]) -> PaperEntry:
    named = (
        *("table", "data", "method", "recipe"),
        *("printed", "expected", "tolerance", "most", "reason"),
    )
    fields = {name: item[name] for name in named if name in item}
    settings = {name: value for name, value in item.items() if name not in named}
    return PaperEntry(paper=paper, settings=settings, **fields)

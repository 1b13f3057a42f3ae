"""Which numbers do the papers print, where, and by which convention can they be computed?"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from covey.errors import PlanError, suggest

QUANTITIES = {
    "sse": "SSE",
    "sse-scattered": "SSE",
    "sse-clustered": "SSE",
    "il-percent": "IL %",
    "il1s-sum": "IL1s",
    "rl-raw": "RL %",
    "pair-il1s": "IL1s",
    "pair-rl": "RL %",
    "domain-sse": "SSE",
    "domain-rl": "RL %",
    "domain-change": "change",
    "unchanged": "change",
    "sse-0": "SSE",
    "rl-0": "RL %",
    "noise-sse": "SSE",
    "noise-rl": "RL %",
    "noise-change": "change",
    "sse-factor": "SSE_f",
    "rl-factor": "RL_f",
    "score": "Score",
    "expected-sse": "SSE",
    "expected-log2-sse": "log2 SSE",
    "log2-sse": "log2 SSE",
    "best-k": "best k",
    "k-min": "k_min",
    "smallest-k-above-opt": "from k",
    "smallest-k-above-clamped-opt": "from k",
    "ratio-to-insensitive": "SSE ratio",
    "degree-pairs": "degree pairs",
    "clusters": "clusters",
    "sae": "SAE",
    "kept-edges": "kept",
    "edges-per-line": "edges / lines",
    "none": "",
}
"""What the number of each recipe is."""

BASES = ("stated", "confirmed", "inferred", "fitted")
"""Where a convention comes from: the paper says it; it was chosen elsewhere and then checked on
this number; it is a guess that was not tuned; it was chosen by looking at this very number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEntry:
    """One published number, or one that belongs beside them.

    Parameters
    ----------
    paper, table, data, method : str
        Where it is printed and what it is about.
    recipe : str
        How it is computed: a name in `covey.reproduce.recipes.RECIPES`, or "none".
    settings : mapping
        Parameters of the recipe: k, epsilon, column, …
    text : str
        The number as it is printed, "" if it is not.
    figures, decimals : int
        How many its table shows at least, where it drops zeros at the end: 3 is then 3.00.
    convention : str
        What the paper leaves open, or does otherwise than one would read it.
    basis : {"stated", "confirmed", "inferred", "fitted"}
        Where the convention comes from.
    expected : float, optional
        What an independent implementation found under the same convention.
    tolerance : float
        Relative distance from ``expected`` within which ours must lie.
    most : float, optional
        The largest value that is possible at all, where more than that is printed.
    reason : str
        Why it cannot be computed, for the recipe "none".
    place : (int, int), optional
        Row and column of the printed table.
    """

    paper: str
    table: str
    data: str
    method: str
    recipe: str
    settings: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    figures: int = 0
    decimals: int = 0
    convention: str = ""
    basis: str = "stated"
    expected: float | None = None
    tolerance: float = 1e-6
    most: float | None = None
    reason: str = ""
    place: tuple[int, int] | None = None

    @property
    def printed(self) -> float | None:
        """Return the value in the document."""
        return float(self.text) if self.text else None

    @property
    def unit(self) -> float:
        """Return what one more in the last printed digit is worth."""
        digits, _, exponent = self.text.lower().partition("e")
        shown = len(digits.partition(".")[2]) - int(exponent or 0)
        before = math.floor(math.log10(abs(self.printed))) + 1 if self.printed else 0
        least = self.figures - before if self.figures else shown
        return 10.0 ** -max(shown, self.decimals or shown, least)

    @property
    def quantity(self) -> str:
        """Return what the number is."""
        return QUANTITIES[self.recipe]

    @property
    def label(self) -> str:
        """Return the parameters in short."""
        short = {"epsilon": "ε", "tau": "τ", "theta": "θ"}
        words = [
            str(value)
            if name in ("statistic", "column", "search")
            else f"{short.get(name, name)}={value}"
            for name, value in self.settings.items()
            if name != "against"
        ]
        return " ".join(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """A table as its paper prints it.

    Parameters
    ----------
    paper, name, caption : str
        Which one it is.
    stub : tuple of str
        The titles of the columns that name the rows.
    heads : tuple of str
        The titles of the columns of numbers; "group | title" where several stand under one.
    rows : tuple of tuples of str
        What names each row.
    """

    paper: str
    name: str
    caption: str
    stub: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def load_entries(paper: str | None = None, table: str | None = None) -> list[PaperEntry]:
    """Read the numbers of one paper, or of all: those of tables, then those of the text."""
    entries = [
        entry
        for name, content in _contents(paper)
        for entry in (*_cells(name, content), *_others(name, content))
    ]
    if table is None:
        return entries
    chosen = [entry for entry in entries if entry.table.lower() == table.lower()]
    if not chosen:
        tables = sorted({entry.table for entry in entries})
        raise PlanError(f"there is no table {table!r} among them. {suggest(table, tables)}")
    return chosen


def load_tables(paper: str | None = None) -> list[PrintedTable]:
    """Read how the tables of one paper, or of all, are laid out."""
    return [
        PrintedTable(
            paper=name,
            name=item["name"],
            caption=item["caption"],
            stub=tuple(item["stub"]),
            heads=tuple(item["heads"]),
            rows=tuple(tuple(row["head"]) for row in item["row"]),
        )
        for name, content in _contents(paper)
        for item in content.get("table", ())
    ]


def _contents(paper: str | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    folder = files("covey.reproduce") / "expected"
    known = sorted(file.name.removesuffix(".toml") for file in folder.iterdir())
    if paper is not None and paper not in known:
        raise PlanError(f"there is no paper {paper!r} to reproduce. {suggest(paper, known)}")
    for name in known:
        if paper in (None, name):
            yield name, tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def _cells(paper: str, content: Mapping[str, Any]) -> Iterator[PaperEntry]:
    """Return the numbers of the tables, row by row.

    What a row says goes before what its column says, and what a special rule says before both.
    """
    for table in content.get("table", ()):
        for i, row in enumerate(table["row"]):
            own = {name: row[name] for name in ("convention", "basis") if name in row}
            for j, text in enumerate(row["cells"]):
                facts = {**table["facts"], **table["columns"][j], **row["facts"], **own}
                for rule in table.get("special", ()):
                    if all(facts.get(name) == value for name, value in rule["where"].items()):
                        facts |= rule["use"]
                facts["basis"] = _at(facts["basis"], j)
                for name in ("expected", "most", "tolerance"):
                    if (given := _at(row.get(name, ""), j)) != "":
                        facts[name] = float(given)
                if "expected" not in facts:
                    facts.pop("tolerance", None)
                facts |= {"table": table["name"], "printed": text, "place": (i, j)}
                yield _entry(paper, facts, content)


def _others(paper: str, content: Mapping[str, Any]) -> Iterator[PaperEntry]:
    for item in content.get("entry", ()):
        yield _entry(paper, item, content)


def _at(given: Any, j: int) -> Any:
    """Return what is given for one column, or for all of them."""
    return given[j] if isinstance(given, Sequence) and not isinstance(given, str) else given


def _entry(paper: str, item: Mapping[str, Any], content: Mapping[str, Any]) -> PaperEntry:
    named = (
        *("table", "data", "method", "recipe", "basis"),
        *("expected", "tolerance", "most", "reason", "place", "figures", "decimals"),
    )
    fields = {name: item[name] for name in named if name in item}
    beside = (*named, "printed", "convention")
    settings = {name: value for name, value in item.items() if name not in beside and value != ""}
    key = item.get("convention", "")
    return PaperEntry(
        paper=paper,
        settings=settings,
        text=item.get("printed", ""),
        convention=content["conventions"][key] if key else "",
        **fields,
    )

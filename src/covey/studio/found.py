"""What did the machine find out: about the data, about plans, and in releases that were made?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import covey


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The data that were given, as far as the page shows them.

    Parameters
    ----------
    name, path : str
        What the person calls the file, and where its private copy is.
    kind : "table" or "graph"
        What it was read as.
    digest : str
        A hash of the content: the same data share a ledger.
    rows : int
        Records, or nodes of a graph.
    columns : tuple of str
        Names of the columns; ("node", "node") for a graph.
    preview : tuple of tuples
        The first records as texts.
    facts : tuple of pairs
        What is worth saying about the file, as (title, text).
    notes : tuple of str
        What reading left out.
    example : bool
        Whether these are the embedded, public data.
    """

    name: str
    path: str
    kind: Literal["table", "graph"]
    digest: str
    rows: int
    columns: tuple[str, ...] = ()
    preview: tuple[tuple[str, ...], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Which systems can publish these columns, found out on made-up records."""

    key: str
    columns: Mapping[str, tuple[str, ...]]
    refusals: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What the plan would promise, found out on made-up records."""

    key: str
    sentence: str = ""
    kind: str = ""
    epsilon: Fraction | None = None
    conditions: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The error to expect at several epsilons, found out on made-up records."""

    key: str
    system: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    criterion: str = ""
    curve: tuple[tuple[float, float], ...] = ()
    others: tuple[tuple[str, float, float], ...] = ()
    notes: tuple[str, ...] = ()
    asked: tuple[float, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A release that was made in this tab.

    Parameters
    ----------
    number : int
        Counts from 1.
    folder : str
        Where the release folder is.
    source : Source
        The data that were published.
    plan : covey.Plan
        What was run.
    kind, sentence : str
        What the release promises.
    epsilon, left : float, optional
        What it cost, and what was left in the ledger afterwards.
    ledger : str, optional
        What it was charged to.
    limit : float, optional
        How much may be spent there in all.
    curator : str, optional
        The page that compares it with the original, once there is one.
    scores : mapping
        What the comparison found.
    """

    number: int
    folder: str
    source: Source
    plan: covey.Plan
    kind: str
    sentence: str
    epsilon: float | None
    ledger: str | None
    left: float | None
    limit: float | None = None
    curator: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)

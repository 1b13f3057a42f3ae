"""What are the results so far: about the data, about plans, and of the runs that were made?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import covey
from covey.release import SavedRelease


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """The data that were given, as far as the page shows them.

    Parameters
    ----------
    name, path : str
        What the person calls the file, and where its private copy is.
    kind : "table" or "graph"
        What it was read as.
    digest : str
        A hash of the content: what was decided about the same file before stays.
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
    unit: str = "none"
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

    def expected_error(self, epsilon: float) -> float | None:
        """Return the error to expect at an epsilon between simulated ones, or None outside.

        Errors of noise fall as a power of epsilon, so logarithms are joined by straight lines.

        Examples
        --------
        >>> Forecast(key="", curve=((0.5, 0.2), (2.0, 0.1))).expected_error(1.0)
        0.1414...
        """
        points = [(e, error) for e, error in sorted(self.curve) if error > 0]
        for (e1, y1), (e2, y2) in pairwise(points):
            if e1 <= epsilon <= e2:
                share = math.log(epsilon / e1) / math.log(e2 / e1)
                return math.exp(math.log(y1) + share * math.log(y2 / y1))
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TabRun:
    """A run of a plan in this tab, and the release that was made.

    Parameters
    ----------
    number : int
        Counts from 1.
    folder : str
        Where the release folder is.
    file : DataFile
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
    file: DataFile
    plan: covey.Plan
    kind: str
    sentence: str
    epsilon: float | None
    ledger: str | None
    left: float | None
    limit: float | None = None
    curator: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        release: covey.Release | SavedRelease,
        *,
        number: int,
        folder: str,
        file: DataFile,
        ledger: str | None,
    ) -> TabRun:
        """Return the run that made a release, before it is compared with the original."""
        guarantee, account = release.guarantee, release.ledger
        return cls(
            number=number,
            folder=folder,
            file=file,
            plan=release.plan,
            kind=str(guarantee.kind),
            sentence=str(guarantee),
            epsilon=None if guarantee.epsilon is None else float(guarantee.epsilon),
            ledger=ledger,
            left=None if account.left is None else float(account.left),
            limit=None if account.limit is None else float(account.limit),
        )

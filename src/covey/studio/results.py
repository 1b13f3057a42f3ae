"""What are the results so far: about the data, about plans, and of the runs that were made?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import covey
from covey.choose.pilot import Pilot
from covey.release import SavedRelease
from covey.studio.verdict import ReleaseVerdict, SomeRows
from covey.table.misfits import ColumnMisfit
from covey.table.profile import ColumnProfile


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
    delta: Fraction | None = None
    rho: Fraction | None = None
    conditions: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What to expect of a plan, found out on made-up records, or why nothing is known."""

    key: str
    pilot: Pilot | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What would be lost of the records, counted before anything is published; for the steward.

    Parameters
    ----------
    key : str
        Of the data and the description for which it was counted.
    records, left_out : int
        All, and those that lack a value of a published column whose gaps are not published.
    outside : mapping
        Numbers outside the public bounds, by column; they are moved to the nearer bound.
    refused : mapping
        Why a column cannot be published as it is described.
    """

    key: str
    records: int
    left_out: int
    outside: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """What the columns look like and how they fit their description; for the steward alone."""

    key: str
    columns: Mapping[str, ColumnProfile]
    misfits: Mapping[str, ColumnMisfit]


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
    released : SomeRows, optional
        Some rows of the release.
    drawing : str
        The regenerated graph, drawn small.
    verdict : ReleaseVerdict, optional
        How near the originals it is, once that was found out; for the steward alone.
    curator : str, optional
        The page that compares it with the original, once there is one.
    scores : mapping
        What the comparison found.
    warnings : tuple of str
        What only the steward may read: it tells about the records.
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
    released: SomeRows | None = None
    drawing: str = ""
    verdict: ReleaseVerdict | None = None
    curator: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

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

"""What does a page show of one figure of a paper?  Panels, one legend, and what its text says."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence of the paper and what became of it.

    Parameters
    ----------
    text : str
        The sentence.
    word, colour : str
        "holds", "fails", "open" or "not run", and its colour.
    numbers : str
        What decided.
    """

    text: str
    word: str
    colour: str
    numbers: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSection:
    """One figure, drawn again.

    Parameters
    ----------
    paper, number, title : str
        Where it is printed and what it shows.
    anchors : tuple of str
        The names of its place on the page.
    note : str
        How it was computed.
    legend : tuple
        (series, colour, dash pattern) for all panels.
    panels : tuple
        (title, SVG).
    claims : tuple of Said
        The sentences that it is to prove.
    missing : tuple of str
        What it lacks, with the reason.
    """

    paper: str
    number: str
    title: str
    anchors: tuple[str, ...] = ()
    note: str = ""
    legend: tuple[tuple[str, str, str], ...] = ()
    panels: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    claims: tuple[Said, ...] = ()
    missing: tuple[str, ...] = ()

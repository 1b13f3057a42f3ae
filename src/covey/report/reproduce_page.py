"""How do the papers' numbers look beside ours?  One offline page with tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from covey.report.html import render
from covey.report.papers import PAPERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.report.figure_section import FigureSection


class _LaidOut(Protocol):
    """A table as its paper prints it; its columns and rows are read by the page alone."""

    @property
    def paper(self) -> str: ...


class _Result(Protocol):
    """A published number beside ours, as the texts of a row whose status has a colour."""

    @property
    def paper(self) -> str: ...

    @property
    def cells(self) -> tuple[str, ...]: ...

    @property
    def colour(self) -> str: ...


def reproduce_page(
    results: Sequence[_Result],
    figures: Sequence[FigureSection],
    tables: Sequence[_LaidOut] = (),
) -> str:
    """Return one self-contained HTML page.

    Parameters
    ----------
    results : sequence
        The numbers of one or several papers that stand in no printed table.
    figures : sequence of FigureSection
        Figures drawn again, with what the papers say about them.
    tables : sequence, optional
        Printed tables with our numbers in them (`covey.reproduce.layout.LaidOutTable`).
    """
    of = [*(t.paper for t in tables), *(r.paper for r in results), *(f.paper for f in figures)]
    papers = [
        {
            "name": name,
            "title": PAPERS.get(name, "Values printed in several papers."),
            "results": [result for result in results if result.paper == name],
            "tables": [table for table in tables if table.paper == name],
            "figures": [figure for figure in figures if figure.paper == name],
        }
        for name in dict.fromkeys(of)
    ]
    return render("reproduce.html.j2", {"papers": papers})

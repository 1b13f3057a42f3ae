"""How do the papers' numbers look beside ours?  One offline page with tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from covey.report.html import render
from covey.report.papers import PAPERS

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Result(Protocol):
    """A published number beside ours, as the texts of a row whose status has a colour."""

    @property
    def paper(self) -> str: ...

    @property
    def cells(self) -> tuple[str, ...]: ...

    @property
    def colour(self) -> str: ...


def reproduce_page(results: Sequence[_Result], figures: Sequence[tuple[str, str, str]]) -> str:
    """Return one self-contained HTML page.

    Parameters
    ----------
    results : sequence
        The numbers of one or several papers.
    figures : sequence of tuples
        Figures drawn again, as (paper, title, SVG).
    """
    papers = [
        {
            "name": name,
            "title": PAPERS.get(name, "Values printed in several papers."),
            "results": [result for result in results if result.paper == name],
            "charts": [(title, svg) for of, title, svg in figures if of == name],
        }
        for name in dict.fromkeys(result.paper for result in results)
    ]
    return render("reproduce.html.j2", {"papers": papers})

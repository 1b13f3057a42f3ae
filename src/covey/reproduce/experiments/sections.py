"""How does what came out of an experiment become a part of a page?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.figure_section import FigureSection, Said
from covey.report.small_multiples import draw_panel, legend
from covey.reproduce.experiments.claims import check_claims
from covey.reproduce.experiments.pictures import pictures

if TYPE_CHECKING:
    from covey.reproduce.experiments.claims import CheckedClaim
    from covey.reproduce.experiments.points import Findings

_SHOWN = 3
"""So many refused points are named; the others are counted."""


def figure_section(findings: Findings, verdicts: list[CheckedClaim] | None = None) -> FigureSection:
    """Draw the panels of an experiment, and say what became of its claims."""
    experiment = findings.experiment
    panels = pictures(findings)
    styles = legend(panels)
    said = check_claims(findings) if verdicts is None else verdicts
    drawn = [(panel.title, draw_panel(panel, styles, experiment.figure)) for panel in panels]
    return FigureSection(
        paper=experiment.paper,
        number=experiment.figure,
        title=experiment.title,
        anchors=experiment.anchors,
        note=f"{experiment.note} {runs_in_words(findings)}".strip(),
        legend=tuple((name, *style) for name, style in styles.items()),
        panels=tuple(drawn),
        claims=tuple(
            Said(text=each.claim.text, word=each.word, colour=each.colour, numbers=each.numbers)
            for each in said
        ),
        missing=(*experiment.missing, *refusals(findings)),
    )


def runs_in_words(findings: Findings) -> str:
    """Say how often lines with noise were repeated."""
    runs = max((len(v) for cell in findings.cells for v in cell.values.values()), default=0)
    if runs < 2:  # noqa: PLR2004
        return "One run."
    return f"Means of {runs} runs; bands are their range."


def refusals(findings: Findings) -> list[str]:
    """Name what could not be computed, and why."""
    told = [f"{place}: {why}" for place, why in list(findings.refused.items())[:_SHOWN]]
    more = len(findings.refused) - len(told)
    return [*told, *([f"{more} more points could not be computed."] if more else [])]

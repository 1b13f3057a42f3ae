"""The figures behind covey reproduce: experiments are run, drawn, and their claims told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.padding import Padding

from covey.cli.show import console, reporting, show_json
from covey.errors import DataError, PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.reproduce.experiments import CheckedClaim, Experiment, Findings

ALL_FIGURES = "all"
CACHE = Path(".cache/covey-reproduce")
"""Where scores are kept between runs unless another folder is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How experiments are run, whichever they are."""

    quick: bool = False
    cache: Path | None = None
    workers: int | None = None
    quiet: bool = False


def chosen_experiments(
    paper: str | None, figure: str | None, file: Path | None
) -> list[Experiment]:
    """Return the experiments that the options name."""
    from covey.reproduce.experiments import load_experiments, open_experiment

    if figure is None and file is None:
        raise PlanError(
            "data of one's own were given without an experiment, so nothing was run. Name one with "
            "--figure, or give a file with --experiment."
        )
    if file is not None:
        if paper is not None or figure is not None:
            raise PlanError(
                "an experiment of one's own stands alone, so no paper or figure goes with it. "
                "Leave them out."
            )
        return [open_experiment(file)]
    return load_experiments(paper, None if figure in (None, ALL_FIGURES) else figure)


def run_chosen(
    experiments: Sequence[Experiment],
    how: Running,
    *,
    data: str | None = None,
    schema: Path | None = None,
) -> list[Findings]:
    """Run experiments on the papers' data, or on one's own."""
    from covey.reproduce.experiments import code_digest, data_sets, own_data, run_experiments

    chosen = [each.quick() if how.quick else each for each in experiments]
    folder = (how.cache or CACHE) / code_digest()
    with reporting(quiet=how.quiet) as report:
        report("reading", 0, 1)
        if data is None:
            sets = [(each, data_sets(each)) for each in chosen]
        else:
            originals = [_own(each, data, schema) for each in chosen]
            sets = [
                (each, own_data(each, Path(data).name.partition(".")[0], own))
                for each, own in zip(chosen, originals, strict=True)
            ]
        if not any(found for _, found in sets):
            raise DataError(
                "none of the reference data are there, so no experiment was run. Name their "
                "folder in COVEY_DATA, or give your own with --data."
            )
        return run_experiments(
            sets, cache=folder, workers=how.workers, progress=report, own=data is not None
        )


def _own(experiment: Experiment, data: str, schema: Path | None) -> Any:
    import covey
    from covey.reproduce.experiments.sets import is_graph, with_domains

    if is_graph(experiment):
        return covey.read_graph(data)
    if schema is not None:
        return covey.read_table(data, covey.Schema.load(schema))
    # Without a schema the papers' way is taken: domains are read off the data.
    return with_domains(covey.read_table(data, None).frame)


def show_findings(all_findings: Sequence[Findings], *, as_json: bool) -> None:
    """Print what became of each claim."""
    from covey.reproduce.experiments import check_claims

    checked = [(findings, check_claims(findings)) for findings in all_findings]
    if as_json:
        show_json([_as_json(findings, verdicts) for findings, verdicts in checked])
        return
    for findings, verdicts in checked:
        each = findings.experiment
        name = " ".join(part for part in (each.paper, each.figure) if part)
        console.print(f"\n[bold]{escape(name)}[/]  {escape(each.title)}", width=_width())
        if not findings.cells:
            console.print("  not run: the reference data are missing")
        for verdict in verdicts:
            colour = "dim" if verdict.colour == "grey" else verdict.colour
            for text, indent in (
                (f"[{colour}]{verdict.word:8s}[/] {escape(verdict.claim.text)}", 2),
                (f"[dim]{escape(verdict.numbers)}[/]", 11),
            ):
                console.print(Padding(text, (0, 0, 0, indent)), width=_width())
        for place, why in list(findings.refused.items())[:3]:
            console.print(Padding(f"[dim]{escape(place)}: {escape(why)}[/]", (0, 0, 0, 2)))
    words = [verdict.word for _, verdicts in checked for verdict in verdicts]
    console.print()
    counts = [f"{words.count(word)} {word}" for word in dict.fromkeys(words)]
    console.print(f"Claims: {', '.join(counts) or 'none'}.")


def _width() -> int:
    return min(console.width, 80)


def _as_json(findings: Findings, verdicts: Sequence[CheckedClaim]) -> dict[str, Any]:
    return {
        "paper": findings.experiment.paper,
        "figure": findings.experiment.figure,
        "points": [
            {"line": cell.line, **cell.at, "values": dict(cell.values)} for cell in findings.cells
        ],
        "claims": [
            {"text": each.claim.text, "verdict": each.word, "numbers": each.numbers}
            for each in verdicts
        ],
        "refused": dict(findings.refused),
        "missing": list(findings.experiment.missing),
    }

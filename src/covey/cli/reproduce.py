"""covey reproduce: the papers' numbers beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from covey.cli.experiments import (
    CACHE,
    Running,
    chosen_experiments,
    run_chosen,
    show_findings,
)
from covey.cli.printed_tables import show_numbers
from covey.cli.show import console, reporting, show_json
from covey.errors import DataError, PlanError, ReleaseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.report.figure_section import FigureSection
    from covey.reproduce import PrintedTable, Result
    from covey.reproduce.experiments import Findings


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(help="000, 001, 002, 003, 004 or literature; all if left out.")
    ] = None,
    *,
    table: Annotated[str | None, typer.Option(help='One table only, such as "Table I".')] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write HTML with the figures redrawn, into a folder one page for each paper, or "
            "put the tables into a Markdown document (.md) that has the two comments for it.",
        ),
    ] = None,
    figure: Annotated[
        str | None, typer.Option(help='One figure, such as "Figure 4.5", or "all"; no tables.')
    ] = None,
    experiment: Annotated[
        Path | None, typer.Option(help="An experiment of your own (TOML) instead.")
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Run the figure or experiment on your own records or edges.")
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", "-s", help="What is public about them (TOML).")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Figures with few points and one run.")
    ] = False,
    cache: Annotated[
        Path | None, typer.Option(help=f"Folder that keeps scores; {CACHE} unless given.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores unless given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Recompute the papers' tables and figures from the reference data.

    Tables look as the paper prints them, the printed number above ours.
    The data are read from the folder named in COVEY_DATA.

    Example:

      covey reproduce 001 --table "Table I" -o tables.html

      covey reproduce 001 -o docs/papers/001.md

      covey reproduce 002 --figure 4.5 --data mine.csv -s mine.toml -o mine.html
    """
    from covey.reproduce import load_entries, load_tables
    from covey.reproduce import reproduce as run
    from covey.reproduce.experiments import figure_section, load_experiments

    how = Running(quick=quick, cache=cache, workers=workers, quiet=as_json)
    if figure is not None or experiment is not None or data is not None:
        if table is not None:
            raise PlanError("a table and a figure were asked for at once. Leave one of them out.")
        chosen = chosen_experiments(paper, figure, experiment)
        _show_figures(run_chosen(chosen, how, data=data, schema=schema), output, as_json=as_json)
        return
    entries, tables = load_entries(paper, table), load_tables(paper)
    document = _document(output) if output is not None and output.suffix == ".md" else None
    with reporting(quiet=as_json) as report:
        results = list(run(entries, report))
    sections = []
    if output is not None and document is None and table is None:
        sections = [figure_section(each) for each in run_chosen(load_experiments(paper), how)]
    if output is not None and document is not None:
        _write(output, _with_tables(document, results, tables, output))
    elif output is not None:
        _write_pages(output, results, sections, tables)
    if as_json:
        show_json(
            [
                {
                    "paper": result.entry.paper,
                    "table": result.entry.table,
                    "data": result.entry.data,
                    "method": result.entry.method,
                    **result.entry.settings,
                    "printed": result.entry.printed,
                    "printed_text": result.entry.text,
                    "ours": result.ours,
                    "low": None if result.spread is None else result.spread.low,
                    "high": None if result.spread is None else result.spread.high,
                    "difference": result.difference,
                    "status": result.status,
                    "basis": result.entry.basis,
                    "convention": result.entry.convention,
                    "reproduced": result.reproduced,
                }
                for result in results
            ]
        )
        return
    show_numbers(results, tables)
    if output is not None:
        console.print(f"Written to [bold]{escape(str(output))}[/].")


def _show_figures(all_findings: Sequence[Findings], output: Path | None, *, as_json: bool) -> None:
    from covey.reproduce.experiments import figure_section

    show_findings(all_findings, as_json=as_json)
    if output is not None:
        _write_pages(output, [], [figure_section(findings) for findings in all_findings])
        if not as_json:
            console.print(f"Written to [bold]{escape(str(output))}[/].")


def _write_pages(
    output: Path,
    results: Sequence[Result],
    figures: Sequence[FigureSection],
    tables: Sequence[PrintedTable] = (),
) -> None:
    """Write one page, or into a folder one for each paper."""
    from covey.report.reproduce_page import reproduce_page
    from covey.reproduce.layout import laid_out, others

    if output.suffix:
        _write(output, reproduce_page(others(results), figures, laid_out(tables, results)))
        return
    papers = [*(result.paper for result in results), *(section.paper for section in figures)]
    for paper in dict.fromkeys(papers):
        own = [result for result in results if result.paper == paper]
        drawn = [section for section in figures if section.paper == paper]
        grids = laid_out(tables, own)
        _write(output / f"{paper}.html", reproduce_page(others(own), drawn, grids))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ReleaseError(
            f"the page {str(path)!r} cannot be written ({error.strerror}). "
            f"Choose a place where you may write."
        ) from error


def _document(path: Path) -> str:
    """Read a document and see that it has room for tables, before minutes are spent on them."""
    from covey.reproduce.markdown import inserted

    try:
        document = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReleaseError(
            f"the document {str(path)!r} cannot be read as UTF-8 text, so its tables cannot be put "
            f"in. Write the document first."
        ) from error
    inserted(document, "", name=str(path))
    return document


def _with_tables(
    document: str, results: list[Result], tables: Sequence[PrintedTable], path: Path
) -> str:
    from covey.reproduce.markdown import inserted, markdown

    if any(result.status.startswith("not run") for result in results):
        raise DataError(
            f"some reference data are missing, so the tables of {str(path)!r} would lose numbers "
            f"and stay as they were. Name the folder of the data in COVEY_DATA."
        )
    return inserted(document, markdown(results, tables), name=str(path))

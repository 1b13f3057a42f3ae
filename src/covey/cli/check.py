"""covey check: what the columns look like, what does not fit, and which records would be lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as Grid

from covey.cli.reading import described_as, reads_tables, show_reading
from covey.cli.show import console, show_json
from covey.errors import DataError, PlanError, suggest

if TYPE_CHECKING:
    from covey import Schema
    from covey.table.dialect import Dialect
    from covey.table.misfits import ColumnMisfit
    from covey.table.profile import ColumnProfile

EXIT_MISFIT = DataError.exit_code
BLOCKS = "▁▂▃▄▅▆▇█"


@reads_tables
def check(
    data: Annotated[str, typer.Argument(help="The records, or a release folder.")],
    described_in: Annotated[
        Path | None,
        typer.Argument(metavar="[SCHEMA]", help="As --schema.", readable=False),
    ] = None,
    *,
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema",
            "-s",
            help="What is public about the columns (TOML); a draft unless given.",
            readable=False,
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to publish, separated by commas; all but identifiers."),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(help="Ledger that should have paid for a release folder.", readable=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    reading: Dialect,
) -> None:
    """Show what the columns look like and what does not fit their description, for you alone.

    Nothing is published or spent. Exit code 6 says that a release would be refused.

    A release folder is held against its checksums, its card and its ledger; 6 if something differs.

    For example:

      covey check people.csv

      covey check people.csv people.toml --columns age,income

      covey check out/ --ledger people.ledger
    """
    import covey
    from covey.table.draft import draft_raw
    from covey.table.misfits import count_left_out, find_misfits
    from covey.table.profile import profile_columns
    from covey.table.read import read_raw

    if (Path(data) / "guarantee.json").is_file():
        _refuse_others(schema or described_in, columns)
        _check_folder(Path(data), ledger, as_json=as_json)
        return
    if ledger is not None or (schema is not None and described_in is not None):
        raise PlanError(
            "--ledger belongs to a release folder, and one schema is enough, so nothing was "
            "checked. Give the folder that `covey publish` wrote, or leave one of them out."
        )
    schema = schema or described_in
    described = described_as(covey.Schema.load(schema) if schema else None, reading)
    found = read_raw(data, described, reading)[0]
    if described is None:
        described = draft_raw(found)
        found = read_raw(data, described, reading)[0]
    _refuse_other_columns(found.frame.columns, described)
    published = _published(described, columns)
    profiles = profile_columns(found.frame, described)
    misfits = find_misfits(found.frame, described)
    left_out = count_left_out(found.frame, described, published)
    wrong = {name: misfits[name].refused for name in published if misfits[name].refused}
    if as_json:
        show_json(
            {
                "do_not_publish": "computed on the originals",
                "records": found.frame.height,
                "left_out": left_out,
                "columns": [_as_dict(each, misfits[each.name]) for each in profiles],
            }
        )
    else:
        console.print("[bold red]Do not publish: computed on the originals.[/]")
        show_reading(found.reading)
        console.print(_grid(profiles, misfits))
        for name, why in wrong.items():
            text = f"[bold]{escape(name)}[/]: {escape(why)}"
            console.print(text, width=min(console.width, 80))
        console.print(
            f"{left_out:,} of {found.frame.height:,} records would be left out, because they lack "
            f"a value of a published column."
            if left_out
            else f"None of {found.frame.height:,} records would be left out.",
            width=min(console.width, 80),
        )
    if wrong:
        raise typer.Exit(EXIT_MISFIT)


def _refuse_others(schema: Path | None, columns: str | None) -> None:
    if schema is not None or columns is not None:
        raise PlanError(
            "a release folder has its own schema and columns, so others mean nothing and nothing "
            "was checked. Leave them out."
        )


def _check_folder(folder: Path, ledger: Path | None, *, as_json: bool) -> None:
    from covey.release.recovery import recover_folder
    from covey.report.folder_check import check_release

    recover_folder(folder)
    wrong = check_release(folder, ledger=ledger)
    if as_json:
        show_json({"folder": str(folder), "wrong": list(wrong)})
    for sentence in () if as_json else wrong:
        console.print(f"[bold red]wrong:[/] {escape(sentence)}", soft_wrap=True)
    if wrong:
        raise typer.Exit(EXIT_MISFIT)
    if not as_json:
        console.print("The files, the guarantee and the card are as they were published.")


def _refuse_other_columns(there: list[str], described: Schema) -> None:
    for name in described.names:
        if name not in there:
            raise PlanError(
                f"the schema describes a column {name!r} that the data do not have. "
                f"{suggest(name, there)}"
            )


def _published(described: Schema, columns: str | None) -> list[str]:
    known = [each.name for each in described if each.role != "identifier"]
    if columns is None:
        return known
    wanted = [name.strip() for name in columns.split(",")]
    for name in wanted:
        if name not in known:
            raise PlanError(f"there is no column {name!r} to publish. {suggest(name, known)}")
    return wanted


def _grid(profiles: tuple[ColumnProfile, ...], misfits: dict[str, ColumnMisfit]) -> Grid:
    grid = Grid(box=None, pad_edge=False, width=min(console.width, 80))
    for title in ("column", "missing", "different", "outside", "how they are spread or written"):
        right = title in ("missing", "different", "outside")
        grid.add_column(title, justify="right" if right else "left", no_wrap=right)
    for each in profiles:
        outside = misfits[each.name].outside
        cells = (f"{each.gaps:,}", f"{each.distinct:,}", f"{outside:,}" if outside else "")
        grid.add_row(escape(each.name), *cells, escape(_spread(each)))
    return grid


def _spread(profile: ColumnProfile) -> str:
    if profile.ends:
        most = max(profile.bars)
        bars = "".join(BLOCKS[round((len(BLOCKS) - 1) * bar / most)] for bar in profile.bars)
        apart = "".join(f"; {text}: {count:,}" for text, count in profile.frequent)
        return f"{profile.ends[0]} {bars} {profile.ends[1]}{apart}"
    if profile.frequent:
        listed = [f"{text} {count:,}" for text, count in profile.frequent[:4]]
        more = " …" if profile.distinct > len(listed) else ""
        return ", ".join(listed) + more
    return ", ".join(pattern for pattern, _ in profile.patterns[:3])


def _as_dict(profile: ColumnProfile, misfit: ColumnMisfit) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(profile) | {"outside": misfit.outside, "refused": misfit.refused}

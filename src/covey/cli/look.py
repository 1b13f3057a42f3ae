"""covey show: what a release folder holds and promises, some time after."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from covey.cli.show import console, show_guarantee, show_json


def show_release(
    folder: Annotated[
        Path, typer.Argument(help="What `covey publish` wrote.", readable=False, metavar="FOLDER")
    ],
    *,
    rows: Annotated[int, typer.Option(help="How many published rows to print.", min=0)] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Show a release again: its promise, its plan and its first rows.

    Example:

      covey show out/
    """
    from covey.release import open_release
    from covey.release.recovery import recover_folder

    recover_folder(folder)
    saved = open_release(folder)
    files = sorted(path.name for path in folder.iterdir())
    if as_json:
        show_json(
            {
                "folder": str(folder),
                "files": files,
                "columns": saved.scan().collect_schema().names(),
                "guarantee": saved.guarantee.to_dict(),
                "plan": saved.plan.to_dict(),
                "ledger": saved.ledger.to_dict(),
            }
        )
        return
    show_guarantee(saved.guarantee)
    given = {name: told for name, told in saved.plan.parameters.items() if told is not None}
    settings = ", ".join(f"{name} = {told}" for name, told in given.items())
    console.print(
        f"System: [bold]{saved.plan.system}[/]{escape(f' ({settings})' if settings else '')}"
    )
    console.print(f"Files: {escape(', '.join(files))}")
    if rows:
        console.print(escape(str(saved.scan().head(rows).collect())), soft_wrap=True)

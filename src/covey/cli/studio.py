"""covey studio: the whole job in the browser, on this machine only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey.cli.show import console
from covey.errors import PlanError


def studio(
    file: Annotated[
        Path | None, typer.Argument(help="A table or graph to open.", readable=False)
    ] = None,
    *,
    port: Annotated[
        int, typer.Option(help="Where to listen on this machine; any free port unless given.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    ledger_folder: Annotated[
        Path | None,
        typer.Option(help="Where to keep the ledgers, one for each data set.", readable=False),
    ] = None,
) -> None:
    """Publish in the browser: a page on this machine only.

    For example:

      covey studio

      covey studio people.csv

      covey studio --no-browser --port 8123
    """
    try:
        from covey.studio.serve import ledger_folder as usual
        from covey.studio.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "covey":
            raise
        raise PlanError(
            f"the web page needs {error.name!r}, which is not installed, so it was not started. "
            f"Run `make studio`, or install covey with its extra `studio`, first."
        ) from error

    def ready(address: str) -> None:
        console.print(f"Covey Studio: {address}", soft_wrap=True, highlight=False)
        console.print("Only this machine can open it. Stop with Ctrl-C.")
        if browser:
            typer.launch(address)

    if file is not None and not file.is_file():
        raise PlanError(f"there is no file {str(file)!r} to open. Check the path.")
    serve(port=port, opening=file, ledgers=ledger_folder or usual(), ready=ready)

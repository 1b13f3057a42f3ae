"""Which verbs are there, and what happens when one fails?"""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Annotated, Any

import typer
from rich.markup import escape

from covey.cli import (
    advise,
    audit,
    check,
    compare,
    demo,
    describe,
    evaluate,
    ledger,
    pilot,
    project,
    publish,
    reproduce,
    studio,
    tabulate,
    taxonomy,
)
from covey.cli.show import errors
from covey.errors import CoveyError, RecoveryWarning

EXIT_BUG = 1
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="covey",
    help="Publish tables and graphs about people, with a guarantee that says what it covers.",
    epilog="Start with: covey demo.   Exit codes: 0 done, 1 a bug, 2 bad input, "
    "3 the ledger is exhausted, 4 the guarantee is less than required, "
    "5 an audit without power, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"covey {version('covey')}")
        raise typer.Exit


@app.callback()
def _covey(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda value: _version(wanted=value),
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    pass


app.command("demo")(demo.demo)
app.command("systems")(describe.systems)
app.command("schema")(describe.schema)
app.command("check")(check.check)
app.command("taxonomy")(taxonomy.taxonomy)
app.command("ledger")(ledger.ledger)
app.command("advise")(advise.advise)
app.command("pilot")(pilot.pilot)
app.command("publish")(publish.publish)
app.command("tabulate")(tabulate.tabulate)
app.command("project")(project.project)
app.command("evaluate")(evaluate.evaluate)
app.command("audit")(audit.audit)
app.command("compare")(compare.compare)
app.command("reproduce")(reproduce.reproduce)
app.command("studio")(studio.studio)


def main() -> None:
    """Run the command line; explain errors in words and never print a record."""
    _print_whatever()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            warnings.simplefilter("always", RecoveryWarning)
            app()
    except CoveyError as error:
        _explain(f"[bold red]error:[/] {escape(str(error))}")
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, SystemExit) as stop:
        # Typer turns Ctrl-C into an exit without a word.
        code = stop.code if isinstance(stop, SystemExit) else EXIT_INTERRUPTED
        if code == EXIT_INTERRUPTED:
            _explain("[bold]interrupted:[/] a release folder is complete and charged, or neither.")
        sys.exit(code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_BUG)
    except Exception as error:
        # A traceback can quote values of the data, so it is shown on request only.
        if os.environ.get("COVEY_DEBUG"):
            raise
        _explain(
            f"[bold red]internal error[/] ({type(error).__name__}): this is a bug in covey, not a "
            f"mistake of yours. A release folder is complete and charged, or neither. Set "
            f"COVEY_DEBUG=1 to see where it happened (the output may quote data), and report it."
        )
        sys.exit(EXIT_BUG)


def _print_whatever() -> None:
    """Let no character that the terminal lacks end a command: a question mark stands for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _warn(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    del category, where, more  # lines of covey mean nothing to whoever runs a command
    _explain(f"[bold yellow]warning:[/] {escape(str(message))}")


def _explain(markup: str) -> None:
    # Whole words on a screen, one line in a log.
    errors.print(markup, soft_wrap=not errors.is_terminal)

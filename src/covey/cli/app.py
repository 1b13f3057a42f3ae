"""Which verbs are there, and what happens when one fails?"""

from __future__ import annotations

import io
import os
import sys
import warnings
from pathlib import Path
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
    look,
    pilot,
    project,
    publish,
    reproduce,
    studio,
    tabulate,
    taxonomy,
)
from covey.cli.log import (
    common_options_first,
    error_line,
    log_start,
    logger,
    start_log,
    stop_log,
)
from covey.cli.show import console, errors
from covey.errors import CoveyError, RecoveryWarning

EXIT_BUG = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="covey",
    help="Publish tables and graphs about people, with a guarantee that says what it covers.",
    epilog="Start with: covey demo.   Exit codes: 0 done, 1 a bug, 2 wrong arguments or places, "
    "3 the ledger is exhausted, 4 the guarantee is less than required, "
    "5 an audit without power, 6 the data or their description cannot be used, 130 interrupted.",
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
    version: Annotated[  # noqa: ARG001 — its callback answers
        bool,
        typer.Option(
            "--version",
            callback=lambda value: _version(wanted=value),
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print errors, warnings and JSON alone.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print each step on standard error.")
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            help="File that each step is appended to; never a record.",
            envvar="COVEY_LOG",
            readable=False,
        ),
    ] = None,
) -> None:
    # These may also stand behind the verb: see `common_options_first`.
    console.quiet = quiet
    start_log(log, verbose=verbose)
    log_start(sys.argv[1:])


app.command("demo")(demo.demo)
app.command("systems")(describe.systems)
app.command("schema")(describe.schema)
app.command("check")(check.check)
app.command("taxonomy")(taxonomy.taxonomy)
app.command("ledger")(ledger.ledger)
app.command("advise")(advise.advise)
app.command("pilot")(pilot.pilot)
app.command("publish")(publish.publish)
app.command("show")(look.show_release)
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
    as_json = "--json" in sys.argv
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            warnings.simplefilter("always", RecoveryWarning)
            _run(common_options_first(sys.argv[1:]), as_json=as_json)
    except CoveyError as error:
        logger.error("%s: %s", type(error).__name__, error)
        if as_json:
            _explain_to_machines(type(error).__name__, str(error), error.exit_code)
        else:
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
        kind = type(error).__name__
        logger.error("internal error (%s)", kind)
        said = (
            f"({kind}): this is a bug in covey, not a mistake of yours. A release folder is "
            f"complete and charged, or neither. Set COVEY_DEBUG=1 to see where it happened (the "
            f"output may quote data), and report it."
        )
        if as_json:
            _explain_to_machines(kind, f"internal error {said}", EXIT_BUG)
        else:
            _explain(f"[bold red]internal error[/] {said}")
        sys.exit(EXIT_BUG)
    finally:
        stop_log()
        console.quiet = False


def _run(arguments: list[str], *, as_json: bool) -> None:
    """Run a verb; for machines, wrong options are told as JSON as well."""
    if not as_json:
        app(arguments, prog_name="covey")
        return
    try:
        code = app(arguments, prog_name="covey", standalone_mode=False)
    except Exception as error:
        told = getattr(error, "format_message", None)  # of click's errors, whichever click it is
        if told is None:
            raise
        _explain_to_machines("UsageError", told(), EXIT_USAGE)
        sys.exit(EXIT_USAGE)
    sys.exit(code or 0)


def _explain_to_machines(kind: str, message: str, code: int) -> None:
    typer.echo(error_line(kind, message, code), err=True)


def _print_whatever() -> None:
    """Let no character that the terminal lacks end a command: a question mark stands for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _warn(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    del category, where, more  # lines of covey mean nothing to whoever runs a command
    logger.warning("%s", message)
    _explain(f"[bold yellow]warning:[/] {escape(str(message))}")


def _explain(markup: str) -> None:
    # Whole words on a screen, one line in a log.
    errors.print(markup, soft_wrap=not errors.is_terminal)

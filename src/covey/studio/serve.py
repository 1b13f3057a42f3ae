"""How is the studio served, where does it listen, and what is left when it ends?  Nothing."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn

from covey.engines.shared.scratch import clear_abandoned, scratch_folder
from covey.errors import PlanError
from covey.studio.app import Studio, make_application
from covey.studio.guard import Guard, new_token

HOST = "127.0.0.1"


def serve(
    *, port: int, ledgers: Path, ready: Callable[[str], None], opening: Path | None = None
) -> None:
    """Serve the page until Ctrl-C or a request to end, then remove every trace.

    Parameters
    ----------
    port : int
        Where to listen on this machine; 0 for any free port.
    ledgers : Path
        Where the ledgers of data sets are kept.
    ready : callable
        Called with the address once the page can be opened.
    opening : Path, optional
        A table or a graph that the first tab opens.
    """
    with _socket(port) as listening, _private_folder() as folder:
        number = int(listening.getsockname()[1])
        studio = Studio(folder=folder, ledgers=ledgers, opening=opening)
        served, scripts = make_application(studio)
        guard = Guard(application=served, token=new_token(), port=number, scripts=scripts)
        config = uvicorn.Config(
            guard,
            log_level="error",
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
            ws_max_size=2**24,
        )
        server = uvicorn.Server(config)
        _end_on_request(server)
        # The socket listens already, so the address works as soon as it is known.
        ready(f"http://{HOST}:{number}/{guard.token}/")
        try:
            # Ctrl-C is how a studio is meant to end.
            with suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
        finally:
            studio.close()


def ledger_folder() -> Path:
    """Return where ledgers are kept unless told otherwise: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "share") / "covey" / "ledgers"


def _socket(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except (OSError, OverflowError):
        listening.close()
        raise PlanError(
            f"port {port} is taken or not allowed, so the page cannot be served there. "
            f"Give another with --port, or leave it out."
        ) from None
    listening.listen(64)
    return listening


@contextmanager
def _private_folder() -> Iterator[Path]:
    """Make a folder that only this user can read, and remove it however the studio ends.

    Shiny and covey put their temporary files there too.  Folders that a killed studio left are
    removed now.
    """
    clear_abandoned()
    owner = _Owner()
    folder = scratch_folder(owner)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    outside = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        os.environ.pop("TMPDIR")
        if outside is not None:
            os.environ["TMPDIR"] = outside
        shutil.rmtree(folder, ignore_errors=True)


class _Owner:
    """Who a private folder belongs to."""


def _end_on_request(server: uvicorn.Server) -> None:
    """End properly when the terminal is closed, too: cleaning up must not be skipped."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Whoever started it with nohup wants it to stay.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, server.handle_exit)

"""What does a run leave for whoever looks after machines?  Python's logging, and never a record.

Messages name steps, files, systems and guarantees.  Progress in numbers of records is not logged.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

from covey.errors import PlanError

logger = logging.getLogger("covey")
logger.addHandler(logging.NullHandler())  # without it Python prints warnings of its own accord

_LINE = "%(asctime)s %(levelname)s %(message)s"
_ANYWHERE = {
    "-q": "--quiet",
    "--quiet": "--quiet",
    "-v": "--verbose",
    "--verbose": "--verbose",
    "--log": "--log",
}


def common_options_first(arguments: list[str]) -> list[str]:
    """Put what every verb takes in front of the verb, wherever it stands.

    Examples
    --------
    >>> common_options_first(["publish", "a.csv", "-q", "--log", "a.log"])
    ['--quiet', '--log', 'a.log', 'publish', 'a.csv']
    """
    first, rest = [], []
    waiting = iter(arguments)
    for word in waiting:
        name, equals, _ = word.partition("=")
        if name == "--log" and equals:
            first.append(word)
        elif word in _ANYWHERE:
            first.append(_ANYWHERE[word])
            if word == "--log":
                first.extend(next(([each] for each in waiting), []))
        else:
            rest.append(word)
    return [*first, *rest]


def start_log(file: Path | None, *, verbose: bool) -> None:
    """Write what happens to a file, and to standard error if asked for."""
    stop_log()
    handlers: list[logging.Handler] = []
    if verbose:
        handlers.append(logging.StreamHandler())
    if file is not None:
        try:
            handlers.append(logging.FileHandler(file, encoding="utf-8"))
        except OSError as error:
            raise PlanError(
                f"the log {str(file)!r} cannot be written ({error.strerror}), so nothing was done. "
                f"Choose another file."
            ) from None
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_LINE))
        logger.addHandler(handler)
    if handlers:
        logger.setLevel(logging.INFO)


def stop_log() -> None:
    """Close what `start_log` opened."""
    for handler in [*logger.handlers]:
        if not isinstance(handler, logging.NullHandler):
            logger.removeHandler(handler)
            handler.close()
    logger.setLevel(logging.NOTSET)


def log_start(arguments: list[str]) -> None:
    """Log which command runs, in which process."""
    logger.info("covey %s (process %d)", " ".join(arguments), os.getpid())


def error_line(kind: str, message: str, code: int) -> str:
    """Return an error as one line of JSON, for those who asked for JSON."""
    content: dict[str, Any] = {"error": {"kind": kind, "message": message, "exit_code": code}}
    return json.dumps(content)

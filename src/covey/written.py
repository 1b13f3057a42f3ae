"""How are the small files that people write (schema, plan, ledger) read without hanging?

A pipe waits for a writer who may never come, a device never ends, and brackets in brackets fifty
thousand deep exhaust the parser: each is told as a file that cannot be read or is not valid.
"""

from __future__ import annotations

import errno
import json
import stat
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from covey.errors import suggest

MOST_BYTES = 2**28
"""Far more than anybody writes by hand; a schema of 100,000 categories has some 2 MB."""

_TOO_DEEP = "it is nested too deeply"


def read_written(path: Path, encoding: str = "utf-8") -> str:
    """Return the text of a file; OSError if it is none, or never ends."""
    try:
        found = path.stat()
    except ValueError:
        raise OSError(errno.EINVAL, "its path holds a NUL sign") from None
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise OSError(errno.EINVAL, "it is a pipe or a device and no file")
    if found.st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, "it is far too large to be one")
    return path.read_text(encoding=encoding)


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML; TOMLDecodeError also if it is nested too deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError(_TOO_DEEP) from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        # Python reads no whole number of more than 4300 digits.
        raise tomllib.TOMLDecodeError("a number in it has thousands of digits") from None


def parse_json(text: str) -> Any:
    """Read JSON; ValueError also if it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def unknown_key(content: object, known: Collection[str]) -> str | None:
    """Return the end of a sentence about the first key that means nothing here, or None."""
    if not isinstance(content, Mapping):
        return None
    wrong = next((key for key in content if key not in known), None)
    if wrong is None:
        return None
    return f"has a key {wrong[:80]!r} that means nothing here. {suggest(wrong[:80], known)}"

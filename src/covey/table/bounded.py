"""How are the bytes of a file read without hanging and without filling the memory?

Pipes without a writer, devices and packed files that never end are refused; nothing is read
beyond what this machine can hold.
"""

from __future__ import annotations

import gzip
import io
import math
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from covey.errors import DataError

STANDARD_INPUT = "-"
"""The path that stands for what is piped in."""

_UNKNOWN = 8 * 2**30
"""Bytes of memory that are assumed where the machine does not tell."""

_GZIP = b"\x1f\x8b"


def most_bytes() -> int:
    """Return how much text may be read at most: half of the machine's memory."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN // 2


class Source:
    """Bytes that can be opened as often as needed.

    Parameters
    ----------
    name : str
        What the file is called in sentences.
    open : callable
        Opens it from its beginning.
    """

    def __init__(self, name: str, open: Callable[[], IO[bytes]]) -> None:  # noqa: A002
        self.name = name
        self._open = open

    @contextmanager
    def opened(self) -> Iterator[BoundedBytes]:
        """Open it, unpacked and bounded."""
        with reading_errors(self.name), self._open() as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            content: Any = gzip.GzipFile(fileobj=raw) if packed else raw
            # A plain file ends where it ends; whoever holds it whole asks for its size before.
            yield BoundedBytes(content, self.name, most_bytes() if packed else None)

    def sample(self, size: int) -> bytes:
        """Return the first bytes, unpacked."""
        with self.opened() as content:
            return content.read(size)


def open_source(path: str | Path) -> Source:
    """Find a file, or take what is piped in.

    Parameters
    ----------
    path : path
        A file; ``-`` is standard input, which is read to its end at once.
    """
    if str(path) == STANDARD_INPUT:
        with reading_errors("standard input"):
            bounded = BoundedBytes(sys.stdin.buffer, "standard input", most_bytes())
            content = bounded.read()
        return Source("standard input", lambda: io.BytesIO(content))
    path = Path(path)
    refuse_endless(path)
    return Source(str(path), lambda: path.open("rb"))


def refuse_endless(path: Path) -> None:
    """Refuse what is no file: a pipe hangs until somebody writes, a device never ends."""
    with reading_errors(str(path)):
        try:
            mode = path.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            raise DataError(
                f"there is no file {str(path)!r}, so nothing was read. Check the path."
            ) from None
        except ValueError:
            raise DataError(
                "the path of the data holds a NUL sign, which no file's name can. Check the path."
            ) from None
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        raise DataError(
            f"{str(path)!r} is a pipe, which can be read only once and may never begin, so nothing "
            f"was read. Pipe it in (`… | covey … -`), or save it as a file first."
        )
    if not stat.S_ISREG(mode):
        raise DataError(
            f"{str(path)!r} is no file with a table, so nothing was read. Give the path of a file."
        )


def refuse_large(path: Path) -> None:
    """Refuse a file that is to be held whole and cannot be."""
    if path.stat().st_size > most_bytes():
        raise _too_large(str(path))


def _too_large(name: str) -> DataError:
    return DataError(
        f"the file {name!r} holds more than half of this machine's memory, so nothing was "
        f"published. Check that it is not a packed file without an end; unpack it, and read it "
        f"piece by piece with --engine stream."
    )


class BoundedBytes(io.RawIOBase):
    """Bytes that end at a bound with an error, and count quotes on their way."""

    def __init__(self, content: Any, name: str, most: int | None) -> None:
        super().__init__()
        self._content, self._name = content, name
        self._left: float = math.inf if most is None else most
        self.quote, self.quotes, self.nul_allowed = b"", 0, True

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, target: Any) -> int:
        """Read some bytes."""
        chunk = self._content.read(len(target))
        self._left -= len(chunk)
        if self._left < 0:
            raise _too_large(self._name)
        if not self.nul_allowed and b"\0" in chunk:
            raise DataError(
                f"the file {self._name!r} holds NUL bytes, which no text does: it is damaged, or "
                f"no text file. If it is UTF-16, say so: --encoding utf-16. Otherwise export it "
                f"again."
            )
        if self.quote:
            self.quotes += chunk.count(self.quote)
        target[: len(chunk)] = chunk
        return len(chunk)


@contextmanager
def reading_errors(name: str) -> Iterator[None]:
    """Explain what the machine says about a file that cannot be read."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "damaged"
        raise DataError(
            f"the file {name!r} cannot be read ({reason}). "
            f"Check that it is complete and that you may read it."
        ) from error

"""How much memory may the streaming engine use, and for what?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from covey.errors import PlanError

BASE = 350 * 2**20
"""What Python, polars, SciPy and numba occupy before the first record is read."""

LEAST = 512 * 2**20
_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_AMOUNT = r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]i?B)?"
_ABSURD = 2**50
_MOST_ROWS = 2**18
_COPIES = 60
"""Bytes that a value of a piece costs while it is read, checked and worked on, measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A bound on the memory of the whole process.

    Parameters
    ----------
    limit : int
        In bytes.
    """

    limit: int

    @classmethod
    def of(cls, text: str | int) -> Memory:
        """Read a bound as a person types it.

        Examples
        --------
        >>> Memory.of("1GB").limit
        1000000000
        """
        match = re.fullmatch(
            r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]i?B)?\s*", str(text), re.IGNORECASE
        )
        limit = 0
        if match is not None:
            limit = int(float(match[1]) * _UNITS[(match[2] or "").upper()])
        if limit < LEAST:
            raise PlanError(
                f"memory = {text!r} is not a number of bytes of at least 512 MiB, which the "
                f"libraries alone need. Write it like 1GB or 750MB."
            )
        if limit > _ABSURD:
            raise PlanError(
                f"memory = {text!r} is more than any machine has, so it bounds nothing. Write what "
                f"this process may use, like 1GB or 750MB."
            )
        return cls(limit=limit)

    @property
    def free(self) -> int:
        """Return what is left for data."""
        return self.limit - BASE

    @property
    def spool(self) -> int:
        """Return how many bytes of rows may be held while they are sorted."""
        return self.free // 4

    def rows(self, columns: int) -> int:
        """Return the number of rows of a piece."""
        return max(1024, min(_MOST_ROWS, self.free // 4 // (_COPIES * max(columns, 1))))

    def require(self, needed: int, what: str) -> None:
        """Refuse work whose tables, a function of public numbers, would not fit."""
        if needed > self.free:
            whole = (needed + BASE) / 10**9
            raise PlanError(
                f"{what} would need about {whole:.1f} GB, more than the memory that was allowed, "
                f"so nothing was published. Allow more (--memory), publish fewer columns, or "
                f"choose another k."
            )

"""Which child and parent pairs to begin with when nobody has made a taxonomy.

Each function makes the edges of a draft from a list of distinct values.  None looks at how
frequent a value is, so a draft from a public list tells nothing about the records; a draft from
the values that occur is marked in its file.
"""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

DRAFT_MARK = "# drafted from data"
"""The first line of a taxonomy whose values were read off the data."""


def is_drafted(path: Path) -> bool:
    """Return whether the file of a taxonomy is marked; what cannot be read is not."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return is_mark(next((line for line in file if line.strip("\r\n")), ""))
    except (OSError, ValueError):  # no file, or no name of one
        return False


def is_mark(line: str) -> bool:
    """Return whether a line is the mark, as a person or a program for tables may leave it."""
    return line.strip().strip('",;').strip().lower() == DRAFT_MARK


def flat_edges(values: Collection[str]) -> list[tuple[str, str]]:
    """Put all values directly under one root, called ``*``."""
    root = _unlike("*", values)
    return [(root, ""), *((value, root) for value in values)]


def prefix_edges(codes: Collection[str]) -> list[tuple[str, str]]:
    """Put every two codes under the characters that both begin with, written ``A01*``.

    A code that begins other codes is their parent.

    Examples
    --------
    >>> prefix_edges(["A1", "A2", "B"])
    [('*', ''), ('A*', '*'), ('A1', 'A*'), ('A2', 'A*'), ('B', '*')]
    """
    codes, ordered = set(codes), sorted(codes)
    top = _beginning(ordered[0], ordered[-1])  # sorted: what these two share, all share
    if top in codes:
        top = ""
    label = {code: code for code in ordered}
    for begin in [top, *(_beginning(*pair) for pair in pairwise(ordered))]:
        label.setdefault(begin, _unlike(f"{begin}*", codes))
    edges, path = [(label[top], "")], [top]
    for begin in sorted(set(label) - {top}):  # a beginning sorts before what begins with it
        while not begin.startswith(path[-1]):
            path.pop()
        edges.append((label[begin], label[path[-1]]))
        path.append(begin)
    return edges


def halving_edges(ordered_values: Sequence[str]) -> list[tuple[str, str]]:
    """Halve the range of the values until each stands alone; a range is written ``low..high``.

    Examples
    --------
    >>> halving_edges(["low", "high"])
    [('low..high', ''), ('high', 'low..high'), ('low', 'low..high')]
    """
    edges: list[tuple[str, str]] = []
    values = set(ordered_values)
    ranges = [(0, len(ordered_values), "")]
    while ranges:
        start, stop, parent = ranges.pop()
        label = ordered_values[start]
        if stop - start > 1:
            label = _unlike(f"{label}..{ordered_values[stop - 1]}", values)
            middle = (start + stop) // 2
            ranges += [(start, middle, label), (middle, stop, label)]
        edges.append((label, parent))
    return edges


def _beginning(one: str, other: str) -> str:
    """Return the characters that both begin with."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(character for character, _ in alike)


def _unlike(label: str, values: Collection[str]) -> str:
    """Mark a made-up label until it is no value."""
    while label in values:
        label += "*"
    return label

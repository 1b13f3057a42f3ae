"""How is a categorical attribute cut in two, again and again, along its taxonomy?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.partition.priv_tree import Side

if TYPE_CHECKING:
    from covey.table import Taxonomy


def taxonomy_side(taxonomy: Taxonomy, values: tuple[str, ...]) -> tuple[Side, tuple[str, ...]]:
    """Return the side of a categorical attribute and the order of its values on it.

    The children of each concept are halved into groups of about as many values, so every cut
    follows the taxonomy and the fan-out is two.  A concept with several parents stays under
    the first; a value that is an inner concept comes before its specialisations.  Midpoints of
    the side's scale fall exactly on these cuts.  All of it is public.

    Parameters
    ----------
    taxonomy : Taxonomy
        The attribute's taxonomy.
    values : tuple of str
        The possible values, all of them concepts.
    """
    pieces = _pieces(taxonomy, set(values))
    order: list[str] = []
    edges: list[float] = []
    stack = [(pieces, 0.0, 1.0)]
    while stack:
        piece, low, high = stack.pop()
        if isinstance(piece, str):
            order.append(piece)
            edges.append(low)
            continue
        first, second = _halves(piece)
        middle = (low + high) / 2.0
        stack += [(second, middle, high), (first, low, middle)]
    return Side(edges=np.array([*edges, 1.0])), tuple(order)


Piece = "str | list[Piece]"


def _pieces(taxonomy: Taxonomy, values: set[str]) -> object:
    """Return the taxonomy as nested lists of values, concepts without values left out."""
    children: list[list[int]] = [[] for _ in taxonomy.concepts]
    for code, above in enumerate(taxonomy.parents):
        if above:
            children[above[0]].append(code)

    def below(code: int) -> object | None:
        parts = [part for part in map(below, children[code]) if part is not None]
        if taxonomy.concepts[code] in values:
            parts.insert(0, taxonomy.concepts[code])
        if len(parts) <= 1:
            return parts[0] if parts else None
        return parts

    return below(taxonomy.root) or []


def _halves(parts: object) -> tuple[object, object]:
    """Cut a list of pieces in two where the numbers of values are most alike."""
    assert isinstance(parts, list)  # noqa: S101 — values are handled by the caller
    sizes = np.cumsum([_size(part) for part in parts])
    at = int(np.argmin(np.abs(2 * sizes[:-1] - sizes[-1]))) + 1
    first, second = parts[:at], parts[at:]
    return (first[0] if len(first) == 1 else first), (second[0] if len(second) == 1 else second)


def _size(part: object) -> int:
    return 1 if isinstance(part, str) else sum(map(_size, part))  # type: ignore[call-overload]

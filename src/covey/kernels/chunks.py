"""How does a long kernel report progress and let itself be interrupted?

Compiled code neither calls back nor sees Ctrl-C.  So the drivers run kernels for a bounded
number of steps at a time, and between two such chunks Python is itself again.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 0.2


def run_in_chunks(
    advance: Callable[[int], int],
    *,
    total: int,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Call ``advance(steps)`` until it returns ``total``, the number of records done.

    The number of steps follows the clock, so that a chunk takes about a fifth of a second;
    what is computed does not depend on it.
    """
    steps = 16
    done = 0
    while done < total:
        start = perf_counter()
        done = advance(steps)
        elapsed = max(perf_counter() - start, 1e-6)
        steps = max(1, int(steps * min(2.0, _SECONDS / elapsed)))
        if progress is not None:
            progress(done, total)

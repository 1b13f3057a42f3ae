"""Which plan suits these data?  Many systems and parameters side by side, for the curator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from covey.compare.comparison import Comparison, Row, summarise
from covey.compare.grid import trials
from covey.compare.run import run_all
from covey.errors import PlanError
from covey.graph import Graph

if TYPE_CHECKING:
    from covey.table import Table

__all__ = ["Comparison", "Row", "compare"]


def compare(
    data: Table | Graph,
    systems: Sequence[str],
    *,
    epsilon: Sequence[float] = (1.0,),
    k: Sequence[int] = (5,),
    columns: Sequence[str] | None = None,
    runs: int = 1,
    cache: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Try systems with several epsilons and ks on one data set, on all cores.

    For the curator: every score is computed on the originals, and choosing by them voids the
    guarantee of what is then published, unless the choice is a system's default.

    Parameters
    ----------
    data : Table or Graph
        The originals.
    systems : sequence of str
        Names in `covey.SYSTEMS`.
    epsilon, k : sequence
        Values to try, with the systems that take them.
    columns : sequence of str, optional
        Columns to publish.
    runs : int
        How often a system with noise is repeated; its scores are means.
    cache : path, optional
        Folder in which scores are kept, so that an interrupted comparison goes on.
    workers : int, optional
        Processes; all cores unless given.
    progress : callable, optional
        Called with (what is being done, plans done, plans in total).
    """
    if not systems or runs < 1 or (workers is not None and workers < 1):
        raise PlanError(
            "a comparison needs at least one system, one run and one worker, so nothing was "
            "compared. Name systems from `covey systems`."
        )
    kind = "graph" if isinstance(data, Graph) else "table"
    wanted = trials(systems, data=kind, epsilons=epsilon, ks=k, runs=runs, columns=columns)
    results = run_all(
        wanted,
        data,
        cache=None if cache is None else Path(cache),
        workers=workers,
        progress=progress,
    )
    return summarise(results, kind)

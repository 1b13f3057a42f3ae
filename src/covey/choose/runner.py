"""How are many plans run and scored, on all cores, without doing work twice?"""

from __future__ import annotations

import ast
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from time import perf_counter
from traceback import walk_stack
from typing import Any

from covey.choose.cache import ScoreCache
from covey.choose.trial import Trial
from covey.errors import CoveyError, PlanError
from covey.evaluate import METRICS, evaluate
from covey.graph import Graph
from covey.plan import Plan
from covey.release import Release, Trace
from covey.release.promised import SEEDED
from covey.run import run
from covey.systems import Progress
from covey.table import Table

Score = Callable[[Any, Release, Trace], Mapping[str, float]]
"""Compares data with their release and its trace; a function of a module, for other processes."""


def run_plan(plan: Plan, data: Table | Graph, score: Score) -> Trial:
    """Make one release and compare it with its data; a refusal is a result, too."""
    start = perf_counter()
    try:
        release, trace = run(plan, data, trace=True)
        scores = _comparable(score(data, release, trace))
    except CoveyError as error:
        return Trial(plan=plan, refused=str(error))
    # That the noise of a trial is seeded says nothing against the plan.
    faults = tuple(reason for reason in release.guarantee.reasons if reason != SEEDED)
    return Trial(plan=plan, scores=scores, seconds=perf_counter() - start, faults=faults)


def _comparable(found: Mapping[str, float]) -> dict[str, float]:
    """Return scores that can stand beside those of other plans.

    Where records are compared over some columns only, loss and linkage are smaller than over all.
    """
    partly = bool(getattr(found, "unlinked", ()))
    return {
        name: value
        for name, value in found.items()
        if not (partly and name in METRICS and METRICS[name].aligned)
    }


def run_plans(
    plans: Sequence[Plan],
    data: Table | Graph,
    *,
    score: Score = evaluate,
    cache: Path | None = None,
    workers: int | None = 1,
    progress: Progress | None = None,
) -> tuple[Trial, ...]:
    """Run and score all plans that the cache does not know, and return a trial for each.

    Parameters
    ----------
    score : callable
        Compares data with their release.
    cache : path, optional
        Folder that keeps the scores by plan and data; interrupted work goes on there.
    workers : int, optional
        Processes; one is this one, and None is all cores.
    progress : callable, optional
        Called with ("comparing", plans done, plans in total).
    """
    kept = None if cache is None else ScoreCache(cache, data, score.__qualname__)
    known = {} if kept is None else {at: kept.read(plan) for at, plan in enumerate(plans)}
    trials = {at: trial for at, trial in known.items() if trial is not None}
    waiting = {at: plan for at, plan in enumerate(plans) if at not in trials}
    for at, trial in _run(waiting, data, score, workers):
        trials[at] = trial
        if kept is not None:
            kept.write(trial)
        if progress is not None:
            progress("comparing", len(trials), len(plans))
    return tuple(trials[at] for at in range(len(plans)))


def _run(
    plans: Mapping[int, Plan], data: Table | Graph, score: Score, workers: int | None
) -> Iterator[tuple[int, Trial]]:
    number = min(workers or os.cpu_count() or 1, max(1, len(plans)))
    if number == 1:
        yield from ((at, run_plan(plan, data, score)) for at, plan in plans.items())
        return
    refuse_unguarded()
    # A fresh interpreter for each worker: forking a process that runs threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        number, mp_context=context, initializer=_receive, initargs=(data, score)
    ) as pool:
        tasks = {pool.submit(_run_received, plan): at for at, plan in plans.items()}
        try:
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            # Ctrl-C must not wait for trials that nobody wants any more.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_received: list[Any] = []


def _receive(*data_and_score: Any) -> None:
    _received[:] = data_and_score


def _run_received(plan: Plan) -> Trial:
    return run_plan(plan, *_received)


def refuse_unguarded() -> None:
    """Refuse a script that workers would run again: they import it to know what it defines.

    They would do all that it does before this call once more, and then never end, because a
    process that is starting may not start others.
    """
    main = sys.modules["__main__"]
    name = getattr(main.__spec__, "name", "")
    lines = [
        frame.f_lineno
        for frame, _ in walk_stack(None)
        if frame.f_globals is vars(main) and frame.f_code.co_name == "<module>"
    ]
    if name.endswith("__main__") or not lines:
        return  # a package that is run is never imported by workers
    try:
        script = ast.parse(Path(main.__file__ or "").read_bytes())
    except (AttributeError, OSError, SyntaxError, ValueError):
        return  # a notebook or a prompt: there is nothing to import
    for statement in script.body:
        guarded = any(getattr(part, "id", "") == "__name__" for part in ast.walk(statement))
        if statement.lineno <= lines[-1] <= (statement.end_lineno or 0) and not guarded:
            raise PlanError(
                f"line {lines[-1]} of this script calls covey outside `if __name__ == "
                f'"__main__":`, so every worker would run the script from its beginning. Put the '
                f"call under that line, or do without workers (workers = 1)."
            )

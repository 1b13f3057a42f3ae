"""How are many plans run and scored, on all cores, without doing work twice?"""

from __future__ import annotations

import ast
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from traceback import walk_stack
from typing import Any

from covey.choose.cache import ScoreCache
from covey.choose.neighbours import with_random_neighbour
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
        release, trace = run(with_random_neighbour(plan, data), data, trace=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTask:
    """One plan to be tried on one of several data sets.

    Parameters
    ----------
    plan : Plan
        What to try.
    attempt : callable
        Tries a plan on data: a function of a module, for other processes.
    scored_as : str
        What the scores are called in the cache, so that others are not taken for them.
    data : str
        The name of the data set.
    """

    plan: Plan
    attempt: Callable[[Plan, Any], Trial]
    scored_as: str
    data: str = ""


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
    cache, workers, progress
        As in `run_tasks`.
    """
    # Bound late, so that what stands for `run_plan` in a test is what is called.
    attempt = partial(run_plan, score=score)
    tasks = [TrialTask(plan=plan, attempt=attempt, scored_as=score.__qualname__) for plan in plans]
    return run_tasks(tasks, {"": data}, cache=cache, workers=workers, progress=progress)


def run_tasks(
    tasks: Sequence[TrialTask],
    sets: Mapping[str, Table | Graph],
    *,
    cache: Path | None = None,
    workers: int | None = 1,
    progress: Progress | None = None,
    what: str = "comparing",
) -> tuple[Trial, ...]:
    """Do all tasks that the cache does not know, and return a trial for each.

    Parameters
    ----------
    tasks : sequence of TrialTask
        What to try, on which of the data sets.
    sets : mapping
        The data sets by name.
    cache : path, optional
        Folder that keeps the scores by plan and data; interrupted work goes on there.
    workers : int, optional
        Processes; one is this one, and None is all cores.
    progress : callable, optional
        Called with (``what``, tasks done, tasks in total).
    """
    kept: dict[tuple[str, str], ScoreCache] = {}
    if cache is not None:
        for data, scored_as in {(task.data, task.scored_as) for task in tasks}:
            kept[data, scored_as] = ScoreCache(cache, sets[data], scored_as)
    trials: dict[int, Trial] = {}
    for at, task in enumerate(tasks):
        known = kept[task.data, task.scored_as].read(task.plan) if kept else None
        if known is not None:
            trials[at] = known
    waiting = {at: task for at, task in enumerate(tasks) if at not in trials}
    for at, trial in _run(waiting, sets, workers):
        trials[at] = trial
        if kept:
            kept[tasks[at].data, tasks[at].scored_as].write(trial)
        if progress is not None:
            progress(what, len(trials), len(tasks))
    return tuple(trials[at] for at in range(len(tasks)))


def _run(
    tasks: Mapping[int, TrialTask], sets: Mapping[str, Table | Graph], workers: int | None
) -> Iterator[tuple[int, Trial]]:
    number = min(workers or os.cpu_count() or 1, max(1, len(tasks)))
    if number == 1:
        yield from ((at, task.attempt(task.plan, sets[task.data])) for at, task in tasks.items())
        return
    refuse_unguarded()
    # A fresh interpreter for each worker: forking a process that runs threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        number, mp_context=context, initializer=_receive, initargs=(sets,)
    ) as pool:
        running = {pool.submit(_run_received, task): at for at, task in tasks.items()}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except BaseException:
            # Ctrl-C must not wait for trials that nobody wants any more.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_received: list[Mapping[str, Any]] = []


def _receive(sets: Mapping[str, Any]) -> None:
    _received[:] = [sets]


def _run_received(task: TrialTask) -> Trial:
    return task.attempt(task.plan, _received[0][task.data])


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

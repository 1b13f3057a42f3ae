"""How are many releases made and measured, on all cores, without doing work twice?

Scores are computed on the originals, so a comparison, and the folder that keeps its scores, are
for the curator alone.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from pathlib import Path
from typing import Any

from covey.compare.grid import Trial
from covey.errors import CoveyError, ReleaseError
from covey.evaluate import evaluate
from covey.graph import Graph
from covey.plan import Plan
from covey.publish import publish
from covey.release.release import SEEDED
from covey.table import Table

WARNING = "do not publish: computed on the originals"

Result = Mapping[str, Any]
"""Scores of one trial, the kind of its guarantee, or what was wrong with it."""


def measure(trial: Trial, data: Table | Graph) -> Result:
    """Make one release and compare it with the originals; an error is a result, too."""
    try:
        release = publish(data, trial.system, random_state=trial.run, **trial.settings)
        scores = dict(evaluate(data, release))
    except CoveyError as error:
        return {"error": str(error)}
    # That the noise of a trial is seeded says nothing against the plan.
    faults = [reason for reason in release.guarantee.reasons if reason != SEEDED]
    return {"scores": scores, "faults": faults}


def run_all(
    trials: Sequence[Trial],
    data: Table | Graph,
    *,
    cache: Path | None,
    workers: int | None,
    progress: Callable[[str, int, int], None] | None,
) -> dict[Trial, Result]:
    """Measure all trials that no earlier comparison of the same data has measured.

    Parameters
    ----------
    cache : path, optional
        Folder that keeps the scores by plan and data; an interrupted comparison goes on there.
    workers : int, optional
        Processes; all cores unless given.
    """
    store = _Store(cache, data) if cache is not None else None
    results: dict[Trial, Result] = {}
    for trial in trials:
        known = store.read(trial) if store else None
        if known is not None:
            results[trial] = known
    waiting = [trial for trial in trials if trial not in results]
    for trial, result in _measured(waiting, data, workers):
        results[trial] = result
        if store:
            store.write(trial, result)
        if progress is not None:
            progress("comparing", len(results), len(trials))
    return results


def _measured(
    trials: Sequence[Trial], data: Table | Graph, workers: int | None
) -> Iterator[tuple[Trial, Result]]:
    number = min(workers or os.cpu_count() or 1, max(1, len(trials)))
    if number == 1:
        yield from ((trial, measure(trial, data)) for trial in trials)
        return
    # A fresh interpreter for each worker: forking a process that runs threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        number, mp_context=context, initializer=_receive, initargs=(data,)
    ) as pool:
        tasks = {pool.submit(_measure_received, trial): trial for trial in trials}
        try:
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            # Ctrl-C must not wait for trials that nobody wants any more.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_received: list[Table | Graph] = []


def _receive(data: Table | Graph) -> None:
    _received[:] = [data]


def _measure_received(trial: Trial) -> Result:
    return measure(trial, _received[0])


class _Store:
    """Scores on disk, one small file for each trial."""

    def __init__(self, folder: Path, data: Table | Graph) -> None:
        self._folder = folder
        self._schema = data.schema if isinstance(data, Table) else None
        self._data = _digest(data)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReleaseError(
                f"the folder {str(folder)!r} cannot be made ({error.strerror}), so scores cannot "
                f"be kept. Choose a place where you may write."
            ) from error

    def _file(self, trial: Trial) -> Path:
        plan = Plan(
            system=trial.system,
            parameters=trial.settings,
            schema=self._schema,
            random_state=trial.run,
        )
        name = f"{plan.fingerprint}-{self._data}-{version('covey')}"
        return self._folder / f"{name}.json"

    def read(self, trial: Trial) -> Result | None:
        try:
            content: Result = json.loads(self._file(trial).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content

    def write(self, trial: Trial, result: Result) -> None:
        file = self._file(trial)
        # Whole or not at all: a half-written file would be read by the next run.
        draft = file.with_suffix(".part")
        draft.write_text(json.dumps({"warning": WARNING, **result}), encoding="utf-8")
        draft.replace(file)


def _digest(data: Table | Graph) -> str:
    digest = hashlib.sha256()
    if isinstance(data, Graph):
        digest.update(data.indptr.tobytes())
        digest.update(data.indices.tobytes())
    else:
        for value in data.frame.hash_rows(seed=1).to_numpy():
            digest.update(int(value).to_bytes(8, "big"))
    return digest.hexdigest()[:16]

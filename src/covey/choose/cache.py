"""Where are scores kept, so that interrupted work goes on and none is done twice?

Scores are computed on the originals, so the folder that keeps them is for the curator alone.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

from covey.choose.trial import Trial
from covey.errors import ReleaseError
from covey.graph import Graph
from covey.plan import Plan
from covey.table import Table

WARNING = "do not publish: computed on the originals"


class ScoreCache:
    """Trials of one data set on disk, one small file for each plan."""

    def __init__(self, folder: Path, data: Table | Graph, score: str) -> None:
        self._folder = folder
        self._suffix = f"{_digest(data)}-{score}-{version('covey')}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReleaseError(
                f"the folder {str(folder)!r} cannot be made ({error.strerror}), so scores cannot "
                f"be kept. Choose a place where you may write."
            ) from error

    def read(self, plan: Plan) -> Trial | None:
        """Return what is known of a plan."""
        try:
            content = json.loads(self._file(plan).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        del content["warning"]
        return Trial(plan=plan, **content | {"faults": tuple(content["faults"])})

    def write(self, trial: Trial) -> None:
        """Keep a trial: whole or not at all, since the next run reads it."""
        names = ("scores", "seconds", "faults", "refused")
        content = {"warning": WARNING} | {name: getattr(trial, name) for name in names}
        file = self._file(trial.plan)
        draft = file.with_suffix(".part")
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(file)

    def _file(self, plan: Plan) -> Path:
        return self._folder / f"{plan.fingerprint}-{self._suffix}"


def _digest(data: Table | Graph) -> str:
    digest = hashlib.sha256()
    if isinstance(data, Graph):
        digest.update(data.indptr.tobytes())
        digest.update(data.indices.tobytes())
    else:
        digest.update(data.frame.hash_rows(seed=1).to_numpy().tobytes())
    return digest.hexdigest()[:16]

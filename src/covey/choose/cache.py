"""Where are scores kept, so that interrupted work goes on and none is done twice?

Scores are computed on the originals, so the folder that keeps them is for the curator alone.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from covey.choose.trial import Trial
from covey.errors import ReleaseError
from covey.graph import Graph
from covey.plan import Plan
from covey.table import Table

WARNING = "do not publish: computed on the originals"
_KEPT = ("scores", "seconds", "faults", "refused")


class ScoreCache:
    """Trials of one data set on disk, one line for each plan in one file."""

    def __init__(self, folder: Path, data: Table | Graph, score: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReleaseError(
                f"the folder {str(folder)!r} cannot be made ({error.strerror}), so scores cannot "
                f"be kept. Choose a place where you may write."
            ) from error
        self._file = folder / f"{_digest(data)}-{score}-{version('covey')}.jsonl"
        self._known = _read_lines(self._file)

    def read(self, plan: Plan) -> Trial | None:
        """Return what is known of a plan."""
        content = self._known.get(plan.fingerprint)
        if content is None:
            return None
        kept = {name: content[name] for name in _KEPT}
        return Trial(plan=plan, **kept | {"faults": tuple(content["faults"])})

    def write(self, trial: Trial) -> None:
        """Keep a trial, as one line that is written at once."""
        content = {"warning": WARNING, "plan": trial.plan.fingerprint}
        content |= {name: getattr(trial, name) for name in _KEPT}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(content) + "\n")


def _read_lines(file: Path) -> dict[str, dict[str, Any]]:
    """Read what was kept; a line that a killed process left half is as if it were not there."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    known: dict[str, dict[str, Any]] = {}
    for line in lines:
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict) and {"plan", *_KEPT} <= content.keys():
            known[content["plan"]] = content
    return known


def _digest(data: Table | Graph) -> str:
    digest = hashlib.sha256()
    if isinstance(data, Graph):
        digest.update(data.indptr.tobytes())
        digest.update(data.indices.tobytes())
    else:
        digest.update(data.frame.hash_rows(seed=1).to_numpy().tobytes())
    return digest.hexdigest()[:16]

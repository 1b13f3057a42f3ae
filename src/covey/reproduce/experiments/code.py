"""Is what was kept still what this code computes?  A digest of all that has a say in scores."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

ROOMS = (
    *("aggregate", "choose", "core", "engines", "evaluate", "graph", "kernels", "partition"),
    *("postprocess", "release", "systems", "table"),
)
"""Folders of covey whose code has a say."""

FILES = (
    *("publish.py", "run.py", "seeded.py"),
    *(f"reproduce/experiments/{name}.py" for name in ("attempt", "measures", "sets")),
)


@cache
def code_digest() -> str:
    """Return a short hash: scores that other code has computed are not taken for its own."""
    root = Path(str(files("covey")))
    sources = [root / file for file in FILES]
    for room in ROOMS:
        sources += sorted((root / room).rglob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]

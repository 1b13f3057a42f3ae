"""The same draws lead to the same release, whichever engine answers the questions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.recorded.plans import SOUND
from tests.recorded.record import RELEASES, table
from tests.recorded.test_recorded import first_difference

BEFORE = json.loads(RELEASES.read_text(encoding="utf-8"))
WHOLE_GRAPH = ("degree-histogram-node", "joint-degree-boxes-node", "personalised-dk")
"""What needs the edges themselves, which files are not read for."""

FROM_FILES = [plan for plan in SOUND if not plan.name.startswith(WHOLE_GRAPH)]


@pytest.mark.parametrize("plan", FROM_FILES, ids=lambda plan: plan.name)
def test_files_give_what_memory_gives(plan, tmp_path) -> None:
    streamed = replace(plan, engine="stream", file="parquet")

    out = streamed.publish(tmp_path).save(tmp_path / "out", format="csv")

    for name, before in BEFORE[plan.name]["tables"].items():
        now = table((out / f"{name}.csv").read_text(encoding="utf-8"))
        assert not first_difference(before, now), f"table {name!r}"
        assert now["types"] == before["types"], f"table {name!r}"

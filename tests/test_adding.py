"""The examples of docs/adding.md, run from the first to the last, and what they add taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import covey
from covey.core import CLAIMS
from covey.core.questions import CLAIMED
from covey.engines.files.records import STREAM_ANSWERS
from covey.engines.memory.records import ANSWERS
from covey.partition import PARTITIONERS
from covey.systems import SYSTEMS
from tests.contracts.people import people

PAGE = Path(__file__).parents[1] / "docs" / "adding.md"


@pytest.fixture
def registries():
    """Take back what the examples register."""
    held = (CLAIMED, CLAIMS, ANSWERS, STREAM_ANSWERS, PARTITIONERS, SYSTEMS)
    before = [dict(registry) for registry in held]
    yield held
    for registry, old in zip(held, before, strict=True):
        registry.clear()
        registry.update(old)


def test_every_example_runs(registries) -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    sizes = [len(registry) for registry in registries]
    space = {"people": people(), "__name__": "adding"}

    for block in blocks:
        # The examples are ours, and they are what this test is about; they say themselves how
        # their annotations are read.
        exec(compile(block, str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102

    assert len(blocks) == 7
    assert all(len(registry) > size for registry, size in zip(registries, sizes, strict=True))
    found = covey.partition([[5.0], [1.0], [4.0], [2.0], [3.0]], "first-column", k=2)
    assert found.labels.tolist() == [1, 0, 1, 0, 1]

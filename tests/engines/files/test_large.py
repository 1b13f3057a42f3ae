"""Two million records fall into the same blocks, clusters and boxes, with the same centroids."""

from __future__ import annotations

import pytest

from covey.engines.files import Memory
from tests.engines.files.engines import streamed
from tests.engines.files.large import PLANS, assert_same, expected

LITTLE = Memory.of("600MB")
"""So little that records are sorted on disk, in buckets."""


@pytest.mark.parametrize("system", PLANS)
def test_two_million_records_are_published_alike(two_million, system) -> None:
    schema, asked = PLANS[system]

    found = streamed(two_million, schema, system, LITTLE, **asked)

    assert_same(found, expected(two_million, system))

"""What every system's release owes its readers: a valid card and both editions of the report."""

from __future__ import annotations

import json
from html import unescape

import pytest
from jsonschema import Draft202012Validator

import covey
from covey.release.folder import DOCUMENTS
from covey.report import card_schema, curator_report
from covey.systems import SYSTEMS
from tests.contracts import graphs, publishing
from tests.contracts.people import people

VALIDATOR = Draft202012Validator(card_schema())


def published(name: str) -> tuple[covey.Table | covey.Graph, covey.Release, covey.Trace]:
    if SYSTEMS[name].data == "graph":
        data = graphs.friends()
        return data, *graphs.publish(name, data, trace=True)
    data = people()
    if SYSTEMS[name].releases == "cells":
        asked = {"epsilon": 1.0, "tables": ["region*health", "age"], "bins": {"age": 3}}
        return data, *covey.publish(data, name, trace=True, **asked)
    return data, *publishing.publish(name, data, trace=True)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_release_of_every_system_is_described_and_drawn(name) -> None:
    data, release, trace = published(name)

    described, public = (make(release) for make in DOCUMENTS.values())
    VALIDATOR.validate(json.loads(described))
    curated = curator_report(data, release, covey.evaluate(data, release, trace), trace)
    for page in (public, curated):
        assert str(release.guarantee) in unescape(page)
        assert "<svg " in page or "nothing to draw" in page or '<table class="cross">' in page
    assert "Do not publish: computed on the originals" in curated
    assert "Do not publish" not in public

"""SDMX-CSV has the columns, codes and totals that its readers expect."""

from __future__ import annotations

import re

import numpy as np

from covey.postprocess.sdmx import codes_of, sdmx_csv
from covey.postprocess.tidy_tables import tidy

LABELS = {"région (1)": ("a b", "a_b", "(missing)"), "action": ("20-29", "30+")}


def test_every_cell_is_an_observation_with_a_key_of_its_own() -> None:
    shapes = {(): (), ("région (1)",): (3,), ("région (1)", "action"): (3, 2)}
    cells = {
        names: dict.fromkeys(("count", "lower", "upper"), np.arange(np.prod(shape, dtype=int)))
        for names, shape in shapes.items()
    }
    cells = {n: {k: v.reshape(shapes[n]) for k, v in c.items()} for n, c in cells.items()}

    frame, codes = sdmx_csv(tidy(LABELS, cells), LABELS, "OFFICE:FLOW(2.1)")

    dimensions = frame.columns[3:-3]
    assert frame.columns[:3] == ["STRUCTURE", "STRUCTURE_ID", "ACTION"]
    assert frame.columns[-3:] == ["OBS_VALUE", "LOWER_BOUND", "UPPER_BOUND"]
    assert all(re.fullmatch("[A-Z][A-Z0-9_]*", name) for name in dimensions)
    assert len(set(frame.columns)) == len(frame.columns)
    assert frame.select(dimensions).is_unique().all()
    assert frame.row(0)[:6] == ("dataflow", "OFFICE:FLOW(2.1)", "I", "_T", "_T", 0)
    assert codes.columns == ["dimension", "column", "code", "label"]
    assert codes.height == 2 + 5


def test_codes_are_plain_and_told_apart() -> None:
    codes = codes_of(["a b", "a_b", "a/b", "_T", "(missing)", "", "Zürich"])

    assert len(set(codes)) == 7
    assert (codes[4], codes[6]) == ("_U", "Zurich")
    assert "_T" not in codes
    assert all(re.fullmatch(r"[A-Za-z0-9_@$-]+", code) for code in codes)

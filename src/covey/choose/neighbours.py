"""Which neighbour does a system get that is defined for a pair of data sets?  One drawn at random.

The systems of paper 002, chapters 4 and 5, need a second table in which one record is replaced.
Experiments say ``neighbour = "random"``, and every run draws another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.table import Table

if TYPE_CHECKING:
    from covey.graph import Graph
    from covey.plan import Plan

RANDOM = "random"


def with_random_neighbour(plan: Plan, data: Table | Graph) -> Plan:
    """Return a plan whose random neighbour, if it asks for one, is drawn from its seed."""
    if plan.parameters.get("neighbour") != RANDOM or not isinstance(data, Table):
        return plan
    neighbour = random_neighbour(data, plan.random_state or 0)
    return replace(plan, parameters={**plan.parameters, "neighbour": neighbour})


def random_neighbour(table: Table, seed: int) -> Table:
    """Replace one record by values that are drawn from each column by itself."""
    rng = np.random.default_rng(seed)
    place, frame = int(rng.integers(table.n)), table.frame
    drawn = [frame[name].gather([int(rng.integers(table.n))]) for name in frame.columns]
    return replace(table, frame=pl.concat([frame[:place], pl.DataFrame(drawn), frame[place + 1 :]]))

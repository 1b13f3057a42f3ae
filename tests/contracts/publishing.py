"""How is each system called in the tests of the registry?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import covey
from covey.partition.base import REQUIRED
from covey.systems import TABLE_SYSTEMS as SYSTEMS
from tests.contracts.people import people

NAMES = list(SYSTEMS)
PRIVATE = [name for name in NAMES if SYSTEMS[name].kind.is_differential_privacy]
NOISY = [name for name in NAMES if not SYSTEMS[name].deterministic]

# Values for the parameters without a default: a new one needs an example here.
EXAMPLES: dict[str, Any] = {"k": 3, "epsilon": 1.0, "alpha": 2, "preferences": "allowed"}
NEEDED = {"cross-moment": {"epsilon": 1.0}, "personalised": {"threshold": 1.0}}
COLUMNS = {"exponential": ("region",)}
ORDERED = ("age", "income", "visits", "health")


def takes(name: str, parameter: str) -> bool:
    """Return whether a system has a parameter."""
    return any(known.name == parameter for known in SYSTEMS[name].parameters)


# Systems for numbers, which are tested with frames of numbers alone, too; a column of
# preferences would not be published with the others.
NUMERIC = [name for name in NAMES if name not in COLUMNS and not takes(name, "preferences")]
# The other data set of a pair is named in a plan only if it is a file.
ALONE = [name for name in NAMES if not takes(name, "neighbour")]


def required(name: str, data: Any) -> dict[str, Any]:
    """Return example values; the neighbour of a pair has its first record replaced by its last."""
    examples = EXAMPLES | {"neighbour": neighbour(data)}
    return NEEDED.get(name, {}) | {
        parameter.name: examples[parameter.name]
        for parameter in SYSTEMS[name].parameters
        if parameter.default is REQUIRED
    }


def neighbour(data: Any) -> Any:
    """Return data of the same kind in which the last record stands for the first, too."""
    if isinstance(data, covey.Table):
        frame = data.frame
        return replace(data, frame=pl.concat([frame.tail(1), frame.slice(1)]))
    if isinstance(data, np.ndarray):
        return np.concatenate([data[-1:], data[1:]])
    if isinstance(data, pd.DataFrame):
        return pd.concat([data.tail(1), data.iloc[1:]])
    if isinstance(data, pa.Table):
        return pa.concat_tables([data.slice(len(data) - 1), data.slice(1)])
    return pl.concat([data.tail(1), data.slice(1)])


def with_epsilon(name: str, epsilon: float) -> dict[str, Any]:
    """Return the bound on the loss of a record under the name that a system has for it."""
    names = [known for known in ("epsilon", "threshold") if takes(name, known)]
    return dict.fromkeys(names, epsilon)


def chosen(name: str) -> dict[str, Any]:
    """Return the parameters that keep a system from columns that it cannot publish."""
    return {"columns": COLUMNS.get(name, ORDERED)} if takes(name, "columns") else {}


def publish(name: str, data: Any = None, **parameters: Any) -> covey.Release:
    """Publish the people, or other data with the same columns."""
    data = people() if data is None else data
    return covey.publish(data, name, **required(name, data) | chosen(name) | parameters)


def numeric_release(name: str, data: Any, **parameters: Any) -> covey.Release:
    """Publish all columns of data that hold numbers alone."""
    return covey.publish(data, name, **required(name, data) | parameters)

"""Random settings for a random system, and random data that it can be given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from benchmarks.soak.tables import draw_table
from covey.graph import from_edges
from covey.partition.base import REQUIRED
from covey.systems import SYSTEMS
from covey.table import Role, Scale, Schema

if TYPE_CHECKING:
    from covey.graph import Graph
    from covey.systems import Parameter

NUMERIC = (
    "individual-ranking",
    "optimal-univariate",
    "rank-blocks",
    "mdav-dp",
    "mdav-ir-dp",
    "opt-dp",
    "cross-moment",
    "2-stable",
    "alpha-stable",
)
MIXED = ("md", "mdav", "v-mdav", "exponential", "laplace", "insensitive", "tables")
_NO_PLACE = ("missing", "categories")

CANNOT = {name: ("missing",) if name in MIXED else _NO_PLACE for name in (*MIXED, *NUMERIC)}
"""What a system refuses by name, so that most plans give it something else."""

EPSILONS = (0.001, 0.1, 0.5, 1.0, 3.0, 20.0, 1_000.0)


@dataclass(frozen=True, slots=True)
class Case:
    """What is published in one run, all of it drawn from the seed."""

    seed: int
    system: str
    data: Any
    frame: pl.DataFrame | None
    schema: Schema | None
    settings: dict[str, Any]
    engine: str
    saved: bool
    measured: bool

    def __str__(self) -> str:
        """Say what is run; the data follow from the seed."""
        shown = {
            name: "…" if name in ("neighbour", "schema") else value
            for name, value in self.settings.items()
        }
        return f"{self.system} {shown} on {self.engine}"


def draw_case(seed: int, place: Path, systems: list[str] | None = None) -> Case:
    """Draw a system, settings and data from a seed."""
    rng = np.random.default_rng(seed)
    name = str(rng.choice(systems or list(SYSTEMS)))
    system = SYSTEMS[name]
    streamed = system.kind.is_differential_privacy or name == "individual-ranking"
    engine = "stream" if streamed and rng.random() < 0.2 else "memory"
    frame, schema = None, None
    if system.data == "graph":
        data: Any = draw_graph(rng)
        engine = "memory"
    else:
        without = CANNOT.get(name, ()) if rng.random() < 0.85 else ()
        frame, schema = draw_table(rng, place, without=without)
        if name == "personalised":
            allowed = pl.Series("allowed", rng.choice([0.1, 0.5, 1.0, 20.0], len(frame)))
            frame, schema = frame.with_columns(allowed), _with_preferences(schema)
        data = _given(frame, engine, rng, place)
    settings = {"random_state": seed} if rng.random() < 0.8 else {}
    for parameter in system.parameters:
        value = _value(parameter, name, frame, schema, rng)
        if value is not None:
            settings[parameter.name] = value
    if "rho" in settings and rng.random() < 0.8:
        settings.pop("epsilon", None)
        settings.pop("delta", None)
    if system.data == "graph" and engine == "memory" and rng.random() < 0.1:
        settings["chosen_on_data"] = True
    return Case(
        seed=seed,
        system=name,
        data=data,
        frame=frame,
        schema=schema,
        settings=settings,
        engine=engine,
        saved=rng.random() < 0.3,
        measured=rng.random() < 0.2,
    )


def draw_graph(rng: np.random.Generator) -> Graph:
    """Return a small graph: sparse, dense, a star, a path, equal degrees, or without edges."""
    n = int(rng.choice([1, 2, 3, 10, 40, 150, 600]))
    shape = str(rng.choice(["heavy", "heavy", "sparse", "dense", "star", "path"] * 3 + ["empty"]))
    first, second = np.triu_indices(n, 1)
    weight = rng.pareto(1.5, n) + 0.3
    keep = {
        "heavy": lambda: rng.random(first.size) < np.minimum(weight[first] * weight[second] / n, 1),
        "sparse": lambda: rng.random(first.size) < 1.5 / n,
        "dense": lambda: rng.random(first.size) < (0.8 if n < 200 else 0.2),
        "star": lambda: first == 0,
        "path": lambda: second == first + 1,
        "empty": lambda: np.zeros(first.size, dtype=bool),
    }[shape]()
    edges = np.stack([first[keep], second[keep]], axis=1)
    graph: Graph = from_edges(edges, ids=np.array([f"v{number}" for number in range(n)]))
    return graph


def _with_preferences(schema: Schema) -> Schema:
    from covey.table import Attribute

    return Schema(
        (*schema.attributes, Attribute("allowed", role=Role.IDENTIFIER)), folder=schema.folder
    )


def _given(frame: pl.DataFrame, engine: str, rng: np.random.Generator, place: Path) -> Any:
    """Return the records as one of the kinds that people have."""
    kind = str(rng.choice(["polars", "pandas", "arrow", "csv", "parquet"]))
    if kind == "csv" or (engine == "stream" and kind in ("polars", "pandas")):
        frame.write_csv(place / "data.csv")
        return place / "data.csv"
    if kind == "parquet" or engine == "stream":
        frame.write_parquet(place / "data.parquet")
        return place / "data.parquet"
    if kind == "pandas":
        return frame.to_pandas()
    return frame.to_arrow() if kind == "arrow" else frame


def _value(  # noqa: C901, PLR0911, PLR0912 — one line for each kind of setting
    parameter: Parameter,
    system: str,
    frame: pl.DataFrame | None,
    schema: Schema | None,
    rng: np.random.Generator,
) -> Any:
    """Draw a value that a setting may have, or None to leave it out."""
    name, needed = parameter.name, parameter.default is REQUIRED
    if not needed and rng.random() < (0.3 if name == "columns" else 0.5):
        return None
    usable = [] if schema is None else [a.name for a in schema if a.role is not Role.IDENTIFIER]
    numeric = [
        name for name in usable if schema is not None and schema[name].scale is not Scale.NOMINAL
    ]
    if name == "epsilon":
        return float(rng.choice(EPSILONS[:-2] if system == "private-tree" else EPSILONS))
    if name == "threshold":
        return float(rng.choice([0.5, 1.0, 20.0]))
    if name == "delta":
        return float(rng.choice([1e-6, 1e-12])) if rng.random() < 0.3 else None
    if name == "rho":
        return float(rng.choice([0.01, 0.5, 3.0])) if rng.random() < 0.2 else None
    if name == "k":
        return int(rng.choice([1, 2, 3, 10, 50], p=[0.05, 0.3, 0.3, 0.25, 0.1]))
    if name in ("theta", "alpha", "tau", "top", "preference_seed"):
        return int(rng.choice([1, 2, 3, 8, 40])) + (1 if name == "top" else 0)
    if name == "m":
        return int(rng.integers(0, 3))
    if name == "strategy":
        return int(rng.integers(1, 3))
    if name == "method":
        if rng.random() < 0.5:
            return None
        number = int(rng.integers(1, 27))
        return f"B{number % 8 + 1}" if rng.random() < 0.3 else number
    if name in ("gamma", "mu"):
        return float(rng.choice([0.0, 0.2, 0.5, 0.9]))
    if name == "neighbour":
        return _neighbour(frame, rng)
    if name == "preferences":
        return "allowed" if frame is not None else "paper"
    if name == "columns":
        pool = numeric if system in NUMERIC and rng.random() < 0.8 else usable
        return _some(pool, rng)
    if name in ("blocks", "target"):
        return None if rng.random() < 0.7 else _some(usable, rng)[:1] or None
    if name == "tables":
        return _products(usable, rng)
    if name == "weighted_by":
        weights = [
            each for each in usable if schema is not None and schema[each].role is Role.WEIGHT
        ]
        return weights[0] if weights else None
    if name == "bins":
        return dict.fromkeys(numeric[:1], int(rng.choice([1, 2, 10]))) or None
    if name == "groups":
        return ";".join(numeric) if numeric and rng.random() < 0.5 else None
    if name == "split":
        return str(rng.choice(["even", "range"]))
    if name == "inner":
        return str(rng.choice(["private-tree", "rank-blocks", "insensitive", "column-model"]))
    if name == "key":
        return "soak"
    if name in ("settings", "weights", "structure"):
        return None
    if parameter.choices:
        return parameter.choices[int(rng.integers(len(parameter.choices)))]
    if parameter.kind is bool:
        return bool(rng.integers(2))
    return {"order": 2}.get(name)


def _some(names: list[str], rng: np.random.Generator) -> tuple[str, ...]:
    if not names:
        return ()
    size = int(rng.integers(1, len(names) + 1))
    return tuple(str(name) for name in rng.choice(names, size=size, replace=False))


def _products(names: list[str], rng: np.random.Generator) -> str:
    plain = [name for name in names if name.isidentifier()] or names
    return ", ".join("*".join(_some(plain, rng)[:3]) for _ in range(int(rng.integers(1, 4))))


def _neighbour(frame: pl.DataFrame | None, rng: np.random.Generator) -> Any:
    """Return the records with one of them put in the place of another."""
    if frame is None:
        return None
    kept, copied = rng.integers(0, len(frame), 2)
    rows = np.arange(len(frame))
    rows[kept] = copied
    return frame[rows]

"""Generated people and graphs for the recorded plans: the same on every machine, from a seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from covey import Attribute, Missing, Role, Scale, Schema

HEALTH = ("poor", "fair", "good", "excellent")
TOWNS = ("Ahof", "Bdorf", "Cstadt", "Dberg", "Etal")
TAXONOMY = """child,parent
jobs,
indoors,jobs
outdoors,jobs
clerk,indoors
nurse,indoors
teacher,indoors
farmer,outdoors
mason,outdoors
sailor,outdoors
"""
JOBS = ("clerk", "nurse", "teacher", "farmer", "mason", "sailor")
ATTRIBUTES = (
    Attribute("person", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
    Attribute("age", bounds=(0, 110), integer=True, unit="years"),
    Attribute("income", bounds=(0, 120_000)),
    Attribute("weight", bounds=(20, 150), missing=Missing.IMPUTE, impute=70),
    Attribute("rent", bounds=(100, 3_000), special=(0, -9), role=Role.CONFIDENTIAL),
    Attribute("health", scale=Scale.ORDINAL, categories=HEALTH, role=Role.CONFIDENTIAL),
    Attribute("job", scale=Scale.NOMINAL, taxonomy="jobs.csv"),
    Attribute("town", scale=Scale.NOMINAL, categories=TOWNS),
    Attribute("allowed", role=Role.IDENTIFIER),
)


def people(n: int, seed: int) -> pl.DataFrame:
    """Return records with ties, tails, gaps and values outside their bounds."""
    rng = np.random.default_rng(seed)
    age = np.clip(np.rint(rng.normal(45, 20, n)), 0, 105).astype(np.int64)
    income = np.round(1_000 * np.exp(rng.normal(3, 0.5, n)) + 150 * age, 2)
    weight = np.round(rng.normal(72, 13, n), 1)
    weight[rng.random(n) < 0.02] = np.nan
    rent = np.round(0.02 * income + rng.gamma(2, 100, n), 2)
    rent[rng.random(n) < 0.2] = 0.0
    rent[rng.random(n) < 0.05] = -9.0
    level = np.clip(np.rint(3 - age / 40 + rng.normal(0, 0.7, n)), 0, 3).astype(np.int64)
    town = rng.choice(TOWNS, n, p=(0.4, 0.3, 0.15, 0.1, 0.05)).astype(object)
    town[rng.random(n) < 0.01] = None
    return pl.DataFrame(
        {
            "person": [f"p{number:04d}" for number in rng.permutation(n)],
            "age": age,
            "income": income,
            "weight": pl.Series(weight).fill_nan(None),
            "rent": rent,
            "health": np.array(HEALTH)[level],
            "job": rng.choice(JOBS, n, p=(0.3, 0.2, 0.2, 0.1, 0.15, 0.05)),
            "town": pl.Series(town.tolist(), dtype=pl.String),
            "allowed": rng.choice([0.4, 1.0, 2.0], n),
        }
    )


def schema(folder: Path, *names: str) -> Schema:
    """Describe these columns, or all; the taxonomy of jobs is written to the folder."""
    (folder / "jobs.csv").write_text(TAXONOMY, encoding="utf-8")
    chosen = tuple(each for each in ATTRIBUTES if not names or each.name in names)
    return Schema(chosen, folder)


def friends(n: int, seed: int) -> NDArray[np.int64]:
    """Return the edges of a graph with a few busy nodes, each edge once."""
    rng = np.random.default_rng(seed)
    weight = rng.pareto(1.8, n) + 1.5
    joined = np.triu(rng.random((n, n)) < np.minimum(np.outer(weight, weight) / n, 0.9), 1)
    return np.argwhere(joined).astype(np.int64)


def preferences(edges: NDArray[np.int64], seed: int) -> pl.DataFrame:
    """Return the public preference of each node that has an edge."""
    nodes = np.unique(edges)
    epsilon = np.random.default_rng(seed).choice([0.5, 1.0, 2.0], nodes.size)
    return pl.DataFrame({"node": nodes, "epsilon": epsilon})

"""How far is a release from its originals?  Errors of one, two and three columns, and of models."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from covey.table import Attribute, Missing, Scale, Schema

TENTHS = np.arange(1, 10) / 10
TRIPLES = 150


def wide_table(folder: Path, name: str) -> tuple[Schema, pl.DataFrame, pl.DataFrame, list[Any]]:
    """Read a table of the reference data: its schema, both parts of it, and what to predict."""
    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    attributes = []
    for column, facts in about["cols"].items():
        if facts["t"] == "cat":
            listed = tuple(map(str, facts["vals"]))
            attributes.append(
                Attribute(column, scale=Scale.NOMINAL, categories=listed, missing=Missing.REFUSE)
            )
        else:
            attributes.append(
                Attribute(
                    column,
                    bounds=(float(facts["lo"]), float(facts["hi"])),
                    integer=bool(facts["integer"]),
                    special=tuple(map(float, facts["special"])) or None,
                )
            )
    schema = Schema(tuple(attributes))
    texts = [each.name for each in schema if each.scale is Scale.NOMINAL]
    parts = []
    for part in ("train", "test"):
        content = gzip.decompress((folder / f"{name}.{part}.csv.gz").read_bytes())
        frame = pl.read_csv(content, infer_schema_length=None)
        parts.append(frame.select(schema.names).with_columns(pl.col(texts).cast(pl.String)))
    return schema, parts[0], parts[1], about["target"]


def errors(schema: Schema, real: pl.DataFrame, made: pl.DataFrame) -> dict[str, float]:
    """Return total variation of one, two and three columns, and errors of single numbers."""
    codes = [(_codes(each, real, real), _codes(each, real, made)) for each in schema]
    nominal = [j for j, each in enumerate(schema) if each.categories is not None]
    numbers = [each.name for each in schema if each.categories is None]
    pairs = list(itertools.combinations(range(len(codes)), 2))
    triples = list(itertools.combinations(range(len(codes)), 3))
    chosen = np.random.default_rng(1).permutation(len(triples))[:TRIPLES]
    found = {
        "two": np.mean([_variation(codes, pair) for pair in pairs]),
        "three": np.mean([_variation(codes, triples[t]) for t in chosen]),
        "ks": np.mean(
            [_kolmogorov(real[name], made[name]) for name in numbers]
            + [_variation(codes, (j,)) for j in nominal]
        ),
    }
    if len(nominal) > 1:
        among = itertools.combinations(nominal, 2)
        apart = [abs(_cramer(codes, pair, 0) - _cramer(codes, pair, 1)) for pair in among]
        found["cramer"] = np.mean(apart)
    if numbers:
        found["w1"] = np.mean([_wasserstein(real[name], made[name]) for name in numbers])
    if len(numbers) > 1:
        ranks = [
            np.corrcoef(frame.select(pl.col(numbers).rank()).to_numpy().T) for frame in (real, made)
        ]
        upper = np.triu_indices(len(numbers), 1)
        found["spearman"] = np.abs(ranks[0] - ranks[1])[upper].mean()
    return {name: float(value) for name, value in found.items()}


def ranking(schema: Schema, target: list[Any], made: pl.DataFrame, held_out: pl.DataFrame) -> float:
    """Return how well a logistic model of a release ranks held-out records (AUC)."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import StandardScaler

    name, how, value = target

    def parts(frame: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        texts = frame[name].cast(pl.String)
        wanted = texts == str(value) if how == "eq" else frame[name] > value
        columns = []
        for each in schema:
            texts = frame[each.name].cast(pl.String)
            if each.name != name and each.scale is Scale.NOMINAL:
                columns += [texts == category for category in each.categories]
            elif each.name != name:
                columns.append(frame[each.name])
        return np.column_stack([column.to_numpy().astype(float) for column in columns]), wanted

    known, truth = parts(made)
    scale = StandardScaler().fit(known)
    model = LogisticRegression(C=0.1, max_iter=300).fit(scale.transform(known), truth)
    other, wanted = parts(held_out)
    return float(roc_auc_score(wanted, model.decision_function(scale.transform(other))))


def _codes(attribute: Attribute, real: pl.DataFrame, frame: pl.DataFrame) -> np.ndarray:
    if attribute.categories is not None:
        listed = {category: code for code, category in enumerate(attribute.categories)}
        texts = frame[attribute.name].cast(pl.String)
        return texts.replace_strict(listed, return_dtype=pl.Int64).to_numpy()
    cuts = np.unique(np.quantile(real[attribute.name].to_numpy(), TENTHS))
    return np.searchsorted(cuts, frame[attribute.name].to_numpy(), side="right")


def _table(codes: list[Any], columns: tuple[int, ...], which: int) -> np.ndarray:
    sizes = [int(max(codes[j][0].max(), codes[j][1].max())) + 1 for j in columns]
    flat = np.ravel_multi_index(tuple(codes[j][which] for j in columns), sizes)
    return np.bincount(flat, minlength=int(np.prod(sizes))).reshape(sizes) / flat.size


def _variation(codes: list[Any], columns: tuple[int, ...]) -> float:
    return float(np.abs(_table(codes, columns, 0) - _table(codes, columns, 1)).sum() / 2)


def _cramer(codes: list[Any], pair: tuple[int, int], which: int) -> float:
    table = _table(codes, pair, which)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) == 1:
        return 0.0
    alone = np.outer(table.sum(axis=1), table.sum(axis=0))
    return float(np.sqrt(((table - alone) ** 2 / alone).sum() / (min(table.shape) - 1)))


def _wasserstein(real: pl.Series, made: pl.Series) -> float:
    at = (np.arange(5000) + 0.5) / 5000
    apart = np.quantile(real.to_numpy(), at) - np.quantile(made.to_numpy(), at)
    return float(np.abs(apart).mean() / real.std())


def _kolmogorov(real: pl.Series, made: pl.Series) -> float:
    first, second = np.sort(real.to_numpy()), np.sort(made.to_numpy())
    at = np.union1d(first, second)
    below = [np.searchsorted(each, at, side="right") / each.size for each in (first, second)]
    return float(np.abs(below[0] - below[1]).max())

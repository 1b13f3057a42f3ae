"""How well does a model that was trained on released rows do on held-out records?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.rivals.tables import Columns, Split, Target, columns_of

MANY = 255
"""Boosting takes no more categories than these as categories."""

CHANCE = 0.5


def areas(split: Split, released: Columns) -> dict[str, float]:
    """Return the areas under the curve of a logistic and of a boosted model; none without target.

    A release without a target column has no model; one with a single class foretells nothing.
    """
    target = split.target
    held = columns_of(split.test)
    if target is None or set(released) != set(held):
        return {}
    y, y_held = (answers(split, target, columns) for columns in (released, held))
    if y.min() == y.max() or y_held.min() == y_held.max():
        return {"auc_logistic": CHANCE, "auc_boosted": CHANCE}
    names = [name for name in held if name != target.column]
    few = [name not in split.numbers and len(split.domain(name)) <= MANY for name in names]
    X, X_held = (
        np.column_stack([c[n].astype(np.float64) for n in names]) for c in (released, held)
    )
    # One thread: where others compute as well, threads that wait for each other wait long.
    with threadpool_limits(1):
        boosted = HistGradientBoostingClassifier(categorical_features=few, random_state=0).fit(X, y)
        logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        logistic.fit(one_hot(split, names, released), y)
        told = {
            "auc_logistic": logistic.predict_proba(one_hot(split, names, held))[:, 1],
            "auc_boosted": boosted.predict_proba(X_held)[:, 1],
        }
    return {name: float(roc_auc_score(y_held, scores)) for name, scores in told.items()}


def answers(split: Split, target: Target, columns: Columns) -> NDArray[np.int64]:
    """Return for each row whether it is what a model shall foretell."""
    values = columns[target.column]
    if isinstance(target.value, str):
        return (values == split.domain(target.column).index(target.value)).astype(np.int64)
    return (values > target.value).astype(np.int64)


def one_hot(split: Split, names: list[str], columns: Columns) -> NDArray[np.float64]:
    """Return numbers as they are and every category as a column of zeros and ones."""
    parts = []
    for name in names:
        values = columns[name]
        if name in split.numbers:
            parts.append(values[:, None])
        else:
            parts.append(values[:, None] == np.arange(len(split.domain(name))))
    return np.concatenate(parts, axis=1).astype(np.float64)

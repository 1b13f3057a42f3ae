"""Do models learn from the release what they learn from the originals?

"Train on the release, test on the original": a logistic regression and boosted trees predict a
column that the curator names from all other published columns.  Beside them stand the same models
trained on one half of the originals and tested on the other.  Needs scikit-learn, an extra.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import PlanError, suggest
from covey.evaluate.metric import Metric, by_name
from covey.table import Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table import Table

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

PREDICTION_SEED = 20261118
MOST_LEARNED = 20_000
"""Models are trained and tested on so many records at most, drawn by a fixed seed."""

MOST_DUMMIES = 30
"""So many frequent categories of a column have a coordinate of their own."""

MOST_CLASSES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """Scores of models, and what was predicted, in words."""

    scores: dict[str, float]
    note: str


def predict(original: Table, released: Table, columns: Sequence[str], target: str) -> Predicted:
    """Train models on the release and on the originals, and test them on the originals.

    Parameters
    ----------
    original, released : Table
        With the same schema.
    columns : sequence of str
        The published columns.
    target : str
        What is predicted from the others: a category, or whether a number lies above the median
        of the originals.
    """
    _refuse_target(columns, target)
    models = _models()
    features = [name for name in columns if name != target]
    encode = _encoder(original, features)
    classes, what = _classes(original, target)
    rng = np.random.default_rng(PREDICTION_SEED)
    here = _sampled(rng, encode(original), classes(original))
    there = _sampled(rng, encode(released), classes(released))
    half = rng.permutation(len(here[1])) % 2 == 0
    scores: dict[str, float] = {}
    for name, model in models.items():
        found = _tested(_trained(model(), *there), *here)
        halves = [
            _tested(_trained(model(), here[0][part], here[1][part]), here[0][~part], here[1][~part])
            for part in (half, ~half)
        ]
        for j, measure in enumerate(("auc", "accuracy")):
            scores[f"{measure}_{name}"] = found[j]
            scores[f"{measure}_{name}_original"] = float(np.mean([each[j] for each in halves]))
    note = (
        f"{what} is predicted from {', '.join(features)}: models trained on the release reach an "
        f"AUC of {scores['auc_logistic']:.3f} (logistic regression) and "
        f"{scores['auc_boosted']:.3f} (boosted trees) on the originals; trained on other originals "
        f"{scores['auc_logistic_original']:.3f} and {scores['auc_boosted_original']:.3f}."
    )
    return Predicted(scores=scores, note=note)


def _refuse_target(columns: Sequence[str], target: str) -> None:
    if target not in columns:
        raise PlanError(
            f"the target {target!r} is not among the published columns, so no model can be trained "
            f"to predict it. {suggest(target, list(columns))}"
        )
    if len(columns) < 2:  # noqa: PLR2004 — the target and something that predicts it
        raise PlanError(
            f"the target {target!r} is the only published column, so there is nothing to predict "
            f"it from. Leave the target out."
        )


def _models() -> dict[str, Callable[[], Any]]:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise PlanError(
            "predicting a target needs scikit-learn, which is not installed, so no model was "
            "trained. Run `pip install 'covey[sklearn]'`, or leave the target out."
        ) from None
    return {
        "logistic": partial(LogisticRegression, max_iter=1000),
        "boosted": partial(
            HistGradientBoostingClassifier, max_iter=50, random_state=PREDICTION_SEED
        ),
    }


def _encoder(original: Table, features: Sequence[str]) -> Callable[[Table], Floats]:
    """Return how records become coordinates, by what the originals hold, the same for both."""
    numbers = [name for name in features if original.schema[name].scale is not Scale.NOMINAL]
    frequent: dict[str, list[str]] = {}
    for name in features:
        if name not in numbers:
            texts, counts = np.unique(original.texts(name), return_counts=True)
            order = np.lexsort((texts, -counts))[:MOST_DUMMIES]
            frequent[name] = [str(text) for text in texts[order]]
    values = original.matrix(numbers)
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, values, 0.0).sum(axis=0) / counts
    spreads = np.sqrt(np.where(known, np.square(values - means), 0.0).sum(axis=0) / counts)
    spreads[spreads == 0.0] = 1.0

    def encode(table: Table) -> Floats:
        found = (table.matrix(numbers) - means) / spreads
        parts = [np.where(np.isnan(found), 0.0, found), np.isnan(found).astype(np.float64)]
        for name, texts in frequent.items():
            column = np.array(table.texts(name), dtype=object)
            parts.append((column[:, None] == np.array(texts, dtype=object)).astype(np.float64))
        return np.column_stack(parts)

    return encode


def _classes(original: Table, target: str) -> tuple[Callable[[Table], Integers], str]:
    """Return how records become classes, and what these are."""
    attribute = original.schema[target]
    if attribute.scale is Scale.NUMERIC or attribute.is_numeric_ordinal:
        values = original.values(target)
        median = float(np.nanmedian(values))
        # If most values are the largest, none is above them.
        median = median if (values > median).any() else float(np.nanmin(values))

        def above(table: Table) -> Integers:
            return (table.values(target) > median).astype(np.int64)

        found, what = above, f"Whether {target} is above the median"
    else:
        texts, counts = np.unique(original.texts(target), return_counts=True)
        order = np.lexsort((texts, -counts))[: MOST_CLASSES - 1]
        code = {str(text): number for number, text in enumerate(texts[order])}

        def listed(table: Table) -> Integers:
            found = [code.get(text, len(code)) for text in table.texts(target)]
            return np.array(found, dtype=np.int64)

        found, what = listed, target
    if np.unique(found(original)).size < 2:  # noqa: PLR2004
        raise PlanError(
            f"the target {target!r} is the same for all records, so there is nothing to predict. "
            f"Name another column."
        )
    return found, what


def _sampled(rng: np.random.Generator, X: Floats, y: Integers) -> tuple[Floats, Integers]:
    if len(y) <= MOST_LEARNED:
        return X, y
    rows = np.sort(rng.choice(len(y), size=MOST_LEARNED, replace=False))
    return X[rows], y[rows]


def _trained(model: Any, X: Floats, y: Integers) -> Any:
    """Return a trained model; the class itself if there is but one."""
    if np.unique(y).size < 2:  # noqa: PLR2004
        return int(y[0]) if y.size else 0
    from threadpoolctl import threadpool_limits

    # One thread: many wait for each other longer than these models need on a busy machine.
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        # Whether a model has settled shows in its scores.
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def _tested(model: Any, X: Floats, y: Integers) -> tuple[float, float]:
    """Return AUC, averaged over the classes by how frequent they are, and accuracy."""
    from scipy.stats import rankdata

    size = int(y.max()) + 1
    shares = np.zeros((len(y), size))
    if isinstance(model, int):
        if model < size:
            shares[:, model] = 1.0
        guessed = np.full(len(y), model)
    else:
        likely = model.predict_proba(X)
        for column, each in enumerate(model.classes_):
            if each < size:
                shares[:, each] = likely[:, column]
        guessed = model.classes_[likely.argmax(axis=1)]
    total, weight = 0.0, 0
    for each in range(size):
        own = y == each
        n, others = int(own.sum()), int((~own).sum())
        if n and others:
            ranks = rankdata(shares[:, each])[own].sum()
            total += n * (ranks - n * (n + 1) / 2) / (n * others)
            weight += n
    return float(total / max(weight, 1)), float(np.mean(guessed == y))


_of_models = partial(
    Metric, low=0.0, high=1.0, aligned=False, kind="utility", memory_only=True, target=True
)
_MODELS = {"logistic": "a logistic regression", "boosted": "boosted trees"}

PREDICTION_METRICS = by_name(
    *(
        metric
        for name, words in _MODELS.items()
        for metric in (
            _of_models(
                name=f"auc_{name}",
                title=f"AUC, {words}",
                explanation=f"How well {words} trained on the release ranks the originals by the "
                f"column that the curator names; guessing gives 0.5.",
                better="higher",
            ),
            _of_models(
                name=f"accuracy_{name}",
                title=f"Accuracy, {words}",
                explanation=f"The share of originals for which {words} trained on the release "
                f"predicts the column that the curator names.",
                better="higher",
            ),
            _of_models(
                name=f"auc_{name}_original",
                title=f"AUC on originals, {words}",
                explanation=f"The same AUC of {words} trained on other originals.",
                better="neither",
            ),
            _of_models(
                name=f"accuracy_{name}_original",
                title=f"Accuracy on originals, {words}",
                explanation=f"The same accuracy of {words} trained on other originals.",
                better="neither",
            ),
        )
    )
)

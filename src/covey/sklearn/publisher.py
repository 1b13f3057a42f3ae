"""How does a model learn from published records in scikit-learn?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from covey.errors import DataError, PlanError, SchemaError
from covey.publish import find_system, publish
from covey.sklearn.records import checked_records, nearest_rows, spread
from covey.table import Attribute, Scale, Schema, Table, read_table, to_native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.release import Release


class Publisher(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Publish the records that a model learns from.

    `fit` runs a system on the data, once, and spends epsilon; everything that follows works on
    the release and costs nothing more.  Published rows are not the given rows in another form:
    none of them belongs to a person, and even their number may differ.  So

    - `fit_transform` returns the published rows, for models without a target: as the first
      step of a `Pipeline` before a clustering or a density.  It refuses a ``y``, because a
      pipeline would put the original targets beside rows that they do not belong to;
    - `fit_resample` publishes ``y`` as one more column and returns both, for models with a
      target;
    - `transform` publishes nothing.  It is what a pipeline calls for the records that a fitted
      model is asked about: each is replaced by the nearest published row, in order.  Which row
      is near to which record is a fact about the record, so the result is not protected.  For
      predictions from the records as they are, use the last step: ``pipeline[-1].predict(X)``.

    Everything before this step sees the original records: what it learns from them (a mean, a
    selection of columns) is not covered by the guarantee.  Make it the first step.  Each fit on
    the same people spends epsilon again, so a search over parameters needs a ``ledger``.

    Parameters
    ----------
    system : str
        A name in `covey.SYSTEMS` that publishes tables.
    epsilon : float, optional
        The bound on the privacy loss; None for systems without one, such as ``mdav``.
    schema : Schema, optional
        What is public about the columns, and about ``y`` under its name (that of a series, else
        ``y``) if it is published.
    bounds : (low, high) or list of (low, high), optional
        Instead of a schema for numeric columns: public bounds of all, or of each.
    parameters : mapping, optional
        Other parameters of the system, for instance ``{"k": 5}``.
    ledger : path, optional
        A ledger file that each fit is charged to.
    random_state : int, optional
        For repeatable experiments: the release is then "not for publication".

    Attributes
    ----------
    release_ : Release
        What was published, with its guarantee, its plan and its bill.  Without public bounds
        (neither ``schema`` nor ``bounds``) a guarantee of noise is withdrawn, and it says so.
    target_ : str or None
        The published column that came from ``y``.
    """

    def __init__(
        self,
        system: str = "private-tree",
        *,
        epsilon: float | None = 1.0,
        schema: Schema | None = None,
        bounds: Any = None,
        parameters: Mapping[str, Any] | None = None,
        ledger: str | Path | None = None,
        random_state: int | None = None,
    ) -> None:
        self.system = system
        self.epsilon = epsilon
        self.schema = schema
        self.bounds = bounds
        self.parameters = parameters
        self.ledger = ledger
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Publisher:
        """Publish the records, with ``y`` as one more column if it is given."""
        if find_system(self.system).data == "graph":
            raise PlanError(
                f"system {self.system!r} publishes graphs, and a matrix of records was given, so "
                f"nothing was published. Choose a system for tables."
            )
        if find_system(self.system).releases == "cells":
            raise PlanError(
                f"system {self.system!r} publishes tables about records and no rows, which a model "
                f"could learn from, so nothing was published. Choose another system for tables."
            )
        self.target_ = None if y is None else str(getattr(y, "name", None) or "y")
        data = self._frame(X, reset=True)
        if self.target_ is not None:
            data = _with_column(data, self.target_, y)
        settings = {} if self.epsilon is None else {"epsilon": self.epsilon}
        self.release_: Release = publish(
            data,
            self.system,
            schema=self._public(data),
            ledger=self.ledger,
            random_state=self.random_state,
            trace=False,
            **settings | dict(self.parameters or {}),
        )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return the published rows, which are not those of X in another form."""
        if y is not None:
            raise PlanError(
                "published rows have no original targets, so a model must not be trained on both. "
                "Leave y out, or publish it, too: X, y = publisher.fit_resample(X, y)."
            )
        self.fit(X)
        return self._published(X)

    def fit_resample(self, X: Any, y: Any = None) -> Any:
        """Return the published rows, and their published targets if ``y`` is given."""
        self.fit(X, y)
        if y is None:
            return self._published(X)
        return self._published(X), self.release_.frame[self.target_ or "y"].to_numpy()

    def transform(self, X: Any) -> Any:
        """Return the published row nearest to each record, in order; not protected."""
        check_is_fitted(self)
        data = self._frame(X, reset=False)
        asked = read_table(data, self._schema_of_records())
        if asked.dropped:
            raise DataError(
                "values are missing in records that the schema would drop, so rows would not stay "
                "in order. Remove these records first."
            )
        names = self._names()
        published = replace(asked, frame=self.release_.frame.select(names))
        rows = nearest_rows(*_points(published, asked, names))
        found = published.frame[rows]
        return found.to_numpy() if _is_array(X) else _indexed(to_native(found, asked), X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the published columns; identifiers are not among them."""
        del input_features  # a release names its columns itself
        check_is_fitted(self)
        return np.asarray(self._names(), dtype=object)

    def __sklearn_tags__(self) -> Any:
        """Say that published rows differ from fit to fit."""
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        return tags

    def _frame(self, X: Any, *, reset: bool) -> Any:
        """Return the records as a dataframe; a matrix gets the names of the schema."""
        if not _is_array(X):
            validate_data(self, X, skip_check_array=True, reset=reset)
            return X
        records = checked_records(self, X, reset=reset)
        names = [f"x{j}" for j in range(records.shape[1])]
        if self.schema is not None:
            names = [name for name in self.schema.names if name != self.target_]
            if len(names) != records.shape[1]:
                raise SchemaError(
                    "the schema does not describe as many attributes as the records have columns, "
                    "so they cannot be matched. Describe each column once, in order."
                )
        return pl.DataFrame({name: records[:, j] for j, name in enumerate(names)})

    def _public(self, data: Any) -> Schema | None:
        if self.bounds is None or self.schema is not None:
            if self.bounds is not None:
                raise PlanError(
                    "both a schema and bounds were given, which may contradict each other. "
                    "Write the bounds into the schema, and leave `bounds` out."
                )
            return self.schema
        names = nw.from_native(data, eager_only=True).columns
        try:
            pairs = np.broadcast_to(np.asarray(self.bounds, dtype=np.float64), (len(names), 2))
        except (TypeError, ValueError):
            raise SchemaError(
                "the bounds are neither one pair of numbers nor a pair for each column (and for y "
                "at the end, if it is given). Write (low, high), or a list of such pairs."
            ) from None
        bounds = zip(names, pairs.tolist(), strict=True)
        return Schema(tuple(Attribute(str(name), bounds=pair) for name, pair in bounds))

    def _published(self, X: Any) -> Any:
        rows = self.release_.frame.select(self._names())
        if _is_array(X):
            return rows.to_numpy()
        if self.target_ is None:
            return self.release_.data
        return nw.from_native(self.release_.data, eager_only=True).drop(self.target_).to_native()

    def _schema_of_records(self) -> Schema:
        schema = self.release_.plan.schema
        assert schema is not None  # noqa: S101 — the release of a table has one
        kept = tuple(attribute for attribute in schema if attribute.name != self.target_)
        return replace(schema, attributes=kept)

    def _names(self) -> list[str]:
        return [name for name in self.release_.frame.columns if name != self.target_]


def _is_array(X: Any) -> bool:
    return not nw.dependencies.is_into_dataframe(X)


def _with_column(data: Any, name: str, values: Any) -> Any:
    frame = nw.from_native(data, eager_only=True)
    if name in frame.columns:
        raise SchemaError(
            f"the records have a column {name!r} already, so y cannot be published under that "
            f"name. Rename one of them."
        )
    column = np.asarray(values)
    if column.shape != (frame.shape[0],):
        raise DataError(
            "y is not one value for each record, so it cannot be published beside them. "
            "Give a list or a series as long as X."
        )
    kind = object if column.dtype.kind in "OUS" else column.dtype
    series = nw.new_series(name, column.astype(kind).tolist(), backend=frame.implementation)
    return frame.with_columns(series).to_native()


def _indexed(found: Any, X: Any) -> Any:
    """Keep the labels of the rows of a pandas frame, which are still those rows."""
    return found.set_axis(X.index, axis=0) if nw.dependencies.is_pandas_dataframe(X) else found


def _points(
    published: Table, asked: Table, names: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both tables as points: numbers in published spreads, texts at distance 1."""
    pairs = []
    for name in names:
        if published.schema[name].scale is Scale.NOMINAL:
            known, wanted = published.texts(name), asked.texts(name)
            words = np.array(sorted({*known, *wanted}))
            pair = [(np.array(texts)[:, None] == words) / np.sqrt(2.0) for texts in (known, wanted)]
        else:
            columns = [table.values(name).reshape(-1, 1) for table in (published, asked)]
            pair = [column / spread(columns[0]) for column in columns]
        pairs.append(pair)
    known_points, asked_points = (np.column_stack(side) for side in zip(*pairs, strict=True))
    return known_points, asked_points

"""How is a matrix of records microaggregated in scikit-learn?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from covey.aggregate.centroid import cluster_means
from covey.partition import PARTITIONERS, partition
from covey.sklearn.records import checked_records, nearest_rows, spread

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Replace records by the centroids of clusters of at least k similar ones.

    `fit_transform` gives each fitted record the centroid of its own cluster: at least ``k`` rows
    are alike, which is k-anonymity for these columns and nothing more.  `transform` is for new
    records, for instance those that a model is asked about: each gets the nearest centroid.
    Hence ``fit(X).transform(X)`` is not ``fit_transform(X)``: a record may lie nearer to the
    centroid of another cluster, and fewer than ``k`` rows may then be alike.  Publish the
    result of `fit_transform` alone.

    Neither the records nor anything else but the clusters is kept in the fitted estimator.

    Parameters
    ----------
    method : str
        A name in `covey.PARTITIONERS`.
    k : int
        Smallest cluster; methods without a k ignore it.
    standardize : bool
        Whether columns are compared in units of their standard deviation.
    parameters : mapping, optional
        Other parameters of the method, for instance ``{"gamma": 0.2}``.

    Attributes
    ----------
    labels_ : array of int64
        The cluster of each fitted record.
    centroids_ : array of float64, one row for each cluster
        In the units of the input.
    sizes_ : array of int64
        Records in each cluster.
    scale_ : array of float64
        What distances are measured in, column by column.

    Examples
    --------
    >>> Microaggregator(k=2).fit_transform([[1.0], [9.0], [3.0], [7.0]]).tolist()
    [[2.0], [8.0], [2.0], [8.0]]
    """

    def __init__(
        self,
        method: str = "mdav",
        *,
        k: int = 3,
        standardize: bool = True,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.k = k
        self.standardize = standardize
        self.parameters = parameters

    def fit(self, X: ArrayLike, y: Any = None) -> Microaggregator:
        """Form the clusters; ``y`` is ignored."""
        del y
        records = checked_records(self, X, reset=True)
        settings = dict(self.parameters or {})
        known = PARTITIONERS.get(self.method)
        if known is None or "k" in known.parameters:
            settings["k"] = self.k
        found = partition(records, self.method, standardize=self.standardize, **settings)
        self.labels_, self.sizes_ = found.labels, found.sizes
        self.centroids_ = np.column_stack(
            [cluster_means(column, found.labels, found.sizes) for column in records.T]
        )
        self.scale_ = spread(records) if self.standardize else np.ones(records.shape[1])
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> NDArray[np.float64]:
        """Return each fitted record's own centroid: rows in order, at least k alike."""
        self.fit(X, y)
        return self.centroids_[self.labels_]

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the centroid nearest to each new record; not k-anonymous by itself."""
        check_is_fitted(self)
        records = checked_records(self, X, reset=False)
        return self.centroids_[nearest_rows(self.centroids_ / self.scale_, records / self.scale_)]

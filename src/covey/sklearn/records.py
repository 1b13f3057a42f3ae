"""What do the estimators take for records, and which records are near to each other?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import validate_data

from covey.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def checked_records(estimator: Any, X: Any, *, reset: bool) -> NDArray[np.float64]:
    """Return records as numbers after scikit-learn's own checks, which know the estimator."""
    try:
        checked = validate_data(
            estimator, X, dtype=np.float64, ensure_min_samples=2 if reset else 1, reset=reset
        )
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        # That message quotes the text, which is somebody's.
        raise DataError(
            "the records hold texts, so distances between them mean nothing. "
            "Give numbers, or a dataframe and a schema to covey.sklearn.Publisher."
        ) from None
    return np.asarray(checked)


def spread(records: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard deviation of each column, 1 for a constant one."""
    # In units of the largest value, whose square might not be a number.
    largest = np.abs(records).max(axis=0)
    unit = np.where(largest > 0, largest, 1.0)
    found = (records / unit).std(axis=0) * unit
    return np.asarray(np.where(found > 0, found, 1.0))


def nearest_rows(points: NDArray[np.float64], asked: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the position of the nearest point for each point asked about.

    About log of the number of points each, for few columns; all points for many.
    """
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(points).query(asked)[1], dtype=np.int64)

"""What a metric says about itself, and what must hold of arrays that are compared.

A report, the command line and the web page are written from these declarations alone, so that
a new metric appears in all of them without a word about it elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from covey.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Better = Literal["lower", "higher", "neither"]
    Kind = Literal["utility", "risk"]
    Over = Literal["all", "numbers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A number that compares a release with the original, described for people.

    Attributes
    ----------
    name : str
        The key under which an evaluation gives the score.
    title : str
        A few words for the heading of a column.
    explanation : str
        One sentence for a data officer.
    better : {"lower", "higher", "neither"}
        The direction in which a release improves.
    low, high : float
        The smallest and the largest value that the metric can take; ``inf`` where there is none.
    aligned : bool
        Whether row i of the release must have been made from row i of the original.
    kind : {"utility", "risk"}
        Whether the metric speaks of what the data are still good for or of what they disclose.
    memory_only : bool
        Whether it looks at many records at once, and so cannot be computed piece by piece.
    columns : {"all", "numbers"}
        Whether it looks at columns of every kind, or at those with an order alone.
    target : bool
        Whether it needs a column that the curator names.
    """

    name: str
    title: str
    explanation: str
    better: Better
    low: float
    high: float
    aligned: bool
    kind: Kind
    memory_only: bool = False
    columns: Over = "all"
    target: bool = False


def by_name(*metrics: Metric) -> dict[str, Metric]:
    """Register ``metrics`` under their own names, in the order given."""
    return {metric.name: metric for metric in metrics}


def require_comparable(original: NDArray[Any], released: NDArray[Any]) -> None:
    """Refuse two arrays that do not hold the same attributes of at least one record each."""
    if original.ndim != 2 or released.ndim != 2 or original.shape[1] != released.shape[1]:  # noqa: PLR2004
        raise DataError(
            "the original and the release do not have the same attributes, so they cannot be "
            "compared. Give both as arrays with one row for each record and the same columns."
        )
    if original.size == 0 or released.size == 0:
        raise DataError(
            "the original or the release is empty, so there is nothing to compare. "
            "Give at least one record and one attribute of each."
        )

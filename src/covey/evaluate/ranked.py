"""How much of each cluster's distribution is kept?  The SSE of paper 003, by rank matching.

Records that are sampled from the moments of a cluster stand for nobody in it, so an SSE over
rows would compare a record with another one's sample.  Paper 003 does not say how it compares
them; its figures are found again if the values of a cluster are compared by their ranks.  No
release does this: it takes the originals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.int64]


def matched_by_rank(original: Floats, sampled: Floats, labels: Labels) -> Floats:
    """Give each record the sampled value that has its rank in its cluster.

    Parameters
    ----------
    original, sampled : arrays of shape (n,)
        One column, and what was sampled for its clusters, cluster by cluster.
    labels : array of shape (n,)
        The cluster of each record.
    """
    own, drawn = (np.lexsort((values, labels)) for values in (original, sampled))
    matched = np.empty_like(sampled)
    matched[own] = sampled[drawn]
    return matched


def ranked_sse(
    columns: Mapping[str, tuple[Floats, Floats]],
    clusters: Mapping[str, Labels],
    scales: Mapping[str, float],
) -> float:
    """Return the SSE of sampled records, of which each gets the value of its rank.

    Parameters
    ----------
    columns : mapping
        Originals and samples, by name.
    clusters : mapping
        The cluster of each record, by name.
    scales : mapping
        What values are divided by, by name.
    """
    total = 0.0
    for name, (original, sampled) in columns.items():
        matched = matched_by_rank(original, sampled, clusters[name])
        total += float(np.square((matched - original) / scales[name]).sum())
    return total

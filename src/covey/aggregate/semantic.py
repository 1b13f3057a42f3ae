"""Which concept stands for a cluster of categorical values.

Marginality and centroid of Soria-Comas et al. (2014), section 4.4, for all clusters at once.
Memory grows with clusters times concepts, never with records times concepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.table.taxonomy import Taxonomy

# Marginalities nearer than this share of the cluster's size are ties: sums of the same distances
# in another order differ by rounding.
TIE = 1e-12


def concept_counts(
    labels: NDArray[np.int64], codes: NDArray[np.int64], *, clusters: int, taxonomy: Taxonomy
) -> NDArray[np.int64]:
    """Count how often each concept occurs in each cluster.

    Returns
    -------
    (clusters, concepts) int64 array
        Of the values themselves; a generalisation is not counted for its specialisations.
    """
    concepts = len(taxonomy.concepts)
    cells = np.bincount(labels * concepts + codes, minlength=clusters * concepts)
    return cells.reshape(clusters, concepts).astype(np.int64)


def cluster_marginality(counts: NDArray[np.int64], taxonomy: Taxonomy) -> NDArray[np.float64]:
    """Sum the distances of every concept to the values of each cluster, Eq. (2) for a sample.

    Replacing one value of a cluster changes the marginality of every concept by at most the
    ``diameter`` of the taxonomy.  All concepts are candidates, whatever the values are, as
    Algorithm 4 needs.

    Returns
    -------
    (clusters, concepts) float64 array
    """
    table: NDArray[np.float64] = counts @ taxonomy.distances
    return table


def semantic_centroids(
    counts: NDArray[np.int64],
    taxonomy: Taxonomy,
    *,
    publishable: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the code of the least marginal concept of each cluster, Eq. (5).

    Candidates are the values in the cluster and their generalisations, as far as they are
    ``publishable`` (all concepts unless given; values always are).  Ties go to the first
    concept in alphabetical order.  The result depends on the values without any noise.

    Examples
    --------
    >>> from covey.table.taxonomy import Taxonomy
    >>> letter = Taxonomy.flat("letter", "ABCDE")
    >>> counts = np.array([[0, 1, 5, 0, 0, 1], [0, 2, 2, 2, 2, 2]])
    >>> letter.values(semantic_centroids(counts, letter))
    ['B', '*']
    """
    within = counts @ taxonomy.ancestors > 0
    if publishable is not None:
        allowed = np.zeros(len(taxonomy.concepts), dtype=np.bool_)
        allowed[publishable] = True
        within &= allowed | (counts > 0)
    table = np.where(within, cluster_marginality(counts, taxonomy), np.inf)
    least = table.min(axis=1, keepdims=True)
    tied = table <= least + TIE * counts.sum(axis=1, keepdims=True)
    first: NDArray[np.int64] = np.argmax(tied, axis=1).astype(np.int64)
    return first

"""Which records form a cluster so that one replaced record changes each cluster by one record.

Insensitive microaggregation of Soria-Comas et al. (2014), Algorithm 2: the clusters choose their
``k`` records one after the other, each under a total order that is fixed in advance.
Whatever the orders use must be public: bounds, taxonomies, corners and their sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey.errors import BoundsError, PartitionError, suggest
from covey.kernels.lexicographic import lexicographic_order
from covey.partition.hilbert import hilbert_bits, hilbert_chain, hilbert_keys, scale_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from covey.table.grid import Grid
    from covey.table.taxonomy import Taxonomy

Order = Literal["single", "corners", "hilbert"]
ORDERS: tuple[Order, ...] = ("single", "corners", "hilbert")

# Unlike [2014, 4.3]: that many corners are visited before the sequence begins again, because
# there are 2**attributes of them and each costs a sort.  Up to six attributes it is all of them.
MOST_CORNERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicOrder:
    """A public sequence of total orders of records, and the sizes of the clusters under it.

    Parameters
    ----------
    kind : Order
        Which orders.
    grids : mapping
        The public grid of each numeric attribute.
    taxonomies : mapping
        The taxonomy of each categorical one.
    k : int
        The size of all clusters but the last.
    n : int
        The number of records, which is public.
    """

    kind: Order
    grids: Mapping[str, Grid]
    taxonomies: Mapping[str, Taxonomy]
    k: int
    n: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Return the sizes of the clusters."""
        return insensitive_sizes(self.n, self.k)

    @property
    def bits(self) -> int:
        """Return the levels of the grid under the Hilbert curve."""
        return hilbert_bits(len(self.grids))

    def claim(self, name: str | None) -> tuple[str, str, dict[str, int]]:
        """Return method, statistic and public numbers of the claim about sums of a column.

        Without a name: of all columns together, along the Hilbert curve.  Clusters of one
        attribute take ranks from either end, so they are rank blocks.
        """
        clusters = self.sizes.size
        if name is None:
            chain = hilbert_chain(clusters, len(self.grids), self.bits) * ((1 << self.bits) - 1)
            return "insensitive", "chain-sums", {"chain": round(chain)}
        steps = {"steps": self.grids[name].steps}
        if len(self.grids) + len(self.taxonomies) == 1:
            return "rank-blocks", "sums", steps
        return "insensitive", "sums", {**steps, "clusters": clusters}


def insensitive_sizes(n: int, k: int) -> NDArray[np.int64]:
    """Return the sizes of the clusters, which depend on ``n`` and ``k`` alone.

    All have ``k`` records but the last, which has up to ``2k - 1``.
    """
    if k < 1:
        raise PartitionError(
            f"k = {k} is not the size of a cluster. Give a whole number of at least 1."
        )
    if k > n:
        raise PartitionError(
            f"k = {k} is larger than the number of records, so not even one cluster can be "
            f"formed. Give a smaller k."
        )
    sizes = np.full(n // k, k, dtype=np.int64)
    sizes[-1] += n % k
    return sizes


def insensitive_labels(
    numeric: ArrayLike,
    low: ArrayLike = (),
    high: ArrayLike = (),
    *,
    k: int,
    order: Order = "corners",
    codes: ArrayLike | None = None,
    taxonomies: Sequence[Taxonomy] = (),
    corners: tuple[ArrayLike, ArrayLike] | None = None,
    sequence: ArrayLike | None = None,
    bits: int | None = None,
) -> NDArray[np.int64]:
    """Partition records under fixed total orders (Algorithm 2).

    If each order is a total order of the possible records, then after every step the records
    that are left in two tables that differ in one record still differ in at most one, and so do
    the ``i``-th clusters (Proposition 2).  Here an order compares the distance to a reference
    point, Eq. (8), and then the records themselves, attribute by attribute.  The distance is
    computed from one record at a time, operation by operation, so that equal records have equal
    keys whatever the other records are.

    Costs one sort for each distinct reference point and one pass over the sorted orders.

    Parameters
    ----------
    numeric : (n, p) array
        Values of the numeric attributes; ``p`` may be 0.
    low, high : (p,) arrays
        Public bounds of the numeric attributes; their difference scales the distance.
    k : int
        Size of all clusters but the last, which has ``k`` to ``2k - 1`` records.
    order : {"corners", "single", "hilbert"}
        The corners of the domain in turns (section 4.3), one reference point at the bottom of
        every attribute (4.2), or the Hilbert curve through the numeric attributes.
    codes : (n, q) integer array, optional
        Concept codes of the categorical attributes, which come after the numeric ones.
    taxonomies : sequence of Taxonomy
        Taxonomies of the categorical attributes; their boundaries are the bottom and the top.
    corners : (bottom, top), optional
        Values of the numeric attributes at the corners; the bounds unless given.
    sequence : (r, p + q) array of 0 and 1, optional
        Bottom or top of each attribute at each reference point, used from the beginning again
        when it ends; ``hamming_sequence`` unless given.
    bits : int, optional
        Levels of the grid under the Hilbert curve; ``hilbert_bits`` unless given.

    Returns
    -------
    (n,) int64 array
        Number of the cluster of each record, in the order of formation.  That number is what
        makes clusters of neighbouring tables correspond; see ``insensitive_sizes``.

    Examples
    --------
    >>> insensitive_labels([[1.0], [9.0], [2.0], [5.0], [8.0]], [0], [10], k=2).tolist()
    [0, 1, 0, 1, 1]
    """
    from covey.kernels.insensitive import take_in_turns

    X, low, high = _numeric(numeric, low, high)
    C = _categorical(codes, taxonomies, len(X))
    clusters = len(insensitive_sizes(len(X), k))
    if X.shape[1] + C.shape[1] == 0:
        raise PartitionError("no attribute was given, so records cannot be told apart. Give one.")
    content = lexicographic_order([*X.T, *C.T])
    keys: Iterable[NDArray[Any]]
    if order == "hilbert":
        if taxonomies:
            raise PartitionError(
                "the Hilbert curve orders numeric attributes only, and categorical ones were "
                'given. Use order="corners", or leave them out.'
            )
        keys = [hilbert_keys(X, low, high, bits=bits)]
    elif order in ORDERS:
        apart = [*_numeric_terms(X, low, high, corners), *_semantic_terms(C, taxonomies)]
        points = _reference_points(order, sequence, len(apart))[: clusters - 1]
        keys = (_squared_distance(apart, point) for point in points)
    else:
        raise PartitionError(f"there is no order {order!r}. {suggest(order, ORDERS)}")
    place = np.empty_like(content)
    place[content] = np.arange(content.size)
    # Ties of the key fall by content.
    orders = [lexicographic_order([key, place]).astype(np.int32) for key in keys] or [
        content.astype(np.int32)
    ]
    turns = np.arange(clusters - 1) % len(orders)
    labels: NDArray[np.int64] = take_in_turns(np.stack(orders), turns, k)
    return labels


def distance_from_corner(
    numeric: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    codes: ArrayLike | None = None,
    taxonomies: Sequence[Taxonomy] = (),
    corner: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Return what the order of a corner compares first, for each record by itself.

    Records that tie are compared by their numeric values, then by their codes.  The ``corner`` is
    a row of `hamming_sequence`; the bottom, which the order "single" looks from, unless given.
    """
    X, low, high = _numeric(numeric, low, high)
    C = _categorical(codes, taxonomies, len(X))
    apart = [*_numeric_terms(X, low, high, None), *_semantic_terms(C, taxonomies)]
    return _squared_distance(apart, np.zeros(len(apart), np.int64) if corner is None else corner)


def hamming_sequence(attributes: int, length: int = MOST_CORNERS) -> NDArray[np.int64]:
    """Return the corners of section 4.3 as rows of 0 (bottom) and 1 (top).

    Each corner is the one not yet visited that differs from the last in most attributes; among
    several, the one farthest from the last but one, and so on, and then the first.
    """
    corners, everywhere = [0], (1 << attributes) - 1
    while len(corners) < min(length, 1 << attributes):
        opposite = corners[-1] ^ everywhere
        for back in range(attributes + 1):
            near = (
                opposite ^ sum(1 << bit for bit in chosen)
                for chosen in combinations(range(attributes), back)
            )
            free = [corner for corner in near if corner not in corners]
            if free:
                break
        for earlier in reversed(corners):
            farthest = max((corner ^ earlier).bit_count() for corner in free)
            free = [corner for corner in free if (corner ^ earlier).bit_count() == farthest]
        corners.append(min(free))
    return _as_bits(corners, attributes)


def paired_sequence(attributes: int, length: int = MOST_CORNERS) -> NDArray[np.int64]:
    """Return corners 0000, 1111, 0001, 1110, 0010, … as rows of 0 (bottom) and 1 (top)."""
    # As evaluated in [2014, section 5]: the printed values need this sequence, not that of 4.3.
    everywhere = (1 << attributes) - 1
    corners = [
        corner
        for number in range(min((length + 1) // 2, (everywhere + 1) // 2))
        for corner in (number, number ^ everywhere)
    ]
    return _as_bits(corners[:length], attributes)


def _squared_distance(
    terms: Sequence[NDArray[np.float64]], point: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Add the terms of Eq. (8) for one reference point; the root would not change the order."""
    total = np.zeros(terms[0].shape[1])
    for term, end in zip(terms, point, strict=True):
        total += term[end]
    return total


def _numeric_terms(
    X: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    corners: tuple[ArrayLike, ArrayLike] | None,
) -> list[NDArray[np.float64]]:
    """Return for each attribute the terms of Eq. (8) to its bottom and to its top."""
    bottom, top = (low, high) if corners is None else map(np.asarray, corners)
    if not np.shape(bottom) == np.shape(top) == low.shape:
        raise PartitionError(
            "the corners do not match the numeric attributes. Give the bottom and the top of each."
        )
    width = scale_of(low, high)
    return [
        np.stack([((column - end[j]) / width[j]) ** 2 for end in (bottom, top)])
        for j, column in enumerate(X.T)
    ]


def _semantic_terms(
    C: NDArray[np.int64], taxonomies: Sequence[Taxonomy]
) -> list[NDArray[np.float64]]:
    """Return for each attribute the terms of Eq. (8) to its two boundaries."""
    terms = []
    for column, taxonomy in zip(C.T, taxonomies, strict=True):
        bottom, top = taxonomy.boundaries
        distances = taxonomy.distances[[bottom, top]]
        terms.append(((distances / (distances[0, top] or np.inf)) ** 2)[:, column])
    return terms


def _reference_points(
    order: Order, sequence: ArrayLike | None, attributes: int
) -> NDArray[np.int64]:
    if order == "single":
        return np.zeros((1, attributes), dtype=np.int64)
    points = hamming_sequence(attributes) if sequence is None else np.asarray(sequence)
    named = points.size > 0 and np.isin(points, (0, 1)).all()
    if not named or points.shape != (len(points), attributes):
        raise PartitionError(
            f"the sequence of corners is not a table of 0 and 1 with {attributes} columns, so it "
            f"names no corners. Give one row for each corner, one column for each attribute."
        )
    return points.astype(np.int64)


def _numeric(
    numeric: ArrayLike, low: ArrayLike, high: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    X, low, high = (np.asarray(part, dtype=np.float64) for part in (numeric, low, high))
    if X.ndim != 2 or not np.isfinite(X).all():  # noqa: PLR2004
        raise PartitionError(
            "the numeric attributes are no table of finite numbers, so distances are undefined. "
            "Give one row for each record, and remove or impute missing values first."
        )
    if not low.shape == high.shape == X.shape[1:]:
        raise BoundsError(
            "the bounds do not match the numeric attributes. Give one low and one high for each."
        )
    if not (np.isfinite(low) & np.isfinite(high) & (low <= high)).all():
        raise BoundsError(
            "a numeric attribute has bounds that are not finite or the wrong way round. "
            "Give finite public bounds with low <= high."
        )
    return X, low, high


def _categorical(
    codes: ArrayLike | None, taxonomies: Sequence[Taxonomy], n: int
) -> NDArray[np.int64]:
    C = np.empty((n, 0)) if codes is None else np.asarray(codes)
    if C.shape != (n, len(taxonomies)):
        raise PartitionError(
            "the categorical attributes do not match the records or the taxonomies. "
            "Give one row of codes for each record and one taxonomy for each column."
        )
    return C.astype(np.int64)


def _as_bits(numbers: Sequence[int], length: int) -> NDArray[np.int64]:
    """Write numbers in binary, one row each, the first column most significant."""
    return np.array([[n >> bit & 1 for bit in range(length - 1, -1, -1)] for n in numbers])

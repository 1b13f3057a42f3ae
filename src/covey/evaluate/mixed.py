"""How far apart are two records of numbers and categories?  The distance of paper 004, Eq. (8).

Numbers are compared by their difference, categories by the distance of their taxonomy, or by
whether they are the same if there is none.  A missing number is compared as a category: it is 1
from every known one, and the known one counts as if the mean stood there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate.deviations import Deviations, require_aligned
from covey.table import Scale
from covey.table.attribute import MISSING_CATEGORY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.evaluate.utility import Scaling
    from covey.table import Table

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """The categories of one column, and how far apart any two of them are.

    Parameters
    ----------
    name : str
        The column.
    texts : tuple of str
        The categories, in the order of their codes.
    distances : array, optional
        Of any two of them, [004, Eq. 7]; 1 between all that differ unless given.
    boundaries : float
        The distance of the boundaries of the domain, which Eq. (8) divides by.
    """

    name: str
    texts: tuple[str, ...]
    distances: Floats | None = field(default=None, repr=False)
    boundaries: float = 1.0

    @classmethod
    def of(cls, table: Table, name: str, occurring: Iterable[str]) -> Categories:
        """Return the categories of a column of which these occur."""
        texts = sorted(set(occurring))
        if table.schema[name].taxonomy is None:
            return cls(name=name, texts=tuple(texts))
        taxonomy = table.taxonomy(name)
        for text in texts:
            if text not in taxonomy.concepts:
                taxonomy = taxonomy.with_value(text)
        bottom, top = taxonomy.boundaries
        return cls(
            name=name,
            texts=taxonomy.concepts,
            distances=taxonomy.distances,
            boundaries=float(taxonomy.distances[bottom, top]) or 1.0,
        )

    def codes(self, texts: Sequence[str]) -> Integers:
        """Return the position of each text among the categories."""
        position = {text: code for code, text in enumerate(self.texts)}
        return np.array([position[text] for text in texts], dtype=np.int64)

    def unit(self, scaling: Scaling) -> float:
        """Return what distances are divided by: nothing if raw, else as Eq. (8) does."""
        return 1.0 if scaling == "raw" else self.boundaries

    def spreads(self, counts: Mapping[str, int]) -> tuple[float, float]:
        """Return what stands for the variance of a number, in two ways that agree for numbers.

        The mean squared distance to the category that is nearest to all, as to the mean; and half
        the mean squared distance of any two records.
        """
        shares = np.array([counts.get(text, 0) for text in self.texts], dtype=np.float64)
        shares /= max(shares.sum(), 1.0)
        if self.distances is None:
            return float(1.0 - shares.max()), float(1.0 - np.square(shares).sum()) / 2.0
        squared = np.square(self.distances) @ shares
        return float(squared.min()), float(shares @ squared) / 2.0

    def deviations(self, original: Integers, released: Integers) -> Deviations:
        """Add up how far released categories are from the original ones, row by row."""
        if self.distances is None:
            away = (original != released).astype(np.float64)
        else:
            away = self.distances[original, released]
        total, squares = np.array([away.sum()]), np.array([np.square(away).sum()])
        return Deviations(n=len(original), squared=squares, absolute=total)


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedRecords:
    """Original records beside what each became, with missing numbers set apart.

    Parameters
    ----------
    numbers, released_numbers : arrays of shape (n, d)
        Values and codes of ordered attributes; a missing one is replaced by the mean.
    codes, released_codes : arrays of shape (n, p)
        Codes of nominal attributes, and whether a number is known where some are not.
    categories : tuple of p Categories
        What the codes stand for.
    """

    numbers: Floats = field(repr=False)
    released_numbers: Floats = field(repr=False)
    codes: Integers = field(repr=False)
    released_codes: Integers = field(repr=False)
    categories: tuple[Categories, ...]

    @classmethod
    def of(cls, table: Table, linked: Table, names: Sequence[str]) -> MixedRecords:
        """Put some columns of the originals beside those of what they became."""
        ordered = [name for name in names if table.schema[name].scale is not Scale.NOMINAL]
        nominal = [name for name in names if name not in ordered]
        here, there = table.matrix(ordered), linked.matrix(ordered)
        require_aligned(here, there)
        categories: list[Categories] = []
        codes: list[Integers] = []
        released: list[Integers] = []
        for name in nominal:
            texts = table.texts(name), linked.texts(name)
            found = Categories.of(table, name, {*texts[0], *texts[1]})
            categories.append(found)
            codes.append(found.codes(texts[0]))
            released.append(found.codes(texts[1]))
        for j, name in enumerate(ordered):
            lacking = np.isnan(here[:, j]), np.isnan(there[:, j])
            if not (lacking[0].any() or lacking[1].any()):
                continue
            known = here[~lacking[0], j]
            mean = known.mean() if known.size else 0.0
            here[lacking[0], j], there[lacking[1], j] = mean, mean
            categories.append(Categories(name=name, texts=("known", MISSING_CATEGORY)))
            codes.append(lacking[0].astype(np.int64))
            released.append(lacking[1].astype(np.int64))
        none = np.empty((len(here), 0), dtype=np.int64)
        return cls(
            numbers=here,
            released_numbers=there,
            codes=np.column_stack(codes) if codes else none,
            released_codes=np.column_stack(released) if released else none,
            categories=tuple(categories),
        )

    def linkage(self, scales: Floats, scaling: Scaling) -> float:
        """Return the percentage of records that are linked back correctly by distance.

        Parameters
        ----------
        scales : array of shape (d,)
            What numbers are divided by.
        scaling : {"standard", "raw", "bounds"}
            Tells what distances of categories are divided by.
        """
        from covey.evaluate.risk import record_linkage

        if not self.categories:
            return record_linkage(self.numbers, self.released_numbers, scales)
        from covey.kernels.mixed_linkage import mixed_linked_probability

        squared = [
            None if each.distances is None else np.square(each.distances / each.unit(scaling))
            for each in self.categories
        ]
        found = mixed_linked_probability(
            (self.released_numbers, self.released_codes),
            (self.numbers, self.codes),
            squared,
            units=np.asarray(scales, dtype=np.float64),
        )
        return 100.0 * float(np.mean(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryErrors:
    """How far the categories of one column are from what was released for them, added up.

    Parameters
    ----------
    errors : Deviations
        Of the one column.
    to_centre, of_pairs : float
        What stands for its variance (`Categories.spreads`).
    unit : float
        What its distances are divided by.
    of_number : bool
        Whether the categories say no more than whether a number is known.
    """

    errors: Deviations
    to_centre: float
    of_pairs: float
    unit: float
    of_number: bool


def category_errors(
    records: MixedRecords, counts: Mapping[str, Mapping[str, int]], scaling: Scaling
) -> list[CategoryErrors]:
    """Return the errors of all categories, and the spreads to measure them by.

    Parameters
    ----------
    records : MixedRecords
        Originals beside what they became.
    counts : mapping
        How often each category occurs in the originals.
    scaling : {"standard", "raw", "bounds"}
        Tells what distances of categories are divided by.
    """
    found = []
    for j, each in enumerate(records.categories):
        occurring = counts.get(each.name)
        of_number = occurring is None
        if occurring is None:
            lacking = int(records.codes[:, j].sum())
            occurring = {MISSING_CATEGORY: lacking, "known": len(records.codes) - lacking}
        to_centre, of_pairs = each.spreads(occurring)
        found.append(
            CategoryErrors(
                errors=each.deviations(records.codes[:, j], records.released_codes[:, j]),
                to_centre=to_centre,
                of_pairs=of_pairs,
                unit=each.unit(scaling),
                of_number=of_number,
            )
        )
    return found

"""Which concepts a categorical attribute has, and how far apart two of them are.

A taxonomy orders the concepts of an attribute from the root down to the most special ones.
It is public: it must come from knowledge about the attribute, never from the column.
Distances, marginality and boundaries follow Soria-Comas et al. (2014), sections 4.4 and 4.5.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import TaxonomyError
from covey.table.taxonomy_drafts import DRAFT_MARK, flat_edges, halving_edges, is_mark, prefix_edges
from covey.written import read_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

_HEADER = ("child", "parent")
MOST_ANCESTORS = 200
"""Classifications that people use have ten at most."""

MOST_CONCEPTS = 10_000  # the tables of ancestors and distances grow with the square


# No slots: cached_property keeps the tables in the instance dictionary.
@dataclass(frozen=True, kw_only=True)
class Taxonomy:
    """Hold the concepts of one categorical attribute and what each is a kind of.

    Concepts are coded 0, 1, … in alphabetical order, so that no result depends on the order
    of the rows of a file, and so that order by code is the alphabetical order that breaks ties.

    Attributes
    ----------
    name : str
        Name of the attribute, for messages.
    concepts : tuple of str
        All concepts, sorted.
    parents : tuple of tuple of int
        Codes of the direct parents of each concept; empty for the root alone.
    domain : tuple of int
        Codes of the concepts that a record may hold.  The paper's ``Dom(A)`` lists the values
        of the attribute, and the taxonomy adds their generalisations.  A file does not say
        which concepts are values, and values may be inner concepts, so every concept is allowed
        unless ``with_domain`` narrows it.
    drafted : bool
        Whether its values were read off the data.

    Examples
    --------
    >>> sport = Taxonomy.from_edges(
    ...     "sport", [("sport", ""), ("water", "sport"), ("swimming", "water"), ("ski", "sport")]
    ... )
    >>> [sport.concepts[code] for code in sport.boundaries]
    ['ski', 'swimming']
    >>> round(sport.diameter, 4)
    0.8074
    """

    name: str
    concepts: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    domain: tuple[int, ...]
    drafted: bool = False

    def __post_init__(self) -> None:
        """Refuse anything that is not a directed acyclic graph under one root."""
        roots = [self.concepts[code] for code, above in enumerate(self.parents) if not above]
        if len(roots) > 1:
            raise TaxonomyError(
                f"taxonomy {self.name!r} has several roots ({_listed(roots)}), so some concepts "
                f"have nothing in common. Keep one row with an empty parent, and give the other "
                f"roots a parent."
            )
        if len(_from_root(self.parents)) < len(self.concepts):
            cycle = [self.concepts[code] for code in _cycle(self.parents)]
            raise TaxonomyError(
                f"taxonomy {self.name!r} has a cycle ({' -> '.join(cycle)}), so no concept of it "
                f"is more general than another. Remove the row that points back down."
            )
        if _depth(self.parents) > MOST_ANCESTORS:
            raise TaxonomyError(
                f"taxonomy {self.name!r} has more than {MOST_ANCESTORS} levels, so concepts tell "
                f"hardly anything apart. Leave out levels that have one concept below them."
            )

    @classmethod
    def load(cls, path: str | Path, *, name: str | None = None) -> Taxonomy:
        """Read a CSV file with the header ``child,parent``, one row per concept and parent.

        The root has an empty parent.  A concept with several parents has several rows.
        Names are taken as they are written, blanks included.  A line above the header may mark
        the file as drafted from data.
        """
        path = Path(path)
        try:
            text = read_written(path, "utf-8-sig")
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        except OSError as error:
            raise TaxonomyError(
                f"taxonomy file '{path}' cannot be read ({error.strerror}). Check the path and "
                f"that you may read it."
            ) from None
        except UnicodeDecodeError:
            raise TaxonomyError(
                f"taxonomy file '{path}' is not UTF-8 text. Save it as CSV in UTF-8."
            ) from None
        except csv.Error as error:
            raise TaxonomyError(
                f"taxonomy file '{path}' is not a CSV file ({error}). Write one row "
                f"`child,parent` per concept and parent."
            ) from None
        drafted = bool(rows) and is_mark(",".join(rows[0]))
        rows = rows[drafted:]
        if not rows or tuple(cell.strip().lower() for cell in rows[0]) != _HEADER:
            raise TaxonomyError(
                f"taxonomy file '{path}' has no header, so its columns are unknown. "
                f"Make `child,parent` its first line."
            )
        for number, row in enumerate(rows[1:], start=1):
            if len(row) != len(_HEADER):
                raise TaxonomyError(
                    f"row {number} of taxonomy file '{path}' does not have the two columns "
                    f"child and parent. Put names that contain a comma in double quotes."
                )
        found = cls.from_edges(name or path.stem, [(row[0], row[1]) for row in rows[1:]])
        return replace(found, drafted=drafted)

    @classmethod
    def from_edges(cls, name: str, edges: Iterable[tuple[str, str | None]]) -> Taxonomy:
        """Build a taxonomy from pairs of child and parent; the root's parent is empty."""
        above: dict[str, list[str]] = {}
        for child, parent in edges:
            if not child:
                raise TaxonomyError(
                    f"taxonomy {name!r} has a row without a child. Name the concept, or remove "
                    f"the row."
                )
            known = above.setdefault(child, [])
            if (parent or "") in known:
                raise TaxonomyError(
                    f"taxonomy {name!r} has the row for {child!r} under {parent or ''!r} twice. "
                    f"Remove one of them."
                )
            known.append(parent or "")
        if not above:
            raise TaxonomyError(
                f"taxonomy {name!r} is empty. Give it at least a root: a row with an empty parent."
            )
        undefined = {parent for known in above.values() for parent in known if parent} - set(above)
        if undefined:
            raise TaxonomyError(
                f"taxonomy {name!r} uses parents that have no row of their own "
                f"({_listed(sorted(undefined))}). Add a row for each: with its parent, or with an "
                f"empty parent if it is the root."
            )
        concepts = tuple(sorted(above))
        code = {concept: i for i, concept in enumerate(concepts)}
        parents = tuple(
            tuple(sorted(code[parent] for parent in above[concept] if parent))
            for concept in concepts
        )
        return cls(
            name=name, concepts=concepts, parents=parents, domain=tuple(range(len(concepts)))
        )

    @classmethod
    def flat(cls, name: str, values: Iterable[str]) -> Taxonomy:
        """Put all values directly under one root, called ``*``: equal or not, nothing else."""
        return cls.from_edges(name, flat_edges(_distinct(name, values)))

    @classmethod
    def from_prefixes(cls, name: str, codes: Iterable[str]) -> Taxonomy:
        """Draft a taxonomy in which codes are near if they begin alike.

        The codes must be a public list, not those that occur in the column.
        """
        return cls.from_edges(name, prefix_edges(_distinct(name, codes)))

    @classmethod
    def binary(cls, name: str, ordered_values: Iterable[str]) -> Taxonomy:
        """Draft a taxonomy of an ordinal by halving its range of values again and again.

        The values must be a public list.  The cuts depend on their number alone.
        """
        return cls.from_edges(name, halving_edges(_distinct(name, ordered_values)))

    def with_domain(self, values: Iterable[str]) -> Taxonomy:
        """Say which concepts a record may hold, from public knowledge."""
        code = {concept: i for i, concept in enumerate(self.concepts)}
        values = _distinct(self.name, values)
        unknown = [value for value in values if value not in code]
        if unknown:
            raise TaxonomyError(
                f"the domain of {self.name!r} names values that are no concepts of its taxonomy "
                f"({_listed(unknown)}). Add a row for each to the taxonomy, or correct the domain."
            )
        return replace(self, domain=tuple(sorted(code[value] for value in values)))

    def with_value(self, value: str) -> Taxonomy:
        """Add a value directly under the root, such as one that stands for "missing"."""
        edges = [
            (concept, self.concepts[parent])
            for concept, above in zip(self.concepts, self.parents, strict=True)
            for parent in above
        ]
        root = self.concepts[self.root]
        found = Taxonomy.from_edges(self.name, [(root, ""), *edges, (value, root)])
        return replace(found, drafted=self.drafted)

    def save(self, path: str | Path) -> None:
        """Write the file that ``load`` reads; the domain is not part of it."""
        try:
            with Path(path).open("w", encoding="utf-8", newline="") as file:
                file.write(f"{DRAFT_MARK}\n" if self.drafted else "")
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(_HEADER)
                for code in _from_root(self.parents):
                    above = [self.concepts[parent] for parent in self.parents[code]] or [""]
                    writer.writerows((self.concepts[code], parent) for parent in above)
        except OSError as error:
            raise TaxonomyError(
                f"taxonomy {self.name!r} cannot be written to '{path}' ({error.strerror}). "
                f"Choose a file in a folder you may write to."
            ) from None

    def codes(self, values: Iterable[Any], *, attribute: str | None = None) -> NDArray[np.int64]:
        """Return the concept code of each value of a column.

        The error does not quote the value, because it comes from a record.
        """
        code = {self.concepts[i]: i for i in self.domain}
        found = np.array([code.get(value, -1) for value in values], dtype=np.int64)
        if (found < 0).any():
            raise TaxonomyError(
                f"attribute {attribute or self.name!r} holds a value that is not in its taxonomy, "
                f"so no distance to it is defined. Compare the distinct values of the column with "
                f"the concepts of the taxonomy, spelling and blanks included, and add what is "
                f"missing, or drop or recode those records."
            )
        return found

    def values(self, codes: NDArray[np.integer[Any]]) -> list[str]:
        """Return the concept of each code."""
        return [self.concepts[code] for code in codes.tolist()]

    @property
    def root(self) -> int:
        """Code of the concept above all others."""
        return self.parents.index(())

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Codes of the concepts that are no one's parent."""
        inner = {parent for above in self.parents for parent in above}
        return tuple(code for code in range(len(self.concepts)) if code not in inner)

    @cached_property
    def ancestors(self) -> NDArray[np.bool_]:
        """Whether column concept is row concept or above it: the set phi of Eq. (7)."""
        if len(self.concepts) > MOST_CONCEPTS:
            raise TaxonomyError(
                f"{self.name!r} has more than {MOST_CONCEPTS:,} concepts, so a table of their "
                f"distances would not fit into memory. Cut it at a coarser level, or use a system "
                f"that does not compare values: 'column-model' or 'private-tree'."
            )
        table = np.eye(len(self.concepts), dtype=np.bool_)
        for code in _from_root(self.parents):
            for parent in self.parents[code]:
                table[code] |= table[parent]
        table.flags.writeable = False
        return table

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """Semantic distance of every two concepts, Eq. (7): log2(2 - Jaccard of ancestors).

        A concave function of the Jaccard distance that vanishes at zero, hence a metric.
        """
        held = self.ancestors.astype(np.float64)
        common = held @ held.T  # whole numbers, so the products are exact
        size = common.diagonal()
        union = size[:, None] + size[None, :] - common
        table = np.log2(1.0 + (union - common) / union)
        table.flags.writeable = False
        return table

    @cached_property
    def diameter(self) -> float:
        """Largest distance of two values of the domain.

        By the triangle inequality replacing one value changes the marginality of *any* concept
        by no more than this, which the distance of the two boundaries does not guarantee.
        """
        return float(self.distances[np.ix_(self.domain, self.domain)].max())

    @cached_property
    def _landmarks(self) -> tuple[int, ...]:
        """Codes that stand for ``Dom(A)`` in Eq. (2)-(4).

        The domain if it was narrowed.  Otherwise the leaves: over all concepts the root can come
        out as the most marginal one, although the paper looks for a boundary of the values.
        The choice is public and bears on utility alone; only ``diameter`` bears on privacy.
        """
        narrowed = len(self.domain) < len(self.concepts) or len(self.leaves) == 1
        return self.domain if narrowed else self.leaves

    @cached_property
    def marginality(self) -> NDArray[np.float64]:
        """Sum of the distances of each concept to the values, Eq. (2).

        The values are the domain if ``with_domain`` narrowed it, else the leaves.
        """
        # Sorted, so that concepts in the same position get the same bits and tie.
        table: NDArray[np.float64] = np.sort(self.distances[:, self._landmarks], axis=1).sum(axis=1)
        table.flags.writeable = False
        return table

    @cached_property
    def boundaries(self) -> tuple[int, int]:
        """Codes of the most marginal value, Eq. (3), and of the farthest from it, Eq. (4).

        Values as for ``marginality``.  Ties go to the first in alphabetical order.
        """
        values = np.array(self._landmarks)
        bottom = int(values[np.argmax(self.marginality[values])])
        return bottom, int(values[np.argmax(self.distances[bottom, values])])


def _distinct(name: str, values: Iterable[str]) -> list[str]:
    """Take a public list of values, which must not be empty or repeat itself."""
    values = list(values)
    if not all(values) or not values:
        raise TaxonomyError(
            f"the values of {name!r} are none or contain an empty one, so no taxonomy can be made. "
            f"List every value the attribute may take."
        )
    repeated = sorted(value for value, times in Counter(values).items() if times > 1)
    if repeated:
        raise TaxonomyError(
            f"the values of {name!r} repeat themselves ({_listed(repeated)}). List each value once."
        )
    return values


def _listed(words: Sequence[str], most: int = 5) -> str:
    """Name the first few words."""
    return ", ".join(repr(word) for word in words[:most]) + (", …" if len(words) > most else "")


def _from_root(parents: Sequence[tuple[int, ...]]) -> list[int]:
    """List codes so that parents come first; codes on or below a cycle are left out."""
    children: list[list[int]] = [[] for _ in parents]
    for code, above in enumerate(parents):
        for parent in above:
            children[parent].append(code)
    waiting = [len(above) for above in parents]
    order = [code for code, above in enumerate(parents) if not above]
    for code in order:  # grows while it is read
        for child in children[code]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    return order


def _depth(parents: Sequence[tuple[int, ...]]) -> int:
    """Return the number of levels below the root, along the longest way."""
    levels = [0] * len(parents)
    for code in _from_root(parents):
        levels[code] = max((levels[parent] + 1 for parent in parents[code]), default=0)
    return max(levels, default=0)


def _cycle(parents: Sequence[tuple[int, ...]]) -> list[int]:
    """Follow parents upwards until one repeats; return the walk from there, closed."""
    placed = set(_from_root(parents))
    walk = [next(code for code in range(len(parents)) if code not in placed)]
    while True:
        above = next(parent for parent in parents[walk[-1]] if parent not in placed)
        if above in walk:
            return [*walk[walk.index(above) :], above]
        walk.append(above)

"""What is audited about the systems for tables whose claims covey stands for?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.audit.case import Case, blind_case, concentrated_case, pair_case, search_case
from covey.audit.cases.neighbours import (
    changed_record,
    described_pair,
    largest_record,
    one_in_zeros,
    piles,
    random_pair,
    table_pair,
    zigzag,
)
from covey.audit.cases.specimens import SampleAndSubstitute
from covey.audit.instruments.search import Arrays, move_records
from covey.audit.report import Claimant
from covey.audit.subject import SPECIMEN, Neighbours, Subject
from covey.table import Attribute, Missing, Role, Scale

if TYPE_CHECKING:
    from covey.systems import Progress

TABLE_STEPS, TREE_STEPS = 15, 6
"""So many changes are tried from each seed of a search."""

ONE_IN_ZEROS = "zeros, one of which becomes a one"
SPORTS = ("chess", "judo", "rugby")
CONCEPTS = ("far", "near 1", "near 2")
OFTEN_SPECIAL = 0.3

FRACTION = Attribute("share", bounds=(0.0, 1.0))
WHOLE = Attribute("x", bounds=(0.0, 9999.0), integer=True)
SPECIAL = Attribute("y", bounds=(0.0, 9999.0), integer=True, special=(-1.0, 0.0))
GAPS = Attribute("z", bounds=(0.0, 9999.0), integer=True, missing=Missing.CATEGORY)
SPORT = Attribute("sport", scale=Scale.NOMINAL, categories=SPORTS)
CONCEPT = Attribute(
    "concept",
    scale=Scale.NOMINAL,
    taxonomy=str(Path(__file__).with_name("data") / "concepts.csv"),
)
"""One value is far from all others, which are near each other: for the exponential mechanism, a
change of all losses is worst if it changes their sum as well."""
ALLOWED = Attribute("allowed", bounds=(0.0, 10.0))
ZERO = Attribute("x", bounds=(0.0, 9.0), integer=True, missing=Missing.IMPUTE, impute=0.0)
"""Its default is at a bound, so that another record can be as far away as possible."""


def _zeros(n: int, d: int = 1, *, whole: bool = False) -> Callable[[], Neighbours]:
    words = f"{n} {ONE_IN_ZEROS}{', whole numbers' if whole else ''}"
    return lambda: table_pair(words, one_in_zeros(n, d), whole=whole)


def _piles(
    attributes: tuple[Attribute, ...],
    low: Any,
    high: Any,
    sizes: tuple[int, int] = (60, 16),
    *,
    without: bool = False,
) -> Callable[[], Neighbours]:
    """Return a pile of one record and a smaller one of another; one record is changed or lost."""
    size, crowd = sizes
    names = ", ".join(attribute.name for attribute in attributes)
    lost = "is lost" if without else "becomes the other"
    words = f"{size + 1} equal records and {crowd} others ({names}), one of which {lost}"

    def pair() -> Neighbours:
        there = [*[low] * size, *[high] * crowd]
        here = [low, *there]
        return described_pair(words, attributes, here, there if without else [*there, high])

    return pair


def _unrelated(
    attributes: tuple[Attribute, ...], *sizes: int, public: Sequence[Any] | None = None
) -> Callable[[], Neighbours]:
    """Return two tables that share no value but those of a public column, if one is given.

    One has the lower half of every range, the other the upper half.
    """

    def value(attribute: Attribute, half: int, rng: np.random.Generator) -> Any:
        if attribute.scale is Scale.NOMINAL:
            return str(rng.choice((attribute.categories or CONCEPTS)[half::2]))
        if attribute.special and rng.random() < OFTEN_SPECIAL:
            return attribute.special_values[half]
        low, high = attribute.public_bounds
        drawn = low + (half + rng.random()) / 2.0 * (high - low)
        return float(attribute.rounded(np.array([drawn]))[0])

    def rows(half: int, n: int) -> list[Any]:
        rng = np.random.default_rng(half)
        made = [tuple(value(each, half, rng) for each in attributes) for _ in range(n)]
        if public is None:
            return made
        return [(*row[:-1], public[i % len(public)]) for i, row in enumerate(made)]

    def pair() -> Neighbours:
        words = f"tables of {sizes[0]} and {sizes[1]} records without a value in common"
        return described_pair(words, attributes, rows(0, sizes[0]), rows(1, sizes[1]))

    return pair


def _seeds(rng: np.random.Generator, *, hard: Arrays) -> Sequence[tuple[str, Arrays]]:
    """Return where a search among small tables starts."""
    n, d = hard[0].shape
    return [("a hard pair", hard), ("random records", random_pair(n, d, rng))]


def _searched(system: str, hard: Arrays, **parameters: Any) -> Case:
    seeds = partial(_seeds, hard=hard)
    return search_case(system, seeds, changed_record, move_records, steps=TABLE_STEPS, **parameters)


def _rows_of_one(
    attributes: tuple[Attribute, ...], low: Any, high: Any, *, has: int, without: bool = False
) -> Callable[[], Neighbours]:
    """Return tables in which one of some persons has so many records, and other values or none."""
    columns = (Attribute("who", role=Role.PERSON, scale=Scale.NOMINAL), *attributes)
    names = ", ".join(attribute.name for attribute in attributes)
    lost = "is not there in the other" if without else "has other values in the other"
    words = f"30 persons ({names}), one of whom has {has} records and {lost}"

    def pair() -> Neighbours:
        others = [(f"p{i}", *(low if i % 2 else high)) for i in range(29)]
        here, there = ([("me", *row)] * has for row in (low, high))
        return described_pair(
            words, columns, [*others, *here], others if without else [*others, *there]
        )

    return pair


THREE: dict[str, Any] = {"unit": "person", "contributions": 3}

RANK_BLOCKS_CASES = (
    pair_case("rank blocks, n = 20, k = 5", "rank-blocks", _zeros(20), outputs=4, k=5),
    pair_case("integer grid and discrete Laplace", "rank-blocks", _zeros(20, whole=True), k=5),
    _searched("rank-blocks", largest_record(9), k=3),
    pair_case(
        "a person with five records, three of which count",
        "rank-blocks",
        _rows_of_one((FRACTION,), (0.0,), (1.0,), has=5),
        k=4,
        **THREE,
    ),
    concentrated_case(
        "Gaussian noise on three columns",
        "rank-blocks",
        lambda: table_pair(
            "zeros, one of which becomes a one, in three columns", one_in_zeros(20, 3)
        ),
        rho="0.5",
        k=5,
    ),
    blind_case("rank-blocks", _unrelated((FRACTION, WHOLE), 30, 30)),
)


LAPLACE_CASES = (
    pair_case("one record across the whole range", "laplace", _zeros(4)),
    _searched("laplace", one_in_zeros(6, 2)),
    pair_case(
        "a person with five records, three of which count",
        "laplace",
        _rows_of_one((FRACTION,), (0.0,), (1.0,), has=5),
        outputs=4,
        **THREE,
    ),
    blind_case("laplace", _unrelated((FRACTION, WHOLE), 30, 30)),
)

EXPONENTIAL_CASES = (
    pair_case(
        "one record of another category",
        "exponential",
        lambda: described_pair(
            f"one record that changes from {SPORTS[0]} to {SPORTS[1]}",
            (SPORT,),
            [SPORTS[:1]],
            [SPORTS[1:2]],
        ),
        lambda: described_pair(
            "one record that moves to a concept near all others",
            (CONCEPT,),
            [("far",)],
            [("near 1",)],
        ),
        outputs=4,
    ),
    blind_case("exponential", _unrelated((SPORT, CONCEPT), 30, 30)),
)

INSENSITIVE_CASES = (
    pair_case("clusters of one column, n = 20, k = 5", "insensitive", _zeros(20), k=5),
    *(
        pair_case(
            f"order {order!r}, three clusters of two columns",
            "insensitive",
            lambda: table_pair("a record that pushes clusters from corner to corner", zigzag(3)),
            k=2,
            order=order,
        )
        for order in ("single", "corners")
    ),
    pair_case(
        "order 'hilbert', two clusters of two columns",
        "insensitive",
        lambda: table_pair(
            "three corners and the middle of a side; a corner moves to the middle opposite",
            (
                np.array([(0.4987, 1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)]),
                np.array([(0.4987, 1.0), (1.0, 0.0), (1.0, 1.0), (0.5, 0.0)]),
            ),
        ),
        k=2,
        order="hilbert",
    ),
    pair_case(
        "two clusters of concepts",
        "insensitive",
        lambda: described_pair(
            "four records, one of which moves to a concept near all others",
            (CONCEPT,),
            [("far",), *[("near 2",)] * 3],
            [("near 1",), *[("near 2",)] * 3],
        ),
        # Hardly more than half of the bound is attained: one record cannot change both clusters
        # in the way that is worst for a choice.
        shrink=Fraction(3),
        k=2,
    ),
    _searched("insensitive", zigzag(3), k=2),
    blind_case("insensitive", _unrelated((FRACTION, WHOLE, SPORT), 30, 30)),
    blind_case("insensitive", _unrelated((FRACTION, WHOLE), 30, 30), order="hilbert"),
)


def _tree_seeds(rng: np.random.Generator) -> Sequence[tuple[str, Arrays]]:
    return [
        ("unequal piles", piles(60, 16)),
        ("random records", random_pair(60, 1, rng)),
        ("two columns", random_pair(60, 2, rng)),
    ]


MIXED = (WHOLE, SPORT)
WIDE = (*(Attribute(f"x{j}", bounds=(0.0, 9999.0), integer=True) for j in range(4)), SPORT)
FIRST, LAST = (0.0, "chess"), (9999.0, "rugby")

PRIVATE_TREE_CASES = (
    pair_case(
        "numbers",
        "private-tree",
        _piles((FRACTION,), (0.0,), (1.0,), (140, 36)),
        _piles((WHOLE,), (0.0,), (9999.0,)),
        _piles((WHOLE,), (0.0,), (9999.0,), (30, 8)),
        _piles((WHOLE,), (0.0,), (9999.0,), (30, 0)),
    ),
    pair_case(
        "a record more or less",
        "private-tree",
        _piles((WHOLE,), (0.0,), (9999.0,), (30, 8), without=True),
        _piles(MIXED, LAST, FIRST, (0, 60), without=True),
        unit="add-remove",
    ),
    pair_case("numbers and categories", "private-tree", _piles(MIXED, FIRST, LAST)),
    pair_case(
        "special values",
        "private-tree",
        _piles((SPECIAL,), (-1.0,), (9999.0,)),
        _piles((SPECIAL,), (1.0,), (9999.0,)),
    ),
    pair_case("missing values", "private-tree", _piles((GAPS,), (None,), (9999.0,))),
    pair_case(
        "five columns",
        "private-tree",
        _piles(WIDE, (*[0.0] * 4, "chess"), (*[9999.0] * 4, "rugby"), (140, 36)),
        outputs=8,
    ),
    search_case("private-tree", _tree_seeds, changed_record, move_records, steps=TREE_STEPS),
    blind_case("private-tree", _unrelated((FRACTION, SPECIAL, SPORT), 300, 300)),
    blind_case("private-tree", _unrelated((WHOLE, SPORT), 300, 321), unit="add-remove"),
    blind_case("private-tree", _unrelated(WIDE, 300, 300)),
)


COLUMN_MODEL_CASES = (
    pair_case(
        "columns alone",
        "column-model",
        _piles(MIXED, FIRST, LAST),
        _piles((SPECIAL,), (-1.0,), (9999.0,)),
    ),
    pair_case(
        "pairs, chosen and measured",
        "column-model",
        _piles((WHOLE, SPECIAL, SPORT), (0.0, 0.0, "chess"), (9999.0, 99.0, "rugby"), (600, 200)),
        outputs=8,
        epsilon=8.0,
    ),
    pair_case(
        "two numbers and their correlation",
        "column-model",
        _piles((WHOLE, SPECIAL), (0.0, 0.0), (9999.0, 99.0), (300, 100)),
        epsilon=4.0,
    ),
    pair_case(
        "a target",
        "column-model",
        _piles((WHOLE, SPECIAL, SPORT), (0.0, -1.0, "chess"), (9999.0, 1.0, "rugby"), (900, 90)),
        outputs=8,
        epsilon=8.0,
        target=("sport",),
    ),
    pair_case(
        "named tables, all around and alone",
        "column-model",
        _piles((WHOLE, SPECIAL, SPORT), (0.0, 0.0, "chess"), (9999.0, 99.0, "rugby"), (600, 200)),
        _piles((WHOLE, SPECIAL, SPORT), (0.0, -1.0, "chess"), (9999.0, 1.0, "rugby"), (60, 20)),
        outputs=8,
        epsilon=2.0,
        tables=("x*y", "y*sport", "x*sport"),
    ),
    pair_case(
        "a record more or less",
        "column-model",
        _piles(MIXED, LAST, FIRST, (0, 60), without=True),
        _piles(
            (WHOLE, SPECIAL, SPORT),
            (0.0, 0.0, "chess"),
            (9999.0, 99.0, "rugby"),
            (600, 200),
            without=True,
        ),
        unit="add-remove",
        epsilon=4.0,
    ),
    concentrated_case(
        "columns alone, Gaussian noise",
        "column-model",
        _piles(MIXED, FIRST, LAST),
        rho="0.5",
    ),
    concentrated_case(
        "pairs, chosen and measured with Gaussian noise",
        "column-model",
        _piles((WHOLE, SPECIAL, SPORT), (0.0, 0.0, "chess"), (9999.0, 99.0, "rugby"), (600, 200)),
        rho="8",
    ),
    blind_case("column-model", _unrelated((FRACTION, SPECIAL, SPORT), 300, 300), epsilon=20.0),
    blind_case("column-model", _unrelated(WIDE, 300, 321), unit="add-remove"),
    blind_case("column-model", _unrelated(WIDE, 300, 300), epsilon=60.0, target=("sport",)),
    blind_case(
        "column-model",
        _unrelated((FRACTION, SPECIAL, SPORT), 300, 300),
        epsilon=3.0,
        tables=("share*sport", "share*y"),
    ),
)

TABLES_CASES = (
    pair_case(
        "a cross table",
        "tables",
        _piles((WHOLE, SPORT), (0.0, "chess"), (9999.0, "rugby"), (300, 36)),
        tables=["x*sport"],
        bins={"x": 4},
    ),
    pair_case(
        "tables that overlap",
        "tables",
        _piles((WHOLE, SPORT), (0.0, "chess"), (9999.0, "rugby"), (300, 36)),
        tables=["x*sport", "sport", "x"],
        bins={"x": [5000.0]},
    ),
    pair_case(
        "a record more or less",
        "tables",
        _piles((SPECIAL,), (-1.0,), (9999.0,), (30, 8), without=True),
        tables=["y"],
        unit="add-remove",
    ),
    pair_case(
        "a person with five records, three of which count",
        "tables",
        _rows_of_one((SPORT,), SPORTS[:1], SPORTS[1:2], has=5),
        tables=["sport"],
        **THREE,
    ),
    pair_case(
        "a person with three records, there or not there",
        "tables",
        _rows_of_one((SPORT,), SPORTS[:1], SPORTS[1:2], has=3, without=True),
        tables=["sport"],
        **{**THREE, "unit": "add-remove-person"},
    ),
    *(
        concentrated_case(
            "Gaussian noise",
            "tables",
            _piles((WHOLE, SPORT), (0.0, "chess"), (9999.0, "rugby"), (300, 36)),
            rho="0.05",
            told=told,
            tables=["x*sport"],
            bins={"x": 4},
        )
        for told in (False, True)
    ),
    concentrated_case(
        "three tables with Gaussian noise",
        "tables",
        _piles((WHOLE, SPORT), (0.0, "chess"), (9999.0, "rugby"), (300, 36)),
        rho="0.5",
        tables=["x*sport", "sport", "x"],
        bins={"x": [5000.0]},
    ),
    *(
        concentrated_case(
            "a person with five records, three of which count",
            "tables",
            _rows_of_one((SPORT,), SPORTS[:1], SPORTS[1:2], has=5),
            rho="2",
            told=told,
            tables=["sport"],
            **THREE,
        )
        for told in (False, True)
    ),
    blind_case(
        "tables", _unrelated((FRACTION, SPECIAL, SPORT), 300, 300), tables=["share*sport", "y"]
    ),
    blind_case(
        "tables", _unrelated((WHOLE, SPORT), 300, 321), tables=["x*sport"], unit="add-remove"
    ),
)


def _preferring(words: str, own: float, *, without: bool = False) -> Callable[[], Neighbours]:
    """Return records that allow 2, and one that allows less, at the default or far from it."""

    def pair() -> Neighbours:
        others = [(0.0, 2.0)] * (76 if without else 3)
        here = others if without else [*others, (0.0, own)]
        return described_pair(words, (ZERO, ALLOWED), here, [*others, (9.0, own)])

    return pair


def _substituted(rng: np.random.Generator, progress: Progress | None) -> Subject:
    del rng, progress
    law, weak = (SampleAndSubstitute(own=0.1, threshold=1.0, shrink=s) for s in (1.0, 1.25))
    return Subject(words=law.words, how=SPECIMEN, exact=law.exact, weak=weak.exact, laws=(law,))


SMALL_BLOCKS: dict[str, Any] = {"inner": "rank-blocks", "settings": {"k": 2}}
AMONG_LIBERALS = "a record that allows {} where others allow 2: the default, or far from it"

PERSONALISED_CASES = (
    Case(
        name="sample and substitute, preference 0.1",
        epsilon=0.1,
        promise=Claimant.COVEY,
        build=_substituted,
        share=10.0,
    ),
    *(
        pair_case(
            f"rank blocks, preference {own:g}",
            "personalised",
            _preferring(AMONG_LIBERALS.format(f"{own:g}"), own),
            epsilon=min(own, 2.0),
            preferences="allowed",
            threshold=2.0,
            **SMALL_BLOCKS,
        )
        for own in (0.1, 1.0, 5.0)
    ),
    pair_case(
        "private tree, preference 0.5, records dropped",
        "personalised",
        _preferring("a record that allows 0.5 where others allow 2, or none", 0.5, without=True),
        epsilon=0.5,
        preferences="allowed",
        threshold=2.0,
        otherwise="drop",
    ),
    blind_case(
        "personalised",
        _unrelated((WHOLE, SPORT, ALLOWED), 300, 300, public=(0.1, 0.5, 1.0)),
        preferences="allowed",
    ),
)

"""What is audited about the systems whose claims covey stands for?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from covey.audit.case import Case, Promise, in_words, law_case, real_case, search_case
from covey.audit.neighbours import (
    one_in_zeros,
    piles,
    random_pair,
    table_pair,
    unit_table,
    zeros_and_ones,
)
from covey.audit.pairs import Pair
from covey.audit.search import Arrays, move_records, worst_pair
from covey.audit.specimens import SampleAndSubstitute
from covey.audit.statistics import first_concept, first_value, largest_value, total
from covey.audit.tree import TreeLaw, tree_law
from covey.systems.axes import Axis, axis_of
from covey.table import Attribute, Scale, Schema, read_table

if TYPE_CHECKING:
    from covey.audit.subject import Subject
    from covey.systems import Progress

ONE_IN_ZEROS = "zeros, one of which becomes a one"
TREE_SHARE = 0.1
TREE_STEPS = 8
SPORTS = ("chess", "judo", "rugby")


def sports_pair() -> Pair:
    """Return one record whose category changes."""
    schema = Schema((Attribute("sport", scale=Scale.NOMINAL, categories=SPORTS),))
    here, there = (read_table(pl.DataFrame({"sport": [sport]}), schema) for sport in SPORTS[:2])
    return Pair(
        words=f"one record that changes from {SPORTS[0]} to {SPORTS[1]}", here=here, there=there
    )


RANK_BLOCKS = (
    law_case(
        "rank blocks, n = 20, k = 5",
        "rank-blocks",
        lambda: table_pair(f"20 {ONE_IN_ZEROS}", one_in_zeros(20)),
        promise=Promise.COVEY,
        k=5,
    ),
    law_case(
        "integer grid and discrete Laplace",
        "rank-blocks",
        lambda: table_pair(f"20 {ONE_IN_ZEROS}, whole numbers", one_in_zeros(20), whole=True),
        promise=Promise.COVEY,
        k=5,
    ),
    search_case("rank-blocks", lambda rng: _seeds(rng, n=9, d=1), promise=Promise.COVEY, k=3),
    real_case(
        "the largest value of a release",
        "rank-blocks",
        lambda: table_pair(f"4 {ONE_IN_ZEROS}", one_in_zeros(4)),
        largest_value,
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0, "k": 2},
    ),
)

LAPLACE = (
    law_case(
        "one record across the whole range",
        "laplace",
        lambda: table_pair(f"4 {ONE_IN_ZEROS}", one_in_zeros(4)),
        promise=Promise.COVEY,
    ),
    search_case("laplace", lambda rng: _seeds(rng, n=6, d=2), promise=Promise.COVEY),
    real_case(
        "the only value of a release",
        "laplace",
        lambda: table_pair("a zero that becomes a one", one_in_zeros(1)),
        first_value,
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0},
    ),
)

EXPONENTIAL = (
    law_case(
        "one record of another category",
        "exponential",
        sports_pair,
        promise=Promise.COVEY,
        shrink=4,
    ),
    real_case(
        "the only category of a release",
        "exponential",
        sports_pair,
        first_concept(SPORTS[0]),
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0},
        shrink=4,
    ),
)

INSENSITIVE = (
    law_case(
        "clusters of one column, n = 20, k = 5",
        "insensitive",
        lambda: table_pair(f"20 {ONE_IN_ZEROS}", one_in_zeros(20)),
        promise=Promise.COVEY,
        k=5,
    ),
    search_case(
        "insensitive",
        lambda rng: _seeds(rng, n=9, d=2),
        promise=Promise.COVEY,
        k=3,
        order="single",
    ),
    real_case(
        "the largest value of a release",
        "insensitive",
        lambda: table_pair(f"4 {ONE_IN_ZEROS}", one_in_zeros(4)),
        largest_value,
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0, "k": 2},
    ),
)


def preference_pair() -> Pair:
    """Return records with preferences; the one that allows 1 moves away from the default."""
    schema = Schema((Attribute("x0", bounds=(0.0, 1.0)), Attribute("allowed", bounds=(0.0, 10.0))))
    here, there = (
        read_table(
            pl.DataFrame({"x0": [0.5, 0.5, 0.5, last], "allowed": [2.0, 2.0, 2.0, 1.0]}), schema
        )
        for last in (0.5, 1.0)
    )
    return Pair(
        words="a record that allows 1 where others allow 2, at the default or at a bound",
        here=here,
        there=there,
    )


def tree_of(arrays: Arrays, words: str = "", *, whole: bool = False) -> TreeLaw:
    """Return the law of `private-tree` at epsilon = 1 on records between 0 and 1."""
    pair = table_pair(words, arrays, whole=whole)
    axes = _axes(arrays[0].shape[1], whole)
    return tree_law(words, pair.here, pair.there, axes, epsilon=1.0)


@cache
def _axes(columns: int, whole: bool) -> tuple[Axis, ...]:
    table = unit_table(np.zeros((1, columns)), whole=whole)
    return tuple(axis_of(table, attribute) for attribute in table.schema)


def _piles(rng: np.random.Generator, progress: Progress | None) -> Subject:
    del rng, progress
    return tree_of(piles(140, 36), "141 zeros and 36 ones, one zero of which becomes a one")


def _worst_tree(rng: np.random.Generator, progress: Progress | None) -> Subject:
    seeds = [
        ("equal piles", zeros_and_ones(80, 40)),
        ("unequal piles", piles(140, 36)),
        ("random records", random_pair(60, 1, rng)),
        ("two columns", random_pair(60, 2, rng)),
    ]
    found = worst_pair(
        seeds,
        lambda arrays: tree_of(arrays).exact,
        move_records,
        rng=rng,
        steps=TREE_STEPS,
        progress=progress,
    )
    return tree_of(found.pair, in_words(found))


PRIVATE_TREE = (
    Case(
        name="all trees and their boxes, unequal piles",
        epsilon=1.0,
        promise=Promise.COVEY,
        build=_piles,
        share=TREE_SHARE,
    ),
    Case(
        name="worst pair found by a search",
        epsilon=1.0,
        promise=Promise.COVEY,
        build=_worst_tree,
        share=TREE_SHARE,
    ),
    real_case(
        "the sum of all released values",
        "private-tree",
        lambda: table_pair(f"20 {ONE_IN_ZEROS}, whole numbers", piles(19, 0), whole=True),
        total,
        promise=Promise.COVEY,
        parameters={"epsilon": 1.0, "output": "centroids"},
        exact=lambda _: tree_of(piles(19, 0), whole=True).exact,
        weakened={"epsilon": 4.0, "output": "centroids"},
        shrink=4,
    ),
)

PERSONALISED = (
    Case(
        name="sample and substitute, preference 0.1",
        epsilon=0.1,
        promise=Promise.COVEY,
        build=lambda _rng, _progress: SampleAndSubstitute(own=0.1, threshold=1.0),
        share=10.0,
    ),
    real_case(
        "the largest value of a release",
        "personalised",
        preference_pair,
        largest_value,
        promise=Promise.COVEY,
        parameters={
            "preferences": "allowed",
            "threshold": 2.0,
            "inner": "rank-blocks",
            "settings": {"k": 2},
        },
        exact=lambda _: float("nan"),
        shrink=8,
    ),
)


def _seeds(rng: np.random.Generator, *, n: int, d: int) -> Sequence[tuple[str, Arrays]]:
    """Return where a search among small tables starts."""
    return [
        ("zeros and a one", one_in_zeros(n, d)),
        *((f"random records {i}", random_pair(n, d, rng)) for i in range(1, 4)),
    ]

"""The loss of an output: infinite if anything shows without noise, else a ratio of likelihoods."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from covey.audit.cases.neighbours import (
    circle,
    described_pair,
    largest_record,
    one_in_zeros,
    piles,
    scattered,
    table_pair,
    zeros_and_ones,
)
from covey.audit.instruments.law import UnorderedLaw
from covey.audit.instruments.recording import SilentNoise
from covey.audit.instruments.replay import (
    Shipped,
    difference,
    output_loss,
    record,
    replay,
    worst_output,
)
from covey.audit.subject import Audited
from covey.core.exact import COIN_PARTS, kept_parts
from covey.errors import InternalError
from covey.seeded import SeededNoise
from covey.table import Attribute


def sides(system: str, arrays, **parameters) -> tuple[Shipped, Shipped]:
    return Audited(system=system, parameters=parameters).on(table_pair("", arrays))


def silent_loss(here: Shipped, there: Shipped) -> float:
    return output_loss(here, there, record(here, SilentNoise())).loss


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_a_record_across_the_range_costs_rank_blocks_exactly_epsilon(epsilon) -> None:
    here, there = sides("rank-blocks", one_in_zeros(20), epsilon=epsilon, k=5)

    assert silent_loss(here, there) == pytest.approx(epsilon, rel=1e-9)
    assert silent_loss(here, here) == 0.0


def test_weak_noise_costs_more_by_as_much_as_it_is_narrower() -> None:
    here, there = sides("rank-blocks", one_in_zeros(20), k=5)

    assert silent_loss(here.weakened(), there.weakened()) == pytest.approx(1.25, rel=1e-9)
    assert silent_loss(here.weakened(Fraction(2)), there.weakened(Fraction(2))) == pytest.approx(2)


@pytest.mark.parametrize(
    ("system", "arrays", "parameters"),
    [
        ("opt-dp", zeros_and_ones(20, 5), {}),
        ("mdav-ir-dp", scattered(20, 2), {"k": 5}),
        ("insensitive", largest_record(8), {"k": 4, "paper": True}),
        ("mdav", zeros_and_ones(8, 4), {"k": 3}),
    ],
    ids=["sizes", "combinations", "bounds from the data", "no noise"],
)
def test_what_is_published_without_noise_makes_the_loss_infinite(
    system, arrays, parameters
) -> None:
    here, there = sides(system, arrays, **parameters)

    told, certain = worst_output(here, there, outputs=2, rng=np.random.default_rng(1))

    assert (told.loss, told.why, certain) == (math.inf, "the rows", True)
    assert silent_loss(here, here) == 0.0


def test_clusters_without_an_order_lose_less_than_clusters_with_one() -> None:
    here, there = sides("mdav-dp", circle(100, 25), k=25)
    output = record(here, SilentNoise())

    _, _, asked = replay(there, output)

    unordered = UnorderedLaw.of(list(zip(output.script, asked, strict=True))).exact
    assert 20.9 <= unordered <= silent_loss(here, there)


@pytest.mark.parametrize(
    ("system", "arrays", "parameters"),
    [
        ("laplace", one_in_zeros(3), {}),
        ("insensitive", one_in_zeros(4, 2), {"k": 2}),
        ("private-tree", piles(20, 6), {}),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_likelihoods_are_those_of_the_outputs_that_are_drawn(system, arrays, parameters) -> None:
    # E[exp(−T)] is 1 for every log likelihood ratio T of a law to another.
    here, there = sides(system, arrays, **parameters)
    rng, runs = np.random.default_rng(5), 250

    ratios = []
    for _ in range(runs):
        output = record(here, SeededNoise(rng))
        ratios.append(math.exp(replay(there, output)[0] - output.log_likelihood))

    assert np.mean(ratios) == pytest.approx(1.0, abs=0.12)
    # Likelihoods of noise of another scale have another mean: that of a power of the ratios.
    assert np.mean(np.square(ratios)) > 1.05


ALLOWED = (Attribute("x", bounds=(0, 8), integer=True), Attribute("own", bounds=(0, 9)))


def personal(*preferences: float) -> tuple[Shipped, Shipped]:
    """Return records at the default, the first of which moves to a bound."""
    records = [(4.0, preference) for preference in preferences]
    pair = described_pair("", ALLOWED, records, [(8.0, preferences[0]), *records[1:]])
    parameters = {
        "preferences": "own",
        "threshold": 2.0,
        "inner": "rank-blocks",
        "settings": {"k": 2},
    }
    return Audited(system="personalised", parameters=parameters).on(pair)


@pytest.mark.parametrize("preference", [0.1, 1.0, 2.0])
def test_secret_coins_are_averaged_over(preference) -> None:
    here, there = personal(preference, 2.0, 2.0, 2.0)
    kept = kept_parts(Fraction(str(preference)), Fraction(2)) / COIN_PARTS

    # The sum of a block moves by half its sensitivity, so that a kept record loses 1.
    assert silent_loss(there, here) == pytest.approx(math.log1p(kept * math.expm1(1.0)), rel=1e-9)


def test_many_uncertain_coins_are_refused() -> None:
    here, there = personal(*[0.1] * 12)

    with pytest.raises(InternalError, match="cannot be added up over"):
        silent_loss(here, there)


def test_another_output_than_that_without_noise_can_tell_more() -> None:
    here, there = sides("private-tree", piles(60, 16))

    few, many = (
        worst_output(here, there, outputs=n, rng=np.random.default_rng(1))[0].loss for n in (1, 12)
    )

    assert 0.7 < few < many <= 1.0


def test_releases_are_compared_part_by_part() -> None:
    release = sides("rank-blocks", one_in_zeros(6), k=2)[0].release(SilentNoise())
    (name, extra), *_ = release.extras.items()
    held = type(release.rows)

    changed = {
        "the rows": {"rows": held(release.frame.with_columns(x0=pl.lit(0.3)))},
        "the types of the rows": {"rows": held(release.frame.cast(pl.Float32))},
        "the guarantee": {"guarantee": replace(release.guarantee, epsilon=Fraction(2))},
        "the settings that were chosen": {"plan": replace(release.plan, parameters={"k": 3})},
        "the schema": {"plan": replace(release.plan, schema=None)},
        "how it is written": {"format": "parquet"},
        "which tables there are": {"extras": {}},
        f"the table {name!r}": {"extras": {**release.extras, name: extra.head(0)}},
    }

    assert difference(release, release) == ""
    for what, change in changed.items():
        assert difference(release, replace(release, **change)) == what

"""Per-record noise is local: every row stays in its place and is protected by itself."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import covey
from covey.audit.instruments.recording import RecordingNoise, SilentNoise
from covey.table import Attribute, Schema
from tests.contracts.people import numeric_people, people
from tests.core.law import has_scale
from tests.systems.metered import published


def constant_table(n: int) -> covey.Table:
    """Return n records in the middle of wide bounds, so that hardly any noise is clamped."""
    schema = Schema((Attribute("x", bounds=(0, 2**20), integer=True),))
    return covey.read_table(pl.DataFrame({"x": np.full(n, 2**19)}), schema)


def test_without_noise_the_rows_are_the_clamped_records_in_their_order() -> None:
    table = people()

    release, _ = published("laplace", table, SilentNoise(), epsilon=1, columns="age,income")

    assert release.frame["age"].to_list() == table.values("age").tolist()
    assert release.frame["income"].to_numpy() == pytest.approx(
        np.clip(table.values("income"), 0, 100_000), abs=100_000 / 2**20
    )


def test_categories_of_a_mixed_table_are_drawn_and_share_the_budget() -> None:
    table = people()

    release = covey.publish(table, "laplace", epsilon=4000.0, columns=("age", "region"))

    assert release.frame["region"].to_list() == table.texts("region")
    assert release.guarantee.columns == ("age", "region")
    assert {"age", "region"} <= set(release.accuracy["column"])
    assert any("values of region" in fact for fact in release.guarantee.assumes)


def test_every_column_gets_an_even_share_and_its_own_scale() -> None:
    source = RecordingNoise()

    published("laplace", numeric_people(), source, epsilon=0.3)

    assert [call.public["epsilon"] for call in source.asked] == [Fraction(1, 10)] * 3
    assert [call.public["scale"] for call in source.asked] == [2**20 * 10] * 3


def test_the_noise_of_a_release_has_the_scale_of_the_width_over_epsilon() -> None:
    epsilon = 1000.0
    release = covey.publish(constant_table(20_000), "laplace", epsilon=epsilon)

    noise = release.frame["x"].to_numpy() - 2**19

    scale = 2**20 / epsilon
    assert has_scale(noise, scale)
    assert not has_scale(noise, 0.8 * scale)
    assert not has_scale(noise, 1.2 * scale)


def test_the_release_keeps_the_order_of_the_records() -> None:
    schema = Schema((Attribute("x", bounds=(0, 1000)),))
    values = np.array([900.0, 100.0, 500.0])

    release = covey.publish(values, "laplace", schema=schema, epsilon=1e6)

    assert release.data[:, 0] == pytest.approx(values, abs=0.5)
    assert release.guarantee.kind is covey.GuaranteeKind.LOCAL_DP


def test_the_guarantee_says_that_rows_are_in_order_and_single_values_mean_little() -> None:
    guarantee = covey.publish(numeric_people(), "laplace", epsilon=1).guarantee

    assert any("order of the original records" in text for text in guarantee.conditions)
    assert any("Single values mean little" in text for text in guarantee.conditions)
    assert guarantee.claim == "record-values"

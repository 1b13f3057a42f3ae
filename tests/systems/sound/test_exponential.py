"""Every category is drawn anew by itself: what one row costs does not depend on the others."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

import covey
from covey import Attribute, Scale, Schema
from covey.audit.instruments.drawn import Drawn
from covey.audit.instruments.law import DrawLaw
from covey.audit.instruments.recording import RecordingNoise
from covey.core import GuaranteeKind
from covey.errors import SchemaError
from covey.table import Missing, Table, Taxonomy, read_table
from tests.systems.metered import published

SPORTS = ("chess", "judo", "rugby", "sailing")
# Leaves at several depths, an inner value, and a value with two parents.
EDGES = [
    ("sport", ""),
    ("water", "sport"),
    ("ball", "sport"),
    ("polo", "water"),
    ("polo", "ball"),
    ("sailing", "water"),
    ("rugby", "ball"),
    ("chess", "sport"),
]


@pytest.fixture
def taxonomy() -> Taxonomy:
    return Taxonomy.from_edges("sport", EDGES)


@pytest.fixture
def deep(tmp_path, taxonomy):
    """Return a maker of tables with one column of concepts, none missing."""
    taxonomy.save(tmp_path / "sport.csv")

    def make(values) -> Table:
        schema = Schema(
            (
                Attribute(
                    "sport", scale=Scale.NOMINAL, taxonomy="sport.csv", missing=Missing.REFUSE
                ),
            ),
            folder=tmp_path,
        )
        return read_table(pl.DataFrame({"sport": list(values)}), schema)

    return make


def flat(*columns, **changes) -> Table:
    """Describe columns c0, c1, … of flat categories."""
    schema = Schema(
        tuple(
            Attribute(f"c{j}", scale=Scale.NOMINAL, categories=SPORTS, **changes)
            for j in range(len(columns))
        )
    )
    return read_table(pl.DataFrame({f"c{j}": list(c) for j, c in enumerate(columns)}), schema)


def asked(table: Table, **parameters) -> list[Drawn]:
    source = RecordingNoise()
    published("exponential", table, source, **{"epsilon": 1.0, **parameters})
    return source.asked


def loss(here: list[Drawn], there: list[Drawn]) -> float:
    """Return the largest loss over all choices; infinite if not the same was asked."""
    return DrawLaw(list(zip(here, there, strict=True))).exact


def test_the_loss_of_a_replaced_record_is_at_most_epsilon_however_many_records_there_are(
    deep, taxonomy
) -> None:
    worst = 0.0
    for old, new in product(taxonomy.concepts, repeat=2):
        worst = max(worst, loss(*(asked(deep([value] + ["chess"] * 9)) for value in (old, new))))

    # Far more than a tenth of epsilon, which it would be if ten rows shared the budget.
    assert 0.5 < worst <= 1.0


def test_columns_share_the_budget() -> None:
    one, two = asked(flat(SPORTS)), asked(flat(SPORTS, SPORTS))

    assert [choices.public["rate"] for choices in two] == [one[0].public["rate"] / 2] * 2


def test_the_loss_of_all_columns_together_is_at_most_epsilon() -> None:
    rows = list(product(SPORTS, SPORTS))
    for old, new in product(rows, repeat=2):
        here, there = (
            asked(flat([row[0], "chess"], [row[1], "judo"]), epsilon=2.0) for row in (old, new)
        )
        assert loss(here, there) <= 2.0 * (1 + 1e-9)


def test_rows_stay_in_place_and_may_because_the_guarantee_is_local() -> None:
    values = [SPORTS[i % 4] for i in range(200)]

    release, trace = covey.publish(flat(values), "exponential", epsilon=60, trace=True)

    assert release.guarantee.kind is GuaranteeKind.LOCAL_DP
    assert release.guarantee.claim == "record-choices"
    assert release.frame["c0"].to_list() == values
    assert trace.aligned.equals(release.frame)


def test_a_value_is_drawn_with_the_probabilities_of_the_exponential_mechanism(
    deep, taxonomy
) -> None:
    n, epsilon = 40_000, 3.0
    release = covey.publish(deep(["polo"] * n), "exponential", epsilon=epsilon, random_state=6)

    polo = taxonomy.concepts.index("polo")
    weights = np.exp(-epsilon * taxonomy.distances[polo] / (2 * taxonomy.distances.max()))
    counts = dict(release.frame["sport"].value_counts().iter_rows())
    for concept, weight in zip(taxonomy.concepts, weights / weights.sum(), strict=True):
        sd = np.sqrt(weight * (1 - weight) / n)
        assert counts[concept] / n == pytest.approx(weight, abs=5 * sd)


def test_near_concepts_come_out_more_often_than_far_ones_in_the_secure_mode_too(deep) -> None:
    release = covey.publish(deep(["rugby"] * 2000), "exponential", epsilon=8)

    counts = dict(release.frame["sport"].value_counts().iter_rows())
    assert counts["rugby"] > counts["ball"] > counts["sailing"]


def test_missing_values_are_a_category_like_others() -> None:
    release = covey.publish(flat(["chess", None] * 50), "exponential", epsilon=60)

    assert release.frame["c0"].to_list() == ["chess", None] * 50


def test_numbers_are_refused_with_what_to_do() -> None:
    schema = Schema(
        (
            Attribute("age", bounds=(0, 120)),
            Attribute("c", scale=Scale.NOMINAL, categories=SPORTS),
        )
    )
    table = read_table(pl.DataFrame({"age": [1.0, 2.0], "c": ["chess", "judo"]}), schema)

    with pytest.raises(SchemaError, match=r"'age' is numeric .* with 'laplace'"):
        covey.publish(table, "exponential", epsilon=1)
    release = covey.publish(table, "exponential", epsilon=1, columns="c")
    assert release.frame.columns == ["c"]
    assert release.guarantee.dropped == ("age",)


def test_candidates_must_be_public() -> None:
    schema = Schema((Attribute("c", scale=Scale.NOMINAL),))
    table = read_table(pl.DataFrame({"c": ["chess", "judo"]}), schema)

    with pytest.raises(SchemaError, match="neither categories nor a taxonomy"):
        covey.publish(table, "exponential", epsilon=1)


def test_categories_from_the_data_leave_no_guarantee_and_no_order() -> None:
    table = flat(["judo", "chess"] * 20, drafted=("categories",))

    release = covey.publish(table, "exponential", epsilon=60)

    assert release.guarantee.kind is GuaranteeKind.NONE
    assert release.frame["c0"].to_list() == sorted(release.frame["c0"])


def test_dropped_incomplete_records_are_mentioned() -> None:
    table = flat(["judo", "chess", None] * 5, missing="drop")

    guarantee = covey.publish(table, "exponential", epsilon=1).guarantee

    assert any("incomplete records were dropped" in fact for fact in guarantee.assumes)


def test_a_seed_repeats_the_draws() -> None:
    table = flat([SPORTS[i % 4] for i in range(40)])

    drawn = [covey.publish(table, "exponential", epsilon=1.0, random_state=5) for _ in range(2)]

    assert drawn[0].frame.equals(drawn[1].frame)

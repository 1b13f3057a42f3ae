"""What is true of clusters inside public blocks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.errors import CoveyError
from covey.table import Attribute, Role, Scale, Schema
from tests.systems.recording import RecordingNoise

GROUPED = ("md", "mdav", "v-mdav")
SCHEMA = Schema(
    (
        Attribute("town", scale=Scale.NOMINAL, role=Role.NON_CONFIDENTIAL),
        Attribute("age", bounds=(0, 9), integer=True),
        Attribute("income", bounds=(0, 3)),
        Attribute("colour", scale=Scale.NOMINAL),
        Attribute("illness", scale=Scale.NOMINAL, role=Role.CONFIDENTIAL, categories=("a", "b")),
        Attribute("name", scale=Scale.NOMINAL, role=Role.IDENTIFIER),
    )
)
NOISY = {"epsilon": 1.0, "columns": ("town", "age", "income")}


@st.composite
def records(draw: st.DrawFn, least: int) -> pl.DataFrame:
    """Draw blocks of that many records and more, mixed, with few values, so that many agree."""
    sizes = draw(st.lists(st.integers(least, 5 * least), min_size=2, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = sum(sizes)
    frame = pl.DataFrame(
        {
            "town": pl.Series(np.repeat(["x", "y", "z", "w"][: len(sizes)], sizes)),
            "age": np.concatenate([[9], rng.integers(0, 4, n - 1)]),
            "income": np.concatenate([[3.0], np.round(rng.random(n - 1), draw(st.integers(0, 3)))]),
            "colour": rng.choice(["red", "blue", "green"], n),
            "illness": rng.choice(["a", "b"], n),
            "name": [f"p{i}" for i in range(n)],
        }
    )
    return frame.with_columns(pl.col("town").replace("w", None))[rng.permutation(n)]


def published(frame: pl.DataFrame, system: str, schema: Schema = SCHEMA, **asked) -> covey.Release:
    return covey.publish(covey.read_table(frame, schema), system, **asked)


def requests(frame: pl.DataFrame, **asked) -> list:
    source, system = RecordingNoise(), covey.SYSTEMS["mdav-dp"]
    asked = system.settings(NOISY | asked)
    system.run(covey.read_table(frame, SCHEMA), asked, source, None)
    return source.asked


def by_town(frame: pl.DataFrame) -> list[pl.DataFrame]:
    ordered = frame.sort("town", nulls_last=True, maintain_order=True)
    return ordered.partition_by("town", maintain_order=True)


@pytest.mark.parametrize("system", GROUPED)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), k=st.integers(2, 4))
def test_each_combination_is_shared_by_k_records_what_separates_blocks_included(
    system, data, k
) -> None:
    frame = data.draw(records(k))

    release = published(frame, system, k=k, blocks="town")

    covered = ("town", "age", "income", "colour")
    assert release.guarantee.columns == covered
    assert release.frame.group_by(covered).len()["len"].min() >= k
    assert release.frame["town"].sort().equals(frame["town"].sort())


@pytest.mark.parametrize("system", GROUPED)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), k=st.integers(2, 4))
def test_a_block_is_clustered_as_if_it_were_published_by_itself(system, data, k) -> None:
    frame = data.draw(records(k))
    parts = []
    for block in by_town(frame):
        varied = all(block[name].n_unique() > 1 for name in ("age", "income"))
        if block.height >= 2 * k and varied:
            parts.append(published(block, system, k=k).frame)

    whole = published(frame, system, k=k, blocks="town").frame

    for part in parts:
        same = whole.filter(pl.col("town").eq_missing(part["town"][0]))
        assert same.drop("illness").equals(part.drop("illness"))


@settings(max_examples=25, deadline=None)
@given(data=st.data(), k=st.integers(2, 4), centroid=st.sampled_from(["mean", "medoid"]))
def test_noise_is_added_to_what_each_block_by_itself_would_get_noise_on(data, k, centroid) -> None:
    frame = data.draw(records(2 * k))
    asked = {"k": k, "centroid": centroid}
    alone = [requests(block, columns=("age", "income"), **asked) for block in by_town(frame)]

    together = requests(frame, blocks="town", **asked)

    for found, *each in zip(together, *alone, strict=True):
        assert found.integers == tuple(number for one in each for number in one.integers)
        assert {(one.scale, one.l1, one.epsilon) for one in each} == {
            (found.scale, found.l1, found.epsilon)
        }


@pytest.mark.parametrize("system", [*GROUPED, "mdav-dp"])
@settings(max_examples=15, deadline=None)
@given(data=st.data(), k=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_the_order_of_the_records_decides_nothing(system, data, k, seed) -> None:
    frame = data.draw(records(k))
    mixed = frame[np.random.default_rng(seed).permutation(frame.height)]

    if system == "mdav-dp":
        here, there = (requests(rows, k=k, blocks="town") for rows in (frame, mixed))
        assert here == there
    else:
        # Records that agree in what is clustered are told apart by their order alone.
        schema = SCHEMA.updated("illness", role=Role.IDENTIFIER)
        asked = {"schema": schema, "k": k, "blocks": "town"}
        here, there = (published(rows, system, **asked).frame for rows in (frame, mixed))
        assert here.equals(there)


def test_a_block_of_fewer_than_2k_records_is_one_cluster() -> None:
    frame = pl.DataFrame({"town": ["x"] * 5 + ["y"] * 6, "age": range(11)})
    schema = Schema((SCHEMA["town"], Attribute("age", bounds=(0, 20))))

    release = published(frame.cast({"age": pl.Float64}), "mdav", schema, k=3, blocks="town")

    found = release.frame.group_by("town", "age").len().sort("age")
    assert found.rows() == [("x", 2.0, 5), ("y", 6.0, 3), ("y", 9.0, 3)]


def test_values_that_differ_in_print_alone_are_blocks_of_their_own() -> None:
    frame = pl.DataFrame({"floor": [0.0] * 4 + [-0.0] * 2, "age": [1.0, 2, 3, 4, 5, 6]})
    schema = Schema((Attribute("floor", integer=True), Attribute("age")))

    with pytest.raises(CoveyError, match="equal 'floor' has fewer than k = 3 records"):
        published(frame, "mdav", schema, k=3, blocks="floor")


@pytest.mark.parametrize("system", GROUPED)
def test_k_anonymity_says_that_blocks_are_covered_and_can_be_seen(system) -> None:
    guarantee = published(people(), system, k=3, blocks="town").guarantee

    assert "each combination of town, age, income, colour is shared by at least 3" in str(guarantee)
    assert "disclosure: illness." in str(guarantee)
    assert any("inside blocks of equal town, published as they" in c for c in guarantee.conditions)


def test_the_conditional_guarantee_says_that_blocks_are_public_and_not_protected() -> None:
    guarantee = published(people(), "mdav-dp", k=3, blocks="town", **NOISY).guarantee

    assert guarantee.kind is covey.GuaranteeKind.PARTITION_CONDITIONAL
    assert guarantee.columns == ("age", "income")
    assert guarantee.untouched == ("town",)
    assert guarantee.dropped == ("colour", "illness", "name")
    assert str(guarantee).endswith(
        "Clusters lie inside blocks of equal town, published without noise: which block a record "
        "belongs to is public and not protected."
    )
    assert "Which block of equal town each record belongs to is public." in guarantee.assumes
    assert any("town" in text and "not protected" in text for text in guarantee.conditions)


def test_without_blocks_the_conditional_guarantee_does_not_mention_them() -> None:
    guarantee = published(people(), "mdav-dp", k=3, epsilon=1, columns=("age", "income")).guarantee

    assert "block" not in str(guarantee.to_dict())


def test_a_neighbour_in_the_same_clusters_costs_at_most_epsilon() -> None:
    frame = people()
    moved = frame.with_columns(
        income=pl.when(pl.col("name") == "p0").then(pl.col("income") + 0.1).otherwise("income")
    )

    here, there = (requests(rows, k=6, blocks="town") for rows in (frame, moved))

    pairs = list(zip(here, there, strict=True))
    moves = [a != b for one, two in pairs for a, b in zip(one.integers, two.integers, strict=True)]
    assert sum(moves) == 1
    assert 0 < sum(one.loss(other) for one, other in pairs) <= 1


def test_a_plan_with_blocks_runs_again(tmp_path) -> None:
    release = published(people(), "mdav", k=3, blocks="town")
    release.save(tmp_path / "out")

    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")

    assert covey.run(plan, people()).frame.equals(release.frame)


def test_scores_count_what_separates_blocks_as_unchanged() -> None:
    table = covey.read_table(people(), SCHEMA)

    scores = covey.evaluate(table, covey.publish(table, "mdav", k=3, blocks="age")).scores

    assert scores["ks[age]"] == 0
    assert scores["ks[income]"] > 0
    assert scores["k_achieved"] >= 3


@pytest.mark.parametrize(
    ("system", "asked", "message"),
    [
        ("mdav", {"blocks": "twon"}, r"no column 'twon'.*Did you mean 'town'\?"),
        ("mdav", {"blocks": "illness"}, "'illness' is described as confidential"),
        ("mdav", {"blocks": "name"}, "'name' is described as identifier"),
        ("mdav", {"blocks": "income"}, "'income' is numeric and cannot.*integer = true"),
        ("mdav", {"blocks": "town", "k": 40}, "k = 40 leaves fewer than 2k records"),
        ("mdav", {"blocks": "town", "k": 30}, "equal 'town' has fewer than k = 30 records"),
        ("mdav", {"blocks": 3}, "'blocks' of system 'mdav' must be a list of column names"),
        ("mdav-dp", {"blocks": "town", "columns": "age"}, "'town' separates.*Add it to `columns`"),
        ("mdav-dp", {"blocks": "town", "columns": "town"}, "nothing is left"),
        ("mdav-dp", {"blocks": "town", "groups": "age;town"}, "'town' separates.*in a group"),
        ("mdav-dp", {"blocks": "town", "k": 30}, "equal 'town' has fewer than k = 30 records"),
        ("mdav-ir-dp", {"blocks": "town"}, "'mdav-ir-dp' has no parameter 'blocks'"),
    ],
)
def test_bad_blocks_are_refused(system, asked, message) -> None:
    noisy = {} if system == "mdav" else NOISY
    if "groups" in asked:
        noisy = {"epsilon": 1.0}

    with pytest.raises(CoveyError, match=message):
        published(people(), system, **{"k": 3} | noisy | asked)


def test_quasi_identifiers_that_all_separate_blocks_leave_nothing_to_cluster() -> None:
    frame = people().select("town", "age")
    schema = Schema((SCHEMA["town"], SCHEMA["age"]))

    with pytest.raises(CoveyError, match="nothing is left to form clusters of"):
        published(frame, "mdav", schema, k=3, blocks="age")


def test_a_column_may_be_constant_in_a_block_but_not_in_all() -> None:
    same = people().with_columns(age=pl.when(pl.col("town") == "x").then(3).otherwise("age"))

    release = published(same, "mdav", k=3, blocks="town")

    assert release.frame.filter(pl.col("town") == "x")["age"].unique().to_list() == [3]
    with pytest.raises(CoveyError, match="'age' is constant"):
        published(people().with_columns(age=pl.lit(3)), "mdav", k=3, blocks="town")


def people() -> pl.DataFrame:
    """Return 75 records: 50 of town x, 25 of town y, and at least three of each age."""
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "town": ["x", "x", "y"] * 25,
            "age": rng.permutation(np.arange(75) % 5),
            "income": np.round(rng.random(75) * 2, 3),
            "colour": rng.choice(["red", "blue"], 75),
            "illness": rng.choice(["a", "b"], 75),
            "name": [f"p{i}" for i in range(75)],
        }
    )

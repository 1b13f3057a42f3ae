"""Paper 000: its numbers come out again, and what is said about them is no more than is true."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import covey
from covey import Attribute, Schema
from covey.core import GuaranteeKind
from covey.errors import CoveyError, PlanError, SchemaError
from covey.partition import PARTITIONERS, partition_records
from covey.systems import SYSTEMS
from covey.systems.papers.p000 import mdav_dp, mdav_ir_dp, opt_dp
from covey.systems.papers.p000.centroid_noise import clustered
from covey.systems.papers.p000.expected_sse import expected_sse
from covey.systems.papers.p000.groups import read_groups, read_split
from covey.table import Table, read_table
from tests.systems.recording import RecordingNoise

DATA = Path(os.environ["COVEY_DATA"])
NAMES = ("FEDTAX", "POTHVAL", "INTVAL", "FICA")
CLUSTERINGS = {
    "mdav-dp": mdav_dp.clustering,
    "mdav-ir-dp": mdav_ir_dp.clustering,
    "opt-dp": opt_dp.clustering,
}
SYSTEM_NAMES = tuple(CLUSTERINGS)
RUNS = 20

needs_census = pytest.mark.skipif(
    not (DATA / "census.csv").is_file(), reason="the Census reference data are not here"
)


def census() -> Table:
    """Return the four attributes of the paper, with its bounds: 1.5 times the largest value."""
    frame = pl.read_csv(DATA / "census.csv").select(NAMES)
    high = {name: 1.5 * float(frame[name].max()) for name in NAMES}
    return read_table(
        frame, Schema(tuple(Attribute(name, bounds=(0.0, high[name])) for name in NAMES))
    )


def sse_of_partition(table: Table, labels: np.ndarray, names=NAMES) -> float:
    X = table.matrix(names)
    means = np.array([X[labels == c].mean(axis=0) for c in range(labels.max() + 1)])
    return float(((X - means[labels]) ** 2).sum())


def aligned(table: Table, system: str, **parameters) -> pl.DataFrame:
    """Return what became of each record."""
    _, trace = covey.publish(table, system, trace=True, **parameters)
    return trace.aligned


def mean_sse(table: Table, system: str, **parameters) -> float:
    """Average the error over seeded runs, noise clamped to the bounds as in the paper."""
    X = table.matrix(NAMES)
    runs = (aligned(table, system, random_state=seed, **parameters) for seed in range(RUNS))
    errors = [np.sum((run.select(NAMES).to_numpy() - X) ** 2) for run in runs]
    return float(np.mean(errors))


@needs_census
@pytest.mark.parametrize(
    ("split", "epsilon", "expected"),
    [
        ("range", 1, 35_595_120_000.0),
        ("even", 2, 29_825_880_000.0),
        ("range", 2, 20_405_860_000.0),
    ],
    ids=["OPT_DP_2 epsilon 1", "OPT_DP_1 epsilon 2", "OPT_DP_2 epsilon 2"],
)
def test_opt_dp_has_the_expected_error_of_the_shortest_path(split, epsilon, expected) -> None:
    found = expected_sse(census(), "opt-dp", epsilon=epsilon, split=split)

    assert found == pytest.approx(expected, rel=1e-6)


@needs_census
def test_opt_dp_beats_mdav_from_k_12_and_individual_mdav_from_k_56() -> None:
    table = census()
    error = expected_sse(table, "opt-dp", epsilon=2, split="range")
    X = table.matrix(NAMES) / np.array([attribute.width for attribute in table.schema])
    mdav = PARTITIONERS["mdav"]

    jointly = {
        k: sse_of_partition(table, partition_records(X, mdav, k=k).labels) for k in range(10, 14)
    }
    separately = {
        k: sum(
            sse_of_partition(table, partition_records(X[:, [j]], mdav, k=k).labels, (name,))
            for j, name in enumerate(NAMES)
        )
        for k in range(54, 58)
    }

    assert min(k for k, sse in jointly.items() if sse > error) == 12
    assert min(k for k, sse in separately.items() if sse > error) == 56


@needs_census
def test_mdav_ir_dp_2_has_its_least_error_near_k_160_at_epsilon_1() -> None:
    table, sizes = census(), (20, 40, 70, 100, 130, 160, 190, 220, 300, 400)
    run = {"epsilon": 1, "split": "range"}

    observed = {k: mean_sse(table, "mdav-ir-dp", k=k, **run) for k in sizes}
    expected = {k: expected_sse(table, "mdav-ir-dp", k=k, **run) for k in range(100, 241, 10)}

    best = min(observed, key=observed.get)
    assert best == pytest.approx(160, rel=0.35)
    assert observed[best] == pytest.approx(6.015e10, rel=0.1)
    assert min(expected, key=expected.get) == 190


@needs_census
@pytest.mark.parametrize(("k", "ratio", "error"), [(50, 1.107, 1.464e11), (100, 0.831, 7.085e10)])
def test_mdav_ir_dp_2_at_epsilon_1_is_as_good_as_insensitive_clusters_at_epsilon_10(
    k, ratio, error
) -> None:
    table = census()

    individual = mean_sse(table, "mdav-ir-dp", epsilon=1, k=k, split="range")
    insensitive = mean_sse(table, "insensitive", epsilon=10, k=k, paper=True)

    assert individual == pytest.approx(error, rel=0.2)
    assert individual / insensitive == pytest.approx(ratio, rel=0.2)


@needs_census
def test_at_the_best_k_of_each_optimal_beats_individual_beats_joint_clusters() -> None:
    table, run = census(), {"epsilon": 1, "split": "range"}

    joint, individual = (
        min(expected_sse(table, name, k=k, **run) for k in range(60, 400, 20))
        for name in ("mdav-dp", "mdav-ir-dp")
    )

    assert expected_sse(table, "opt-dp", **run) < individual < joint


@needs_census
def test_the_expected_error_is_that_of_runs_if_little_is_clamped() -> None:
    table = census()
    run = {"epsilon": 50, "k": 60, "groups": [["FICA", "FEDTAX"], ["INTVAL"], ["POTHVAL"]]}

    observed = mean_sse(table, "mdav-dp", **run)

    assert observed == pytest.approx(expected_sse(table, "mdav-dp", **run), rel=0.02)


def small(X: np.ndarray, *, drafted: tuple[str, ...] = ()) -> Table:
    """Describe columns a, b, c of which each is twice as wide as the one before."""
    X = np.asarray(X, dtype=np.float64).reshape(len(X), -1)
    schema = Schema(
        tuple(
            Attribute(name, bounds=(0.0, 2.0**j), drafted=drafted)
            for j, name in zip(range(X.shape[1]), "abc", strict=False)
        )
    )
    return read_table(X, schema)


def asked(table: Table, name: str, **parameters) -> RecordingNoise:
    """Run a system without noise and remember what it asked for."""
    source, system = RecordingNoise(), SYSTEMS[name]
    given = {"epsilon": 1.0, **({} if name == "opt-dp" else {"k": 2}), **parameters}
    system.run(table, system.settings(given), source, None)
    return source


three = small(np.random.default_rng(2).random((12, 3)) * [1, 2, 4])


@pytest.mark.parametrize("name", SYSTEM_NAMES)
@pytest.mark.parametrize(
    ("split", "parts"),
    [
        ("even", [Fraction(1, 3)] * 3),
        ("range", [Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)]),
    ],
)
def test_the_budget_is_split_evenly_or_by_range_and_adds_up(name, split, parts) -> None:
    sums = asked(three, name, split=split).asked

    assert [column.epsilon for column in sums] == parts
    assert [column.scale for column in sums] == [
        column.l1 / part for column, part in zip(sums, parts, strict=True)
    ]


def test_split_by_range_gives_every_attribute_the_noise_of_algorithm_1() -> None:
    sums = asked(three, "mdav-dp", split="range").asked

    raw = [
        float(column.scale) * attribute.width / column.l1
        for column, attribute in zip(sums, three.schema, strict=True)
    ]
    assert raw == pytest.approx([7.0] * 3)


def test_given_parts_are_the_budgets_of_the_groups_divided_by_range_inside() -> None:
    sums = asked(three, "mdav-dp", groups="a,b;c", split="0.3,0.7").asked

    assert [column.epsilon for column in sums] == [
        Fraction(1, 10),
        Fraction(2, 10),
        Fraction(7, 10),
    ]


def test_groups_are_clustered_by_themselves() -> None:
    whole, pairs, single = (
        aligned(three, "mdav-dp", epsilon=1000, k=4, groups=groups, random_state=0)
        for groups in (None, [["a", "b"], ["c"]], [["a"], ["b"], ["c"]])
    )
    apart = aligned(three, "mdav-ir-dp", epsilon=1000, k=4, random_state=0)

    assert whole.unique().height == 3
    assert pairs.select("a", "b").unique().height == 3
    assert pairs.unique().height > 3
    assert single.equals(apart)


def test_groups_name_what_is_published() -> None:
    release = covey.publish(three, "mdav-dp", epsilon=1, k=4, groups="c;a")

    assert release.frame.columns == ["a", "c"]
    assert release.guarantee.dropped == ("b",)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"groups": "a,b;b"}, "'b' is in several groups"),
        ({"groups": "a,a;b"}, "'a' is in several groups or twice"),
        ({"groups": "a;d"}, "a column 'd' that is not published"),
        ({"groups": "a;b", "columns": "a,b,c"}, "'c' is to be published and is in no group"),
        ({"groups": "a;c", "columns": "a,b"}, "a column 'c' that is not published"),
        ({"groups": "a;;b"}, "'groups' of system 'mdav-dp' must be groups of column names"),
        ({"groups": ["a", "b"]}, "must be groups of column names"),
        ({"groups": []}, "must be groups of column names"),
        ({"split": "evenly"}, "'split' of system 'mdav-dp' must be 'even', 'range', or positive"),
        ({"split": [1, -1]}, "must be 'even', 'range', or positive numbers"),
        ({"split": "0.5,0.4", "groups": "a,b;c"}, "add up to 0.9 and epsilon is 1"),
        ({"split": "0.5,0.25,0.25", "groups": "a,b;c"}, "3 parts for 2 groups"),
        ({"centroid": "mode"}, "one of mean, medoid"),
    ],
)
def test_what_does_not_make_sense_is_refused(parameters, message) -> None:
    with pytest.raises(PlanError, match=message):
        covey.publish(three, "mdav-dp", **{"epsilon": 1, "k": 2, **parameters})


def test_parts_that_add_up_in_decimals_are_accepted_though_floats_do_not() -> None:
    assert 0.1 + 0.2 != 0.3

    sums = asked(three, "mdav-dp", epsilon=0.3, groups="a;b", split=[0.1, 0.2]).asked

    assert sum(column.epsilon for column in sums) == Fraction(3, 10)


def test_groups_and_splits_are_read_from_texts_and_lists_alike() -> None:
    assert read_groups("a, b; c") == read_groups([["a", "b"], ["c"]]) == (("a", "b"), ("c",))
    assert read_split("0.25, 0.75") == read_split([0.25, 0.75]) == (0.25, 0.75)


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_the_guarantee_is_conditional_on_the_partition_and_says_where_it_came_from(name) -> None:
    parameters = {} if name == "opt-dp" else {"k": 3}

    guarantee = covey.publish(three, name, epsilon=1, **parameters).guarantee

    text = json.dumps(guarantee.to_dict())
    assert guarantee.kind is GuaranteeKind.PARTITION_CONDITIONAL
    assert guarantee.claim == "fixed-partition"
    assert "Not differential privacy for the original records" in str(guarantee)
    assert "Partition source: the original records themselves" in text
    assert "sizes of the clusters can be read off" in text
    assert ("they were chosen from the records" in text) == (name == "opt-dp")
    assert ("its cluster in every group" in text) == (name != "mdav-dp")


def test_bounds_from_the_data_leave_no_guarantee() -> None:
    table = small(np.linspace(0, 1, 12), drafted=("bounds",))

    guarantee = covey.publish(table, "mdav-dp", epsilon=1, k=3).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert "Read off the data" in str(guarantee)


def test_rows_keep_their_combinations_but_not_their_order() -> None:
    release, trace = covey.publish(three, "mdav-ir-dp", epsilon=1, k=3, trace=True)

    assert release.frame.rows() == sorted(trace.aligned.rows())


@pytest.mark.parametrize("name", SYSTEM_NAMES)
@pytest.mark.parametrize("centroid", ["mean", "medoid"])
def test_a_cluster_is_published_with_one_draw(name, centroid) -> None:
    parameters = {} if name == "opt-dp" else {"k": 4}

    source = asked(three, name, centroid=centroid, **parameters)
    became = aligned(three, name, epsilon=1, centroid=centroid, random_state=8, **parameters)

    for sums, column in zip(source.asked, "abc", strict=True):
        assert became[column].n_unique() <= len(sums.integers)


def test_means_come_from_exact_sums_and_medoids_from_records() -> None:
    table = small(np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.0]))

    (sums,) = asked(table, "mdav-dp", k=3).asked
    (medoids,) = asked(table, "mdav-dp", k=3, centroid="medoid").asked

    steps = sums.l1
    assert sorted(sums.integers) == [0.75 * steps, 2.75 * steps]
    assert sorted(medoids.integers) == [0.25 * steps, steps]


def test_values_beyond_the_bounds_are_clamped_before_clusters_are_formed() -> None:
    X = np.random.default_rng(0).random((12, 2))
    far = X.copy()
    far[3], X[3] = (9.0, -4.0), (1.0, 0.0)

    here, there = (asked(small(data), "mdav-dp", k=3).asked for data in (X, far))

    assert here == there


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_categories_are_refused_with_what_to_do(name) -> None:
    schema = Schema(
        (
            Attribute("a", bounds=(0, 1)),
            Attribute("c", scale=covey.Scale.NOMINAL, categories=("x", "y")),
        )
    )
    table = read_table(pl.DataFrame({"a": [0.0] * 8, "c": ["x"] * 8}), schema)
    parameters = {} if name == "opt-dp" else {"k": 2}

    with pytest.raises(SchemaError, match=f"'c' is nominal and '{name}' adds noise to numbers"):
        covey.publish(table, name, epsilon=1, **parameters)
    assert covey.publish(table, name, epsilon=1, columns="a", **parameters).frame.columns == ["a"]


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_a_saved_plan_with_groups_and_parts_runs_again(name, tmp_path) -> None:
    parameters = {
        "mdav-dp": {"k": 3, "groups": "a,b;c", "split": "0.25,0.75"},
        "mdav-ir-dp": {"k": 3, "split": "range"},
        "opt-dp": {"centroid": "medoid"},
    }[name]
    release = covey.publish(three, name, epsilon=1, random_state=4, **parameters)
    release.save(tmp_path / "out")

    plan = covey.Plan.load(tmp_path / "out" / "plan.toml")

    assert covey.run(plan, three).frame.equals(release.frame)
    assert plan.fingerprint == release.plan.fingerprint


def test_equal_records_and_the_smallest_table_are_published() -> None:
    table = small(np.full((4, 2), 0.5))

    for name in SYSTEM_NAMES:
        parameters = {} if name == "opt-dp" else {"k": 2}
        assert covey.publish(table, name, epsilon=1, **parameters).frame.height == 4


@pytest.mark.parametrize("k", [1, 7, 12])
def test_a_k_that_forms_no_clusters_is_refused(k) -> None:
    with pytest.raises(CoveyError, match=r"\bk\b"):
        covey.publish(three, "mdav-ir-dp", epsilon=1, k=k)


coordinate = st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0])


@settings(max_examples=100)
@given(
    st.lists(st.tuples(coordinate, coordinate), min_size=6, max_size=16),
    st.tuples(coordinate, coordinate),
    st.sampled_from(["even", "range"]),
    st.sampled_from(["mean", "medoid"]),
    st.sampled_from(SYSTEM_NAMES),
)
def test_neighbours_with_the_same_clusters_are_told_apart_by_no_more_than_epsilon(
    records, other, split, centroid, name
) -> None:
    here = np.array(records)
    there = here.copy()
    there[0] = other
    parameters = {"split": split, "centroid": centroid}
    runs = [asked(small(X), name, **parameters).asked for X in (here, there)]
    labels = [cluster_labels(small(X), name, split) for X in (here, there)]
    assume(all(np.array_equal(*pair) for pair in zip(*labels, strict=True)))

    loss = sum(mine.loss(theirs) for mine, theirs in zip(*runs, strict=True))

    assert loss <= 1


def cluster_labels(table: Table, name: str, split: str) -> list[np.ndarray]:
    """Return the clusters of each column."""
    given = {"epsilon": 1.0, "split": split, **({} if name == "opt-dp" else {"k": 2})}
    clustering = CLUSTERINGS[name](table, SYSTEMS[name].settings(given))
    return [column.partition.labels for column in clustered(table, clustering)]


@settings(max_examples=100)
@given(
    st.integers(2, 4),
    st.integers(2, 5),
    st.randoms(use_true_random=False),
    coordinate,
)
def test_one_column_that_k_divides_has_the_clusters_of_rank_blocks(
    k, blocks, random, other
) -> None:
    values = [random.choice([0.0, 0.1, 0.4, 0.8, 1.0]) for _ in range(k * blocks)]
    neighbour = [other, *values[1:]]

    runs = [
        sorted(asked(small(np.array(column)), "mdav-ir-dp", k=k).asked[0].integers)
        for column in (values, neighbour)
    ]

    steps = asked(small(np.array(values)), "mdav-ir-dp", k=k).asked[0].l1
    assert sum(abs(here - there) for here, there in zip(*runs, strict=True)) <= steps

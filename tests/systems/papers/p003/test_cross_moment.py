"""Cross-moment microaggregation publishes what it says, and never calls it differential privacy."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl
import pytest

import covey
from covey import Attribute, GuaranteeKind, Schema
from covey.core import EXACT, IDEALISED
from covey.errors import BoundsError, PartitionError, PlanError, SchemaError
from covey.partition import PARTITIONERS, partition_records
from covey.seeded import SeededNoise
from covey.systems import SYSTEMS
from covey.systems.papers.p003.methods import METHODS, STRATEGIES
from covey.systems.papers.p003.noise import UNIT
from covey.table import Scale
from tests.systems.recording import RecordingNoise

SYSTEM = SYSTEMS["cross-moment"]
NAMES = ("x", "y", "z")
BOUNDS = {"x": (0.0, 10.0), "y": (-1.0, 1.0), "z": (100.0, 200.0)}
N = 48


def schema(*, drafted: tuple[str, ...] = ()) -> Schema:
    return Schema(tuple(Attribute(name, bounds=BOUNDS[name], drafted=drafted) for name in NAMES))


def frame() -> pl.DataFrame:
    rng = np.random.default_rng(8)
    x = rng.gamma(2.0, 1.5, N)
    return pl.DataFrame({"x": x, "y": np.sin(x), "z": 100 + 9 * x + rng.normal(0, 3, N)})


TABLE = covey.read_table(frame(), schema())


def publish(table=TABLE, **parameters):
    return covey.publish(table, "cross-moment", **{"epsilon": 1.0, "k": 6, **parameters})


def asked_of(table=TABLE, **parameters):
    """Run without noise and return what was to be perturbed."""
    source = RecordingNoise()
    settings = SYSTEM.settings({"epsilon": 1.0, "k": 6, **parameters})
    SYSTEM.run(table, settings, source, None)
    return source.asked


def moments_of(table=TABLE, source=None, **parameters) -> dict[str, np.ndarray]:
    """Return the published moments, without noise unless a source is given."""
    settings = SYSTEM.settings({"epsilon": 1.0, "k": 6, "output": "moments", **parameters})
    outcome = SYSTEM.run(table, settings, source or RecordingNoise(), None)
    moments = outcome.extras["moments"]
    return {name: moments[name].to_numpy() for name in moments.columns}


def test_figure_4_has_26_methods_and_figure_5_has_8_baselines() -> None:
    assert list(METHODS) == [str(number) for number in range(1, 27)] + [
        f"B{number}" for number in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("1", {"m": 0, "partition": "mdav"}),
        (
            "3",
            {
                "m": 1,
                "basis": "coefficients",
                "partition": "mdav",
                "noise": "joint",
                "moments": "variances",
            },
        ),
        (
            "11",
            {
                "m": 2,
                "basis": "coefficients",
                "partition": "mdav",
                "noise": "separate",
                "moments": "all",
                "strategy": 2,
            },
        ),
        (
            "15",
            {
                "m": 1,
                "basis": "eigen",
                "partition": "mdav",
                "noise": "separate",
                "moments": "all",
                "strategy": 1,
            },
        ),
        (
            "26",
            {
                "m": 2,
                "basis": "coefficients",
                "partition": "individual-ranking",
                "noise": "separate",
                "moments": "variances",
                "strategy": 2,
            },
        ),
        ("B4", {"m": 2, "partition": "mdav", "moments": "all"}),
    ],
)
def test_a_method_sets_what_its_column_of_the_figure_says(method, expected) -> None:
    assert METHODS[method] == expected


def test_no_two_methods_of_figure_4_are_the_same() -> None:
    columns = [tuple(sorted(METHODS[str(number)].items())) for number in range(1, 27)]

    assert len(set(columns)) == 26


@pytest.mark.parametrize("weights", STRATEGIES.values())
def test_the_weights_of_a_strategy_add_up_to_one(weights) -> None:
    assert sum(weights) == 1


@pytest.mark.parametrize("method", METHODS)
def test_every_method_publishes_as_many_records_as_there_are_within_the_public_bounds(
    method,
) -> None:
    release = publish(method=method)

    assert release.data.shape == (N, 3)
    for name in NAMES:
        low, high = BOUNDS[name]
        assert release.data[name].is_finite().all()
        assert release.data[name].is_between(low, high).all()


@pytest.mark.parametrize("method", [str(number) for number in range(1, 27)])
def test_every_method_is_conditional_on_the_partition_and_says_so(method) -> None:
    guarantee = publish(method=method).guarantee

    assert guarantee.kind is GuaranteeKind.PARTITION_CONDITIONAL
    assert guarantee.epsilon == 1
    assert guarantee.claim == "moments"
    assert guarantee.arithmetic == EXACT
    assert "Not differential privacy for the original records" in str(guarantee)
    assert guarantee.conditions[0].startswith("Partition source: the original records themselves")


@pytest.mark.parametrize("method", [6, "14", "B2", 25])
def test_a_plan_with_a_method_runs_again(method) -> None:
    release = publish(method=method, random_state=4)

    again = covey.run(release.plan, TABLE)

    assert again.plan == release.plan
    assert again.frame.equals(release.frame)


def test_a_method_and_what_it_stands_for_publish_the_same() -> None:
    spelled = {"m": 1, "noise": "separate", "moments": "variances", "strategy": 1}

    by_number = publish(method=6, random_state=1)
    by_hand = publish(**spelled, random_state=1)

    assert by_number.frame.equals(by_hand.frame)


def test_different_seeds_publish_different_records() -> None:
    assert not publish(random_state=1).frame.equals(publish(random_state=2).frame)


def test_joint_noise_pays_for_all_moments_at_once() -> None:
    (asked,) = asked_of(m=2, noise="joint", k=6)

    clusters, coefficients = N // 6, 3 + 6 + 3
    assert len(asked.integers) == clusters * coefficients
    assert asked.l1 == coefficients * UNIT.steps
    assert asked.epsilon == 1


@pytest.mark.parametrize(
    ("moments", "output", "counts"),
    [
        ("all", "records", (3, 6, 3)),
        ("variances", "records", (3, 3, 3)),
        ("all", "moments", (3, 6, 10)),
        ("variances", "moments", (3, 3, 3)),
    ],
)
def test_separate_noise_pays_for_each_moment_by_its_weight(moments, output, counts) -> None:
    asked = asked_of(m=2, moments=moments, output=output, strategy=2)

    weights = (Fraction(3, 4), Fraction(15, 100), Fraction(1, 10))
    assert tuple(part.epsilon for part in asked) == weights
    assert tuple(part.l1 for part in asked) == tuple(count * UNIT.steps for count in counts)


def test_clusters_of_three_pay_twice_for_coskewness() -> None:
    asked = asked_of(m=2, moments="variances", k=3)

    assert [part.l1 for part in asked] == [3 * UNIT.steps, 3 * UNIT.steps, 6 * UNIT.steps]
    assert publish(m=2, k=3).guarantee.kind is GuaranteeKind.PARTITION_CONDITIONAL


def test_given_weights_replace_the_strategy() -> None:
    asked = asked_of(m=1, weights="0.9,0.1")

    assert [part.epsilon for part in asked] == [Fraction(9, 10), Fraction(1, 10)]


@pytest.mark.parametrize(
    ("split", "budgets"),
    [
        ("even", [Fraction(2, 3), Fraction(1, 3)]),
        ("0.25,0.75", [Fraction(1, 4), Fraction(3, 4)]),
    ],
)
def test_groups_of_columns_share_epsilon(split, budgets) -> None:
    asked = asked_of(m=1, noise="joint", groups="x,y;z", split=split)

    assert [part.epsilon for part in asked] == budgets
    assert [part.l1 for part in asked] == [5 * UNIT.steps, 2 * UNIT.steps]


def test_individual_ranking_takes_each_column_by_itself() -> None:
    asked = asked_of(method=21)

    assert [part.l1 for part in asked] == [2 * UNIT.steps] * 3
    assert sum(part.epsilon for part in asked) == 1


def labels_of(table) -> list[int]:
    """Return the clusters that MDAV forms of the scaled records."""
    low, high = np.array([BOUNDS[name] for name in NAMES]).T
    scaled = (np.clip(table.matrix(NAMES), low, high) - low) / (high - low)
    return partition_records(scaled, PARTITIONERS["mdav"], k=4).labels.tolist()


def pairs(seed: int):
    """Make two tables that differ in one record."""
    rng = np.random.default_rng(seed)
    low, high = np.array([BOUNDS[name] for name in NAMES]).T
    here = low + (high - low) * rng.random((16, 3))
    there = here.copy()
    there[rng.integers(16)] += (high - low) * rng.normal(0, 0.2, 3)
    return [covey.read_table(pl.DataFrame(X, schema=list(NAMES)), schema()) for X in (here, there)]


def loss(pair, **parameters) -> Fraction:
    """Return the exact privacy loss of all that is published, in the order of the clusters."""
    asked = [asked_of(table, k=4, **parameters) for table in pair]
    assert [part.public for part in asked[0]] == [part.public for part in asked[1]]
    return sum((a.loss(b) for a, b in zip(*asked, strict=True)), Fraction(0))


@pytest.fixture(scope="module")
def same_clusters():
    """Give the pairs of tables of which MDAV forms the same clusters."""
    return [pair for pair in map(pairs, range(60)) if labels_of(pair[0]) == labels_of(pair[1])]


@pytest.mark.parametrize("method", ["1", "2", "4", "8", "10"])
@pytest.mark.parametrize("output", ["records", "moments"])
def test_neighbours_with_the_same_clusters_lose_no_more_than_epsilon(
    method, output, same_clusters
) -> None:
    losses = [loss(pair, method=method, output=output) for pair in same_clusters]

    assert len(losses) > 5
    assert 0 < max(losses) <= 1


@pytest.mark.parametrize("method", ["20", "21", "22", "24", "26"])
def test_the_sums_of_blocks_of_ranks_lose_no_more_than_epsilon_whatever_record_is_replaced(
    method,
) -> None:
    losses = [loss(pairs(seed), method=method) for seed in range(60)]

    assert 0 < max(losses) <= 1


def test_a_record_moved_by_a_hair_can_cost_many_times_epsilon() -> None:
    # Points on a circle: MDAV starts at whichever is farthest from the mean.
    n, k = 100, 25
    angles = 2 * np.pi * np.arange(n) / n
    here = np.column_stack([0.5 + 0.4 * np.cos(angles), 0.5 + 0.4 * np.sin(angles)])
    here[0] += 1e-6 * (here[0] - 0.5)
    there = here.copy()
    there[n // 8] += 2e-6 * (there[n // 8] - 0.5)
    public = Schema(tuple(Attribute(name, bounds=(0.0, 1.0)) for name in "xy"))

    asked = [
        asked_of(covey.read_table(pl.DataFrame(X, schema=["x", "y"]), public), method=2, k=k)[0]
        for X in (here, there)
    ]

    sums = [np.array(part.integers).reshape(n // k, -1) for part in asked]
    nearest = min(
        np.abs(sums[0] - sums[1][list(order)]).sum() for order in permutations(range(n // k))
    )
    # Rows are not in the order of the clusters, which hides at most the logarithm of their orders.
    assert nearest / float(asked[0].scale) - math.log(math.factorial(n // k)) > 4


def test_moments_without_noise_are_those_of_the_clusters() -> None:
    found = moments_of(m=2, k=12)

    X = np.clip(frame().to_numpy(), [0, -1, 100], [10, 1, 200])
    scaled = (X - [0, -1, 100]) / [10, 2, 100]
    labels = partition_records(scaled, PARTITIONERS["mdav"], k=12).labels
    clusters = [X[labels == cluster] for cluster in range(labels.max() + 1)]
    for cluster, rows in enumerate(sorted(clusters, key=lambda rows: rows[:, 0].mean())):
        deviations = rows - rows.mean(axis=0)
        covariance, n = np.cov(rows.T), len(rows)
        third = n / ((n - 1) * (n - 2)) * (deviations[:, 0] ** 2 * deviations[:, 2]).sum()
        assert found["records[x,y,z]"][cluster] == n
        assert found["mean[z]"][cluster] == pytest.approx(rows[:, 2].mean(), abs=1e-3)
        assert found["variance[x]"][cluster] == pytest.approx(covariance[0, 0], abs=1e-3)
        assert found["covariance[x,z]"][cluster] == pytest.approx(covariance[0, 2], abs=1e-2)
        assert found["coskewness[x,x,z]"][cluster] == pytest.approx(third, abs=0.05)


def test_variances_alone_are_named_alone() -> None:
    found = moments_of(m=2, moments="variances")

    assert list(found) == [
        "records[x,y,z]",
        *[f"mean[{name}]" for name in NAMES],
        *[f"variance[{name}]" for name in NAMES],
        *[f"coskewness[{name},{name},{name}]" for name in NAMES],
    ]


def test_the_moments_of_a_group_are_empty_in_the_rows_of_another() -> None:
    found = moments_of(m=1, groups="x,y;z", k=12)

    assert np.isnan(found["mean[x]"]).tolist() == [False] * 4 + [True] * 4
    assert np.isnan(found["variance[z]"]).tolist() == [True] * 4 + [False] * 4
    assert "covariance[x,z]" not in found


def test_the_moments_are_written_beside_the_records(tmp_path) -> None:
    release = publish(m=2, output="moments", k=12)

    folder = release.save(tmp_path / "out")

    assert release.data.shape == (N, 3)
    written = pl.read_csv(folder / "moments.csv")
    assert written.height == 4
    assert written["records[x,y,z]"].to_list() == [12] * 4
    assert written.columns == release.extras["moments"].columns


def test_records_alone_come_without_moments() -> None:
    assert publish(m=1).extras == {}


def test_eigenvectors_are_those_of_the_noisy_covariance_and_cost_nothing_more() -> None:
    coefficients, eigen = (
        moments_of(m=1, basis=basis, source=SeededNoise.of(3), k=12)
        for basis in ("coefficients", "eigen")
    )

    pairs = [(i, j) for i in range(3) for j in range(3)]
    widths = [10, 2, 100]
    for i, j in pairs:
        rebuilt = sum(
            eigen[f"eigenvalue_{r}[x,y,z]"]
            * eigen[f"eigenvector_{r}[{NAMES[i]}]"]
            * eigen[f"eigenvector_{r}[{NAMES[j]}]"]
            for r in (1, 2, 3)
        )
        name = (
            f"variance[{NAMES[i]}]"
            if i == j
            else f"covariance[{NAMES[min(i, j)]},{NAMES[max(i, j)]}]"
        )
        assert rebuilt * widths[i] * widths[j] == pytest.approx(coefficients[name], abs=1e-7)


def test_noise_on_eigenvectors_themselves_is_individual_and_conditional() -> None:
    guarantee = publish(basis="eigen-individual", m=1).guarantee

    assert guarantee.kind is GuaranteeKind.INDIVIDUAL_DP
    assert guarantee.arithmetic == IDEALISED
    assert "no DP" in str(guarantee)
    assert any("Partition-conditional and individual-dp" in text for text in guarantee.conditions)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("noise", ["joint", "separate"])
def test_noise_on_eigenvectors_depends_on_the_data_and_spends_epsilon_on_each_cluster(
    m, noise
) -> None:
    rng = np.random.default_rng(2)
    X = pl.DataFrame({"x": 10 * rng.random(800), "y": rng.uniform(-0.1, 0.1, 800)})
    public = Schema(tuple(Attribute(name, bounds=BOUNDS[name]) for name in "xy"))

    asked = asked_of(covey.read_table(X, public), basis="eigen-individual", m=m, noise=noise, k=400)

    half = len(asked) // 2
    assert [sum(part.epsilon for part in asked[start : start + half]) for start in (0, half)] == [
        1,
        1,
    ]
    assert [part.scale for part in asked[:half]] != [part.scale for part in asked[half:]]


def test_bounds_from_the_data_void_the_guarantee() -> None:
    table = covey.read_table(frame(), schema(drafted=("bounds",)))

    guarantee = publish(table).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert "x (bounds), y (bounds), z (bounds)" in str(guarantee)


@pytest.mark.parametrize(("method", "reason"), [(3, "1.5 times"), (15, "sign of an eigenvector")])
def test_the_papers_evaluation_carries_no_guarantee_and_says_why(method, reason) -> None:
    guarantee = publish(method=method, paper=True, columns="x,z").guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert any(reason in text for text in guarantee.reasons)


def test_the_papers_coskewness_of_three_records_is_named_as_too_small() -> None:
    guarantee = publish(method=12, k=3, paper=True, columns="x,z").guarantee

    assert any("half of what clusters of three records need" in text for text in guarantee.reasons)


@pytest.mark.parametrize(("method", "joint"), [("B1", True), ("B6", False)])
def test_baselines_without_moments_are_k_anonymous(method, joint) -> None:
    release = covey.publish(TABLE, "cross-moment", method=method, k=6)

    assert release.guarantee.kind is GuaranteeKind.K_ANONYMITY
    assert release.guarantee.epsilon is None
    assert release.guarantee.joint is joint
    counts = release.data.group_by(NAMES if joint else ["x"]).len()["len"]
    assert counts.min() >= 6


@pytest.mark.parametrize("method", ["B2", "B3", "B4", "B5", "B7", "B8"])
def test_baselines_with_moments_carry_no_guarantee(method) -> None:
    release = covey.publish(TABLE, "cross-moment", method=method, k=6)

    assert release.guarantee.kind is GuaranteeKind.NONE
    assert "without any noise" in str(release.guarantee)


def test_a_baseline_in_a_basis_of_its_own_noise_still_has_none() -> None:
    assert asked_of(method="B2", basis="eigen-individual") == []


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("basis", ["coefficients", "eigen", "eigen-individual"])
def test_constant_and_repeated_columns_are_fine(m, basis) -> None:
    X = frame().with_columns(y=pl.lit(0.5), z=100 + 10 * pl.col("x"))

    release = publish(covey.read_table(X, schema()), m=m, basis=basis, random_state=0)

    assert release.data.shape == (N, 3)
    assert all(release.data[name].is_finite().all() for name in NAMES)


def test_values_outside_the_public_bounds_count_as_the_bounds() -> None:
    wild = frame().with_columns(x=pl.when(pl.col("x") > 4).then(1e9).otherwise(pl.col("x")))
    tame = wild.with_columns(x=pl.col("x").clip(0, 10))

    asked = [asked_of(covey.read_table(X, schema())) for X in (wild, tame)]

    assert asked[0] == asked[1]


def test_whole_numbers_come_back_as_whole_numbers() -> None:
    public = Schema((Attribute("a", bounds=(0, 9), integer=True), Attribute("b", bounds=(0, 1))))
    X = pl.DataFrame({"a": np.arange(20) % 10, "b": np.linspace(0, 1, 20)})

    release = publish(covey.read_table(X, public), k=5, m=2)

    assert release.data["a"].dtype == pl.Int64
    assert release.data["a"].is_between(0, 9).all()


def test_more_budget_brings_the_moments_nearer() -> None:
    exact = moments_of(m=1, k=12)

    errors = [
        np.mean(
            [
                np.abs(
                    moments_of(m=1, k=12, epsilon=epsilon, source=SeededNoise.of(seed))["mean[z]"]
                    - exact["mean[z]"]
                ).mean()
                for seed in range(5)
            ]
        )
        for epsilon in (1.0, 100.0)
    ]

    assert errors[0] > 10 * errors[1]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"method": 27}, PlanError, "must be a number from 1 to 26, or B1 to B8, and 27"),
        ({"method": "B9"}, PlanError, "must be a number from 1 to 26, or B1 to B8"),
        ({"method": 6, "m": 2}, PlanError, "method 6 of paper 003 has m = 1 and m = 2 was given"),
        ({"method": 2, "strategy": 1}, PlanError, "here there is nothing to divide"),
        ({"m": 3}, PlanError, "must be 0, 1 or 2"),
        ({"strategy": 3}, PlanError, "must be 1 or 2"),
        ({"m": 1, "k": 1}, PlanError, "k = 1 is too small for m = 1.*at least 2 records"),
        ({"m": 2, "k": 2}, PlanError, "k = 2 is too small for m = 2.*at least 3 records"),
        ({"m": 0, "k": 1}, PartitionError, "hides nobody"),
        ({"k": 40}, PartitionError, "fewer than 2k records"),
        ({"m": 1, "weights": "0.5,0.6"}, PlanError, "weights add up to 1.1"),
        ({"m": 2, "weights": "0.5,0.5"}, PlanError, "2 weights were given, and m = 2 publishes 3"),
        ({"m": 1, "weights": "0.5,-0.5"}, PlanError, "positive numbers that add up to 1"),
        ({"weights": "0.5,0.5", "strategy": 1}, PlanError, "both a strategy and weights"),
        ({"m": 0, "weights": "1"}, PlanError, "here there is nothing to divide"),
        ({"noise": "joint", "strategy": 2}, PlanError, "here there is nothing to divide"),
        ({"groups": "x,y;z", "split": "0.5,0.6"}, PlanError, "add up to 1.1 and epsilon is 1"),
        ({"groups": "x,y;y,z"}, PlanError, "column 'y' is in several groups"),
        ({"groups": "x,w"}, PlanError, "column 'w' that is not published"),
        (
            {"groups": "x,y;z", "partition": "individual-ranking"},
            PlanError,
            "group of 'x' has several columns",
        ),
        ({"groups": "x,y;z", "basis": "eigen"}, PlanError, "one column has no eigenvectors"),
        ({"basis": "eigen", "moments": "variances"}, PlanError, "no eigenvectors but the"),
        (
            {"basis": "eigen", "partition": "individual-ranking"},
            PlanError,
            "one attribute at a time, which has no eigenvectors",
        ),
        ({"epsilon": None}, PlanError, "needs 'epsilon'"),
        ({"epsilon": 0}, PlanError, "not a positive finite number"),
        ({"basis": "eigne"}, PlanError, "one of coefficients, eigen, eigen-individual"),
    ],
)
def test_what_makes_no_sense_is_refused(given, error, message) -> None:
    with pytest.raises(error, match=message):
        publish(**given)


def test_missing_bounds_are_asked_for() -> None:
    table = covey.read_table(frame(), Schema(tuple(Attribute(name) for name in NAMES)))

    with pytest.raises(BoundsError, match="'x' has no public bounds"):
        publish(table)


@pytest.mark.parametrize("paper", [True, False])
def test_categories_are_refused(paper) -> None:
    X = frame().with_columns(y=pl.Series(["a", "b"] * (N // 2)))
    nominal = schema().updated("y", bounds=None, scale=Scale.NOMINAL)

    with pytest.raises(SchemaError, match="'y' is no"):
        publish(covey.read_table(X, nominal), paper=paper)


def test_as_evaluated_individual_ranking_is_mdav_on_each_column() -> None:
    values = np.array([0.0, 1.0, 20.0, 21.0, 22.0, 23.0, 30.0, 50.0, 51.0])
    table = covey.read_table(values[:, None], covey.Schema((covey.Attribute("x", bounds=(0, 90)),)))

    _, trace = covey.publish(table, "cross-moment", method="B6", k=2, paper=True, trace=True)

    labels = covey.partition(values[:, None], "mdav", k=2).labels
    means = [values[labels == label].mean() for label in labels]
    assert trace.aligned["x"].to_numpy() == pytest.approx(means, abs=1e-3)
    blocks = covey.partition(values[:, None], "individual-ranking", k=2).labels
    assert [values[blocks == label].mean() for label in blocks] != pytest.approx(means)

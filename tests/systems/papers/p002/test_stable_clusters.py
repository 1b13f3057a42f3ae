"""Stable clusters bound the loss of one pair: their guarantee says so, and no more."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import Attribute, Schema
from covey.aggregate import cluster_means
from covey.aggregate.deviations import Deviations
from covey.core import GuaranteeKind
from covey.errors import PartitionError, PlanError
from covey.evaluate.risk import record_linkage
from covey.evaluate.utility import il1s_sum
from covey.partition.stable import alpha_stable, s_mdav
from covey.systems import SYSTEMS
from covey.systems.papers.p002.stable_clusters import stable_pair
from covey.table import Table, read_table
from tests.systems.recording import RecordingNoise

DATA = Path(os.environ["COVEY_DATA"])
FILES = {
    "census": ("FEDTAX", "FICA", "INTVAL", "POTHVAL"),
    "eia": ("RESREVENUE", "RESSALES", "TOTREVENUE", "TOTSALES"),
    "tarragona": ("FIXED.ASSETS", "CURRENT.ASSETS", "PAID.UP.CAPITAL", "SHORT.TERM.DEBT", "SALES"),
}
# Chapter 5 of paper 002: the clusters of the data are plain MDAV on standardised values.
INFORMATION_LOSS = [
    ("census", 2, 186.3323),
    ("census", 20, 605.3306),
    ("census", 40, 766.4474),
    ("census", 80, 958.3126),
    ("census", 100, 1038.876),
    ("eia", 40, 782.3950),
    ("eia", 60, 915.9924),
    ("eia", 80, 981.5786),
    ("eia", 100, 1073.058),
    ("tarragona", 2, 187.7425),
    ("tarragona", 40, 646.6928),
    ("tarragona", 80, 762.1774),
    ("tarragona", 100, 791.6631),
]
LINKED = [
    ("census", 20, 4.444444),
    ("census", 40, 2.314815),
    ("census", 60, 1.574074),
    ("census", 80, 1.203704),
    ("eia", 20, 3.519062),
    ("eia", 40, 1.808407),
    ("eia", 60, 1.441838),
    ("eia", 80, 1.173021),
    ("eia", 100, 0.9286413),
    ("tarragona", 2, 29.93605),
    ("tarragona", 20, 4.076739),
    ("tarragona", 80, 1.079137),
    ("tarragona", 100, 0.8393285),
]


def published(name: str) -> Table:
    """Read a reference data set with bounds that enclose it: up to 1.5 times its largest values."""
    if not (DATA / f"{name}.csv").is_file():
        pytest.skip("the reference data are not here")
    frame = pl.read_csv(DATA / f"{name}.csv").select(FILES[name]).cast(pl.Float64)
    bounds = {
        column: (min(0.0, frame[column].min()), 1.5 * frame[column].max())
        for column in frame.columns
    }
    schema = Schema(tuple(Attribute(column, bounds=bounds[column]) for column in frame.columns))
    return read_table(frame, schema)


def microaggregated(name: str, k: int) -> tuple[np.ndarray, np.ndarray]:
    table = published(name)
    pair = stable_pair(table, table, tuple(table.schema), partial(s_mdav, k=k))
    X, sizes = table.matrix(FILES[name]), np.bincount(pair.here)
    return X, np.column_stack(
        [cluster_means(column, pair.here, sizes)[pair.here] for column in X.T]
    )


@pytest.mark.parametrize(("name", "k", "expected"), INFORMATION_LOSS)
def test_the_information_loss_of_the_clusters_is_that_of_chapter_5(name, k, expected) -> None:
    X, centroids = microaggregated(name, k)

    assert il1s_sum(Deviations.of(X, centroids), X.var(axis=0)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("name", "k", "expected"), LINKED)
def test_the_linkage_risk_of_the_clusters_is_that_of_chapter_5(name, k, expected) -> None:
    X, centroids = microaggregated(name, k)

    assert record_linkage(X, centroids) == pytest.approx(expected, rel=1e-6)


def schema_of(width: int, drafted: tuple[str, ...] = ()) -> Schema:
    return Schema(
        tuple(Attribute(f"x{j}", bounds=(0.0, 1.0 + j), drafted=drafted) for j in range(width))
    )


def small(X: np.ndarray) -> Table:
    X = np.asarray(X, dtype=np.float64).reshape(len(X), -1)
    return read_table(X, schema_of(X.shape[1]))


def example() -> tuple[np.ndarray, np.ndarray]:
    """Return data and a neighbour whose last record is another one."""
    X = np.random.default_rng(1).random((24, 2))
    Y = X.copy()
    Y[23] = 1 - Y[23]
    return X, Y


STABLE = {"2-stable": {}, "alpha-stable": {"alpha": 3}}
both = pytest.mark.parametrize("name", STABLE)


def publish(name: str, X=None, Y=None, **parameters):
    here, there = example()
    data = small(here) if X is None else X
    given = {"epsilon": 1.0, "k": 4, "neighbour": there if Y is None else Y}
    return covey.publish(data, name, **given | STABLE[name] | parameters)


@both
@pytest.mark.parametrize("random_state", [None, 3])
def test_records_are_published_in_noisy_clusters(name, random_state) -> None:
    release, trace = publish(name, random_state=random_state, trace=True)

    assert release.frame.height == 24
    assert trace.aligned.unique().height <= 6
    assert sorted(release.frame.rows()) == sorted(trace.aligned.rows())


@both
def test_the_guarantee_is_about_the_pair_and_says_that_it_is_no_property_of_the_release(
    name, tmp_path
) -> None:
    _, there = example()
    path = tmp_path / "neighbour.csv"
    pl.DataFrame(there, schema=["x0", "x1"]).write_csv(path)

    named, in_memory = (publish(name, Y=neighbour).guarantee for neighbour in (path, there))

    assert named.kind is in_memory.kind is GuaranteeKind.PAIR_ONLY
    assert named.epsilon == 1
    assert "not a property of this release" in str(named)
    assert "The pair: the published data and the file neighbour.csv." in named.conditions[0]
    assert (
        "The pair: the published data and the neighbour given in memory."
        in (in_memory.conditions[0])
    )
    assert named.claim == ""


@both
def test_the_plan_names_a_file_and_nothing_of_a_neighbour_in_memory(name, tmp_path) -> None:
    X, there = example()
    path = tmp_path / "neighbour.csv"
    pl.DataFrame(there, schema=["x0", "x1"]).write_csv(path)
    publish(name, Y=path).save(tmp_path / "named")
    publish(name).save(tmp_path / "unnamed")

    named = covey.Plan.load(tmp_path / "named" / "plan.toml")
    unnamed = covey.Plan.load(tmp_path / "unnamed" / "plan.toml")

    assert named.parameters["neighbour"] == str(path)
    assert covey.run(named, small(X)).guarantee.kind is GuaranteeKind.PAIR_ONLY
    assert "neighbour" not in unnamed.parameters
    with pytest.raises(PlanError, match="needs 'neighbour'"):
        covey.run(unnamed, small(X))


@pytest.mark.parametrize(("name", "alpha"), [("2-stable", 2), ("alpha-stable", 3)])
def test_the_noise_of_a_mean_is_alpha_widths_over_k_epsilon(name, alpha) -> None:
    X, Y = example()
    source, system = RecordingNoise(), SYSTEMS[name]
    given = {"epsilon": 0.5, "k": 4, "neighbour": Y, "split": "range"} | STABLE[name]

    system.run(small(X), system.settings(given), source, None)

    for sums, width in zip(source.asked, (1, 2), strict=True):
        # Widths of 1 and 2, so Δ = 3, and a third or two thirds of the budget.
        steps = sums.l1 / alpha
        scale_of_mean = float(sums.scale) * width / steps / 4
        assert scale_of_mean == pytest.approx(alpha * 3 / (4 * 0.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda Y: Y,
        small,
        lambda Y: pl.DataFrame(Y, schema=["x0", "x1"]),
        lambda Y: pl.DataFrame(Y, schema=["x0", "x1"]).to_pandas(),
        lambda Y: Y[::-1],
    ],
    ids=["array", "table", "polars", "pandas", "reversed rows"],
)
@both
def test_the_neighbour_may_come_as_anything_and_in_any_order(name, make) -> None:
    _, there = example()

    plain, other = (publish(name, Y=Y, random_state=2).frame for Y in (there, make(there)))

    assert plain.equals(other)


@both
def test_data_may_be_their_own_neighbour(name) -> None:
    X, _ = example()

    assert publish(name, Y=X).guarantee.kind is GuaranteeKind.PAIR_ONLY


@both
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda Y: np.vstack([1 - Y[:2], Y[2:]]), "differs from the data in more than one record"),
        (lambda Y: Y[1:], "does not have as many records"),
        (lambda Y: Y[:, :1], "cannot be read like the data"),
        (lambda Y: pl.DataFrame(Y, schema=["x0", "y"]), "cannot be read like the data"),
        (lambda _: "nowhere.csv", "there is no file 'nowhere.csv'"),
        (lambda _: object(), "cannot be read from a object"),
        (
            lambda Y: read_table(Y, Schema((Attribute("x0"), Attribute("y")))),
            "does not have the same columns",
        ),
    ],
    ids=["two records", "fewer records", "fewer columns", "names", "no file", "no table", "table"],
)
def test_what_is_no_neighbour_is_refused(name, change, message) -> None:
    _, there = example()

    with pytest.raises(PlanError, match=message):
        publish(name, Y=change(there))


@pytest.mark.parametrize("alpha", [0, 7, -2])
def test_an_alpha_out_of_range_is_refused(alpha) -> None:
    with pytest.raises(PartitionError, match=r"out of range.* from 1 to 6"):
        publish("alpha-stable", alpha=alpha)


def test_no_message_about_a_neighbour_quotes_a_record() -> None:
    X, _ = example()
    Y = X.copy()
    Y[:3] = 0.7654321

    with pytest.raises(PlanError) as refused:
        publish("2-stable", Y=Y)

    assert "7654321" not in str(refused.value)


@both
def test_bounds_from_the_data_leave_no_guarantee(name) -> None:
    X, there = example()
    table = read_table(X, schema_of(2, ("bounds",)))

    assert publish(name, X=table, Y=there).guarantee.kind is GuaranteeKind.NONE


coordinate = st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(coordinate, coordinate), min_size=6, max_size=20),
    st.tuples(coordinate, coordinate),
    st.integers(2, 3),
    st.data(),
)
def test_the_loss_between_the_paired_clusters_is_at_most_epsilon(records, other, k, data) -> None:
    X = np.array(records)
    Y = X.copy()
    Y[0] = other
    alpha = data.draw(st.integers(1, len(X) // k))
    parameters = data.draw(
        st.sampled_from(
            [
                ("2-stable", {}),
                ("alpha-stable", {"alpha": alpha, "search": "sequential"}),
                ("alpha-stable", {"alpha": alpha, "search": "decisional"}),
            ]
        )
    )
    name, own = parameters
    table, source = small(X), RecordingNoise()
    wanted = SYSTEMS[name].settings({"epsilon": 1.0, "k": k, "neighbour": Y, **own})

    SYSTEMS[name].run(table, wanted, source, None)
    derive = partial(alpha_stable if own else s_mdav, k=k, **own)
    pair = stable_pair(table, Y, tuple(table.schema), derive)

    loss = Fraction(0)
    for j, sums in enumerate(source.asked):
        steps = sums.l1 // own.get("alpha", 2)
        integers = np.rint(Y[:, j] / (1.0 + j) * steps).astype(np.int64)
        there = np.zeros(len(sums.integers), dtype=np.int64)
        np.add.at(there, pair.there, integers)
        moved = sum(abs(a - int(b)) for a, b in zip(sums.integers, there, strict=True))
        loss += moved / sums.scale
    assert loss <= 1

"""The estimators keep scikit-learn's rules, and say where a release cannot."""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from covey import Attribute, Schema, Trace
from covey.errors import DataError, PartitionError, PlanError, SchemaError
from covey.ledger import create_ledger, load_ledger
from covey.sklearn import Microaggregator, Publisher

OWN_CLUSTER = (
    "fit_transform gives a record the centroid of its own cluster, so that k rows are alike; "
    "transform gives a new record the nearest one"
)
NO_TARGETS = "published rows have no original targets, so fit_transform refuses a y"
EXPECTED_FAILURES = {
    Microaggregator: {
        "check_transformer_general": OWN_CLUSTER,
        "check_transformer_data_not_an_array": OWN_CLUSTER,
    },
    Publisher: {
        "check_fit_score_takes_y": NO_TARGETS,
        "check_transformer_general": NO_TARGETS,
        "check_transformer_data_not_an_array": NO_TARGETS,
        "check_transformer_preserve_dtypes": NO_TARGETS,
    },
}


@parametrize_with_checks(
    [
        Microaggregator(k=2),
        # The checks have few records: too few for the default system, which says so.
        Publisher("laplace", bounds=(-10.0, 10.0)),
        Publisher("mdav", epsilon=None, parameters={"k": 2}),
    ],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator)],
)
def test_an_estimator_keeps_the_rules_of_scikit_learn(estimator, check) -> None:
    check(estimator)


@pytest.fixture
def records() -> np.ndarray:
    """Give 600 records in two clouds that a model can tell apart."""
    rng = np.random.default_rng(5)
    clouds = [rng.normal(centre, 1.0, (300, 2)) for centre in (-4.0, 4.0)]
    return rng.permutation(np.concatenate(clouds)) * [1.0, 10.0]


@pytest.fixture
def frame(records: np.ndarray) -> pd.DataFrame:
    """Give the records as people with names, towns and labels on the rows."""
    return pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(600)],
            "height": records[:, 0],
            "weight": records[:, 1],
            "town": np.where(records[:, 0] > 0, "Ahof", "Bdorf"),
        },
        index=[f"row {i}" for i in range(600)],
    )


SCHEMA = Schema(
    (
        Attribute("name", role="identifier", scale="nominal"),
        Attribute("height", bounds=(-10, 10)),
        Attribute("weight", bounds=(-100, 100)),
        Attribute("town", scale="nominal", categories=("Ahof", "Bdorf")),
    )
)


@given(
    X=arrays(
        np.float64, st.tuples(st.integers(6, 25), st.integers(1, 3)), elements=st.floats(-9, 9)
    ),
    k=st.integers(2, 3),
)
@settings(max_examples=30)
def test_a_fitted_record_becomes_the_mean_of_at_least_k_records(X, k) -> None:
    given_back = Microaggregator(k=k).fit_transform(X)

    _, counts = np.unique(given_back.round(9), axis=0, return_counts=True)
    assert given_back.shape == X.shape
    assert counts.min() >= k
    assert_allclose(given_back.mean(axis=0), X.mean(axis=0), atol=1e-9)


def test_a_new_record_becomes_the_nearest_centroid_in_units_of_the_spread(records) -> None:
    fitted = Microaggregator(k=40).fit(records)
    new = records[:50] + 0.3

    given_back = fitted.transform(new)

    differences = (new[:, None] - fitted.centroids_) / records.std(axis=0)
    nearest = (differences**2).sum(axis=2).argmin(axis=1)
    assert_allclose(given_back, fitted.centroids_[nearest])


def test_without_standardising_distances_are_in_the_units_given(records) -> None:
    fitted = Microaggregator(k=40, standardize=False).fit(records)

    given_back = fitted.transform(records[:50])

    nearest = ((records[:50, None] - fitted.centroids_) ** 2).sum(axis=2).argmin(axis=1)
    assert_allclose(given_back, fitted.centroids_[nearest])


def test_records_nearer_to_another_cluster_break_k_anonymity_as_documented(records) -> None:
    fitted = Microaggregator(k=5).fit(records)

    _, counts = np.unique(fitted.transform(records), axis=0, return_counts=True)

    assert counts.min() < 5


def test_huge_and_constant_columns_are_measured_without_a_warning() -> None:
    X = np.column_stack([np.arange(8.0) * 1e200, np.full(8, 3.0)])

    fitted = Microaggregator(k=2).fit(X)

    assert_array_equal(fitted.transform(fitted.centroids_), fitted.centroids_)


def test_other_methods_take_their_own_parameters(records) -> None:
    fitted = Microaggregator("v-mdav", k=4, parameters={"gamma": 0.5}).fit(records)
    by_noise = Microaggregator("optimal-noise", parameters={"noise_cost": 50.0}).fit(records[:, :1])

    assert 4 <= fitted.sizes_.min() <= fitted.sizes_.max() < 8
    assert by_noise.sizes_.sum() == 600


def test_what_is_wrong_is_said_in_coveys_words(records) -> None:
    with pytest.raises(PartitionError, match="Did you mean 'mdav'"):
        Microaggregator("mdva").fit(records)
    with pytest.raises(PartitionError, match="k = 400 leaves fewer than 2k records"):
        Microaggregator(k=400).fit(records)
    with pytest.raises(PartitionError, match="'mdav' has no parameter 'gama'"):
        Microaggregator(parameters={"gama": 1}).fit(records)


@pytest.mark.parametrize("estimator", [Microaggregator(), Publisher()])
def test_a_text_among_the_records_is_refused_and_not_quoted(estimator) -> None:
    with pytest.raises(DataError, match="hold texts") as refusal:
        estimator.fit([["Person 7777777"], ["2"], ["3"]])

    assert "7777777" not in str(refusal.value)


def test_a_fitted_microaggregator_holds_no_record(records) -> None:
    records[17] = 7777777.25

    stored = pickle.dumps(Microaggregator(k=3).fit(records))

    assert struct.pack("<d", 7777777.25) not in stored


def test_a_fitted_publisher_holds_no_record_and_nothing_in_their_order(records) -> None:
    records[17] = 7777777.25
    publisher = Publisher(epsilon=4.0, bounds=(-100, 100)).fit(records)

    stored = pickle.dumps(publisher)

    assert struct.pack("<d", 7777777.25) not in stored
    assert not any(isinstance(held, Trace) for held in vars(publisher).values())


def test_a_microaggregator_works_in_a_pipeline_and_names_its_columns(frame) -> None:
    steps = make_pipeline(StandardScaler(), Microaggregator(k=10), KMeans(2, random_state=0))
    steps.set_output(transform="pandas")
    numbers = frame[["height", "weight"]]

    groups = steps.fit_predict(numbers)

    assert len(set(zip(groups, frame["town"], strict=True))) == 2
    assert steps[:-1].get_feature_names_out().tolist() == ["height", "weight"]
    assert steps[:-1].transform(numbers).index.equals(frame.index)


def test_an_unfitted_copy_has_the_same_settings() -> None:
    publisher = Publisher("mdav", epsilon=None, schema=SCHEMA, parameters={"k": 5})

    assert clone(publisher).get_params() == publisher.get_params()
    assert set(Microaggregator().get_params()) == {"method", "k", "standardize", "parameters"}


def test_published_rows_are_those_of_the_release(frame) -> None:
    publisher = Publisher(epsilon=2.0, schema=SCHEMA)

    rows = publisher.fit_transform(frame)

    # A missing town is not equal to itself, but for a frame.
    assert rows.equals(publisher.release_.data)
    assert publisher.get_feature_names_out().tolist() == ["height", "weight", "town"]
    assert publisher.release_.guarantee.kind == "pure-dp"
    assert rows.index.tolist() == list(range(600)), "no row belongs to a person"


def test_without_public_bounds_the_guarantee_is_withdrawn(records) -> None:
    assert Publisher(epsilon=2.0).fit(records).release_.guarantee.kind == "none"
    bounded = Publisher(epsilon=2.0, bounds=[(-10, 10), (-100, 100)]).fit(records)
    assert bounded.release_.guarantee.kind == "pure-dp"
    assert bounded.release_.plan.schema["x1"].bounds == (-100, 100)


def test_a_model_without_a_target_learns_from_published_rows_in_a_pipeline(records) -> None:
    steps = make_pipeline(Publisher(epsilon=4.0, bounds=(-50, 50)), KMeans(2, random_state=0))

    steps.fit(records)

    sides = records[:, 0] > 0
    for groups in (steps.predict(records), steps[-1].predict(records)):
        assert max((groups == sides).mean(), (groups != sides).mean()) > 0.95


def test_a_pipeline_with_original_targets_is_refused(records) -> None:
    steps = make_pipeline(Publisher(bounds=(-100, 100)), LogisticRegression())

    with pytest.raises(PlanError, match=r"no original targets.*fit_resample"):
        steps.fit(records, records[:, 0] > 0)


def test_a_model_with_a_target_learns_from_the_published_pairs(records) -> None:
    side = np.where(records[:, 0] > 0, "right", "left")
    schema = Schema(
        (
            Attribute("a", bounds=(-10, 10)),
            Attribute("b", bounds=(-100, 100)),
            Attribute("y", scale="nominal", categories=("left", "right"), missing="refuse"),
        )
    )
    publisher = Publisher(epsilon=8.0, schema=schema)

    X, y = publisher.fit_resample(records, side)

    assert X.shape == (600, 2)
    assert publisher.get_feature_names_out().tolist() == ["a", "b"]
    assert publisher.release_.guarantee.columns == ("a", "b", "y")
    assert LogisticRegression().fit(X, y).score(records, side) > 0.95
    assert publisher.transform(records).shape == (600, 2)


def test_the_name_and_the_order_of_a_series_of_targets_are_kept(frame) -> None:
    numbers = frame[["height", "weight"]]
    shuffled = numbers.sample(frac=1.0, random_state=1)
    target = (shuffled["height"] * 2).rename("double")

    publisher = Publisher("mdav", epsilon=None, parameters={"k": 2})
    rows, doubles = publisher.fit_resample(shuffled, target.to_numpy().tolist())
    named = Publisher("mdav", epsilon=None, parameters={"k": 2}).fit(shuffled, target)

    assert list(rows.columns) == ["height", "weight"]
    assert_allclose(doubles, rows["height"] * 2)
    assert named.target_ == "double"


def test_records_asked_about_become_published_rows_in_their_order(frame) -> None:
    publisher = Publisher(epsilon=4.0, schema=SCHEMA).fit(frame)
    asked = frame.iloc[:40]

    rows = publisher.transform(asked)

    published = set(publisher.release_.frame.rows())
    assert rows.index.equals(asked.index)
    assert set(rows.itertuples(index=False, name=None)) <= published
    assert ((rows["town"] == asked["town"]) | (asked["height"].abs() < 1)).all()


def test_polars_frames_come_back_as_such(frame) -> None:
    people = pl.from_pandas(frame)

    publisher = Publisher("mdav", epsilon=None, parameters={"k": 3}, schema=SCHEMA)

    assert isinstance(publisher.fit_transform(people), pl.DataFrame)
    assert isinstance(publisher.transform(people), pl.DataFrame)


def test_a_fit_is_charged_to_the_ledger_and_a_transform_is_not(records, tmp_path: Path) -> None:
    create_ledger(tmp_path / "people.ledger", Fraction(3))
    publisher = Publisher(epsilon=2.0, bounds=(-100, 100), ledger=tmp_path / "people.ledger")

    publisher.fit(records).transform(records)

    assert load_ledger(tmp_path / "people.ledger").spent == 2


REFUSED = {
    "a graph system": (Publisher("joint-degree-boxes"), None, PlanError, "publishes graphs"),
    "an unknown system": (Publisher("private-tre"), None, PlanError, "Did you mean 'private-tree'"),
    "a schema and bounds": (
        Publisher(schema=Schema((Attribute("a"), Attribute("b"))), bounds=(0, 1)),
        None,
        PlanError,
        "both a schema and bounds",
    ),
    "too few bounds": (Publisher(bounds=[(0, 1)] * 3), None, SchemaError, "pair for each column"),
    "bounds that are no numbers": (Publisher(bounds="all"), None, SchemaError, "pair of numbers"),
    "a schema of other columns": (
        Publisher(schema=Schema((Attribute("a"),))),
        None,
        SchemaError,
        "as many attributes as the records have columns",
    ),
    "a matrix of targets": (Publisher(), np.ones((600, 2)), DataError, "y is not one value"),
    "a short list of targets": (Publisher(), [1, 2], DataError, "y is not one value"),
    "a target named like a column": (
        Publisher(),
        pd.Series(np.ones(600), name="x1"),
        SchemaError,
        "column 'x1' already",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_publisher_refuses_what_it_cannot_publish(records, fault) -> None:
    publisher, y, kind, explanation = REFUSED[fault]

    with pytest.raises(kind, match=explanation):
        publisher.fit(records, y)


def test_records_that_would_be_dropped_are_not_put_out_of_order() -> None:
    schema = Schema((Attribute("a", bounds=(0, 50), missing="drop"),))
    publisher = Publisher("mdav", epsilon=None, schema=schema, parameters={"k": 2})
    publisher.fit(pl.DataFrame({"a": [float(i) for i in range(20)]}))

    with pytest.raises(DataError, match="would not stay in order"):
        publisher.transform(pl.DataFrame({"a": [1.0, None]}))


def test_without_scikit_learn_the_extra_is_named() -> None:
    code = "import sys; sys.modules['sklearn'] = None; import covey.sklearn"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert "pip install 'covey[sklearn]'" in ran.stderr.splitlines()[-1]

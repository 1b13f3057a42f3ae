"""What every partitioner promises, checked for each name in the registry."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey.errors import PartitionError
from covey.partition import PARTITIONERS, standardized
from covey.partition.base import REQUIRED
from tests.contracts.people import SCHEMA, people, people_frame

NAMES = list(PARTITIONERS)
WITH_K = [name for name in NAMES if "k" in PARTITIONERS[name].parameters]
MULTIVARIATE = [name for name in NAMES if not PARTITIONERS[name].univariate]
UNIVARIATE = [name for name in NAMES if PARTITIONERS[name].univariate]

# Values for the parameters without a default: a new one needs an example here.
EXAMPLES = {"k": 3, "noise_cost": 10.0}

value = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.1, 0.2, 0.3, -0.0, 1e-310, 1e16, 1e16 + 2, 1e300, -1e300]),
    st.floats(-100, 100),
)


@st.composite
def records(draw, name: str, *, distinct: bool = False) -> np.ndarray:
    """Draw records full of ties: some hundred at most, one column for a univariate method."""
    d = 1 if PARTITIONERS[name].univariate else draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[value] * d), min_size=6, max_size=30, unique=distinct))
    return np.array(rows)


def run(X, name: str, **parameters) -> covey.Partition:
    required = {
        parameter: EXAMPLES[parameter]
        for parameter, default in PARTITIONERS[name].parameters.items()
        if default is REQUIRED
    }
    return covey.partition(X, name, **required | parameters)


def clusters(X: np.ndarray, found: covey.Partition) -> list[list[tuple[float, ...]]]:
    """Return the records of each cluster, in the order of the labels."""
    return [
        sorted(map(tuple, X[found.labels == label].tolist())) for label in range(found.sizes.size)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_partitioner_describes_itself(name) -> None:
    partitioner = PARTITIONERS[name]

    assert partitioner.name == name
    assert partitioner.summary.endswith(".")
    assert partitioner.paper[:3] in {"000", "001", "002", "003", "004"}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_labels_are_dense_and_in_input_order_and_sizes_count_them(name, data) -> None:
    X = data.draw(records(name))

    found = run(X, name, **({"k": 2} if name in WITH_K else {}))

    assert found.labels.shape == (len(X),)
    assert found.labels.dtype == found.sizes.dtype == np.int64
    assert sorted(set(found.labels.tolist())) == list(range(found.sizes.size))
    assert np.bincount(found.labels).tolist() == found.sizes.tolist()
    assert found.method == name


@pytest.mark.parametrize("name", WITH_K)
@settings(max_examples=60)
@given(data=st.data())
def test_no_cluster_has_fewer_than_k_records(name, data) -> None:
    X = data.draw(records(name))
    k = data.draw(st.integers(2, len(X) // 2))

    assert run(X, name, k=k).sizes.min() >= k


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_permuting_distinct_rows_permutes_the_labels(name, data) -> None:
    X = data.draw(records(name, distinct=True))
    order = np.array(data.draw(st.permutations(range(len(X)))))

    labels, permuted = run(X, name).labels, run(X[order], name).labels

    assert permuted.tolist() == labels[order].tolist()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_permuting_any_rows_leaves_the_same_records_in_each_cluster(name, data) -> None:
    X = data.draw(records(name))
    order = np.array(data.draw(st.permutations(range(len(X)))))

    assert clusters(X, run(X, name)) == clusters(X[order], run(X[order], name))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(data=st.data())
def test_the_input_is_left_alone_and_the_output_cannot_be_changed(name, data) -> None:
    X = data.draw(records(name))
    before = X.copy()
    X.setflags(write=False)

    found = run(X, name)

    assert X.tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        found.labels[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        found.sizes[0] = 0


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(data=st.data())
def test_the_same_records_give_the_same_labels_however_they_lie_in_memory(name, data) -> None:
    X = data.draw(records(name))

    plain = run(X, name).labels.tolist()

    assert run(X, name).labels.tolist() == plain
    assert run(np.asfortranarray(X), name).labels.tolist() == plain
    assert run(np.repeat(X, 2, axis=0)[::2], name).labels.tolist() == plain
    assert run(X.tolist(), name).labels.tolist() == plain


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_random(name) -> None:
    X = np.random.default_rng(4).normal(size=(50, 1 if name in UNIVARIATE else 2))
    labels = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002 — a partitioner that used it would show here
        state = np.random.get_state()[1].tolist()  # noqa: NPY002
        labels.append(run(X, name).labels.tolist())
        assert np.random.get_state()[1].tolist() == state  # noqa: NPY002

    assert labels[0] == labels[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("constant", [0.0, 0.1, -1e300])
def test_equal_records_are_fine(name, constant, standardize) -> None:
    X = np.full((7, 1 if name in UNIVARIATE else 2), constant)

    found = run(X, name, standardize=standardize)

    assert found.sizes.sum() == 7
    if name in WITH_K:
        assert found.sizes.min() >= 3


@pytest.mark.parametrize("name", NAMES)
def test_many_copies_of_few_records_are_fine(name) -> None:
    X = np.repeat([[0.0], [1.0], [5.0]], [9, 2, 6], axis=0)

    found = run(X, name)

    assert found.sizes.sum() == 17


@pytest.mark.parametrize("name", MULTIVARIATE)
@settings(max_examples=30)
@given(grid=st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=6, max_size=30))
def test_standardizing_here_is_the_same_as_standardizing_before(name, grid) -> None:
    X = np.array(grid) * 0.1

    here, before = run(X, name), run(standardized(X), name, standardize=False)

    assert here.labels.tolist() == before.labels.tolist()


@pytest.mark.parametrize("name", MULTIVARIATE)
def test_the_unit_of_a_column_does_not_matter_to_standardized_records(name) -> None:
    X = np.random.default_rng(5).normal(size=(40, 3))

    assert run(X * [1024.0, 1.0, 0.125], name).labels.tolist() == run(X, name).labels.tolist()


@pytest.mark.parametrize("name", MULTIVARIATE)
def test_the_unit_of_a_column_matters_to_raw_records(name) -> None:
    X = np.random.default_rng(5).normal(size=(40, 3))

    raw = run(X * [1024.0, 1.0, 0.125], name, standardize=False)

    assert raw.labels.tolist() != run(X, name, standardize=False).labels.tolist()


@pytest.mark.parametrize("name", UNIVARIATE)
@settings(max_examples=30)
@given(data=st.data())
def test_a_univariate_method_works_on_the_values_as_they_are(name, data) -> None:
    X = data.draw(records(name))

    labels = [
        run(X, name, standardize=standardize).labels.tolist() for standardize in (True, False)
    ]

    assert labels[0] == labels[1]


@pytest.mark.parametrize("name", UNIVARIATE)
@settings(max_examples=30)
@given(data=st.data())
def test_a_univariate_method_cuts_the_sorted_values(name, data) -> None:
    X = data.draw(records(name))

    labels = run(X, name).labels[np.argsort(X[:, 0], kind="stable")]

    assert sorted(labels.tolist()) == labels.tolist()


@pytest.mark.parametrize("name", UNIVARIATE)
def test_a_univariate_method_refuses_several_columns(name) -> None:
    with pytest.raises(PartitionError, match="cuts one column by rank and several were given"):
        run(np.zeros((9, 2)), name)


@pytest.mark.parametrize("name", MULTIVARIATE)
def test_a_table_is_partitioned_by_its_quasi_identifiers(name) -> None:
    found = run(people(), name)

    X = people_frame().select("age", "income").cast(pl.Float64).to_numpy()
    assert found.labels.tolist() == run(X, name).labels.tolist()


@pytest.mark.parametrize("name", UNIVARIATE)
def test_a_table_with_one_quasi_identifier_is_partitioned_by_it(name) -> None:
    schema = SCHEMA.updated("age", role="confidential")
    table = covey.read_table(people_frame(), schema)

    assert run(table, name).labels.tolist() == run(people_frame()["income"], name).labels.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_without_a_default_is_asked_for(name) -> None:
    with pytest.raises(PartitionError, match=r"needs the parameter .* Give it: partition\("):
        covey.partition([[1.0]] * 9, name)


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_parameter_is_refused(name) -> None:
    with pytest.raises(PartitionError, match="has no parameter 'kay'"):
        run([[1.0]] * 9, name, kay=3)


@pytest.mark.parametrize("name", WITH_K)
@pytest.mark.parametrize(
    ("k", "reason"),
    [
        (1, "too small: a cluster of one record hides nobody"),
        (0, "too small"),
        (-3, "too small"),
        (10, "larger than the number of records"),
        (5, "fewer than 2k records"),
        (2.5, "not a whole number"),
        ("3", "not a whole number"),
        (True, "not a whole number"),
    ],
)
def test_a_k_that_forms_no_clusters_is_refused(name, k, reason) -> None:
    with pytest.raises(PartitionError, match=reason):
        run(np.arange(9.0), name, k=k)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_values_without_a_distance_are_refused(name, bad) -> None:
    with pytest.raises(PartitionError, match="hold NaN or infinite values"):
        run([[1.0], [bad]] * 5, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "empty", [[], [[]], np.empty((0, 2)), np.empty((5, 0)), np.zeros((2, 2, 2))]
)
def test_an_array_that_is_no_table_is_refused(name, empty) -> None:
    with pytest.raises(PartitionError, match="are empty or no table"):
        run(empty, name)


@pytest.mark.parametrize("name", NAMES)
def test_words_are_refused(name) -> None:
    with pytest.raises(PartitionError, match="the records are not numbers"):
        run([["north"]] * 9, name)


def test_an_unknown_partitioner_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PartitionError, match=r"no partitioner 'mdva'\. Did you mean 'mdav'"):
        covey.partition([[1.0]] * 9, "mdva", k=3)

"""k-anonymity: identifiers dropped, quasi-identifiers replaced, the rest untouched and named."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

import covey
from covey.errors import SchemaError
from covey.systems import SYSTEMS
from covey.table import Role
from tests.contracts.people import SCHEMA, N, people, people_frame

JOINT = ["md", "mdav", "v-mdav"]
BY_COLUMN = ["individual-ranking", "optimal-univariate"]
QUASI, UNTOUCHED = ["age", "income"], ["visits", "health", "region"]


def with_nominal_quasi_identifier() -> covey.Table:
    return covey.read_table(people_frame(), SCHEMA.updated("region", role=Role.QUASI_IDENTIFIER))


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_the_five_systems_are_k_anonymity_and_deterministic(name) -> None:
    assert SYSTEMS[name].kind is covey.GuaranteeKind.K_ANONYMITY
    assert SYSTEMS[name].deterministic


@pytest.mark.parametrize("name", JOINT)
@pytest.mark.parametrize("k", [2, 5, 30])
def test_every_combination_of_quasi_identifiers_is_shared_by_k_records(name, k) -> None:
    release = covey.publish(people(), name, k=k)

    shared = Counter(release.frame.select(QUASI).rows())
    assert min(shared.values()) >= k
    assert covey.evaluate(people(), release)["k_achieved"] >= k


@pytest.mark.parametrize("name", BY_COLUMN)
def test_every_value_of_a_column_is_shared_by_k_records_and_combinations_are_not_promised(
    name,
) -> None:
    release = covey.publish(people(), name, k=5)

    for column in QUASI:
        assert min(Counter(release.frame[column]).values()) >= 5
    assert not release.guarantee.joint
    assert "combinations of columns are not k-anonymous" in str(release.guarantee)


@pytest.mark.parametrize("name", BY_COLUMN)
def test_a_single_quasi_identifier_is_k_anonymous_as_a_whole(name) -> None:
    table = covey.read_table(people_frame(), SCHEMA.updated("age", role=Role.CONFIDENTIAL))

    release = covey.publish(table, name, k=4)

    assert release.guarantee.joint
    assert covey.evaluate(table, release)["k_achieved"] >= 4


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_other_columns_are_published_as_they_were_and_named(name) -> None:
    release = covey.publish(people(), name, k=3)

    assert list(release.guarantee.untouched) == UNTOUCHED
    assert list(release.guarantee.dropped) == ["person", "allowed"]
    assert sorted(release.frame.select(UNTOUCHED).rows()) == sorted(
        people_frame().select(UNTOUCHED).rows()
    )
    assert "visits, health, region" in str(release.guarantee)


@pytest.mark.parametrize("name", JOINT)
def test_a_record_keeps_its_confidential_values_beside_its_centroid(name) -> None:
    release, trace = covey.publish(people(), name, k=3, trace=True)

    linked = pl.concat([trace.aligned, people_frame().select(UNTOUCHED)], how="horizontal")
    assert sorted(linked.select(release.frame.columns).rows()) == sorted(release.frame.rows())


@pytest.mark.parametrize("name", JOINT)
def test_centroids_are_the_means_of_the_clusters(name) -> None:
    table = people()

    _, trace = covey.publish(table, name, k=3, trace=True)

    labels = covey.partition(table, name, k=3).labels
    income = table.values("income")
    means = [income[labels == label].mean() for label in labels]
    assert trace.aligned["income"].to_numpy() == pytest.approx(means)
    ages = [np.rint(table.values("age")[labels == label].mean()) for label in labels]
    assert trace.aligned["age"].to_list() == ages


@pytest.mark.parametrize("name", JOINT)
def test_a_category_becomes_the_most_frequent_one_of_its_cluster(name) -> None:
    table = with_nominal_quasi_identifier()

    release = covey.publish(table, name, k=4)

    assert set(release.frame["region"]) <= set(people_frame()["region"])
    assert min(Counter(release.frame.select([*QUASI, "region"]).rows()).values()) >= 4
    assert release.guarantee.columns == ("age", "income", "region")


@pytest.mark.parametrize("name", BY_COLUMN)
def test_a_category_has_no_rank(name) -> None:
    with pytest.raises(SchemaError, match=f"'region' is nominal and '{name}' sorts values"):
        covey.publish(with_nominal_quasi_identifier(), name, k=3)


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_a_constant_quasi_identifier_is_refused(name) -> None:
    frame = people_frame().with_columns(age=pl.lit(40, dtype=pl.Int64))

    with pytest.raises(SchemaError, match="'age' is constant"):
        covey.publish(frame, name, schema=SCHEMA, k=3)


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_a_table_without_quasi_identifiers_is_refused(name) -> None:
    schema = SCHEMA.updated("age", role=Role.CONFIDENTIAL).updated("income", role=Role.CONFIDENTIAL)

    with pytest.raises(SchemaError, match="names no quasi-identifier"):
        covey.publish(people_frame(), name, schema=schema, k=3)


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_no_bounds_are_needed_and_none_void_the_guarantee(name) -> None:
    release = covey.publish(people_frame().select(QUASI), name, k=3)

    assert release.guarantee.kind is covey.GuaranteeKind.K_ANONYMITY
    assert release.guarantee.epsilon is None
    assert release.ledger.spent == 0


@pytest.mark.parametrize("name", JOINT + BY_COLUMN)
def test_the_guarantee_warns_of_what_k_anonymity_does_not_cover(name) -> None:
    conditions = " ".join(covey.publish(people(), name, k=3).guarantee.conditions)

    assert "all but one member" in conditions
    assert "untouched columns" in conditions


def test_gamma_reaches_v_mdav() -> None:
    sizes = [
        len(set(covey.publish(people(), "v-mdav", k=3, gamma=gamma).frame.select(QUASI).rows()))
        for gamma in (0.0, 5.0)
    ]

    assert sizes[0] == N // 3
    assert sizes[1] < sizes[0]


OFFICE = ["banker", "clerk", "lawyer", "teacher"]
OUTDOORS = ["farmer", "hunter", "miner", "sailor"]


def workers(tmp_path, rows: list[tuple[str, int]]) -> covey.Table:
    """Return people with a job that has a taxonomy, and an age."""
    kinds = [("job", ""), ("office", "job"), ("outdoors", "job")]
    kinds += [(job, "office") for job in OFFICE] + [(job, "outdoors") for job in OUTDOORS]
    covey.Taxonomy.from_edges("job", kinds).save(tmp_path / "jobs.csv")
    (tmp_path / "schema.toml").write_text(
        """
        [[attribute]]
        name = "job"
        scale = "nominal"
        taxonomy = "jobs.csv"
        missing = "refuse"
        role = "quasi-identifier"
        [[attribute]]
        name = "age"
        scale = "numeric"
        bounds = [0, 100]
        role = "quasi-identifier"
        """
    )
    frame = pl.DataFrame(rows, schema=["job", "age"], orient="row")
    return covey.read_table(frame, covey.Schema.load(tmp_path / "schema.toml"))


@pytest.mark.parametrize("name", JOINT)
def test_near_concepts_share_a_cluster_and_what_they_have_in_common_stands_for_them(
    name, tmp_path
) -> None:
    table = workers(tmp_path, [(job, 40) for job in OFFICE] + [(job, 41) for job in OUTDOORS])

    release = covey.publish(table, name, k=4)

    assert Counter(release.frame["job"]) == {"office": 4, "outdoors": 4}


def test_blocks_are_clustered_by_taxonomies_too(tmp_path) -> None:
    rows = [("clerk", 1), ("teacher", 2), ("farmer", 1), ("sailor", 2)] * 4
    table = workers(tmp_path, rows)
    whole = covey.publish(table, "mdav", k=8).frame
    frame = pl.concat([table.frame.with_columns(pl.lit(part).alias("part")) for part in ("a", "b")])
    part = covey.Attribute("part", role=Role.QUASI_IDENTIFIER, scale="nominal")
    schema = covey.Schema((*table.schema, part), folder=table.schema.folder)
    two = covey.read_table(frame, schema)

    release = covey.publish(two, "mdav", k=8, blocks=["part"]).frame

    for part in ("a", "b"):
        found = release.filter(pl.col("part") == part).drop("part")
        assert sorted(found.rows()) == sorted(whole.rows())


def test_the_printed_loop_of_mdav_can_be_asked_for() -> None:
    X = np.random.default_rng(1).normal(size=(33, 2))
    frame = pl.DataFrame(X, schema=["a", "b"])
    schema = covey.Schema(
        tuple(
            covey.Attribute(name, role=Role.QUASI_IDENTIFIER, bounds=(-9, 9)) for name in ("a", "b")
        )
    )
    table = covey.read_table(frame, schema)

    printed, usual = (covey.publish(table, "mdav", k=5, loop=loop) for loop in ("2k", "3k"))

    labels = covey.partition(table, "mdav", k=5, loop="2k").labels
    means = {tuple(np.round(X[labels == label].mean(axis=0), 9)) for label in set(labels)}
    assert {tuple(np.round(row, 9)) for row in printed.frame.rows()} == means
    assert printed.frame.rows() != usual.frame.rows()

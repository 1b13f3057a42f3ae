"""The private tree publishes whole tables, pays for what it looks at, and refuses in time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import ks_2samp

import covey
from covey import Attribute, GuaranteeKind, PrivacyUnit, Schema, Taxonomy
from covey.core import Bill, Meter, SecureNoise
from covey.core.questions import RECORD_UNIT
from covey.engines.memory.records import TableRecords
from covey.errors import PlanError, SchemaError
from covey.ledger import create_ledger, load_ledger
from covey.systems import SYSTEMS
from covey.table import Table, read_table

N = 2_000
TOWNS = ("Ahof", "Bdorf", "Cstadt")
PAIN = ("none", "mild", "strong")
PETS = [("pet", ""), ("bird", "pet"), ("owl", "bird"), ("hen", "bird"), ("cat", "pet")]
KINDS = {
    "numeric": ("income",),
    "integer": ("age",),
    "ordinal": ("pain",),
    "flat": ("town",),
    "taxonomy": ("pet",),
    "mixed": ("age", "income", "town", "pet"),
    "five": ("age", "income", "pain", "town", "pet"),
    "many": ("age", "income", "pain", "town", "pet", "visits"),
}


def frame() -> pl.DataFrame:
    """Make records of every kind; some incomes lie beyond their bound, some towns are missing."""
    rng = np.random.default_rng(11)
    return pl.DataFrame(
        {
            "person": [f"p{i}" for i in range(N)],
            "age": rng.integers(18, 90, N),
            "income": rng.lognormal(10, 0.8, N),
            "pain": rng.choice(PAIN, N, p=[0.6, 0.3, 0.1]),
            "town": [None if x == "?" else x for x in rng.choice([*TOWNS, "?"], N)],
            "pet": rng.choice(["owl", "hen", "cat", "bird"], N),
            "visits": rng.poisson(3, N).astype(np.int16),
        }
    )


@pytest.fixture(scope="module")
def schema(tmp_path_factory) -> Schema:
    folder = tmp_path_factory.mktemp("schema")
    Taxonomy.from_edges("pet", PETS).save(folder / "pets.csv")
    attributes = (
        Attribute("person", role="identifier", scale="nominal"),
        Attribute("age", bounds=(0, 120), integer=True),
        Attribute("income", bounds=(0, 100_000)),
        Attribute("pain", scale="ordinal", categories=PAIN),
        Attribute("town", scale="nominal", categories=TOWNS),
        Attribute("pet", scale="nominal", taxonomy="pets.csv"),
        Attribute("visits", bounds=(0, 50), integer=True),
    )
    return Schema(attributes, folder)


@pytest.fixture(scope="module")
def people(schema: Schema) -> Table:
    return read_table(frame(), schema)


def publish(table, **parameters):
    return covey.publish(table, "private-tree", **{"epsilon": 2.0, **parameters})


def numbers(X: np.ndarray, **changes) -> Table:
    """Describe columns between 0 and 1."""
    columns = {f"x{j}": column for j, column in enumerate(np.asarray(X, dtype=np.float64).T)}
    attributes = tuple(Attribute(name, bounds=(0, 1), **changes) for name in columns)
    return read_table(pl.DataFrame(columns), Schema(attributes))


@pytest.mark.parametrize("output", ["spread", "centroids"])
@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_every_kind_come_back_with_their_types_and_possible_values(
    people, kind, output
) -> None:
    release = publish(people, columns=KINDS[kind], output=output)

    found = release.frame
    assert found.columns == list(KINDS[kind])
    assert found.height == N
    types = {"age": pl.Int64, "income": pl.Float64, "visits": pl.Int64}
    assert found.schema == {name: types.get(name, pl.String) for name in KINDS[kind]}
    for name, low, high in (("age", 0, 120), ("income", 0, 100_000), ("visits", 0, 50)):
        if name in found.columns:
            assert low <= found[name].min() <= found[name].max() <= high
    possible = {"pain": set(PAIN), "town": {*TOWNS, None}, "pet": {name for name, _ in PETS}}
    for name, values in possible.items():
        if name in found.columns:
            # A missing pet is possible too: nothing in the schema excludes it.
            assert set(found[name]) <= values | ({None} if name == "pet" else set())


@pytest.mark.parametrize("kind", ["mixed", "many"])
def test_the_guarantee_is_pure_and_says_what_it_rests_on(people, kind) -> None:
    guarantee = publish(people, columns=KINDS[kind], epsilon=0.7).guarantee

    assert guarantee.kind is GuaranteeKind.PURE_DP
    assert guarantee.unit is PrivacyUnit.REPLACE_RECORD
    assert guarantee.epsilon == Fraction(7, 10)
    assert guarantee.claim == "private-tree"
    assert guarantee.arithmetic.startswith("exact")
    assert guarantee.columns == KINDS[kind]
    assert guarantee.reasons == ()
    facts = " ".join(guarantee.assumes)
    assert "The number of records is public." in facts
    assert "The bounds of income, 0 to 100000" in facts
    assert "The possible values of town and their taxonomy are known" in facts


def test_clusters_are_published_beside_the_rows_and_count_the_same_records(
    people, tmp_path
) -> None:
    publish(people, columns=("age", "town")).save(tmp_path / "out")

    clusters = pl.read_csv(tmp_path / "out" / "clusters.csv")
    rows = pl.read_csv(tmp_path / "out" / "data.csv")

    assert clusters.columns == ["(records)", "age.low", "age.high", "age.mean", "town"]
    assert clusters["(records)"].sum() == rows.height == N
    assert (clusters["age.low"] <= clusters["age.mean"]).all()
    assert (clusters["age.mean"] <= clusters["age.high"]).all()
    assert clusters.rows() == sorted(clusters.rows())
    for cell in clusters["town"]:
        assert set(cell.split("|")) <= {*TOWNS, "(missing)"}


def test_centroids_are_the_means_of_the_clusters_each_repeated(people) -> None:
    release = publish(people, columns=("income",), output="centroids")

    clusters = release.extras["clusters"]
    expected = np.repeat(clusters["income.mean"].to_numpy(), clusters["(records)"].to_numpy())
    assert release.frame["income"].to_numpy() == pytest.approx(np.sort(expected))


def test_spread_records_lie_inside_the_boxes_of_their_clusters() -> None:
    X = np.random.default_rng(0).beta(2, 5, (3_000, 1))

    release = publish(numbers(X))

    clusters = release.extras["clusters"].sort("x0.low")
    values = release.frame["x0"].to_numpy()
    inside = [
        int(np.sum((values >= low) & (values <= high)))
        for low, high in clusters.select("x0.low", "x0.high").iter_rows()
    ]
    assert inside == clusters["(records)"].to_list()


@pytest.mark.parametrize("kind", ["income", "town"])
def test_facts_from_the_data_leave_no_guarantee(schema, kind) -> None:
    fact = "bounds" if kind == "income" else "categories"
    table = read_table(frame(), schema.updated(kind, drafted=(fact,)))

    guarantee = publish(table, columns=("income", "town")).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert f"Read off the data and confirmed by nobody: {kind} ({fact})." in str(guarantee)


def test_added_and_removed_records_are_covered_with_a_noisy_number_of_rows(people) -> None:
    releases = [publish(people, columns=("age", "town"), unit="add-remove") for _ in range(6)]

    guarantee = releases[0].guarantee
    assert guarantee.kind is GuaranteeKind.PURE_DP
    assert guarantee.unit is PrivacyUnit.ADD_REMOVE_RECORD
    assert not any("number of records" in fact for fact in guarantee.assumes)
    heights = [release.frame.height for release in releases]
    assert len(set(heights)) > 1
    # Noise of scale 1 / (2 · 2/112) = 28: twenty scales off has probability 2·10⁻⁹.
    assert all(abs(height - N) < 20 * 28 for height in heights)
    assert releases[0].extras["clusters"]["(records)"].sum() == heights[0]


def test_dropped_records_are_mentioned_for_categories_too(schema) -> None:
    table = read_table(frame(), schema.updated("town", missing="drop"))

    guarantee = publish(table, columns=("age", "town")).guarantee

    assert any("incomplete records were dropped" in fact for fact in guarantee.assumes)


def loss(release: covey.Release) -> Fraction:
    """Return what the proofs say about the scales that were drawn with, whatever was paid."""
    replaced = release.guarantee.unit is PrivacyUnit.REPLACE_RECORD
    touched = 2 if replaced else 1
    moves = {
        "private-tree/structure": Fraction(18 if replaced else 13, 5),
        "private-tree/leaves": Fraction(touched * RECORD_UNIT),
        "private-tree/size": Fraction(1),
        "histogram/counts": Fraction(touched),
    }
    return sum(
        (moves[asked["claim"]] / Fraction(asked["scale"]) for asked in release.guarantee.questions),
        Fraction(0),
    )


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize(
    ("kind", "parts"),
    [("numeric", (1, 0)), ("flat", (1, 1)), ("mixed", (1, 2)), ("five", (4, 2)), ("many", (5, 2))],
)
def test_all_parts_together_cost_what_the_guarantee_says_and_no_more(
    people, kind, parts, unit
) -> None:
    trees, histograms = parts
    release = publish(people, columns=KINDS[kind], unit=unit, epsilon=1.1)

    asked = Counter(each["claim"] for each in release.guarantee.questions)
    assert asked["private-tree/structure"] == asked["private-tree/leaves"] == trees
    assert asked["histogram/counts"] == histograms
    assert asked["private-tree/size"] == (unit == "add-remove")
    assert release.guarantee.epsilon == Fraction(11, 10)
    # Scales are rounded up, so a little less than epsilon is spent.
    assert Fraction(999, 1000) * Fraction(11, 10) < loss(release) <= Fraction(11, 10)


def test_the_cheaper_claims_are_used_for_the_unit_that_they_hold_for(people) -> None:
    replaced, added = (
        publish(people, columns=("age", "town"), unit=unit, epsilon=1.1).guarantee
        for unit in ("replace", "add-remove")
    )

    first, second = (
        {each["claim"]: Fraction(each["scale"]) for each in guarantee.questions}
        for guarantee in (replaced, added)
    )

    # Half the sensitivity, and 110 parts of 112 for what replaced records get all of.
    assert first["histogram/counts"] / second["histogram/counts"] == 2 * Fraction(110, 112)


def test_boxes_that_were_measured_without_noise_are_described_rightly() -> None:
    class Silent(SecureNoise):
        def cube(self, rows, *, scale):
            return rows if scale else None

        def cut(self, counts, *, depth, scale):
            return np.full(counts.size, depth < min(1, scale))

    table = read_table(
        pl.DataFrame({"x": [0, 0, 7, 8, 15, 15]}),
        Schema((Attribute("x", bounds=(0, 15), integer=True),)),
    )
    settings = SYSTEMS["private-tree"].settings({"epsilon": 12.0})
    head = table.head(known_n=True)
    asked = replace(SYSTEMS["private-tree"].ask(replace(head, n=10**6), settings), head=head)
    bill = Bill(unit=asked.unit, budget=asked.budget)

    leaves = (
        SYSTEMS["private-tree"].measure(Meter(TableRecords(table), bill, Silent()), asked).leaves
    )

    assert leaves.low[:, 0].tolist() == [0.0, 8.0]
    assert leaves.high[:, 0].tolist() == [7.0, 15.0]
    assert leaves.counts.tolist() == [3.0, 3.0]
    assert leaves.offsets[:, 0] == pytest.approx([-1.0, 1.0])
    assert leaves.share == pytest.approx([7 / 15, 7 / 15])
    # The bent scale looks closely at the ends, so records are expected nearer to them.
    assert leaves.prior[0, 0] < 0 < leaves.prior[1, 0]


@pytest.mark.parametrize("kind", ["mixed", "many"])
def test_a_seed_repeats_the_release_whatever_the_order_of_the_records(schema, kind) -> None:
    columns = KINDS[kind]
    shuffled = frame().sample(fraction=1.0, shuffle=True, seed=3)

    first, again, other = (
        publish(read_table(rows, schema), columns=columns, random_state=seed)
        for rows, seed in ((frame(), 5), (shuffled, 5), (frame(), 6))
    )

    assert again.frame.equals(first.frame)
    assert again.extras["clusters"].equals(first.extras["clusters"])
    assert not other.frame.equals(first.frame)
    assert first.guarantee.kind is GuaranteeKind.NONE


def test_without_a_seed_no_release_is_like_another(people) -> None:
    first, second = (publish(people, columns=("income",)).frame for _ in range(2))

    assert not first.equals(second)


def test_each_record_is_told_its_cluster_for_the_curator_alone(people, tmp_path) -> None:
    release, trace = publish(people, columns=("age", "income", "town"), epsilon=8.0, trace=True)

    aligned = trace.aligned
    assert aligned.columns == ["age", "income"]
    assert aligned.height == N
    for name in aligned.columns:
        assert np.corrcoef(aligned[name], people.frame[name])[0, 1] > 0.8
    release.save(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "accuracy.csv",
        "card.json",
        "checksums.sha256",
        "clusters.csv",
        "data.csv",
        "guarantee.json",
        "ledger.json",
        "plan.toml",
        "report.html",
    ]


def spiky(columns: int, *, special: list[float] | None, code: float = 0.0) -> Table:
    """Make columns in which 70 % of the records have one value and the others a wide range."""
    rng = np.random.default_rng(13)
    X = np.where(rng.random((4_000, columns)) < 0.7, code, rng.uniform(1, 1000, (4_000, columns)))
    names = [f"x{j}" for j in range(columns)]
    attributes = tuple(Attribute(name, bounds=(1, 1000), special=special) for name in names)
    return read_table(pl.DataFrame(X, schema=names), Schema(attributes))


@pytest.mark.parametrize("columns", [1, 3, 6])
@pytest.mark.parametrize("code", [0.0, -9.0, 5000.0])
def test_special_values_keep_their_mass_and_nothing_else_leaves_the_bounds(columns, code) -> None:
    table = spiky(columns, special=[code], code=code)

    released = publish(table, epsilon=4.0, random_state=3)

    for name in released.frame.columns:
        values = released.frame[name].to_numpy()
        assert np.mean(values == code) == pytest.approx(0.7, abs=0.06)
        ordinary = values[values != code]
        assert ordinary.min() >= 1
        assert ordinary.max() <= 1000


def test_centroids_of_special_boxes_are_the_special_values() -> None:
    table = spiky(2, special=[-9.0], code=-9.0)

    clusters = publish(table, epsilon=4.0, output="centroids").extras["clusters"]

    special = clusters.filter(pl.col("x0.low") == -9)
    assert special.height > 0
    assert (special["x0.high"] == -9).all()
    assert (special["x0.mean"] == -9).all()
    assert (clusters.filter(pl.col("x0.low") != -9)["x0.low"] >= 1).all()


@pytest.mark.parametrize("columns", [2, 5])
def test_special_values_cost_nothing(columns) -> None:
    release = publish(spiky(columns, special=[0.0]), epsilon=1.1)

    assert Fraction(999, 1000) * Fraction(11, 10) < loss(release) <= Fraction(11, 10)


@pytest.mark.parametrize("columns", [2, 5])
def test_a_plan_file_with_special_values_gives_the_same_rows(columns, tmp_path) -> None:
    table = spiky(columns, special=[-9.0], code=-9.0)
    first = publish(table, random_state=7)
    first.save(tmp_path / "out")

    again = covey.run(covey.Plan.load(tmp_path / "out" / "plan.toml"), table.frame)

    assert again.frame.equals(first.frame)
    assert again.extras["clusters"].equals(first.extras["clusters"])


def test_the_guarantee_says_that_special_values_are_public() -> None:
    facts = publish(spiky(1, special=[0, -9])).guarantee.assumes

    assert "The special values of x0, 0, -9, are known without these data." in facts


def test_special_values_outside_the_bounds_are_not_counted_as_moved() -> None:
    table = spiky(1, special=[-9.0], code=-9.0)

    assert table.outside_bounds() == {"x0": 0}
    assert spiky(1, special=None, code=-9.0).outside_bounds()["x0"] > 0


def test_special_values_that_combine_to_too_many_boxes_are_refused(tmp_path) -> None:
    path = ledger(tmp_path)

    with pytest.raises(SchemaError, match="special values of these columns combine to 343 boxes"):
        publish(spiky(3, special=[0, 2, 3, 4, 5, 6]), ledger=path)

    assert load_ledger(path).entries == ()


def test_with_many_columns_rows_have_the_distributions_that_were_published() -> None:
    rng = np.random.default_rng(14)
    X = rng.beta(2, 8, (6_000, 6))

    released = publish(numbers(X), epsilon=4.0, random_state=1).frame.to_numpy()

    for j in range(6):
        assert ks_2samp(released[:, j], X[:, j]).statistic < 0.05


def ledger(folder: Path) -> Path:
    path = folder / "ledger.json"
    create_ledger(path, Fraction(100))
    return path


@pytest.mark.parametrize("n", [30, 77, 1000])
@pytest.mark.parametrize("kind", ["numeric", "mixed", "many"])
def test_too_little_is_refused_with_the_epsilon_that_is_enough_and_nothing_is_spent(
    schema, kind, n, tmp_path
) -> None:
    table = read_table(frame().head(n), schema)
    path = ledger(tmp_path)

    with pytest.raises(PlanError, match=r"epsilon = 0\.001 is too small.*drown") as refused:
        publish(table, columns=KINDS[kind], epsilon=0.001, ledger=path)

    assert load_ledger(path).entries == ()
    enough = str(refused.value).removesuffix(".").rsplit(" ", 1)[1]
    release = publish(table, columns=KINDS[kind], epsilon=float(enough), ledger=path)
    assert release.frame.height == n
    assert load_ledger(path).spent == Fraction(enough)
    with pytest.raises(PlanError, match="too small"):
        publish(table, columns=KINDS[kind], epsilon=0.9 * float(enough))


def test_a_refusal_names_columns_and_records_that_would_do(schema) -> None:
    table = read_table(frame().head(100), schema)
    columns = KINDS["many"]

    with pytest.raises(PlanError, match="the noise would drown them all") as refused:
        publish(table, columns=columns, epsilon=0.5)

    message = str(refused.value)
    fewer = int(message.split("the first ")[1].split(maxsplit=1)[0])
    records = int(float(message.split("at least ")[1].split(maxsplit=1)[0]))
    assert 1 <= fewer < len(columns)
    assert publish(table, columns=columns[:fewer], epsilon=0.5).frame.height == 100
    assert 100 < records <= N
    enough = read_table(frame().head(records), schema)
    assert publish(enough, columns=columns, epsilon=0.5).frame.height == records


@pytest.mark.parametrize(
    ("column", "missing", "explanation"),
    [
        ("income", {"bounds": None}, r"'income' has no public bounds.*bounds = \[low, high\]"),
        ("town", {"categories": None}, "'town' lists neither categories nor a taxonomy"),
        ("pet", {"taxonomy": None}, "'pet' lists neither categories nor a taxonomy"),
    ],
)
def test_a_schema_that_lacks_a_public_fact_is_refused_and_nothing_is_spent(
    schema, column, missing, explanation, tmp_path
) -> None:
    path = ledger(tmp_path)
    table = read_table(frame(), schema.updated(column, **missing))

    with pytest.raises(SchemaError, match=explanation):
        publish(table, columns=("age", column), ledger=path)

    assert load_ledger(path).entries == ()


def test_a_taxonomy_file_that_is_not_there_is_refused_and_nothing_is_spent(
    schema, tmp_path
) -> None:
    path = ledger(tmp_path)

    with pytest.raises(SchemaError, match=r"towns\.csv"):
        publish(
            read_table(frame(), schema.updated("pet", taxonomy="towns.csv")),
            columns=("pet",),
            ledger=path,
        )

    assert load_ledger(path).entries == ()


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
@pytest.mark.parametrize("kind", ["numeric", "mixed", "many"])
def test_too_much_is_refused_with_the_epsilon_that_is_covered_and_nothing_is_spent(
    people, kind, unit, tmp_path
) -> None:
    path = ledger(tmp_path)

    with pytest.raises(PlanError, match=r"epsilon = 50 is too large for the proof") as refused:
        publish(people, columns=KINDS[kind], epsilon=50, unit=unit, ledger=path)

    assert load_ledger(path).entries == ()
    most = str(refused.value).split("at most ")[1].split(";")[0]
    release = publish(people, columns=KINDS[kind], epsilon=float(most), unit=unit, ledger=path)
    assert release.guarantee.epsilon == Fraction(most)
    with pytest.raises(PlanError, match="too large"):
        publish(people, columns=KINDS[kind], epsilon=float(most) + 0.2, unit=unit)


def test_a_table_of_identifiers_is_refused(schema) -> None:
    table = read_table(frame().select("person"), Schema((schema["person"],)))

    with pytest.raises(SchemaError, match="nothing to publish"):
        publish(table)


def test_categories_without_a_public_list_are_refused(schema) -> None:
    bare = schema.updated("town", categories=None)

    with pytest.raises(SchemaError, match="'town' lists neither categories nor a taxonomy"):
        publish(read_table(frame(), bare), columns=("town",))


def test_a_single_possible_category_is_published_as_it_is() -> None:
    attribute = Attribute("c", scale="nominal", categories=("only",), missing="refuse")
    table = read_table(pl.DataFrame({"c": ["only"] * 50}), Schema((attribute,)))

    assert publish(table).frame["c"].to_list() == ["only"] * 50


@pytest.mark.parametrize("where", [0.0, 1.0, 0.3])
def test_records_that_are_all_alike_come_back_near_their_place(where) -> None:
    X = np.full((4_000, 2), where)

    found = publish(numbers(X), epsilon=4.0).frame.to_numpy()

    assert np.median(np.abs(found - where)) < 0.02


@pytest.mark.parametrize("unit", ["replace", "add-remove"])
def test_a_lognormal_table_comes_back_with_nearly_its_distribution(unit) -> None:
    rng = np.random.default_rng(12)
    X = np.exp(rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 5_000)) / 100

    found = publish(numbers(np.clip(X, 0, 1)), random_state=1, unit=unit).frame.to_numpy()

    for j in range(2):
        assert ks_2samp(found[:, j], np.clip(X[:, j], 0, 1)).statistic < 0.1
    assert np.corrcoef(np.log(found + 1e-3).T)[0, 1] == pytest.approx(0.6, abs=0.2)


def test_shares_of_categories_come_back_within_a_few_percent(people) -> None:
    found = publish(people, columns=("town", "pet"), random_state=2).frame

    for name in ("town", "pet"):
        before, after = (
            dict(table[name].value_counts(normalize=True).iter_rows())
            for table in (people.frame, found)
        )
        for value, share in before.items():
            assert after.get(value, 0.0) == pytest.approx(share, abs=0.06)


def test_the_system_is_listed_and_described() -> None:
    system = SYSTEMS["private-tree"]

    assert system.kind is GuaranteeKind.PURE_DP
    assert not system.deterministic
    assert {parameter.name for parameter in system.parameters} == {
        "epsilon",
        "columns",
        "output",
        "unit",
    }

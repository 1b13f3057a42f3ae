"""What every system promises, checked for each name in the registry."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError
from covey.partition.base import REQUIRED
from covey.systems import SYSTEMS
from covey.table.provenance import FACTS
from tests.contracts.people import NUMBERS, SCHEMA, N, numeric_people, people, people_frame
from tests.contracts.publishing import (
    ALONE,
    NAMES,
    NOISY,
    NUMERIC,
    PRIVATE,
    chosen,
    numeric_release,
    publish,
    with_epsilon,
)


@pytest.mark.parametrize("name", NAMES)
def test_a_system_describes_itself(name) -> None:
    system = SYSTEMS[name]

    assert system.name == name
    assert system.summary.endswith(".")
    assert any(paper in system.paper for paper in ("000", "001", "002", "003", "004", "covey"))
    assert isinstance(system.kind, covey.GuaranteeKind)
    assert isinstance(system.unit, covey.PrivacyUnit)
    if system.kind.is_differential_privacy:
        assert system.unit is not covey.PrivacyUnit.NONE


@pytest.mark.parametrize("name", NAMES)
def test_a_system_explains_its_parameters(name) -> None:
    parameters = SYSTEMS[name].parameters

    assert len({parameter.name for parameter in parameters}) == len(parameters) > 0
    for parameter in parameters:
        assert parameter.meaning
        assert not parameter.meaning.endswith(".")
        assert parameter.kind in (int, float, str, bool, tuple) or parameter.read is not None
        if parameter.default not in (REQUIRED, None):
            assert parameter.checked(parameter.default, name) == parameter.default


@pytest.mark.parametrize("name", NAMES)
def test_a_system_publishes_with_the_guarantee_that_it_declares(name) -> None:
    guarantee = publish(name).guarantee

    assert guarantee.kind is SYSTEMS[name].kind
    assert guarantee.unit is SYSTEMS[name].unit
    assert guarantee.reasons == ()


@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_release_names_its_epsilon_its_claim_its_facts_and_its_arithmetic(name) -> None:
    guarantee = publish(name).guarantee

    assert guarantee.epsilon == 1
    assert guarantee.claim in {claim.proof for claim in covey.CLAIMS.values()}
    assert "The number of records is public." in guarantee.assumes
    for column in guarantee.columns:
        assert any(column in fact for fact in guarantee.assumes)
    assert guarantee.arithmetic.startswith("exact")
    assert guarantee.conditions


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_covered_untouched_or_dropped_and_the_guarantee_says_which(name) -> None:
    release = publish(name)

    guarantee = release.guarantee
    told = [*guarantee.columns, *guarantee.untouched, *guarantee.dropped]
    assert sorted(told) == sorted(SCHEMA.names)
    published = set(guarantee.columns) | set(guarantee.untouched)
    assert release.frame.columns == [column for column in SCHEMA.names if column in published]
    assert not (guarantee.untouched and guarantee.kind.is_differential_privacy)


@pytest.mark.parametrize("name", NAMES)
def test_identifiers_are_never_published(name) -> None:
    release = publish(name)

    assert "person" not in release.frame.columns
    assert "person" in release.guarantee.dropped
    with pytest.raises(CoveyError):
        publish(name, columns=("person", "age"))


@pytest.mark.parametrize("name", NAMES)
def test_the_words_differential_privacy_are_in_the_papers_only_if_they_are_earned(name) -> None:
    content = publish(name).guarantee.to_dict()

    text = json.dumps([value for key, value in content.items() if key != "differential_privacy"])

    denied = text.count("Not differential privacy for the original records")
    said = text.lower().count("differential privacy") - denied
    assert (said > 0) == SYSTEMS[name].kind.is_differential_privacy


@pytest.mark.parametrize("name", NAMES)
def test_the_release_has_the_columns_and_types_of_the_input(name) -> None:
    release = publish(name)

    assert isinstance(release.data, pl.DataFrame)
    for column in release.frame.columns:
        assert release.frame[column].dtype == people_frame()[column].dtype
    assert release.frame.height == N


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda frame: frame, pl.DataFrame),
        (lambda frame: frame.to_pandas(), pd.DataFrame),
        (lambda frame: frame.to_arrow(), pa.Table),
        (lambda frame: frame.to_numpy(), np.ndarray),
    ],
    ids=["polars", "pandas", "pyarrow", "numpy"],
)
def test_a_release_is_the_kind_of_frame_that_was_given(name, make, kind) -> None:
    native = make(numeric_people().frame)
    schema = numeric_people().schema

    data = numeric_release(name, native, schema=schema).data

    assert isinstance(data, kind)
    assert data.shape == native.shape
    if kind is pd.DataFrame:
        assert data.dtypes.to_dict() == native.dtypes.to_dict()
    elif kind is pa.Table:
        assert data.column_names == native.column_names
        assert data.schema.types == native.schema.types
    elif kind is np.ndarray:
        assert data.dtype == native.dtype


@pytest.mark.parametrize("name", NUMERIC)
def test_values_stay_within_the_public_bounds_or_among_the_original_range(name) -> None:
    release = numeric_release(name, numeric_people())

    for column in NUMBERS:
        values = release.frame[column].to_numpy()
        low, high = SCHEMA[column].bounds
        if SYSTEMS[name].kind.is_differential_privacy:
            assert low <= values.min()
            assert values.max() <= high
        assert np.isfinite(values).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_release_is_row_aligned_unless_its_kind_allows_it(name) -> None:
    release, trace = publish(name, trace=True)

    if SYSTEMS[name].kind.may_be_row_aligned:
        assert release.frame.equals(trace.aligned.select(release.frame.columns))
    else:
        assert (
            release.frame.rows()
            == release.frame.sort(release.frame.columns, nulls_last=True).rows()
        )


@pytest.mark.parametrize("void", ["random_state", "chosen_on_data"])
@pytest.mark.parametrize("name", [n for n in NAMES if SYSTEMS[n].kind.may_be_row_aligned])
def test_rows_are_sorted_as_soon_as_a_guarantee_of_single_records_is_void(name, void) -> None:
    asked = {void: True if void == "chosen_on_data" else 3}

    release, trace = publish(name, trace=True, **asked)

    assert release.guarantee.kind is covey.GuaranteeKind.NONE
    assert release.frame.equals(trace.aligned.sort(release.frame.columns, nulls_last=True))
    assert not release.frame.equals(trace.aligned)


@pytest.mark.parametrize("name", [name for name in NAMES if SYSTEMS[name].deterministic])
def test_the_order_of_the_records_does_not_show_in_a_release(name) -> None:
    frame = people_frame()

    releases = [
        publish(name, covey.read_table(rows, SCHEMA)).frame for rows in (frame, frame.reverse())
    ]

    for column in releases[0].columns:
        here, there = (release[column].to_list() for release in releases)
        assert here == (pytest.approx(there, rel=1e-12) if column == "income" else there)


@pytest.mark.parametrize("name", [name for name in NAMES if SYSTEMS[name].deterministic])
def test_a_deterministic_system_repeats_itself(name) -> None:
    assert publish(name).frame.equals(publish(name).frame)


@pytest.mark.parametrize("name", NOISY)
def test_a_system_with_noise_differs_from_run_to_run(name) -> None:
    assert not publish(name).frame.equals(publish(name).frame)


@pytest.mark.parametrize("name", NOISY)
def test_a_seeded_experiment_repeats_itself_and_carries_no_guarantee(name) -> None:
    first, second = publish(name, random_state=3), publish(name, random_state=3)

    assert first.frame.equals(second.frame)
    assert not first.frame.equals(publish(name, random_state=4).frame)
    assert first.guarantee.kind is covey.GuaranteeKind.NONE
    assert "Not for publication: seeded" in str(first.guarantee)
    assert "operating system" not in first.guarantee.arithmetic


@pytest.mark.parametrize("name", [name for name in NAMES if SYSTEMS[name].deterministic])
def test_a_seed_takes_nothing_from_a_system_without_noise(name) -> None:
    assert publish(name, random_state=3).guarantee == publish(name).guarantee


@pytest.mark.parametrize("name", NUMERIC)
def test_bounds_from_the_data_void_everything_but_k_anonymity(name) -> None:
    release = numeric_release(name, numeric_people(drafted=("bounds",)))

    if SYSTEMS[name].kind is not covey.GuaranteeKind.K_ANONYMITY:
        assert release.guarantee.kind is covey.GuaranteeKind.NONE
        assert "age (bounds), income (bounds), visits (bounds)." in str(release.guarantee)
        assert release.frame.rows() == release.frame.sort(release.frame.columns).rows()
    else:
        assert release.guarantee.kind is SYSTEMS[name].kind


ANY = ("missing", "role", "scale")
FACTS_OF = {
    "visits": ("bounds", "integer", "special", "step", "missing_codes", *ANY),
    "region": ("categories", "taxonomy", "missing_codes", "unknown", *ANY),
    "health": ("categories", *ANY),
}
NUMBERS_AND_GRADES = ("visits", "health")
MARKED = [
    (name, column, fact)
    for name in PRIVATE
    for column in {
        "exponential": ("region",),
        "laplace": NUMBERS_AND_GRADES,
        "rank-blocks": NUMBERS_AND_GRADES,
    }.get(name, tuple(FACTS_OF))
    for fact in FACTS_OF[column]
]


@pytest.mark.parametrize(("name", "column", "fact"), MARKED)
def test_each_fact_from_the_data_alone_voids_every_differential_guarantee(
    name, column, fact, tmp_path
) -> None:
    (tmp_path / "regions.csv").write_text("child,parent\n*,\nnorth,*\nsouth,*\nwest,*\n")
    told = {
        "taxonomy": {"taxonomy": "regions.csv"},
        "special": {"special": (0,)},
        "step": {"step": 1},
        "missing_codes": {"missing_codes": ("-9",)},
        "unknown": {"unknown": "west"},
    }.get(fact, {})
    schema = SCHEMA.updated(column, drafted=(fact,), **told)
    table = covey.read_table(people_frame(), covey.Schema(schema.attributes, tmp_path))

    guarantee = publish(name, table, columns=(column,)).guarantee

    assert guarantee.kind is covey.GuaranteeKind.NONE
    assert guarantee.reasons[0].startswith(
        f"Read off the data and confirmed by nobody: {column} ({fact})."
    )


@pytest.mark.parametrize("name", ["private-tree", "rank-blocks", "laplace"])
def test_a_kind_of_moments_from_the_data_voids_a_guarantee(name) -> None:
    days = tuple(f"2020-01-{day:02d}" for day in (1, 28))
    born = covey.Attribute("born", kind="date", bounds=days, drafted=("kind",))
    frame = pl.DataFrame({"born": [f"2020-01-{day:02d}" for day in range(1, 29)] * 20})

    guarantee = covey.publish(frame, name, schema=covey.Schema((born,)), epsilon=1.0).guarantee

    assert guarantee.kind is covey.GuaranteeKind.NONE
    assert "born (kind)." in guarantee.reasons[0]


def test_every_fact_is_marked_for_every_sound_system_for_tables() -> None:
    assert {fact for _, _, fact in MARKED} == set(FACTS) - {"kind"}  # which has its own test
    assert {name for name, _, _ in MARKED} == set(PRIVATE)


@pytest.mark.parametrize("name", PRIVATE)
def test_confirmed_and_imported_facts_keep_a_guarantee_which_says_who_answers_for_them(
    name,
) -> None:
    first, *others = publish(name).guarantee.columns
    schema = SCHEMA.updated(first, confirmed=tuple(FACTS), confirmed_by="A. Curator")
    for other in others:
        schema = schema.updated(other, imported=("bounds",), imported_from="smartnoise")

    guarantee = publish(name, covey.read_table(people_frame(), schema)).guarantee

    told = " ".join(guarantee.assumes)
    assert guarantee.kind is SYSTEMS[name].kind
    assert f"confirmed by A. Curator to be known without them: {first} (" in told
    assert not others or "Imported from SmartNoise metadata: stated by its author:" in told


def dropping(name: str) -> str:
    """Return a column that the system is asked to publish."""
    return chosen(name).get("columns", ("region",))[-1]


@pytest.mark.parametrize("name", PRIVATE)
def test_a_drafted_drop_policy_of_a_published_column_voids_the_guarantee(name) -> None:
    schema = SCHEMA.updated(dropping(name), missing="drop", drafted=("missing",))

    guarantee = publish(name, covey.read_table(people_frame(), schema)).guarantee

    assert guarantee.kind is covey.GuaranteeKind.NONE
    assert f"confirmed by nobody: {dropping(name)} (missing)." in str(guarantee)


@pytest.mark.parametrize("name", NAMES)
def test_a_drop_policy_is_told_in_the_sentence_of_every_guarantee(name) -> None:
    schema = SCHEMA.updated(dropping(name), missing="drop")

    guarantee = publish(name, covey.read_table(people_frame(), schema)).guarantee

    said = f"without {dropping(name)}, were left out: whether a record is complete is not protected"
    assert guarantee.kind is SYSTEMS[name].kind
    assert said in str(guarantee)
    assert said not in str(publish(name).guarantee)
    assert covey.Guarantee.from_dict(guarantee.to_dict()).incomplete == (dropping(name),)


@pytest.mark.parametrize("name", [name for name in NAMES if "columns" in chosen(name)])
def test_a_drop_policy_of_a_column_that_is_not_published_loses_no_record(name) -> None:
    other = next(each for each in ("region", "age") if each not in chosen(name)["columns"])
    whole = people_frame()
    frame = whole.with_columns(
        pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.col(other)).alias(other)
    )
    table = covey.read_table(frame, SCHEMA.updated(other, missing="drop", drafted=("missing",)))

    release = publish(name, table)

    assert table.n < whole.height
    assert release.guarantee.incomplete == ()
    assert release.guarantee.kind is SYSTEMS[name].kind


@pytest.mark.parametrize("name", ALONE)
def test_the_plan_of_a_release_says_all_and_runs_again(name) -> None:
    release = publish(name)

    plan = release.plan
    assert set(plan.parameters) == {parameter.name for parameter in SYSTEMS[name].parameters}
    again = covey.run(plan, people_frame())
    assert again.guarantee == release.guarantee
    assert again.plan == plan


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("n", [8, 9, 15, 20])
def test_few_records_are_published_too_and_their_plan_runs_again(name, n) -> None:
    table = covey.read_table(people_frame().head(n), SCHEMA)

    release = publish(name, table, **with_epsilon(name, 10.0))

    assert release.frame.height == n
    assert covey.run(release.plan, table).guarantee == release.guarantee


@pytest.mark.parametrize("name", NAMES)
def test_progress_is_reported_in_words_and_counts(name) -> None:
    heard = []

    publish(name, progress=lambda *report: heard.append(report))

    for what, done, total in heard:
        assert name in what
        assert 0 <= done <= total


@pytest.mark.parametrize("name", NAMES)
def test_a_system_leaves_the_table_alone(name) -> None:
    table = people()
    before = table.frame.clone()

    publish(name, table, trace=True)

    assert table.frame.equals(before)

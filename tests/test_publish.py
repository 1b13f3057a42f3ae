"""Publishing keeps its promises: seeds, ledgers, plans, and what reaches a public file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import covey
from covey import GuaranteeKind, Plan, Schema
from covey.core import Budget
from covey.errors import BudgetError, PlanError, ReleaseError
from covey.ledger import create_ledger, load_ledger

SENTINEL = "7777777"
NUMBERS = ("age", "income")
SYSTEMS = {
    "mdav": {"k": 3},
    "individual-ranking": {"k": 3},
    "rank-blocks": {"epsilon": 4.0, "columns": NUMBERS},
    "laplace": {"epsilon": 1.0, "columns": NUMBERS},
}


def published(people: pl.DataFrame, schema: Schema, system: str, **changes: object) -> Any:
    if system == "individual-ranking":
        schema = schema.updated("town", role="confidential")
    return covey.publish(people, system, schema=schema, **{**SYSTEMS[system], **changes})


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_the_same_seed_gives_the_same_release_and_another_seed_another(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    first = published(people, people_schema, system, random_state=1)
    again = published(people, people_schema, system, random_state=1)
    other = published(people, people_schema, system, random_state=2)

    assert again.frame.equals(first.frame)
    assert not other.frame.equals(first.frame)


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_without_a_seed_no_release_is_like_another(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    first = published(people, people_schema, system)
    again = published(people, people_schema, system)

    assert not again.frame.equals(first.frame)


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_a_seeded_release_is_stamped_and_promises_nothing(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    guarantee = published(people, people_schema, system, random_state=1).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert "Not for publication: seeded" in str(guarantee)
    assert "differential privacy" not in str(guarantee).lower()


def test_a_seed_changes_nothing_about_a_system_without_noise(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    seeded = published(people, people_schema, "mdav", random_state=1)
    plain = published(people, people_schema, "mdav")

    assert seeded.frame.equals(plain.frame)
    assert seeded.guarantee == plain.guarantee


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_a_seed_that_is_no_whole_number_is_refused(
    people: pl.DataFrame, people_schema: Schema, seed: object
) -> None:
    with pytest.raises(PlanError, match=r"random_state = .* not a whole number.*Leave it out"):
        published(people, people_schema, "rank-blocks", random_state=seed)


def test_an_unknown_system_is_refused_with_the_nearest_name(people: pl.DataFrame) -> None:
    with pytest.raises(PlanError, match=r"no system 'mdaw'.*Did you mean 'mdav'"):
        covey.publish(people, "mdaw", k=3)


def test_a_parameter_that_the_system_does_not_have_is_refused(people: pl.DataFrame) -> None:
    with pytest.raises(PlanError, match=r"'mdav' has no parameter 'gama'.*Known: blocks, k"):
        covey.publish(people, "mdav", k=3, gama=0.2)


def test_a_table_can_be_published_as_it_is(people: pl.DataFrame, people_schema: Schema) -> None:
    table = covey.read_table(people, people_schema)

    assert covey.publish(table, "mdav", k=3).data.height == people.height


@pytest.mark.parametrize("system", SYSTEMS)
def test_progress_is_reported_in_words_and_numbers(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    seen = []

    published(people, people_schema, system, progress=lambda *report: seen.append(report))

    assert all(isinstance(what, str) and 0 <= done <= total for what, done, total in seen)


@pytest.mark.parametrize("system", ["mdav", "individual-ranking"])
def test_the_saved_plan_of_a_system_without_noise_gives_the_same_release_again(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, system: str
) -> None:
    release = published(people, people_schema, system)
    release.save(tmp_path / "out")

    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people)
    again.save(tmp_path / "again")

    assert again.frame.equals(release.frame)
    assert again.guarantee == release.guarantee
    for name in ("data.csv", "guarantee.json", "plan.toml"):
        written = (tmp_path / "again" / name).read_bytes()
        assert written == (tmp_path / "out" / name).read_bytes()


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_the_saved_plan_of_a_system_with_noise_makes_the_same_promise_with_fresh_noise(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, system: str
) -> None:
    release = published(people, people_schema, system)
    release.save(tmp_path / "out")

    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people)

    assert again.guarantee == release.guarantee
    assert again.plan.fingerprint == release.plan.fingerprint
    assert not again.frame.equals(release.frame)


def test_the_saved_plan_of_a_small_table_can_be_run_although_one_block_would_do(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release = published(people, people_schema, "rank-blocks", epsilon=0.01)
    release.save(tmp_path / "out")

    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people)

    assert again.guarantee == release.guarantee


def test_the_saved_plan_of_an_experiment_repeats_it(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    release = published(people, people_schema, "rank-blocks", random_state=5)
    release.save(tmp_path / "out")

    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people)

    assert again.frame.equals(release.frame)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("drafted", [False, True])
def test_guarantee_and_plan_of_two_neighbours_are_the_same_file(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, system: str, drafted: bool
) -> None:
    # The neighbour's first record is another in every way, its extremes included.
    other = pl.DataFrame(
        {
            "name": ["Somebody else"],
            "age": [119],
            "income": [99_999.0],
            "town": ["Cstadt"],
            "pain": ["strong"],
            "illness": ["plague"],
        }
    )
    neighbour = pl.concat([other, people[1:]])
    if drafted:
        # Only the columns that noise is for have public bounds; the others were read off.
        people_schema = people_schema.updated(
            "town", drafted=("categories",), categories=("Ahof", "Bdorf", "Cstadt")
        ).updated("illness", drafted=("categories",))

    for name, data in (("here", people), ("there", neighbour)):
        schema = people_schema
        if drafted:
            seen = Schema.draft(data)
            schema = schema.updated("illness", categories=seen["illness"].categories)
            if system in ("mdav", "individual-ranking"):
                schema = schema.updated("age", bounds=seen["age"].bounds, drafted=("bounds",))
        published(data, schema, system, random_state=1).save(tmp_path / name)

    for name in ("guarantee.json", "plan.toml"):
        here = (tmp_path / "here" / name).read_bytes()
        assert here == (tmp_path / "there" / name).read_bytes()


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_a_guarantee_that_relies_on_drafted_bounds_is_downgraded_and_says_so(
    people: pl.DataFrame, system: str
) -> None:
    guarantee = published(people, Schema.draft(people), system).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert "confirmed by nobody: age (bounds, missing, integer, scale), income (" in str(guarantee)
    assert "state what is known without them, or confirm it" in str(guarantee)


def test_a_guarantee_that_relies_on_drafted_categories_is_downgraded_and_says_so(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    schema = people_schema.updated("pain", drafted=("categories",))

    guarantee = covey.publish(
        people, "rank-blocks", schema=schema, epsilon=1.0, columns=("pain",)
    ).guarantee

    assert guarantee.kind is GuaranteeKind.NONE
    assert "confirmed by nobody: pain (categories)." in str(guarantee)


def test_drafted_bounds_of_columns_that_are_not_published_do_no_harm(
    people: pl.DataFrame, tmp_path: Path
) -> None:
    schema = Schema.draft(people).updated("age", bounds=(0, 120), drafted=())

    release = covey.publish(people, "rank-blocks", schema=schema, epsilon=1.0, columns=("age",))
    release.save(tmp_path / "out")

    assert release.guarantee.kind is GuaranteeKind.PURE_DP
    assert SENTINEL not in (tmp_path / "out" / "plan.toml").read_text("utf-8")


def test_no_public_file_of_clusters_holds_an_extreme_that_a_draft_saw(
    people: pl.DataFrame, tmp_path: Path
) -> None:
    covey.publish(people, "mdav", schema=Schema.draft(people), k=3).save(tmp_path / "out")

    for path in (tmp_path / "out").iterdir():
        assert SENTINEL not in path.read_text("utf-8")


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_values_outside_the_bounds_are_clamped_and_counted_for_nobody_else(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, system: str
) -> None:
    within = people.with_columns(pl.col("income").clip(0, 100_000))

    outside_release = published(people, people_schema, system, random_state=1)
    within_release = published(within, people_schema, system, random_state=1)
    outside_release.save(tmp_path / "outside")
    within_release.save(tmp_path / "within")

    assert covey.read_table(people, people_schema).outside_bounds()["income"] == 1
    for name in ("data.csv", "guarantee.json", "plan.toml"):
        written = (tmp_path / "outside" / name).read_bytes()
        assert written == (tmp_path / "within" / name).read_bytes()


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_a_constant_column_is_no_matter_for_noise(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    constant = people.with_columns(age=pl.lit(40))

    assert published(constant, people_schema, system).data.height == people.height


def test_a_release_is_charged_to_the_ledger(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Budget.of("4.5").epsilon)

    release = published(people, people_schema, "rank-blocks", ledger=path)

    assert float(load_ledger(path).left) == 0.5
    assert release.ledger == load_ledger(path)
    assert release.ledger.entries[0].plan == release.plan.fingerprint


def test_a_release_that_the_ledger_cannot_pay_is_refused_before_the_work_begins(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Budget.of("0.5").epsilon)
    seen = []

    with pytest.raises(BudgetError, match=r"0\.5 left of 0\.5 and this release needs 4"):
        published(people, people_schema, "rank-blocks", ledger=path, progress=seen.append)

    assert seen == []
    assert load_ledger(path).entries == ()


def test_clusters_without_noise_use_nothing_of_the_limit_and_are_entered(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    path = tmp_path / "people.ledger"
    create_ledger(path, Budget.of("0.5").epsilon)

    published(people, people_schema, "mdav", ledger=path)

    assert float(load_ledger(path).left) == 0.5
    assert [entry.kind for entry in load_ledger(path).unbounded] == ["k-anonymity"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_release_folder_reads_back_as_the_release(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, system: str
) -> None:
    release = published(people, people_schema, system)
    release.save(tmp_path / "out")

    again, _ = covey.reopen(tmp_path / "out", covey.read_table(people, release.plan.schema))

    assert again.frame.equals(release.frame)
    assert again.guarantee == release.guarantee
    assert again.ledger == release.ledger


def test_what_became_of_each_record_is_found_again_for_systems_without_noise_only(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    table = covey.read_table(people, people_schema)
    clusters, trace = published(people, people_schema, "mdav", trace=True)
    clusters.save(tmp_path / "clusters")
    published(people, people_schema, "rank-blocks").save(tmp_path / "noise")

    assert covey.reopen(tmp_path / "clusters", table)[1].aligned.equals(trace.aligned)
    assert covey.reopen(tmp_path / "noise", table)[1].aligned is None


FAULTS = {
    "no guarantee": ("guarantee.json", None, r"not a release that this covey understands.*Publish"),
    "half a guarantee": ("guarantee.json", "{", r"not a release that this covey understands"),
    "an unknown guarantee": ("guarantee.json", '{"kind": "magic"}', r"not a release that this"),
    "no data": ("data.csv", None, r"must hold data\.csv or data\.parquet"),
    "other columns": ("data.csv", "height\n180\n", r"a column 'height' that the data do not have"),
    "other types": ("data.csv", "age\nyoung\n", r"not of the types of the data.*Give the data"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_folder_that_is_no_release_of_these_data_is_refused(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path, fault: str
) -> None:
    name, content, explanation = FAULTS[fault]
    table = covey.read_table(people, people_schema)
    published(people, people_schema, "rank-blocks").save(tmp_path / "out")
    (tmp_path / "out" / name).unlink()
    if content is not None:
        (tmp_path / "out" / name).write_text(content, encoding="utf-8")

    with pytest.raises(ReleaseError, match=explanation):
        covey.reopen(tmp_path / "out", table)


def test_taxonomies_of_columns_that_are_not_published_stay_at_home(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    (tmp_path / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    schema = people_schema.updated("town", taxonomy="towns.csv", categories=None)
    table = covey.read_table(people, Schema(schema.attributes, tmp_path))

    covey.publish(table, "rank-blocks", epsilon=1.0, columns=("age",)).save(tmp_path / "without")
    covey.publish(table, "exponential", epsilon=1.0, columns=("town",)).save(tmp_path / "with")

    assert not list((tmp_path / "without").glob("taxonomy*"))
    assert "taxonomy" not in (tmp_path / "without" / "plan.toml").read_text("utf-8")
    assert len(list((tmp_path / "with").glob("taxonomy*"))) == 1
    again = covey.run(Plan.load(tmp_path / "without" / "plan.toml"), people)
    assert again.guarantee.kind is GuaranteeKind.PURE_DP


def test_the_plan_of_a_draft_tells_nothing_of_columns_that_are_not_published(
    people: pl.DataFrame, tmp_path: Path
) -> None:
    schema = Schema.draft(people).updated("age", bounds=(0, 120), drafted=())

    release = covey.publish(people, "rank-blocks", schema=schema, epsilon=1.0, columns=("age",))
    release.save(tmp_path / "out")

    assert release.guarantee.kind is GuaranteeKind.PURE_DP
    assert not release.plan.schema.relies_on_data
    assert {each.name: each.role for each in release.plan.schema if each.name != "age"} == (
        dict.fromkeys(("name", "income", "town", "pain", "illness"), "identifier")
    )
    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people)
    assert again.guarantee == release.guarantee


def test_columns_left_out_by_a_guessed_role_void_a_promise_unless_columns_are_named(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    schema = people_schema.updated("illness", role="identifier", drafted=("role",))
    schema = schema.updated("town", role="identifier").updated("pain", role="identifier")

    open_, named = (
        covey.publish(people, "rank-blocks", schema=schema, epsilon=1.0, **columns).guarantee
        for columns in ({}, {"columns": ("age", "income")})
    )

    assert open_.kind is GuaranteeKind.NONE
    assert "illness (role)" in str(open_)
    assert named.kind is GuaranteeKind.PURE_DP

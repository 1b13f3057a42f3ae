"""A release folder is complete or absent, and nothing in it tells the order of the records."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import covey
from covey import Guarantee, GuaranteeKind, Plan, Release, Schema
from covey.errors import ReleaseError
from covey.ledger import load_ledger
from covey.release import as_table, seeded


@pytest.fixture
def k_anonymous(people: pl.DataFrame, people_schema: Schema) -> Release:
    return covey.publish(people, "mdav", schema=people_schema, k=3)


@pytest.fixture
def private(people: pl.DataFrame, people_schema: Schema) -> Release:
    return covey.publish(
        people, "rank-blocks", schema=people_schema, epsilon=0.5, columns=("age", "income")
    )


FILES = {
    *("data.csv", "guarantee.json", "plan.toml", "ledger.json", "accuracy.csv"),
    *("card.json", "report.html", "checksums.sha256"),
}


def contents(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_release_folder_holds_data_guarantee_plan_ledger_and_what_people_read(
    private: Release, tmp_path: Path
) -> None:
    folder = private.save(tmp_path / "deep" / "out")

    assert folder == tmp_path / "deep" / "out"
    assert contents(folder) == FILES


def test_the_saved_data_are_those_of_the_release(k_anonymous: Release, tmp_path: Path) -> None:
    k_anonymous.save(tmp_path / "csv")
    k_anonymous.save(tmp_path / "parquet", format="parquet")

    assert pl.read_csv(tmp_path / "csv" / "data.csv").equals(k_anonymous.frame)
    assert pl.read_parquet(tmp_path / "parquet" / "data.parquet").equals(k_anonymous.frame)


def test_a_release_of_a_parquet_file_is_saved_as_one(
    people: pl.DataFrame, people_schema: Schema, tmp_path: Path
) -> None:
    people.write_parquet(tmp_path / "people.parquet")
    release = covey.publish(tmp_path / "people.parquet", "mdav", schema=people_schema, k=3)

    release.save(tmp_path / "out")

    assert (tmp_path / "out" / "data.parquet").is_file()
    assert not (tmp_path / "out" / "data.csv").exists()


def test_the_saved_guarantee_says_what_the_release_promises(
    private: Release, tmp_path: Path
) -> None:
    private.save(tmp_path / "out")

    saved = json.loads((tmp_path / "out" / "guarantee.json").read_text("utf-8"))

    assert Guarantee.from_dict(saved) == private.guarantee
    assert saved["kind"] == "pure-dp"
    assert saved["differential_privacy"] is True
    assert saved["epsilon"] == 0.5
    assert saved["unit"] == "replace-record"
    assert saved["columns"] == ["age", "income"]
    assert saved["joint"] is False
    assert saved["dropped"] == ["name", "town", "pain", "illness"]
    assert saved["sentence"] == str(private.guarantee)
    assert any("0 to 120 years" in fact for fact in saved["assumes"])


def test_the_saved_guarantee_of_clusters_names_what_is_untouched(
    k_anonymous: Release, tmp_path: Path
) -> None:
    k_anonymous.save(tmp_path / "out")

    saved = json.loads((tmp_path / "out" / "guarantee.json").read_text("utf-8"))

    assert saved["kind"] == "k-anonymity"
    assert saved["differential_privacy"] is False
    assert saved["epsilon"] is None
    assert saved["k"] == 3
    assert saved["columns"] == ["age", "income", "town"]
    assert saved["untouched"] == ["pain", "illness"]
    assert saved["dropped"] == ["name"]


def test_the_saved_plan_is_that_of_the_release(private: Release, tmp_path: Path) -> None:
    private.save(tmp_path / "out")

    plan = Plan.load(tmp_path / "out" / "plan.toml")

    assert plan.system == "rank-blocks"
    assert plan.parameters["epsilon"] == 0.5
    assert isinstance(plan.parameters["k"], int), "the k that was chosen is part of the plan"
    assert plan.fingerprint == private.plan.fingerprint


def test_the_saved_ledger_holds_the_bill(private: Release, tmp_path: Path) -> None:
    private.save(tmp_path / "out")

    ledger = load_ledger(tmp_path / "out" / "ledger.json")

    assert ledger == private.ledger
    assert ledger.spent == Fraction(1, 2)
    assert ledger.entries[0].plan == private.plan.fingerprint


def test_taxonomies_travel_with_the_plan(people: pl.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    schema = Schema.draft(people.select("age", "town"))
    schema = Schema(schema.updated("town", taxonomy="towns.csv").attributes, tmp_path)
    release = covey.publish(people.select("age", "town"), "mdav", schema=schema, k=3)

    release.save(tmp_path / "out")
    (tmp_path / "towns.csv").unlink()
    again = covey.run(Plan.load(tmp_path / "out" / "plan.toml"), people.select("age", "town"))

    assert again.frame.equals(release.frame)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("crash")])
def test_an_error_in_the_middle_of_writing_leaves_nothing(
    private: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("covey.release.folder._write_json", fail)

    with pytest.raises((ReleaseError, RuntimeError)):
        private.save(tmp_path / "out")

    assert contents(tmp_path) == set()


def test_a_full_disk_is_explained(
    private: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)

    with pytest.raises(ReleaseError, match=r"out' cannot be written \(No space left.*Choose a pl"):
        private.save(tmp_path / "out")


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_an_interruption_while_replacing_a_release_leaves_the_old_one(
    private: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    private.save(tmp_path / "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises((ReleaseError, KeyboardInterrupt)):
        private.save(tmp_path / "out", force=True)

    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert contents(tmp_path) == {"out", *(f"out/{path.name}" for path in before)}


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_a_release_that_cannot_take_its_place_leaves_the_old_one(
    private: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    private.save(tmp_path / "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    rename = Path.rename

    def fail_for_the_new_one(self: Path, target: Path) -> Path:
        if self.name == "release":
            raise error
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_for_the_new_one)
    with pytest.raises((ReleaseError, KeyboardInterrupt)):
        private.save(tmp_path / "out", force=True)

    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_a_folder_that_exists_is_not_replaced(private: Release, tmp_path: Path) -> None:
    private.save(tmp_path / "out")

    with pytest.raises(ReleaseError, match=r"out' exists already.*--force \(force=True\)"):
        private.save(tmp_path / "out")


def test_an_empty_folder_may_be_filled(private: Release, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    private.save(tmp_path / "out")

    assert (tmp_path / "out" / "data.csv").is_file()


def test_an_older_release_is_replaced_as_a_whole_by_force(private: Release, tmp_path: Path) -> None:
    private.save(tmp_path / "out", format="parquet")

    private.save(tmp_path / "out", force=True)

    assert contents(tmp_path / "out") == FILES


def test_a_folder_that_is_no_release_is_not_replaced_even_by_force(
    private: Release, tmp_path: Path
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "wedding.jpg").touch()

    with pytest.raises(ReleaseError, match=r"photos' is not a release folder.*Choose another"):
        private.save(tmp_path / "photos", force=True)

    assert (tmp_path / "photos" / "wedding.jpg").exists()


def test_a_file_is_not_replaced_by_a_folder(private: Release, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")

    with pytest.raises(ReleaseError, match=r"is not a release folder"):
        private.save(tmp_path / "out", force=True)


def test_an_unknown_format_is_refused(private: Release, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"format 'xlsx' is unknown.*csv or parquet"):
        private.save(tmp_path / "out", format="xlsx")

    assert contents(tmp_path) == set()


@pytest.mark.parametrize("system", ["md", "mdav", "v-mdav", "individual-ranking"])
def test_the_order_of_the_records_does_not_show_in_a_release_of_clusters(
    people: pl.DataFrame, people_schema: Schema, system: str
) -> None:
    schema = people_schema.updated("town", role="confidential")
    shuffled = people.sample(fraction=1.0, shuffle=True, seed=5)

    release = covey.publish(people, system, schema=schema, k=3)
    other = covey.publish(shuffled, system, schema=schema, k=3)

    assert not shuffled.equals(people)
    assert other.frame.equals(release.frame)


def test_the_order_of_the_records_does_not_show_in_a_release_of_rank_blocks(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    settings = {"schema": people_schema, "epsilon": 1.0, "columns": ("age",), "random_state": 3}

    release = covey.publish(people, "rank-blocks", **settings)
    other = covey.publish(people.reverse(), "rank-blocks", **settings)

    assert other.frame.equals(release.frame)
    assert release.frame["age"].is_sorted()


def test_rows_of_a_multi_column_release_of_rank_blocks_are_sorted(private: Release) -> None:
    assert private.frame.equals(private.frame.sort("age", "income"))


def test_only_a_locally_private_release_keeps_the_order_of_the_records(
    people: pl.DataFrame, people_schema: Schema
) -> None:
    release = covey.publish(people, "laplace", schema=people_schema, epsilon=1e6, columns=("age",))

    assert release.guarantee.kind is GuaranteeKind.LOCAL_DP
    assert release.frame["age"].to_list() == people["age"].to_list()


def test_a_release_can_be_read_as_a_table_to_compare(
    k_anonymous: Release, people: pl.DataFrame, people_schema: Schema
) -> None:
    table = covey.read_table(people, people_schema)

    released = as_table(table, k_anonymous)

    assert released.values("age").mean() == pytest.approx(table.values("age").mean(), abs=0.5)


def test_a_release_does_not_show_its_records(k_anonymous: Release) -> None:
    assert "Ahof" not in repr(k_anonymous).replace("categories=('Ahof', 'Bdorf', 'Cstadt')", "")


def test_the_stamp_of_a_seeded_release_is_put_on_once(private: Release) -> None:
    once = seeded(private.guarantee)

    assert once.kind is GuaranteeKind.NONE
    assert "Not for publication: seeded" in str(once)
    assert seeded(once) == once

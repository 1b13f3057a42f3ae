"""Bad input ends in words: what is wrong, what follows, what to do, and nothing written.

`desk.refused` checks the exit code, that standard output stays empty, that the message quotes
no record, and that no file was made or changed.
"""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from covey import Schema
from covey.privacy import create_ledger, load_ledger

NOISE = ("--system", "rank-blocks", "--columns", "age,income", "--epsilon")
CLUSTERS = ("--system", "mdav", "-k")


def changed(desk, **columns: pl.Expr) -> None:
    """Write people.csv again with other columns."""
    pl.read_csv(desk.folder / "people.csv").with_columns(**columns).write_csv(
        desk.folder / "people.csv"
    )


@pytest.mark.parametrize("system", ["rank-blocks", "laplace"])
def test_missing_bounds(desk, system: str) -> None:
    desk.describe("income", bounds=None)

    said = desk.refused_to_publish("--system", system, "--columns", "age,income", "--epsilon", "1")

    assert "attribute 'income' has no public bounds" in said
    assert "no noise can be calibrated" in said
    assert "Set `bounds = [low, high]`" in said


def test_bounds_the_wrong_way_round(desk) -> None:
    path = desk.folder / "people.toml"
    path.write_text(path.read_text().replace("[0.0, 120.0]", "[120.0, 0.0]"))

    said = desk.refused_to_publish(*NOISE, "1")

    assert "bounds of attribute 'age' are the wrong way round" in said
    assert "Write the smaller one first" in said


def test_a_column_of_the_schema_that_the_data_do_not_have(desk) -> None:
    pl.read_csv("people.csv").drop("town").write_csv("people.csv")

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "the schema describes a column 'town' that the data do not have" in said
    assert "Correct the schema" in said


def test_a_column_of_the_data_that_the_schema_does_not_describe(desk) -> None:
    changed(desk, height=pl.lit(7777777))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "column 'height' of the data is not described" in said
    assert "cannot tell whether it may be published" in said
    assert "Add it" in said


def test_a_column_to_publish_that_is_not_there(desk) -> None:
    said = desk.refused_to_publish(
        "--system", "rank-blocks", "--columns", "age,incone", "--epsilon", "1"
    )

    assert "no column 'incone' to publish" in said
    assert "Did you mean 'income'?" in said


def test_an_identifier_cannot_be_published_by_asking_for_it(desk) -> None:
    said = desk.refused_to_publish("--system", "laplace", "--columns", "name", "--epsilon", "1")

    assert "no column 'name' to publish" in said


def test_an_unknown_system(desk) -> None:
    said = desk.refused_to_publish("--system", "rankblocks", "--epsilon", "1")

    assert "there is no system 'rankblocks', so nothing was published" in said
    assert "Did you mean 'rank-blocks'" in said


def test_a_system_like_no_other_gets_the_whole_list(desk) -> None:
    said = desk.refused_to_publish("--system", "xyz")

    assert "Known: " in said
    assert "mdav" in said


def test_no_system_at_all(desk) -> None:
    said = desk.refused_to_publish()

    assert "no system was chosen, so nothing was published" in said
    assert "--system NAME" in said


@pytest.mark.parametrize("system", ["md", "mdav", "v-mdav", "rank-blocks"])
@pytest.mark.parametrize("k", ["1", "0", "-3"])
def test_k_below_two(desk, system: str, k: str) -> None:
    epsilon = ("--epsilon", "1", "--columns", "age") if system == "rank-blocks" else ()

    said = desk.refused_to_publish("--system", system, "-k", k, *epsilon)

    assert f"k = {k} is too small" in said
    assert "hides nobody" in said
    assert "at least 2" in said


def test_k_above_the_number_of_records(desk) -> None:
    said = desk.refused_to_publish(*CLUSTERS, "25")

    assert "k = 25 is larger than the number of records" in said
    assert "Give a smaller k" in said


def test_fewer_than_2k_records(desk) -> None:
    said = desk.refused_to_publish(*CLUSTERS, "13")

    assert "k = 13 leaves fewer than 2k records" in said
    assert "one cluster" in said
    assert "at most half the number of records" in said


def test_k_that_is_no_number(desk) -> None:
    said = desk.refused_to_publish("--system", "mdav", "--param", "k=many")

    assert "parameter 'k' of system 'mdav' must be a whole number" in said
    assert "'many' was given" in said


def test_no_k_where_one_is_needed(desk) -> None:
    said = desk.refused_to_publish("--system", "mdav")

    assert "system 'mdav' needs 'k'" in said
    assert "--k" in said


@pytest.mark.parametrize("epsilon", ["0", "-1", "-0.5", "1e-400"])
def test_epsilon_of_zero_or_less(desk, epsilon: str) -> None:
    said = desk.refused_to_publish(*NOISE, epsilon)

    assert "is not a positive finite number, so it bounds nothing" in said
    assert "Give a number above 0" in said


@pytest.mark.parametrize("epsilon", ["nan", "inf", "-inf", "1e400", "one", "1/3", ""])
def test_epsilon_that_is_no_finite_number(desk, epsilon: str) -> None:
    said = desk.refused_to_publish(*NOISE, epsilon)

    assert "parameter 'epsilon' of system 'rank-blocks' must be a finite number" in said
    assert f"{epsilon!r} was given" in said
    assert "smaller protects more" in said


def test_no_epsilon_where_one_is_needed(desk) -> None:
    said = desk.refused_to_publish("--system", "rank-blocks")

    assert "system 'rank-blocks' needs 'epsilon'" in said
    assert "--epsilon" in said


@pytest.mark.parametrize("system", [("--system", "mdav", "-k", "3"), (*NOISE, "1")])
def test_a_number_that_is_none(desk, system: tuple[str, ...]) -> None:
    changed(desk, income=pl.when(pl.col("age") > 40).then(float("nan")).otherwise("income"))

    said = desk.refused_to_publish(*system)

    assert "column 'income' has missing values" in said
    assert 'Set missing = "drop"' in said


@pytest.mark.parametrize("system", [("--system", "mdav", "-k", "3"), (*NOISE, "1")])
def test_an_infinite_number(desk, system: tuple[str, ...]) -> None:
    changed(desk, income=pl.when(pl.col("age") > 70).then(float("inf")).otherwise("income"))

    said = desk.refused_to_publish(*system)

    assert "column 'income' holds infinite values, so no mean exists" in said
    assert "Make them missing values" in said


def test_texts_where_numbers_should_be(desk) -> None:
    changed(desk, income=pl.lit("secret 7777777"))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "column 'income' is described as numeric and holds other things" in said


@pytest.mark.parametrize("verb", [("publish", "-o", "out", "--system", "mdav"), ("schema",)])
@pytest.mark.parametrize("content", ["", "\n"])
def test_an_empty_file(desk, verb: tuple[str, ...], content: str) -> None:
    (desk.folder / "people.csv").write_text(content)

    said = desk.refused(*verb[:1], "people.csv", *verb[1:], *(("-k", "3") if verb[1:] else ()))

    assert "'people.csv' is empty: it has no header line" in said
    assert "Check the export" in said


def test_a_table_with_a_header_only(desk) -> None:
    (desk.folder / "people.csv").write_text("name,age,income,town,pain,illness\n")

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "the table is empty" in said
    assert "nothing to publish" in said
    assert "Check the file" in said


def test_a_draft_of_a_table_with_a_header_only(desk) -> None:
    (desk.folder / "people.csv").write_text("name,age\n")

    assert "the table is empty" in desk.refused("schema", "people.csv", "-o", "new.toml")


@pytest.mark.parametrize("system", ["mdav", "individual-ranking"])
def test_a_constant_column_in_a_system_of_clusters(desk, system: str) -> None:
    changed(desk, income=pl.lit(7777777.0))
    desk.describe("town", role="confidential")

    said = desk.refused_to_publish("--system", system, "-k", "3")

    assert "attribute 'income' is constant" in said
    assert "cannot tell records apart" in said
    assert 'Set its role to "non-confidential"' in said


def test_a_repeated_column_name(desk) -> None:
    path = desk.folder / "people.csv"
    path.write_text(path.read_text().replace("name,age", "age,age"))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "the column name 'age' occurs more than once" in said
    assert "Rename the columns" in said


def test_a_file_that_is_not_utf8(desk) -> None:
    path = desk.folder / "people.csv"
    path.write_bytes(path.read_text().replace("Ahof", "Höfe 7777777").encode("latin-1"))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "'people.csv' is not UTF-8 text" in said
    assert "iconv -f LATIN1 -t UTF-8 people.csv" in said


def test_a_file_that_is_no_regular_table(desk) -> None:
    with (desk.folder / "people.csv").open("a") as file:
        file.write("Q 7777777,1,2,3,4,5,6,7\n")

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "'people.csv' is not a regular CSV table" in said


@pytest.mark.parametrize("verb", ["publish", "schema"])
def test_a_file_that_is_not_there(desk, verb: str) -> None:
    more = ("-o", "out", *CLUSTERS, "3") if verb == "publish" else ()

    said = desk.refused(verb, "nobody.csv", *more)

    assert "there is no file 'nobody.csv', so nothing was read" in said
    assert "Check the path" in said


def test_a_folder_in_place_of_a_file(desk) -> None:
    (desk.folder / "folder.csv").mkdir()

    said = desk.refused("publish", "folder.csv", "-o", "out", *CLUSTERS, "3")

    assert "there is no file 'folder.csv'" in said


@pytest.mark.usefixtures("permissions_matter")
def test_a_file_that_may_not_be_read(desk) -> None:
    (desk.folder / "secret.csv").write_text("age\n7777777\n")
    (desk.folder / "secret.csv").chmod(0)
    try:
        ran = desk.run("publish", "secret.csv", "-o", "out", *CLUSTERS, "3")
    finally:
        (desk.folder / "secret.csv").chmod(0o600)

    assert ran.code == 2
    assert "'secret.csv' cannot be read (Permission denied)" in ran.err
    assert not (desk.folder / "out").exists()


def test_a_schema_that_is_not_there(desk) -> None:
    said = desk.refused("publish", "people.csv", "-s", "no.toml", "-o", "out", *CLUSTERS, "3")

    assert "the schema 'no.toml' cannot be read (No such file or directory)" in said
    assert "covey schema DATA -o no.toml" in said


def test_an_output_folder_that_exists(desk) -> None:
    assert desk.publish(*CLUSTERS, "3").code == 0

    said = desk.refused_to_publish(*CLUSTERS, "4")

    assert "the output 'out' exists already, so nothing was written" in said
    assert "--force" in said


def test_an_older_release_is_replaced_by_force(desk) -> None:
    assert desk.publish(*CLUSTERS, "3").code == 0

    assert desk.publish(*CLUSTERS, "4", "--force").code == 0

    assert '"k": 4' in (desk.folder / "out" / "guarantee.json").read_text()


def test_a_folder_that_is_no_release_survives_force(desk) -> None:
    (desk.folder / "out").mkdir()
    (desk.folder / "out" / "thesis.tex").write_text("mine")

    said = desk.refused_to_publish(*CLUSTERS, "3", "--force")

    assert "'out' is not a release folder" in said
    assert "Choose another folder" in said


@pytest.mark.usefixtures("permissions_matter")
def test_an_output_folder_that_may_not_be_written(desk) -> None:
    (desk.folder / "locked").mkdir(mode=0o500)

    said = desk.refused("publish", "people.csv", "-o", "locked/out", *CLUSTERS, "3")

    assert "'locked/out' cannot be written (Permission denied)" in said


def test_an_output_folder_below_a_file(desk) -> None:
    said = desk.refused("publish", "people.csv", "-o", "people.toml/out", *CLUSTERS, "3")

    assert "'people.toml/out' cannot be written" in said
    assert "Choose a place" in said


def test_values_outside_the_bounds_are_no_error_and_in_no_public_file(desk) -> None:
    ran = desk.publish(*NOISE, "1")

    assert ran.code == 0
    assert "7777777" not in ran.out + ran.err
    for path in (desk.folder / "out").iterdir():
        assert "7777777" not in path.read_text()
        assert "outside_bounds" not in path.read_text()
    assert pl.read_csv(desk.folder / "out" / "data.csv")["income"].max() <= 100_000


def test_a_nominal_value_that_is_not_in_its_categories(desk) -> None:
    changed(desk, town=pl.when(pl.col("age") > 60).then(pl.lit("Q7777777")).otherwise("town"))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "column 'town' has a value that is missing in its list of categories" in said
    assert "Add it there, or correct the data" in said


def test_a_nominal_value_that_is_not_in_its_taxonomy(desk) -> None:
    (desk.folder / "towns.csv").write_text("child,parent\n*,\nAhof,*\nBdorf,*\nCstadt,*\n")
    desk.describe("town", categories=None, taxonomy="towns.csv")
    changed(desk, town=pl.when(pl.col("age") > 60).then(pl.lit("Q7777777")).otherwise("town"))

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "column 'town' has a value that is missing in its taxonomy" in said
    assert "so it has no place among the others" in said
    assert "Add it there" in said


def test_a_nominal_column_where_noise_needs_numbers(desk) -> None:
    said = desk.refused_to_publish("--system", "rank-blocks", "--epsilon", "1")

    assert "attribute 'town' is nominal" in said
    assert "--columns" in said


def test_an_exhausted_ledger(desk) -> None:
    create_ledger(desk.folder / "people.ledger", Fraction(1))
    paid = desk.publish(*NOISE, "0.75", "--ledger", "people.ledger")
    assert paid.code == 0
    assert "epsilon = 0.25 left" in paid.out

    said = desk.refused(
        "publish", "people.csv", "-s", "people.toml", "-o", "second", *NOISE, "0.5",
        "--ledger", "people.ledger", code=3,
    )  # fmt: skip

    assert "the ledger has epsilon = 0.25 left of 1 and this release needs 0.5" in said
    assert "so nothing was published" in said
    assert "Ask for a smaller epsilon" in said
    assert len(load_ledger(desk.folder / "people.ledger").entries) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read (No such file"), ("{", "is damaged"), ('{"version": 9}', "newer")],
)
def test_a_ledger_that_cannot_be_used(desk, content: str | None, said: str) -> None:
    if content is not None:
        (desk.folder / "people.ledger").write_text(content)

    before = desk.files()
    ran = desk.publish(*NOISE, "1", "--ledger", "people.ledger")

    assert ran.code in (2, 3)
    assert said in ran.err
    assert desk.files() == before


def test_a_plan_beside_other_settings(desk) -> None:
    assert desk.publish(*CLUSTERS, "3").code == 0

    said = desk.refused(
        "publish", "people.csv", "--plan", "out/plan.toml", "-k", "4", "-o", "again"
    )

    assert "a plan describes the whole release" in said
    assert "leave --plan out" in said


def test_a_plan_that_is_none(desk) -> None:
    said = desk.refused("publish", "people.csv", "--plan", "people.toml", "-o", "again")

    assert "'people.toml' is not a plan that this covey understands" in said


def test_a_parameter_without_a_value(desk) -> None:
    said = desk.refused_to_publish("--system", "v-mdav", "-k", "3", "--param", "gamma")

    assert "--param 'gamma' has no value" in said
    assert "name=value" in said


def test_an_unknown_parameter(desk) -> None:
    said = desk.refused_to_publish("--system", "v-mdav", "-k", "3", "--param", "gama=1")

    assert "system 'v-mdav' has no parameter 'gama'" in said
    assert "Did you mean 'gamma'?" in said


def test_an_unknown_format(desk) -> None:
    said = desk.refused_to_publish(*CLUSTERS, "3", "--format", "xlsx")

    assert "the format 'xlsx' is unknown" in said
    assert "csv or parquet" in said


def test_a_seed_below_zero(desk) -> None:
    assert "random_state = -5" in desk.refused_to_publish(*NOISE, "1", "--seed", "-5")


def test_a_schema_file_is_not_overwritten(desk) -> None:
    said = desk.refused("schema", "people.csv", "-o", "people.toml")

    assert "the file 'people.toml' exists already, so nothing was written" in said
    assert "--force" in said


def test_a_schema_file_that_cannot_be_written(desk) -> None:
    said = desk.refused("schema", "people.csv", "-o", "nowhere/people.toml")

    assert "the schema 'nowhere/people.toml' cannot be written" in said


def test_an_evaluation_of_a_folder_that_is_no_release(desk) -> None:
    said = desk.refused("evaluate", "people.csv", ".")

    assert "plan.toml' cannot be read" in said
    assert "Check the path" in said


def test_a_ledger_that_exists_is_not_started_again(desk) -> None:
    create_ledger(desk.folder / "people.ledger", Fraction(1))
    before = desk.files()

    ran = desk.run("ledger", "people.ledger", "--create", "9")

    assert ran.code in (2, 3)
    assert "exists already" in ran.err
    assert desk.files() == before


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "much"])
def test_a_ledger_with_a_limit_that_is_none(desk, limit: str) -> None:
    said = desk.refused("ledger", "people.ledger", "--create", limit)

    assert "is not a positive finite number" in said


def test_a_bug_is_called_one_and_shows_no_record(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse 7777777")

    monkeypatch.setattr(Schema, "load", fail)

    ran = desk.publish(*CLUSTERS, "3")

    assert ran.code == 1
    assert "internal error (RuntimeError): this is a bug in covey" in ran.err
    assert "COVEY_DEBUG=1" in ran.err
    assert "7777777" not in ran.err + ran.out


def test_a_bug_shows_where_it_is_on_request(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("could not parse")

    monkeypatch.setattr(Schema, "load", fail)
    monkeypatch.setenv("COVEY_DEBUG", "1")

    with pytest.raises(RuntimeError, match="could not parse"):
        desk.publish(*CLUSTERS, "3")


def test_an_error_in_the_middle_of_writing_leaves_neither_folder_nor_rest(
    desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)

    said = desk.refused_to_publish(*CLUSTERS, "3")

    assert "'out' cannot be written (No space left on device), so nothing was published" in said

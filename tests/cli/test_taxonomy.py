"""A draft taxonomy is a file that the schema can name."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import covey
from covey.cli.app import app
from covey.errors import ReleaseError, SchemaError
from covey.table.taxonomy_drafts import DRAFT_MARK

CODES = pl.DataFrame({"diagnosis": ["A01", "A02", "B10", "B10"]})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "stays.csv"
    CODES.write_csv(path)
    return path


def draft(data: Path, *options: str) -> Path:
    output = data.parent / "taxonomy.csv"
    arguments = ["taxonomy", str(data), "diagnosis", "-o", str(output), *options]
    CliRunner().invoke(app, arguments, catch_exceptions=False)
    return output


def test_codes_that_begin_alike_share_a_parent(data: Path) -> None:
    drafted = covey.Taxonomy.load(draft(data, "--by", "prefixes"))

    a01, a02, b10 = (drafted.concepts.index(code) for code in ("A01", "A02", "B10"))
    assert drafted.distances[a01, a02] < drafted.distances[a01, b10]


@pytest.mark.parametrize("way", ["flat", "prefixes", "order"])
def test_a_table_with_the_draft_can_be_published(data: Path, way: str) -> None:
    output = draft(data, "--by", way)
    attribute = covey.Attribute("diagnosis", scale="nominal", taxonomy=output.name)
    table = covey.read_table(data, covey.Schema((attribute,), data.parent))

    release = covey.publish(table, "exponential", epsilon=1.0, random_state=0)

    assert release.data.height == CODES.height


def test_the_schemas_own_categories_are_taken_where_there_are_some(data: Path) -> None:
    schema = data.parent / "stays.toml"
    attribute = covey.Attribute("diagnosis", scale="nominal", categories=("A01", "A02", "B10", "C"))
    covey.Schema((attribute,)).save(schema)

    drafted = covey.Taxonomy.load(draft(data, "-s", str(schema)))

    assert "C" in drafted.concepts


def test_an_unknown_column_and_an_unknown_way_are_explained(data: Path) -> None:
    with pytest.raises(SchemaError, match="Did you mean 'prefixes'"):
        draft(data, "--by", "prefix")
    arguments = ["taxonomy", str(data), "diagnoses", "-o", str(data.parent / "t.csv")]
    with pytest.raises(SchemaError, match="no column 'diagnoses'"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_an_existing_file_is_kept_unless_forced(data: Path) -> None:
    output = draft(data)

    with pytest.raises(ReleaseError, match="--force"):
        draft(data, "--by", "prefixes")

    assert "A01" in output.read_text()


LISTED = covey.Attribute("diagnosis", scale="nominal", categories=("A01", "A02", "B10"))


@pytest.mark.parametrize(
    ("attribute", "marked"),
    [
        (None, True),
        (covey.Attribute("diagnosis", scale="nominal"), True),
        (replace(LISTED, drafted=("categories",)), True),
        (LISTED, False),
        (replace(LISTED, confirmed=("categories",)), False),
    ],
)
def test_a_taxonomy_says_whether_its_values_are_those_of_the_data(data, attribute, marked) -> None:
    options: tuple[str, ...] = ()
    if attribute is not None:
        covey.Schema((attribute,)).save(data.parent / "stays.toml")
        options = ("-s", str(data.parent / "stays.toml"))

    output = draft(data, *options)

    assert covey.Taxonomy.load(output).drafted is marked
    assert output.read_text("utf-8").startswith(DRAFT_MARK if marked else "child,parent")
    covey.Taxonomy.load(output).save(data.parent / "again.csv")
    assert (data.parent / "again.csv").read_bytes() == output.read_bytes()


def test_a_drafted_taxonomy_is_refused_as_a_ground_for_a_promise(data: Path) -> None:
    output = draft(data)
    attribute = covey.Attribute("diagnosis", scale="nominal", taxonomy=output.name)
    table = covey.read_table(data, covey.Schema((attribute,), data.parent))

    drafted = covey.publish(table, "exponential", epsilon=1.0).guarantee
    output.write_text(output.read_text("utf-8").removeprefix(f"{DRAFT_MARK}\n"), encoding="utf-8")
    stated = covey.publish(table, "exponential", epsilon=1.0).guarantee

    assert drafted.kind is covey.GuaranteeKind.NONE
    assert "diagnosis (taxonomy)" in str(drafted)
    assert stated.kind is covey.GuaranteeKind.LOCAL_DP

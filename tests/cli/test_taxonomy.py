"""A draft taxonomy is a file that the schema can name."""

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import covey
from covey.cli.app import app
from covey.errors import ReleaseError, SchemaError

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

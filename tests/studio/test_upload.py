"""An upload is read as the command line reads it."""

from __future__ import annotations

import pytest

import covey
from covey.studio import upload as module
from covey.studio.upload import read_upload
from covey.table import draft_schema, read_frame


def ignore(*_: object) -> None:
    """Take progress without a word."""


def read(path, **more: object):
    return read_upload(ignore, ignore, path=str(path), name=path.name, kind="table", **more)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_is_described_and_drafted(people, tmp_path, ending) -> None:
    path = tmp_path / f"people.{ending}"
    people.write_csv(path) if ending == "csv" else people.write_parquet(path)

    file, schema = read(path)

    frame, _, _ = read_frame(path)
    assert schema == draft_schema(frame)
    assert file.rows == 24
    assert file.columns == tuple(people.columns)
    assert len(file.preview) == 8


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n1.5,3\n",
        "a,b\n,x\n,y\n7,z\n",
        "a,b\ntrue,1\nmaybe,2\nno,3\n",
        'a,"b, c"\n1,"two\nlines"\n2,three\n',
        "\ufeffa,b\n1,2\n3,4\n",
        "a\n1\n\n3\n",
    ],
)
def test_types_that_the_first_lines_do_not_show_are_found(tmp_path, text) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")

    file, schema = read(path)

    frame, _, _ = read_frame(path)
    assert schema == draft_schema(frame)
    assert file.rows == frame.height
    assert file.columns == tuple(frame.columns)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("header.csv", b"a,b\n"),
        ("twice.csv", b"a,a\n1,2\n"),
        ("latin.csv", "a\nK\u00f6ln\n".encode("latin-1")),
        ("ragged.csv", b"a,b\n1,2\n1,2,3\n"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\xff\xfe"),
        ("broken.parquet", b"PAR1 and no more"),
        ("broken.csv.gz", b"not zipped"),
        ("notes.doc", b"dear diary"),
    ],
)
def test_a_bad_file_is_explained_as_on_the_command_line(tmp_path, name, content) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(covey.CoveyError) as here:
        read(path)
    with pytest.raises(covey.CoveyError) as there:
        covey.read_table(path)

    assert str(here.value) == str(there.value)


def test_how_far_the_reading_is_can_be_followed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "HASH_CHUNK", 100)
    path = tmp_path / "numbers.csv"
    path.write_text("x\n" + "".join(f"{i}\n" for i in range(1000)))
    said: list = []

    read_upload(lambda *words: said.append(words), ignore, path=str(path), name="n", kind="table")

    shares = [done / total for what, done, total in said if what == "checking the file"]
    assert shares == sorted(shares)
    assert shares[-1] > 0.99


def test_how_an_unusual_file_was_read_is_shown(tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age;income\n34;1,5\n51;2,5\n")

    file, schema = read(path)

    assert dict(file.facts)["Read as"].startswith("UTF-8, fields between semicolons, decimal comma")
    assert schema is not None
    assert schema.reading.separator == ";"

"""A release is written with its documents, and is not lost with them."""

from __future__ import annotations

import json

import polars as pl
import pytest

import covey
from covey import Attribute, Role, Scale, Schema
from covey.release.folder import DOCUMENTS
from covey.report import public_report


def test_the_report_in_the_folder_is_the_public_edition(private, tmp_path) -> None:
    folder = private.save(tmp_path / "out")

    assert (folder / "report.html").read_text("utf-8") == public_report(private)


def test_documents_are_not_given_what_became_of_each_record(
    traced_private, tmp_path, monkeypatch
) -> None:
    private, trace = traced_private
    given = []
    monkeypatch.setitem(DOCUMENTS, "seen.txt", lambda release: given.append(release) or "x")

    private.save(tmp_path / "out")

    assert trace.aligned is not None
    (seen,) = given
    held = [getattr(seen, name) for name in seen.__dataclass_fields__]
    assert not any(isinstance(part, covey.Trace) or part is trace.aligned for part in held)


def test_a_report_that_cannot_be_drawn_is_missed_and_the_rest_is_written(
    private, tmp_path, monkeypatch
) -> None:
    def fail(_release: object) -> str:
        raise RuntimeError("no ink")

    monkeypatch.setitem(DOCUMENTS, "report.html", fail)

    with pytest.warns(UserWarning, match=r"without report.html.*RuntimeError: no ink"):
        folder = private.save(tmp_path / "out")

    names = {path.name for path in folder.iterdir()}
    assert {"data.csv", "guarantee.json", "plan.toml", "ledger.json", "card.json"} <= names
    assert "report.html" not in names


def test_an_interruption_while_drawing_leaves_no_folder(private, tmp_path, monkeypatch) -> None:
    def stop(_release: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setitem(DOCUMENTS, "report.html", stop)

    with pytest.raises(KeyboardInterrupt):
        private.save(tmp_path / "out")

    assert not list(tmp_path.iterdir())


def test_the_report_names_the_taxonomy_that_lies_in_the_folder(tmp_path) -> None:
    (tmp_path / "secret-place.csv").write_text("child,parent\nall,\nflu,all\ngout,all\n")
    frame = pl.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "ill": ["flu", "gout", "flu", "gout"]})
    schema = Schema(
        (
            Attribute("age", bounds=(0, 9)),
            Attribute(
                "ill", role=Role.CONFIDENTIAL, scale=Scale.NOMINAL, taxonomy="secret-place.csv"
            ),
        ),
        folder=tmp_path,
    )
    release = covey.publish(covey.read_table(frame, schema), "mdav", k=2)

    page = (release.save(tmp_path / "out") / "report.html").read_text("utf-8")

    assert "secret-place" not in page
    assert "taxonomy-1.csv" in page


@pytest.mark.parametrize(
    "plan",
    [
        {"system": "mdav", "k": 3},
        {"system": "rank-blocks", "epsilon": 1, "columns": ("age", "income")},
    ],
)
def test_records_that_were_left_out_are_told_in_every_document(
    people, people_schema, tmp_path, plan
) -> None:
    schema = people_schema.updated("age", missing="drop")
    release = covey.publish(people, schema=schema, **plan)

    folder = release.save(tmp_path / "out")

    told = "Incomplete records, those without age, were left out: whether a record is complete"
    for document in ("guarantee.json", "card.json", "report.html"):
        assert told in " ".join((folder / document).read_text("utf-8").split()), document
    card = json.loads((folder / "card.json").read_text("utf-8"))
    assert card["product"]["incomplete"] == ["age"]

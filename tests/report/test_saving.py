"""A release is written with its documents, and is not lost with them."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import covey
from covey import Attribute, Role, Scale, Schema
from covey.report import DOCUMENTS, public_report


def test_the_report_in_the_folder_is_the_public_edition(private, tmp_path) -> None:
    folder = private.save(tmp_path / "out")

    assert (folder / "report.html").read_text("utf-8") == public_report(private)


def test_documents_are_not_given_what_became_of_each_record(private, tmp_path) -> None:
    given = []
    spy = replace(private, documents={"seen.txt": lambda release: given.append(release) or "x"})

    spy.save(tmp_path / "out")

    assert private.aligned is not None
    assert [release.aligned for release in given] == [None]


def test_a_report_that_cannot_be_drawn_is_missed_and_the_rest_is_written(private, tmp_path) -> None:
    def fail(_release: object) -> str:
        raise RuntimeError("no ink")

    broken = replace(private, documents={**DOCUMENTS, "report.html": fail})

    with pytest.warns(UserWarning, match=r"without report.html.*RuntimeError: no ink"):
        folder = broken.save(tmp_path / "out")

    names = {path.name for path in folder.iterdir()}
    assert {"data.csv", "guarantee.json", "plan.toml", "ledger.json", "card.json"} <= names
    assert "report.html" not in names


def test_an_interruption_while_drawing_leaves_no_folder(private, tmp_path) -> None:
    def stop(_release: object) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(private, documents={"report.html": stop}).save(tmp_path / "out")

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

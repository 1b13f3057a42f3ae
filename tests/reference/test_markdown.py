"""The reproductions go into a Markdown document between its two comments, and nowhere else."""

import pytest

from covey.errors import ReleaseError
from covey.reproduce import PaperEntry, Result
from covey.reproduce.data import VARIABLE
from covey.reproduce.markdown import BEGIN, END, inserted, markdown


def result(**changes) -> Result:
    given = {"paper": "001", "table": "Table I", "data": "Census", "method": "mdav"} | changes
    entry = PaperEntry(**given, recipe="sse", settings={"k": 3}, text="799")
    return Result(entry=entry, ours=799.2, status="exact")


def test_a_number_becomes_a_row_under_the_title_of_its_table() -> None:
    text = markdown([result(), result(table="text"), result(data="EIA")])

    assert text.startswith("3 printed numbers: 3 reproduced (exact 3).")
    assert text.count("### Table I\n") == text.count("### Said in the text\n") == 1
    assert "| Census | mdav | SSE | k=3 | 799 | 799.2 |  | +0.03 % | exact | stated |" in text


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert r"| a\|b | mdav |" in markdown([result(data="a|b")])


def test_text_between_the_comments_is_replaced_and_the_rest_stays() -> None:
    document = f"# Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n"

    assert inserted(document, "new", name="x.md") == (
        f"# Before\n\n{BEGIN}\n\nnew\n\n{END}\n\nAfter\n"
    )


@pytest.mark.parametrize("document", ["", BEGIN, END, f"{BEGIN}{END}{BEGIN}{END}"])
def test_a_document_without_the_two_comments_is_refused(document: str) -> None:
    with pytest.raises(ReleaseError, match=r"'x\.md'"):
        inserted(document, "new", name="x.md")


def test_missing_data_leave_the_document_as_it_was(terminal, monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, str(terminal.folder / "nowhere"))
    (terminal.folder / "page.md").write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")

    assert VARIABLE in terminal.refused("reproduce", "literature", "-o", "page.md")


def test_a_document_that_is_not_there_is_refused_before_anything_is_computed(terminal) -> None:
    assert "'page.md'" in terminal.refused("reproduce", "002", "-o", "page.md")


def test_tables_are_put_into_a_document(terminal, monkeypatch) -> None:
    (terminal.folder / "page.md").write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
    monkeypatch.setattr("covey.reproduce.reproduce", lambda *_: [result()])

    ran = terminal.run("reproduce", "001", "-o", "page.md")

    assert ran.code == 0
    assert "| 799 | 799.2 |" in (terminal.folder / "page.md").read_text(encoding="utf-8")

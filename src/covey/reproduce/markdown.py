"""How do the reproductions look in a Markdown document?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from covey.errors import ReleaseError
from covey.reproduce.entries import Result

BEGIN = "<!-- begin: written by `covey reproduce`, do not edit -->"
END = "<!-- end: written by `covey reproduce` -->"

TITLES = {"text": "Said in the text", "(not printed)": "Not printed"}
"""Where a number is not in a table."""

_HEADER = (
    "| data | method | what | parameters | paper | ours | difference | status |\n"
    "|---|---|---|---|---:|---:|---:|---|"
)


def markdown(results: Sequence[Result]) -> str:
    """Return one Markdown table for each table of a paper, and how many came out how."""
    parts = [_summary(results)]
    for table in dict.fromkeys(result.entry.table for result in results):
        rows = [_row(result) for result in results if result.entry.table == table]
        parts.append("\n".join([f"### {TITLES.get(table, table)}\n", _HEADER, *rows]))
    return "\n\n".join(parts)


def inserted(document: str, text: str, *, name: str) -> str:
    """Return a document with the text between the two marker comments, whatever was there."""
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        raise ReleaseError(
            f"the document {name!r} does not have the two comments once each between which the "
            f"tables belong, so nothing was written. Put these lines where they go: {BEGIN} {END}"
        )
    before, _, rest = document.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}"


def _summary(results: Sequence[Result]) -> str:
    counts = Counter(result.status.partition(":")[0] for result in results)
    words = [f"{status} {count}" for status, count in counts.most_common()]
    return f"{len(results)} numbers: {', '.join(words)}."


def _row(result: Result) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in result.cells[1:]) + " |"

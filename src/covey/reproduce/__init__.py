"""The published numbers of the papers, beside ours."""

from covey.reproduce.entries import PaperEntry, PrintedTable, load_entries, load_tables
from covey.reproduce.judged import Result, Spread, judged, reproduce

__all__ = [
    "PaperEntry",
    "PrintedTable",
    "Result",
    "Spread",
    "judged",
    "load_entries",
    "load_tables",
    "reproduce",
]

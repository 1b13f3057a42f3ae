"""The published numbers of the papers, beside ours."""

from covey.reproduce.entries import PaperEntry, Result, load_entries, reproduce

__all__ = ["PaperEntry", "Result", "load_entries", "reproduce"]

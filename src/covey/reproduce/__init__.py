"""The published numbers of the papers, beside ours."""

from covey.reproduce.entries import Entry, Result, load_entries, reproduce

__all__ = ["Entry", "Result", "load_entries", "reproduce"]

"""Records in files that do not fit into memory, read piece by piece as often as needed."""

from covey.engines.files.limit import Memory
from covey.engines.files.scan import Stream, open_stream

__all__ = ["Memory", "Stream", "open_stream"]

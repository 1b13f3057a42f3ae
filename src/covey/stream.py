"""The public names of the engine for files that do not fit into memory (docs/scale.md)."""

from covey.engines.files import Memory, Stream, open_stream
from covey.evaluate.files import evaluate_stream

__all__ = ["Memory", "Stream", "evaluate_stream", "open_stream"]

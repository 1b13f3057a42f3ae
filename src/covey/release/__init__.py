"""Step 5, release: the only writer of released values."""

from covey.release.column import Column, ConceptColumn, GroupedColumn, NoisyColumn, UntouchedColumn
from covey.release.postprocess import ranked_column
from covey.release.release import Release, as_table, assemble, seeded

__all__ = [
    "Column",
    "ConceptColumn",
    "GroupedColumn",
    "NoisyColumn",
    "Release",
    "UntouchedColumn",
    "as_table",
    "assemble",
    "ranked_column",
    "seeded",
]

"""Step 5, release: the only writer of released values."""

from covey.release.column import (
    Column,
    ConceptColumn,
    CountColumn,
    GroupedColumn,
    NoisyColumn,
    UntouchedColumn,
)
from covey.release.postprocess import ranked_column
from covey.release.realisable import realisable
from covey.release.regenerate import regenerate
from covey.release.release import Release, as_table, assemble, assemble_counts, seeded

__all__ = [
    "Column",
    "ConceptColumn",
    "CountColumn",
    "GroupedColumn",
    "NoisyColumn",
    "Release",
    "UntouchedColumn",
    "as_table",
    "assemble",
    "assemble_counts",
    "ranked_column",
    "realisable",
    "regenerate",
    "seeded",
]

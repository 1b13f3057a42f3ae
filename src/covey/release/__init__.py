"""Step 5, release: the only writer of released values."""

from covey.release.column import (
    Column,
    ConceptColumn,
    CountColumn,
    GroupedColumn,
    NoisyColumn,
    UntouchedColumn,
)
from covey.release.postprocess import rising_means
from covey.release.realisable import realisable
from covey.release.regenerate import regenerate
from covey.release.release import Release, as_table, assemble, assemble_counts, seeded
from covey.release.saved import SavedRelease, open_release

__all__ = [
    "Column",
    "ConceptColumn",
    "CountColumn",
    "GroupedColumn",
    "NoisyColumn",
    "Release",
    "SavedRelease",
    "UntouchedColumn",
    "as_table",
    "assemble",
    "assemble_counts",
    "open_release",
    "realisable",
    "regenerate",
    "rising_means",
    "seeded",
]

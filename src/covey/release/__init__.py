"""Release: the only writer of released values."""

from covey.release.paid import charged_entry, check_folders
from covey.release.promised import seeded
from covey.release.release import Release, as_table
from covey.release.saved import SavedRelease, open_release
from covey.release.trace import Trace

__all__ = [
    "Release",
    "SavedRelease",
    "Trace",
    "as_table",
    "charged_entry",
    "check_folders",
    "open_release",
    "seeded",
]

"""What may differ between two neighbouring inputs?  The unit of privacy."""

from __future__ import annotations

from enum import StrEnum


class PrivacyUnit(StrEnum):
    """What may differ between two neighbouring inputs."""

    REPLACE_RECORD = "replace-record"
    ADD_REMOVE_RECORD = "add-remove-record"
    PERSON = "person"
    ADD_REMOVE_PERSON = "add-remove-person"
    EDGE = "edge"
    NODE = "node"
    SAME_PARTITION = "same-partition"
    NONE = "none"

    @property
    def words(self) -> str:
        """Return the neighbour relation in plain words."""
        return _UNIT_WORDS[self]


_UNIT_WORDS = {
    PrivacyUnit.REPLACE_RECORD: "one record replaced by another, the number of records public",
    PrivacyUnit.ADD_REMOVE_RECORD: "one record added or removed",
    PrivacyUnit.PERSON: (
        "all values in all records of one person, who has how many records being public"
    ),
    PrivacyUnit.ADD_REMOVE_PERSON: "all records of one person, there or not there",
    PrivacyUnit.EDGE: "one edge added or removed, the set of nodes public",
    PrivacyUnit.NODE: "one node added or removed with all its edges, its neighbours staying",
    PrivacyUnit.SAME_PARTITION: "one record replaced by another that leaves the clusters the same",
    PrivacyUnit.NONE: "no neighbour relation",
}

"""Groups are the same, to the last record, as before the kernels were made faster."""

import json

import pytest

from tests.kernels.mdav.record_partitions import (
    LONG_SIZES,
    MDAV_SIZES,
    PARTITIONS,
    cases,
    fingerprint,
)

BEFORE = json.loads(PARTITIONS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("size", MDAV_SIZES, ids=str)
def test_groups_are_those_formed_before(size) -> None:
    found = {" ".join(map(str, case)): fingerprint(case) for case in cases((size,))}

    assert found == {case: BEFORE[case] for case in found}


@pytest.mark.parametrize("path", ["tree", "blocks"])
@pytest.mark.parametrize("size", MDAV_SIZES[3:], ids=str)
def test_the_paths_for_more_records_form_them_too(size, path) -> None:
    found = {" ".join(map(str, case)): fingerprint(case, path) for case in cases((size,))}

    assert found == {case: BEFORE[case] for case in found}


@pytest.mark.thorough
@pytest.mark.parametrize("size", LONG_SIZES, ids=str)
def test_many_records_form_them_too(size) -> None:
    found = {" ".join(map(str, case)): fingerprint(case) for case in cases((size,))}

    assert found == {case: BEFORE[case] for case in found}

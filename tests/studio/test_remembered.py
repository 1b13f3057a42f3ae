"""The same columns are described as they were; what was read off the data is not kept."""

from __future__ import annotations

import stat

import pytest

from covey.studio.remembered import recall, remember
from covey.table import Attribute, Schema


@pytest.fixture
def described() -> Schema:
    return Schema(
        (
            Attribute("age", bounds=(0, 120), confirmed=("bounds",), confirmed_by="A. Curator"),
            Attribute("income", bounds=(17.5, 99.5), drafted=("bounds",)),
        )
    )


def test_what_was_confirmed_comes_back_for_the_same_columns(tmp_path, described) -> None:
    remember(tmp_path / "kept", described)
    drafted = Schema((Attribute("income", bounds=(1, 2)), Attribute("age", bounds=(3, 9))))

    known = recall(tmp_path / "kept", drafted)

    assert known is not None
    assert known.names == ("income", "age")
    assert known["age"] == described["age"]
    assert known["income"] == drafted["income"]


def test_what_was_read_off_the_data_is_not_kept(tmp_path, described) -> None:
    remember(tmp_path / "kept", described)

    (file,) = (tmp_path / "kept").iterdir()
    assert "17.5" not in file.read_text()
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("names", [("age",), ("age", "income", "town")])
def test_other_columns_are_described_anew(tmp_path, described, names) -> None:
    remember(tmp_path / "kept", described)

    assert recall(tmp_path / "kept", Schema(tuple(map(Attribute, names)))) is None


def test_a_file_that_was_damaged_is_forgotten(tmp_path, described) -> None:
    remember(tmp_path / "kept", described)
    (file,) = (tmp_path / "kept").iterdir()
    file.write_text("[[attribute]]\nname = 3\n")

    assert recall(tmp_path / "kept", described) is None

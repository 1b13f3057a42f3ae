"""Files of statistics packages: labels, codes for missing and descriptions mean what they say."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import covey

pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat is not installed")

GRADES = {1.0: "never", 2.0: "now and then", 3.0: "daily", -9.0: "no answer"}
MANY = 12


def spss(folder: Path) -> Path:
    frame = pd.DataFrame(
        {"smokes": [1.0, 2.0, 3.0, -9.0] * MANY, "age": [20.0, 31.0, 42.0, 53.0] * MANY}
    )
    path = folder / "people.sav"
    pyreadstat.write_sav(
        frame,
        str(path),
        variable_value_labels={"smokes": GRADES},
        missing_ranges={"smokes": [-9]},
        variable_measure={"smokes": "ordinal"},
        column_labels={"age": "Age at the interview", "smokes": "smokes"},
    )
    return path


def stata(folder: Path) -> Path:
    path = folder / "people.dta"
    pyreadstat.write_dta(
        pd.DataFrame({"q": [1.0, 2.0, "a", 1.0] * MANY}),
        str(path),
        missing_user_values={"q": ["a"]},
        variable_value_labels={"q": {1: "yes", 2: "no", "a": "refused"}},
    )
    return path


def test_the_label_of_a_missing_code_is_no_grade(tmp_path: Path) -> None:
    drafted = covey.Schema.draft(spss(tmp_path))["smokes"]

    assert drafted.categories == ("never", "now and then", "daily")
    assert drafted.scale == "ordinal"
    assert drafted.missing == "category"


def test_missing_codes_of_spss_are_missing_with_labels_and_with_codes(tmp_path: Path) -> None:
    for labels in (True, False):
        frame = covey.read_table(spss(tmp_path), labels=labels).frame

        assert frame["smokes"].null_count() == MANY


def test_labels_of_stata_s_own_missing_values_are_no_values(tmp_path: Path) -> None:
    table = covey.read_table(stata(tmp_path))

    assert table.schema["q"].categories == ("yes", "no")
    assert table.frame["q"].null_count() == MANY


def test_what_columns_mean_comes_from_the_file(tmp_path: Path) -> None:
    drafted = covey.Schema.draft(spss(tmp_path))

    assert drafted["age"].description == "Age at the interview"
    assert drafted["smokes"].description == ""

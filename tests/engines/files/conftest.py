"""Files of generated people, once for all tests of a file."""

from __future__ import annotations

import pytest

from tests.engines.files.engines import people


@pytest.fixture(scope="module", params=["data.parquet", "data.csv"])
def path(request, tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / request.param
    frame = people(12_000)
    if file.suffix == ".csv":
        frame.write_csv(file)
    else:
        frame.write_parquet(file, row_group_size=1_000)
    return file


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    file = tmp_path_factory.mktemp("people") / "data.parquet"
    people(8_000).write_parquet(file, row_group_size=1_000)
    return file

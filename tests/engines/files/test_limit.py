"""The bound on memory holds for the whole process, measured by the operating system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from covey.engines.files.limit import Memory

ROWS, LIMIT = 1_000_000, "540MB"
CODE = """
import sys
from pathlib import Path
import covey

schema = covey.Schema(tuple(covey.Attribute(name, bounds=(0, 1)) for name in "abcd"))
parameters = {"k": 50} if sys.argv[2] == "individual-ranking" else {"epsilon": 1.0}
release = covey.publish(
    sys.argv[1], sys.argv[2], schema=schema, engine="stream", memory=sys.argv[3], **parameters
)
release.save(sys.argv[4], format="csv")
# Not ru_maxrss, which begins with the memory of the process that started this one.
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["VmHWM"].split()[0]) * 1024)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[int, Path]:
    """Return files with row groups of so many rows."""
    folder = tmp_path_factory.mktemp("many")
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.random(ROWS) for name in "abcd"})
    found = {rows: folder / f"{rows}.parquet" for rows in (100_000, ROWS)}
    for rows, path in found.items():
        frame.write_parquet(path, row_group_size=rows)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(
    ("system", "rows"),
    [("rank-blocks", 100_000), ("rank-blocks", ROWS), ("individual-ranking", 100_000)],
)
def test_the_process_stays_below_what_was_allowed(files, tmp_path, system, rows) -> None:
    command = [sys.executable, "-c", CODE, str(files[rows]), system, LIMIT, str(tmp_path / "out")]

    ran = subprocess.run(command, capture_output=True, text=True, check=True)

    assert int(ran.stdout) < Memory.of(LIMIT).limit
    assert pl.scan_csv(tmp_path / "out" / "data.csv").select(pl.len()).collect().item() == ROWS
    assert (tmp_path / "out" / "report.html").is_file()


@pytest.mark.parametrize(
    ("text", "limit"), [("1GB", 10**9), ("0.75 GiB", 805306368), (600_000_000, 600_000_000)]
)
def test_amounts_are_read_as_people_write_them(text, limit) -> None:
    assert Memory.of(text).limit == limit

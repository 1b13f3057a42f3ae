"""What do all tests share?  A profile for Hypothesis, a small table, and a terminal beside it.

And an order: a file is tested by one process.  Kernels compile at their first call, so with one
file in two processes both would compile what it calls, and both would set up its fixtures.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import HealthCheck, settings

from covey import Attribute, Role, Scale, Schema
from covey.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

# Kernels compile at their first call, which no deadline and no health check should count.
settings.register_profile(
    "covey", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("covey")

# Where the reference data are, unless the environment says otherwise; tests that need them say
# so and are skipped where they are missing.
os.environ.setdefault("COVEY_DATA", str(Path(__file__).parents[2] / "shared" / "data"))


def pytest_addoption(parser):
    """Let `make test-all` run what takes long."""
    parser.addoption("--thorough", action="store_true", help="also run what takes long")


def pytest_collection_modifyitems(config, items):
    """Skip what takes long, and say how to run it."""
    if not config.getoption("thorough"):
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip(reason="takes long: run with `make test-all`"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each process whole files, and one process all that needs Spark, which starts slowly."""
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class WholeFiles(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid).split("::", maxsplit=1)[0]
            return "spark" if file.startswith("tests/engines/spark/") else file

    return WholeFiles(config, log)


BAD_ARGUMENTS, BAD_DATA = 2, 6
SENTINEL = "7777777"
"""Stands in records only, so that a message that holds it quotes a record."""


@pytest.fixture
def people() -> pl.DataFrame:
    """Give twenty-four records; one income is the sentinel and lies outside its public bounds."""
    incomes = [12_500.0 + 1_375.5 * i for i in range(23)]
    return pl.DataFrame(
        {
            "name": [f"Person {SENTINEL}-{i}" for i in range(24)],
            "age": [18 + (i * 37) % 61 for i in range(24)],
            "income": [*incomes[:11], float(SENTINEL), *incomes[11:]],
            "town": [("Ahof", "Bdorf", "Cstadt")[(i * 5) % 3] for i in range(24)],
            "pain": [("none", "mild", "strong")[(i * i) % 3] for i in range(24)],
            "illness": [("flu", "asthma", "gout", "none")[(i * 7) % 4] for i in range(24)],
        }
    )


@pytest.fixture
def people_schema() -> Schema:
    """Say what is public about the people: every bound and every category."""
    return Schema(
        (
            Attribute("name", role=Role.IDENTIFIER, scale=Scale.NOMINAL),
            Attribute("age", bounds=(0, 120), unit="years", integer=True),
            Attribute("income", bounds=(0, 100_000)),
            Attribute("town", scale=Scale.NOMINAL, categories=("Ahof", "Bdorf", "Cstadt")),
            Attribute(
                "pain",
                role=Role.NON_CONFIDENTIAL,
                scale=Scale.ORDINAL,
                categories=("none", "mild", "strong"),
            ),
            Attribute("illness", role=Role.CONFIDENTIAL, scale=Scale.NOMINAL),
        )
    )


@dataclass(frozen=True)
class Ran:
    """What a command left on the terminal."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Terminal:
    """A terminal in a folder with people.csv and people.toml."""

    folder: Path
    schema: Schema
    run: Callable[..., Ran]

    def describe(self, name: str, **changes: object) -> None:
        """Write people.toml again, with other properties of one attribute."""
        self.schema.updated(name, **changes).save(self.folder / "people.toml")

    def publish(self, *arguments: str) -> Ran:
        """Publish people.csv to out/."""
        return self.run("publish", "people.csv", "-s", "people.toml", "-o", "out", *arguments)

    def refused(self, *arguments: str, code: int | None = None) -> str:
        """Run a command that must fail properly, and return what it says.

        Properly: with the right exit code, with nothing on standard output, with one sentence
        or more on standard error that quotes no record, and with no file made or changed.
        """
        before = self.files()

        ran = self.run(*arguments)

        assert ran.code in ((BAD_ARGUMENTS, BAD_DATA) if code is None else (code,)), ran.err
        assert ran.out == ""
        assert ran.err.startswith("error: ")
        assert ran.err.rstrip().endswith((".", "?", ".csv"))
        assert SENTINEL not in ran.err
        assert f"{float(SENTINEL):g}" not in ran.err
        assert self.files() == before
        return ran.err

    def refused_to_publish(self, *arguments: str, code: int | None = None) -> str:
        """Publish people.csv to out/, which must fail properly."""
        arguments = ("publish", "people.csv", "-s", "people.toml", "-o", "out", *arguments)
        return self.refused(*arguments, code=code)

    def files(self) -> dict[str, bytes | None]:
        """Return everything in the folder; a lock beside a ledger holds nothing and stays."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
            for path in self.folder.rglob("*")
            if path.suffix != ".lock"
        }


@pytest.fixture
def terminal(
    tmp_path: Path,
    people: pl.DataFrame,
    people_schema: Schema,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Terminal:
    """Open a terminal in a folder with the people."""

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["covey", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        shown = capsys.readouterr()
        return Ran(code=int(stop.value.code or 0), out=shown.out, err=shown.err)

    monkeypatch.chdir(tmp_path)
    people.write_csv(tmp_path / "people.csv")
    people_schema.save(tmp_path / "people.toml")
    return Terminal(folder=tmp_path, schema=people_schema, run=run)


@pytest.fixture(scope="session")
def two_million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the records of `tests.engines.files.large` to a file that all engines read."""
    from tests.engines.files.large import write_records

    path = tmp_path_factory.mktemp("large") / "records.parquet"
    write_records(path)
    return path


@pytest.fixture
def permissions_matter(tmp_path: Path) -> None:
    """Skip a test about permissions for a user, such as root, to whom they do not apply."""
    locked = tmp_path / ".locked"
    locked.touch(mode=0)
    allowed = os.access(locked, os.R_OK)
    locked.unlink()
    if allowed:
        pytest.skip("this user may read and write every file")

"""How does one get a Spark session, or an error that says what is missing?"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import covey.errors as covey_errors
from covey.errors import CoveyError, DataError, PlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LEAST_JAVA = 17
TRIES = 4
"""How often a task is tried; alone on one machine, Spark's own default is once."""

_PATIENCE = 5.0
_RECORDS = 2**16
"""Records in a batch that is sent to a worker: enough to make Python's share small."""

_OWN = re.compile(r"^covey\.errors\.(\w+): (.+)$", re.MULTILINE)


def session(master: str = "local[*]", **settings: str) -> SparkSession:
    """Return a Spark session, after checking that Java is there and the master answers.

    Parameters
    ----------
    master : str
        ``local[2]`` for two cores of this machine, ``spark://host:7077``, ``yarn``, …
    **settings : str
        Of Spark, with ``__`` for the dots: ``spark__executor__memory="4g"``.
    """
    try:
        with warnings.catch_warnings():
            # Spark warns of new versions of pandas, which covey does not use through it.
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
            from pyspark.sql import SparkSession
    except ImportError:
        raise PlanError(
            "the engine 'spark' needs PySpark, which is not installed, so nothing was published. "
            "Install it with: pip install 'covey[spark]'."
        ) from None
    _refuse_old_java(java_version())
    _refuse_silent_master(master)
    local = re.fullmatch(r"local(?:\[([0-9]+|\*)\])?", master)
    if local:
        master = f"local[{local[1] or 1},{TRIES}]"
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master(master)
        .appName("covey")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", str(_RECORDS))
        .config("spark.sql.session.timeZone", "UTC")
    )
    for name, value in settings.items():
        builder = builder.config(name.replace("__", "."), value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        raise PlanError(
            f"Spark did not start with the master {master!r} ({type(error).__name__}), so nothing "
            f"was published. Check the master, and Spark's own messages above."
        ) from error


def java_version() -> int | None:
    """Return the version of the Java that Spark would start, or None if there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if java is None:
        return None
    ran = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = re.search(r'version "(?:1\.)?([0-9]+)', ran.stderr + ran.stdout)
    return int(found[1]) if found else None


@contextmanager
def explained() -> Iterator[None]:
    """Turn what goes wrong inside Spark into an error of covey.

    An error that covey itself raised in a worker comes back as it was.  The text of any other is
    withheld, because Spark's messages quote values.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        own = _OWN.findall(str(error))
        kind = getattr(covey_errors, own[-1][0], None) if own else None
        if own and isinstance(kind, type) and issubclass(kind, CoveyError):
            raise kind(own[-1][1].strip()) from None
        raise _unknown(error) from None


def _unknown(error: Exception) -> DataError:
    text = str(error)
    if "No space left on device" in text:
        return DataError(
            "the disk of a Spark worker is full, so nothing was published and nothing was spent. "
            "Make room in spark.local.dir and in the staging folder."
        )
    if "FileNotFoundException" in text or "FAILED_READ_FILE" in text or "PATH_NOT_FOUND" in text:
        return DataError(
            "a file of the data cannot be read: it went away, is damaged, or has other types than "
            "the first one. Nothing was published and nothing was spent. Start again when the "
            "files are complete and stay in their place."
        )
    condition = getattr(error, "getCondition", lambda: None)() or type(error).__name__
    return DataError(
        f"Spark could not finish its work ({condition}), so nothing was published and nothing was "
        f"spent. Its own log names the cause; it may quote records, so it is not repeated here."
    )


def _refuse_old_java(found: int | None) -> None:
    if found is None or found < LEAST_JAVA:
        what = "no Java was found" if found is None else f"the Java found here is version {found}"
        raise PlanError(
            f"the engine 'spark' needs Java {LEAST_JAVA} or newer and {what}, so nothing was "
            f"published. Install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: "
            f"brew install openjdk@17), or set JAVA_HOME to where it is."
        )


def _refuse_silent_master(master: str) -> None:
    """Knock at the door of a standalone master, for which Spark itself would wait minutes."""
    if not master.startswith("spark://"):
        return
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        try:
            with socket.create_connection((host, int(port)), timeout=_PATIENCE):
                return
        except (OSError, ValueError):
            continue
    raise PlanError(
        f"the Spark master {master!r} cannot be reached, so nothing was published. Check its name "
        f"and port, or use --master local[2]."
    )
